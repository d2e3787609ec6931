/** The step `parse`: the keys that each client reads, its repairs, and the character at which it stops. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type ParseRules, parseKeys, YamlText } from '../../../server/src/clients/pipeline/dialects.ts';
import type { FieldValue } from '../../../server/src/clients/pipeline/reading.ts';
import { type Ask, resultsOf, type Setting } from '../../../server/src/clients/pipeline/setting.ts';

const RULES: ParseRules = { dialect: 'yaml', duplicates: 'error', repair: 'none', afterError: 'drop' };

const none: Ask = <Value>(setting: string, value: Setting<Value>): Value => {
  assert.ok(typeof value !== 'object' || value === null || !('oneOf' in value), `asks for ${setting}`);
  return value as Value;
};

/** Returns the values of the keys; `repaired` beside them if they were repaired; for a stop, the text with `$0`. */
function shown(text: string, rules: Partial<ParseRules> = {}, ask: Ask = none): unknown {
  const parsed = parseKeys(new YamlText(text, { start: 0, end: text.length }), { ...RULES, ...rules }, ask);
  if ('code' in parsed) return `${parsed.code} ${text.slice(0, parsed.at)}$0${text.slice(parsed.at)}`;
  const values: Record<string, FieldValue> = Object.fromEntries(
    [...parsed.keys].map(([key, { value }]) => [key, value]),
  );
  return parsed.isRepaired ? { repaired: values } : values;
}

describe('an error', () => {
  it('is at the exact character', () => {
    assert.equal(
      shown('name: x\ndescription: Sorts nuts: first.\n'),
      'parse/colon name: x\ndescription: Sorts nuts$0: first.\n',
    );
    assert.equal(shown('name: x\nname: y\n'), 'parse/duplicate-key name: x\n$0name: y\n');
    assert.equal(shown('name: @team\n'), 'parse/syntax name: $0@team\n');
    assert.equal(shown('name: *x\n'), 'parse/syntax name: $0*x\n');
    assert.equal(shown('metadata:\n\towner: x\n'), 'parse/syntax metadata:\n$0\towner: x\n');
    assert.equal(shown('- x\n'), 'parse/not-a-map $0- x\n');
    assert.equal(shown('name: !x y\n', { dialect: 'js-yaml-4' }), 'parse/syntax name: !x $0y\n');
    assert.equal(shown('name: x\u007f\n', { dialect: 'js-yaml-4' }), 'parse/syntax name: x$0\u007f\n');
    assert.equal(shown('name: a\tb\n', { dialect: 'pyyaml' }), 'parse/syntax name: a$0\tb\n');
    assert.equal(shown('name: x\n\t\nb: y\n', { dialect: 'go-yaml' }), 'parse/syntax name: x\n$0\t\nb: y\n');
  });

  it('drops the skill, or only the keys', () => {
    assert.deepEqual(shown('name: "x\n', { afterError: 'body' }), { repaired: {} });
    assert.deepEqual(shown('', {}), {});
    assert.deepEqual(shown('# x\n', {}), {});
  });
});

describe('a key twice', () => {
  const text = 'a: 1\na: 2\n';
  it('is an error, the first or the last', () => {
    assert.equal(shown(text), 'parse/duplicate-key a: 1\n$0a: 2\n');
    assert.deepEqual(shown(text, { duplicates: 'first' }), { a: 1 });
    assert.deepEqual(shown(text, { duplicates: 'last' }), { a: 2 });
    assert.deepEqual(shown(text, { dialect: 'lines-openai' }), { a: '2' });
  });
});

describe('a date', () => {
  it('is a text in some libraries, and no text in others', () => {
    const text = 'a: 2026-11-29\n';
    assert.deepEqual(shown(text), { a: '2026-11-29' });
    const parsed = parseKeys(
      new YamlText(text, { start: 0, end: text.length }),
      { ...RULES, dialect: 'js-yaml-3' },
      none,
    );
    assert.ok('keys' in parsed);
    assert.deepEqual(parsed.keys.get('a'), { value: '2026-11-29T00:00:00.000Z', text: '2026-11-29', isDate: true });
  });
});

