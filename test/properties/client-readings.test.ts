/** Laws of how clients read a file: nothing throws, every place is in the file, and plain files have one reading. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { generate } from '../../lab/dialects/generate.ts';
import { TEXTS } from '../../lab/dialects/texts.ts';
import type { Dialect, ParseRules } from '../../server/src/clients/pipeline/dialects.ts';
import { type Closes, type OpenRules, type Opens, unopened } from '../../server/src/clients/pipeline/open.ts';
import { FileReader, isPlain, type ReadRules, readingsOf, ruleSetOf } from '../../server/src/clients/pipeline/read.ts';
import { isStop } from '../../server/src/clients/pipeline/reading.ts';
import { type Ask, areEqual, type Setting } from '../../server/src/clients/pipeline/setting.ts';
import { parseFrontmatter } from '../../server/src/languages/yaml/frontmatter.ts';
import { mapEntries } from '../../server/src/languages/yaml/node.ts';
import { cases, scaled } from '../random.ts';

const OPENS = ['line', 'exact-line', 'trimmed-line', 'prefix', 'prefix-and-one', 'language', 'after-space', 'any-line'];
const CLOSES = [
  'line',
  'exact-line',
  'line-with-break',
  'indented-line',
  'prefix',
  'prefix-below',
  'prefix-or-end',
  'anywhere',
];
const DIALECTS = ['yaml', 'js-yaml-3', 'js-yaml-4-1', 'js-yaml-4', 'bun', 'serde', 'go-yaml', 'pyyaml'];
const READERS = ['lines-openai', 'lines-letta', 'lines-gemini', 'lines-qwen', 'lines-droid', 'lines-qoder'];
const QUOTES = ['none', 'quote-claude', 'quote-codex', 'quote-opencode', 'quote-strands'];

const open: fc.Arbitrary<OpenRules> = fc.record({
  bom: fc.constantFrom('skip', 'keep'),
  encoding: fc.constantFrom('replace', 'stop'),
  cr: fc.constantFrom('break', 'text'),
  opens: fc.constantFrom(...(OPENS as Opens[])),
  closes: fc.constantFrom(...(CLOSES as Closes[])),
  absent: fc.constantFrom('drop', 'body'),
});
const parse: fc.Arbitrary<ParseRules> = fc.record({
  dialect: fc.constantFrom(...([...DIALECTS, 'lines-openai', 'lines-letta', 'lines-qwen', 'lines-droid'] as Dialect[])),
  duplicates: fc.constantFrom('error', 'first', 'last'),
  repair: fc.constantFrom(...([...QUOTES, ...READERS] as (ParseRules['repair'] & string)[])),
  afterError: fc.constantFrom('drop', 'body'),
});
const rules: fc.Arbitrary<ReadRules> = fc.record({ open, parse });

const fence = fc.constantFrom(
  '---\n',
  '---\n',
  '---\n',
  '---',
  '---  \n',
  '----\n',
  '...\n',
  ' ---\n',
  '---\r\n',
  '---\r',
  '',
  '\uFEFF---\n',
);
const yaml = fc.oneof(
  fc.constantFrom(...generate(500, 3)),
  fc.constantFrom(...TEXTS.values()),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const file = fc
  .tuple(
    fc.constantFrom('', '', '', '\uFEFF', '\n', '<!-- x -->\n', '\uFFFD'),
    fence,
    yaml,
    fence,
    fc.constantFrom('', '# Body\n', '\n---\n', '\uFFFD', ' '),
  )
  .map((parts) => parts.join(''));

const none: Ask = <Value>(_: string, value: Setting<Value>): Value => value as Value;

/** The values that are kept of keys, if no text is long. */
const short = (keys: ReadonlyMap<string, { readonly value: unknown }>): unknown =>
  [...keys].map(([key, { value }]) => [key.slice(0, 200), value]);

