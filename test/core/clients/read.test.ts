/** The readings of a file: by one client, and by all clients with equal ones together. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { ParseRules } from '../../../server/src/clients/pipeline/dialects.ts';
import { type OpenRules, unopened } from '../../../server/src/clients/pipeline/open.ts';
import {
  FileReader,
  isPlain,
  type ReadRules,
  readingsOf,
  ruleSetOf,
} from '../../../server/src/clients/pipeline/read.ts';
import type { Ask, Setting } from '../../../server/src/clients/pipeline/setting.ts';

const OPEN: OpenRules = { bom: 'skip', encoding: 'replace', cr: 'text', opens: 'line', closes: 'line', absent: 'drop' };
const PARSE: ParseRules = { dialect: 'yaml', duplicates: 'error', repair: 'none', afterError: 'drop' };

const rulesOf = (open: Partial<OpenRules> = {}, parse: Partial<ParseRules> = {}): ReadRules => ({
  open: { ...OPEN, ...open },
  parse: { ...PARSE, ...parse },
});

const none: Ask = <Value>(_: string, value: Setting<Value>): Value => value as Value;

const CLAUDE = rulesOf(
  { closes: 'anywhere', absent: 'body' },
  { dialect: 'bun', duplicates: 'last', repair: 'quote-claude', afterError: 'body' },
);
const CODEX = rulesOf(
  { bom: 'keep', opens: 'trimmed-line', closes: 'indented-line', encoding: 'stop' },
  { dialect: 'serde', repair: 'quote-codex' },
);
const PI = rulesOf({ cr: 'break', opens: 'prefix-and-one', closes: 'prefix' });
const CLIENTS = [CLAUDE, CODEX, PI, PI];

const PLAIN = '---\nname: sort-apples\ndescription: Sorts apples. Use it for apples.\n---\n\n# Body\n';

/** Returns the readings in short: the clients, and the description or the code. */
const readings = (text: string, clients: readonly ReadRules[] = CLIENTS): readonly string[] =>
  readingsOf(text, ruleSetOf(clients)).map(({ clients: own, reading }) => {
    const result = 'code' in reading ? reading.code : JSON.stringify(reading.keys.get('description')?.value ?? null);
    return `${[...own.keys()].join(' ')}: ${result}`;
  });

describe('a file that a client reads', () => {
  it('has keys, and the offset of the body', () => {
    const reading = new FileReader(PLAIN).read(CLAUDE, none);
    assert.ok('keys' in reading);
    assert.deepEqual([...reading.keys.keys()], ['name', 'description']);
    assert.equal(PLAIN.slice(reading.bodyStart), '\n# Body\n');
  });

  it('loses white space at the ends of the YAML', () => {
    const indented = '---\n  name: a\n  description: b\n---\n';
    const flow = '---\n  { description: b }\n---\n';
    const trimmed = rulesOf({ yamlEnds: 'trimmed' });
    assert.deepEqual(readings(indented, [rulesOf(), trimmed]), ['0: "b"', '1: parse/syntax']);
    assert.deepEqual(readings(flow, [trimmed]), ['0: "b"']);
  });

  it('has the cause of a repair at its character', () => {
    const at = (text: string): string => {
      const cause = new FileReader(text).causeOfRepair(CLAUDE, none);
      return cause ? `${cause.code} ${text.slice(cause.at)}` : 'none';
    };
    assert.equal(at(PLAIN), 'none');
    assert.equal(at('---\nname: a: b\n---\n'), 'parse/colon : b\n---\n');
    assert.equal(at('---\nname: a\n...\n'), 'open/unclosed ...\n');
    assert.equal(at('\n---\nname: a\n---\n'), 'open/before \n---\nname: a\n---\n');
  });
});