describe('a repair', () => {
  const colon = 'name: x\ndescription: Sorts "nuts": first\n';

  it('puts the values in quotes that the client puts in quotes', () => {
    const repaired = { repaired: { name: 'x', description: 'Sorts "nuts": first' } };
    assert.deepEqual(shown(colon, { repair: 'quote-claude', dialect: 'bun' }), repaired);
    assert.deepEqual(shown(colon, { repair: 'quote-codex', dialect: 'serde' }), repaired);
    assert.deepEqual(shown(colon, { repair: 'quote-opencode', dialect: 'js-yaml-3' }), repaired);
    assert.deepEqual(shown(colon, { repair: 'quote-kilo', dialect: 'js-yaml-3' }), repaired);
    assert.deepEqual(shown(colon, { repair: 'quote-strands' }), repaired);
  });

  it('differs in the first character', () => {
    const after = (value: string, rules: Partial<ParseRules>): boolean =>
      typeof shown(`a: ${value}\n`, rules) === 'object';
    const values = ['@team x', '*x* y', '[x] y', '%5 y', '`x` y', '{x} y'];
    const repairedBy = (repair: ParseRules['repair']) => values.filter((value) => after(value, { repair }));
    assert.deepEqual(repairedBy('quote-claude'), values);
    assert.deepEqual(repairedBy('quote-codex'), ['@team x', '[x] y', '`x` y', '{x} y']);
    assert.deepEqual(repairedBy('quote-opencode'), []);
    assert.deepEqual(repairedBy('lines-qwen'), values);
  });

  it('that does not help leaves the first error', () => {
    const twice = 'a: b: c\na: d\n';
    assert.equal(shown(twice, { repair: 'quote-strands' }), 'parse/colon a: b$0: c\na: d\n');
    assert.deepEqual(shown(twice, { repair: 'quote-claude', duplicates: 'last' }), { repaired: { a: 'd' } });
  });

  it('of Kilo keeps lines below a value, so that a list there is an error', () => {
    const list = 'a: b: c:\n  - d\n';
    assert.deepEqual(shown(list, { repair: 'quote-opencode', dialect: 'js-yaml-3' }), {
      repaired: { a: 'b: c:\n- d' },
    });
    assert.equal(typeof shown(list, { repair: 'quote-kilo', dialect: 'js-yaml-3' }), 'string');
  });

  it('of OpenClaw removes quotes around a description, and changes no other key', () => {
    assert.deepEqual(shown('description: "a \\d b"\n', { repair: 'quote-openclaw' }), {
      repaired: { description: 'a \\d b' },
    });
    assert.deepEqual(shown('description: - a\n', { repair: 'quote-openclaw' }), { repaired: { description: '- a' } });
    assert.equal(typeof shown('other: a: b\n', { repair: 'quote-openclaw' }), 'string');
  });

  it('of Codex keeps a comment, and reads inner maps', () => {
    const text = 'a: @x y # z\nb:\n  c: d: e\nf: "g"\n';
    assert.deepEqual(shown(text, { repair: 'quote-codex', dialect: 'serde' }), {
      repaired: { a: '@x y', b: { c: 'd: e' }, f: 'g' },
    });
    assert.equal(shown('a: b:\n', { repair: 'quote-codex', dialect: 'serde' }), 'parse/colon a: b$0:\n');
  });

  it('of Claude Code replaces tabs, and keeps lists', () => {
    assert.deepEqual(shown('a: b: c\nd:\n\te: f\ng: [h]\n', { repair: 'quote-claude', dialect: 'bun' }), {
      repaired: { a: 'b: c', d: { e: 'f' }, g: ['h'] },
    });
    // Bun's parser refuses `[a] [b]` (1.3.9), so that it is no list.
    assert.deepEqual(shown('a: [b] [c]\n', { repair: 'quote-claude', dialect: 'bun' }), {
      repaired: { a: '[b] [c]' },
    });
  });

  it('of Gemini CLI reads lines also if a required key is no text', () => {
    const rules: Partial<ParseRules> = { dialect: 'js-yaml-4-1', repair: 'lines-gemini' };
    assert.deepEqual(shown('name: 1\ndescription:\n  - a\n  - b\n', rules), {
      repaired: { name: '1', description: '- a - b' },
    });
    assert.deepEqual(shown('name: x\ndescription: 2031-05-07\n', rules), {
      repaired: { name: 'x', description: '2031-05-07' },
    });
    assert.deepEqual(shown('name: x\nother: 1\n', rules), { name: 'x', other: 1 });
    assert.deepEqual(shown('name: x\ndescription: y\nother: 1\n', rules), { name: 'x', description: 'y', other: 1 });
  });
});