describe('how clients read a file', () => {
  test('never throws, and every offset is in the file', () => {
    fc.assert(
      fc.property(file, rules, (text, one) => {
        const reading = new FileReader(text).read(one, none);
        const offset = isStop(reading) ? reading.at : reading.bodyStart;
        assert.ok(offset >= 0 && offset <= text.length, `${offset} of ${text.length}`);
        const cause = new FileReader(text).causeOfRepair(one, none);
        assert.ok(cause === undefined || (cause.at >= 0 && cause.at <= text.length));
      }),
      cases(6_000),
    );
  });

  test('of which nothing is known has the readings of all variants', () => {
    const all = <Value>(...oneOf: readonly Value[]): Setting<Value> => ({ oneOf, because: 'unknown' });
    const unknown = ruleSetOf([
      {
        open: {
          bom: all<'skip' | 'keep'>('skip', 'keep'),
          encoding: 'replace',
          cr: 'text',
          opens: all(...(OPENS.slice(0, 4) as Opens[])),
          closes: all(...(CLOSES.slice(0, 4) as Closes[])),
          absent: all<'drop' | 'body'>('drop', 'body'),
        },
        parse: { dialect: all('yaml', 'js-yaml-3', 'serde'), duplicates: 'error', repair: 'none', afterError: 'drop' },
      },
    ]);
    const member = fc.record({
      open: fc.record({
        bom: fc.constantFrom('skip' as const, 'keep' as const),
        encoding: fc.constant('replace' as const),
        cr: fc.constant('text' as const),
        opens: fc.constantFrom(...(OPENS.slice(0, 4) as Opens[])),
        closes: fc.constantFrom(...(CLOSES.slice(0, 4) as Closes[])),
        absent: fc.constantFrom('drop' as const, 'body' as const),
      }),
      parse: fc.record({
        dialect: fc.constantFrom('yaml' as const, 'js-yaml-3' as const, 'serde' as const),
        duplicates: fc.constant('error' as const),
        repair: fc.constant('none' as const),
        afterError: fc.constant('drop' as const),
      }),
    });
    fc.assert(
      fc.property(file, member, (text, one) => {
        const readings = readingsOf(text, unknown).map(({ reading }) => reading);
        const [own] = readingsOf(text, ruleSetOf([one]));
        assert.ok(readings.some((reading) => areEqual(reading, own?.reading)));
      }),
      cases(1_500),
    );
  });

  test('reads YAML without its ends like a file that ends there', () => {
    const base = { bom: 'skip', encoding: 'replace', cr: 'text', opens: 'line', absent: 'drop' } as const;
    const key = fc.constantFrom(
      '',
      'license: MIT',
      'license: MIT ',
      'license: |',
      'license: |\n  MIT',
      '- MIT',
      '"MIT"',
    );
    const text = fc.tuple(fc.constantFrom('', ' ', '\n'), fc.oneof(yaml, fc.constant('name: a\n')), key);
    let count = 0;
    fc.assert(
      fc.property(text, fc.constantFrom('without-last-break', 'trimmed'), parse, (parts, yamlEnds, how) => {
        const written = parts.join('');
        if (/^[ \t]*---|\r$/m.test(written) || written.trim() === '') return;
        count++;
        const end = yamlEnds === 'trimmed' ? written.trim() : written;
        const file = new FileReader(`---\n${written}\n---\n`);
        file.read({ open: { ...base, closes: 'line' }, parse: how }, none);
        const own: ReadRules = { open: { ...base, closes: 'line', yamlEnds }, parse: how };
        const other = new FileReader(`---\n${end}`).read(
          { open: { ...base, closes: 'line-or-end' }, parse: how },
          none,
        );
        for (const reading of [file.read(own, none), ...(file.readings(own) ?? []).map(({ value }) => value)]) {
          if (isStop(reading) || isStop(other))
            assert.equal('code' in reading && reading.code, 'code' in other && other.code);
          else assert.deepEqual(reading.keys, other.keys);
        }
      }),
      cases(3_000),
    );
    assert.ok(count > 0);
  });

  test('is equal for a plain file, and equal to how the product reads it', () => {
    const word = fc
      .array(fc.constantFrom('apples,', 'größe', 'a-b', '(x)', '$1', '2026', 'yes', 'no.', '日本語', '-', 'a:b'))
      .map((words) => ['Sorts', ...words].join(' '));
    const lines = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z][a-z-]{0,8}$/), word), {
      minLength: 1,
      selector: ([key]) => key,
    });
    const plain = lines.map(
      (entries) => `---\n${entries.map(([key, value]) => `${key}: ${value}\n`).join('')}---\n\n# Body\n`,
    );
    let count = 0;
    fc.assert(
      fc.property(plain, rules, rules, (text, one, other) => {
        if (!isPlain(unopened(text))) return;
        count++;
        const reading = new FileReader(text).read(one, none);
        assert.deepEqual(reading, new FileReader(text).read(other, none));
        assert.ok(!isStop(reading));
        const { tree, bodyStart } = parseFrontmatter(text);
        const own = mapEntries(tree.root).map(({ key, value }) => [
          String(key.value),
          value.kind === 'scalar' && value.value,
        ]);
        assert.deepEqual(
          [...reading.keys].map(([key, { value }]) => [key, value]),
          own,
        );
        assert.equal(reading.bodyStart, bodyStart);
      }),
      cases(2_000),
    );
    assert.ok(count > scaled(2_000) / 4, `only ${count} files were plain`);
  });

  test('is the same alone and together with others', () => {
    const generated = fc.constantFrom(...generate(3_000, 5), ...TEXTS.values()).map((text) => `---\n${text}---\nx`);
    fc.assert(
      fc.property(fc.oneof(file, generated), fc.array(rules, { minLength: 1, maxLength: 4 }), (text, all) => {
        const readings = readingsOf(text, ruleSetOf(all));
        all.forEach((one, index) => {
          const mine = readings.filter(({ clients }) => clients.has(index));
          const reading = new FileReader(text).read(one, none);
          assert.equal(mine.length, 1);
          const own = mine[0]?.reading;
          assert.ok(own && 'code' in own === isStop(reading), JSON.stringify(own));
          if ('code' in own || isStop(reading)) return;
          assert.ok(
            areEqual(
              [...own.keys].map(([key, { value }]) => [key, value]),
              short(reading.keys),
            ),
          );
        });
      }),
      cases(6_000),
    );
  });

  test('takes time that grows with the length of the file', () => {
    const all = ruleSetOf(
      DIALECTS.flatMap((dialect) =>
        CLOSES.map(
          (closes): ReadRules => ({
            open: {
              bom: 'keep',
              encoding: 'stop',
              cr: 'break',
              opens: 'any-line',
              closes: closes as Closes,
              absent: 'drop',
            },
            parse: { dialect: dialect as Dialect, duplicates: 'error', repair: 'quote-claude', afterError: 'drop' },
          }),
        ),
      ),
    );
    const hostile: readonly ((n: number) => string)[] = [
      (n) => `---\n${'a: [\n'.repeat(n)}---\n`,
      (n) => `---\na: [\n${'b,\n'.repeat(n)}]\n---\n`,
      (n) => `---\na: "\n${'b\n'.repeat(n)}"\n---\n`,
      (n) => `---\n${'\ta: b\n'.repeat(n)}---\n`,
      (n) => `---\n${'- '.repeat(n)}\n---\n`,
      (n) => `---\n${'a: b: c\n'.repeat(n)}---\n`,
      (n) => `---\n${' '.repeat(n)}\n${'-'.repeat(n)}`,
      (n) => `${'-- -\n'.repeat(n)}---\n`,
      (n) => `---\na: ${'*b '.repeat(n)}\n---\n`,
      (n) => `${'\n---\na'.repeat(n)}`,
    ];
    for (const make of hostile) {
      const timeOf = (n: number): number => {
        const text = make(n);
        const start = process.cpuUsage().user;
        readingsOf(text, all);
        return process.cpuUsage().user - start;
      };
      timeOf(250);
      const [short, long] = [timeOf(500), timeOf(2_000)];
      assert.ok(long < 10 * short + 300_000, `${JSON.stringify(make(1))}: ${short} µs, then ${long} µs`);
    }
  });
});