describe('the readings of a file', () => {
  it('are one for a plain file', () => {
    assert.deepEqual(readings(PLAIN), ['0 1 2 3: "Sorts apples. Use it for apples."']);
  });

  it('are one for a file with blocks, lists and quotes', () => {
    const text =
      '---\nname: x\ndescription: >-\n  Sorts\n  apples.\ntags: [a, "b"]\nmetadata:\n  level: 3\n---\nBody.\n';
    assert.deepEqual(readings(text), ['0 1 2 3: "Sorts apples."']);
  });

  it('keep apart what clients read differently', () => {
    assert.deepEqual(readings('---\ndescription: a\ndescription: b\n---\nx'), ['0: "b"', '1 2 3: parse/duplicate-key']);
    assert.deepEqual(readings('---\ndescription: a\n...\nx'), ['0: null', '1 2 3: open/unclosed']);
    assert.deepEqual(readings('---\ndescription: a --- b\n---\nx'), ['0: "a"', '1 2 3: "a --- b"']);
    assert.deepEqual(readings('----\ndescription: a\n---\nx'), ['0: null', '1: open/no-frontmatter', '2 3: "a"']);
  });

  it('name the choices that lead to them', () => {
    const closes: OpenRules['closes'] = { oneOf: ['line', 'anywhere'], because: 'unknown' };
    const set = ruleSetOf([rulesOf({ closes })]);
    const picks = (text: string) => readingsOf(text, set).map(({ clients }) => clients.get(0));
    assert.deepEqual(picks(PLAIN), [[[]]]);
    assert.deepEqual(picks('---\ndescription: a --- b\n---\nx'), [
      [[{ setting: 'open.closes', value: 'line', because: 'unknown' }]],
      [[{ setting: 'open.closes', value: 'anywhere', because: 'unknown' }]],
    ]);
  });

  it('do not change with the body, unless the description is taken from it', () => {
    const set = ruleSetOf(CLIENTS);
    const [head, other] = ['---\nname: x\ndescription: y\n---\n', '---\nname: x\n---\n'];
    assert.deepEqual(readingsOf(`${head}a`, set), readingsOf(`${head}b`, set));
    assert.notDeepEqual(readingsOf(`${other}a`, set), readingsOf(`${other}b`, set));
    assert.notDeepEqual(readingsOf(`${head}a`, set), readingsOf(`${head} `, set));
  });

  it('are cut', () => {
    const long = 'a'.repeat(30_000);
    const [reading] = readingsOf(
      `---\ndescription: ${long}\nother: ${long}\nlist: [${'x, '.repeat(500)}y]\n---\nx`,
      ruleSetOf([PI]),
    );
    assert.ok(reading && 'keys' in reading.reading);
    const { keys } = reading.reading;
    const lengthOf = (key: string) => ((keys.get(key)?.value ?? '') as string | readonly unknown[]).length;
    assert.deepEqual([lengthOf('description'), lengthOf('other'), lengthOf('list')], [20_000, 200, 200]);
    assert.deepEqual(keys.get('description')?.length, { characters: 30_000, bytes: 30_000 });
  });
});

describe('a plain file', () => {
  const isPlainValue = (value: string): boolean => isPlain(unopened(`---\nname: ${value}\n---\nx`));

  it('has words without a meaning in YAML', () => {
    for (const value of ['Sorts apples.', 'a-b', 'größe', 'a, b; c (d) $e']) assert.ok(isPlainValue(value), value);
    for (const value of [
      '1',
      'yes',
      'null',
      '2026-11-29',
      '"a"',
      '[a]',
      'a: b',
      'a #b',
      'a\tb',
      'a ',
      '',
      '*a',
      'a:',
      'a\u2028b',
      '- a',
      '12e4567',
    ])
      assert.ok(!isPlainValue(value), JSON.stringify(value));
  });

  it('has no key twice, no block and no odd line', () => {
    for (const text of [
      '---\na: b\na: c\n---\n',
      '---\na: |\n  b\n---\n',
      '---\n---\n',
      '---\na: b\n---',
      '---\na: b\n...\n',
      ' ---\na: b\n---\n',
      '---\r\na: b\r\n---\r\n',
    ])
      assert.ok(!isPlain(unopened(text)), JSON.stringify(text));
  });
});