describe('a reader of lines', () => {
  it('of the OpenAI Agents SDK keeps signs, and folds lines', () => {
    const text =
      '"name": x\ndescription: >\n  a\n  b\n\n  c\ntext: &d e: #f\n  g\n# h\nquoted: "i\\"j"\nmap:\n  k: l\n';
    assert.deepEqual(shown(text, { dialect: 'lines-openai' }), {
      '"name"': 'x',
      description: 'a b\nc',
      text: '&d e: #f g',
      quoted: 'i\\"j',
      map: '',
    });
  });

  it('of Letta Code reads lists and blocks', () => {
    const text = 'a:\n  - x\n  - y\nb: |\n  c\n    d\ne: "f"\ng:\nh:i\n';
    assert.deepEqual(shown(text, { dialect: 'lines-letta' }), { a: ['x', 'y'], b: 'c\n  d\n', e: 'f', g: '', h: 'i' });
  });

  it('of Qwen Code reads words, lists and maps', () => {
    const text = 'a: true\nb: 1.0\nc: "x\\"y"\nd:\n  - x\n  - null\ne:\n  f: false\n  g: null\nh: null\ni: [x\n';
    assert.deepEqual(shown(text, { repair: 'lines-qwen' }), {
      repaired: { a: true, b: 1, c: 'x"y', d: ['x'], e: { f: false }, i: '[x' },
    });
  });
});

describe('the reader of lines of Droid', () => {
  it('reads keys at any indentation, lists of two keys, and JSON', () => {
    const text =
      'a: b: c\nm:\n\tb: "x: y"\n# d: e\ntools:\n  - x\n  - "y"\nl:\n  - z\nj: ["k", 1]\nn: [o\nt: true\nq: "\nmcpServers: r, s\n';
    assert.deepEqual(shown(text, { repair: 'lines-droid' }), {
      repaired: {
        ...{ a: 'b: c', m: '', b: 'x: y', tools: ['x', 'y'], l: '', j: ['k', 1], n: '[o', t: true, q: '' },
        mcpServers: ['r', 's'],
      },
    });
  });
});

describe('the reader of lines of Qoder CLI', () => {
  it('reads keys with at most one space before them, and joins the lines below', () => {
    const text = 'a: "b: c\n d: e\nm:\n  x: y\nl: z:\n  - 1\n  - 2\nt: |\n\tp.\n\tq.\na: last [\n';
    assert.deepEqual(shown(text, { repair: 'lines-qoder' }), {
      repaired: { a: 'last [', d: 'e', m: 'x: y', l: 'z: - 1 - 2', t: 'p. q.' },
    });
  });
});

describe('a setting', () => {
  const unknown = <Value>(...oneOf: readonly Value[]): Setting<Value> => ({ oneOf, because: 'unknown' });
  const UNKNOWN: ParseRules = {
    dialect: unknown<'yaml' | 'js-yaml-3' | 'serde' | 'pyyaml'>('yaml', 'js-yaml-3', 'serde', 'pyyaml'),
    duplicates: unknown<'error' | 'first' | 'last'>('error', 'first', 'last'),
    repair: unknown<'none' | 'quote-claude' | 'lines-qwen'>('none', 'quote-claude', 'lines-qwen'),
    afterError: unknown<'drop' | 'body'>('drop', 'body'),
  };
  const asked = (text: string): readonly string[] => {
    const results = resultsOf((ask) => shown(text, UNKNOWN, ask)) ?? [];
    return [...new Set(results.flatMap(({ picks }) => picks.flat().map(({ setting }) => setting)))].sort();
  };

  it('is not asked for if a text does not depend on it', () => {
    assert.deepEqual(asked('name: x\ndescription: |\n  One.\ntags: [a, "b"]\n'), []);
    assert.deepEqual(asked('a: 2026-11-29\n'), ['parse.dialect']);
    assert.deepEqual(asked('a: x\na: y\n'), ['parse.afterError', 'parse.duplicates', 'parse.repair']);
    assert.deepEqual(asked('a: "b\n'), ['parse.afterError', 'parse.repair']);
  });
});
