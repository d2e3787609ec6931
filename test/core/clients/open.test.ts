/** The step `open`: where each variant finds the frontmatter, and the character at which it stops. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import {
  type Closes,
  type OpenRules,
  type Opens,
  openFile,
  unopened,
} from '../../../server/src/clients/pipeline/open.ts';
import { type Ask, resultsOf, type Setting } from '../../../server/src/clients/pipeline/setting.ts';

const RULES: OpenRules = {
  bom: 'skip',
  encoding: 'replace',
  cr: 'text',
  opens: 'line',
  closes: 'line',
  absent: 'drop',
};

const none: Ask = <Value>(setting: string, value: Setting<Value>): Value => {
  assert.ok(typeof value !== 'object' || value === null || !('oneOf' in value), `asks for ${setting}`);
  return value as Value;
};

/** Returns the file with `[` and `]` around its YAML and `|` before its body, or the code and the file with `$0`. */
function shown(text: string, rules: Partial<OpenRules>, ask: Ask = none): string {
  const opened = openFile(unopened(text), { ...RULES, ...rules }, ask);
  if ('code' in opened) return `${opened.code} ${text.slice(0, opened.at)}$0${text.slice(opened.at)}`;
  const { yaml, bodyStart } = opened;
  const end = yaml?.end ?? bodyStart;
  const inYaml = yaml ? `${text.slice(0, yaml.start)}[${text.slice(yaml.start, end)}]` : '';
  return `${inYaml}${text.slice(end, bodyStart)}|${text.slice(bodyStart)}`;
}

const withOpens = (text: string, opens: Opens): string => shown(text, { opens });
const withCloses = (text: string, closes: Closes): string => shown(text, { closes });

const ALL_OPENS: readonly Opens[] = [
  'line',
  'exact-line',
  'trimmed-line',
  'prefix',
  'prefix-and-one',
  'language',
  'after-space',
  'prefix-after-space',
  'hyphens-after-space',
  'any-line',
  'anywhere',
];
const ALL_CLOSES: readonly Closes[] = [
  'line',
  'exact-line',
  'line-with-break',
  'indented-line',
  'prefix',
  'prefix-below',
  'prefix-or-end',
  'line-or-end',
  'hyphens',
  'anywhere',
  'as-opening',
];

describe('an opening line', () => {
  const cases: Readonly<Record<string, Partial<Record<Opens, string>> & { readonly others: string }>> = {
    '---  \na: b\n---\n': {
      'exact-line': 'open/no-frontmatter ---$0  \na: b\n---\n',
      others: '---  \n[a: b\n]---\n|',
    },
    '----\na: b\n---\n': {
      'any-line': 'open/unclosed ----\na: b\n---\n$0',
      prefix: '---[-\na: b\n]---\n|',
      'prefix-after-space': '---[-\na: b\n]---\n|',
      'prefix-and-one': '----[\na: b\n]---\n|',
      'hyphens-after-space': '----\n[a: b\n]---\n|',
      anywhere: '---[-\na: b\n]---\n|',
      others: 'open/no-frontmatter ---$0-\na: b\n---\n',
    },
    '---yaml\na: b\n---\n': {
      'any-line': 'open/unclosed ---yaml\na: b\n---\n$0',
      language: '---yaml\n[a: b\n]---\n|',
      prefix: '---[yaml\na: b\n]---\n|',
      'prefix-after-space': '---[yaml\na: b\n]---\n|',
      'prefix-and-one': '---y[aml\na: b\n]---\n|',
      anywhere: '---[yaml\na: b\n]---\n|',
      others: 'open/no-frontmatter ---$0yaml\na: b\n---\n',
    },
    '--- # skill\na: b\n---\n': {
      'any-line': 'open/unclosed --- # skill\na: b\n---\n$0',
      prefix: '---[ # skill\na: b\n]---\n|',
      'prefix-after-space': '---[ # skill\na: b\n]---\n|',
      'prefix-and-one': '--- [# skill\na: b\n]---\n|',
      anywhere: '---[ # skill\na: b\n]---\n|',
      others: 'open/no-frontmatter --- $0# skill\na: b\n---\n',
    },
    ' ---\na: b\n---\n': {
      'any-line': 'open/unclosed  ---\na: b\n---\n$0',
      'trimmed-line': ' ---\n[a: b\n]---\n|',
      'after-space': ' ---\n[a: b\n]---\n|',
      'prefix-after-space': ' ---\n[a: b\n]---\n|',
      'hyphens-after-space': ' ---\n[a: b\n]---\n|',
      anywhere: ' ---\n[a: b\n]---\n|',
      others: 'open/before $0 ---\na: b\n---\n',
    },
    '\n---\na: b\n---\n': {
      'after-space': '\n---\n[a: b\n]---\n|',
      'prefix-after-space': '\n---\n[a: b\n]---\n|',
      'hyphens-after-space': '\n---\n[a: b\n]---\n|',
      anywhere: '\n---\n[a: b\n]---\n|',
      'any-line': '\n---\n[a: b\n]---\n|',
      others: 'open/before $0\n---\na: b\n---\n',
    },
    'Text --- a: b --- body\n': {
      anywhere: 'open/unclosed Text --- a: b --- body\n$0',
      others: 'open/no-frontmatter $0Text --- a: b --- body\n',
    },
    '<!-- x -->\n---\na: b\n---\n': {
      anywhere: '<!-- x -->\n---\n[a: b\n]---\n|',
      'any-line': '<!-- x -->\n---\n[a: b\n]---\n|',
      others: 'open/before $0<!-- x -->\n---\na: b\n---\n',
    },
    '# Title\n': { others: 'open/no-frontmatter $0# Title\n' },
    '': { others: 'open/no-frontmatter $0' },
  };
  for (const [text, { others, ...own }] of Object.entries(cases)) {
    it(`of ${JSON.stringify(text)}`, () => {
      for (const opens of ALL_OPENS) assert.equal(withOpens(text, opens), own[opens] ?? others, opens);
    });
  }
});

describe('a closing line', () => {
  const cases: Readonly<Record<string, Partial<Record<Closes, string>> & { readonly others: string }>> = {
    '---\na: b\n---  \nx': {
      'exact-line': 'open/unclosed ---\na: b\n---$0  \nx',
      others: '---\n[a: b\n]---  \n|x',
    },
    '---\na: b\n---': {
      'line-with-break': 'open/unclosed ---\na: b\n---$0',
      others: '---\n[a: b\n]---|',
    },
    '---\na: b\n----\nx': {
      prefix: '---\n[a: b\n]---|-\nx',
      'prefix-below': '---\n[a: b\n]---|-\nx',
      'prefix-or-end': '---\n[a: b\n]---|-\nx',
      anywhere: '---\n[a: b\n]---|-\nx',
      'line-or-end': '---\n[a: b\n----\nx]|',
      hyphens: '---\n[a: b\n]----\n|x',
      others: 'open/unclosed ---\na: b\n---$0-\nx',
    },
    '---\na: b\n...\nx': {
      'prefix-or-end': '---\n[a: b\n...\nx]|',
      'line-or-end': '---\n[a: b\n...\nx]|',
      others: 'open/unclosed ---\na: b\n$0...\nx',
    },
    '---\na: b\n\nx': {
      'prefix-or-end': '---\n[a: b\n\nx]|',
      'line-or-end': '---\n[a: b\n\nx]|',
      others: 'open/unclosed ---\na: b\n\nx$0',
    },
    '---\na: |\n  b\n  ---\n  c\n---\nx': {
      'indented-line': '---\n[a: |\n  b\n]  ---\n|  c\n---\nx',
      anywhere: '---\n[a: |\n  b\n  ]---\n|  c\n---\nx',
      others: '---\n[a: |\n  b\n  ---\n  c\n]---\n|x',
    },
    '---\na: b --- c\n---\nx': {
      anywhere: '---\n[a: b ]---| c\n---\nx',
      others: '---\n[a: b --- c\n]---\n|x',
    },
    '---\n---\nx': { 'prefix-below': 'open/unclosed ---\n---$0\nx', others: '---\n[]---\n|x' },
  };
  for (const [text, { others, ...own }] of Object.entries(cases)) {
    it(`of ${JSON.stringify(text)}`, () => {
      for (const closes of ALL_CLOSES) assert.equal(withCloses(text, closes), own[closes] ?? others, closes);
    });
  }
});

describe('three hyphens anywhere', () => {
  it('open and close in a line of text', () => {
    const rules = { opens: 'anywhere', closes: 'anywhere' } as const;
    assert.equal(shown('Text --- a: b --- body\n', rules), 'Text ---[ a: b ]---| body\n');
    assert.equal(shown('Text\n', rules), 'open/no-frontmatter $0Text\n');
  });
});

describe('a closing line below an indented opening line', () => {
  it('has at most the same indentation', () => {
    const rules = { opens: 'trimmed-line', closes: 'as-opening' } as const;
    assert.equal(shown('  ---\n  a: b\n  ---\nx', rules), '  ---\n[  a: b\n]  ---\n|x');
    assert.equal(shown('  ---\n  a: |\n    ---\n---\nx', rules), '  ---\n[  a: |\n    ---\n]---\n|x');
  });
});

describe('a file', () => {
  const text = '---\na: b\n---\nx';

  it('with a byte order mark is read without it, or stops there', () => {
    assert.equal(shown(`\uFEFF${text}`, {}), '\uFEFF---\n[a: b\n]---\n|x');
    assert.equal(shown(`\uFEFF${text}`, { bom: 'keep' }), `open/bom $0\uFEFF${text}`);
    for (const opens of ALL_OPENS.filter((one) => one !== 'any-line' && one !== 'anywhere'))
      assert.equal(shown(`\uFEFF${text}`, { bom: 'keep', opens }), `open/bom $0\uFEFF${text}`, opens);
    assert.equal(shown(`\uFEFF${text}`, { bom: 'keep', opens: 'anywhere' }), '\uFEFF---\n[a: b\n]---\n|x');
    assert.equal(shown('\uFEFFx', { bom: 'keep' }), 'open/no-frontmatter $0\uFEFFx');
  });

  it('that is empty is perhaps not loaded, even if it needs no frontmatter', () => {
    assert.equal(shown('', { absent: 'body' }), '|');
    assert.equal(shown('', { absent: 'body', dropsEmpty: true }), 'open/no-frontmatter $0');
    assert.equal(shown('x', { absent: 'body', dropsEmpty: true }), '|x');
  });

  it('with bytes that are not UTF-8 is read, or stops at the first', () => {
    assert.equal(shown(`${text}\uFFFD`, {}), '---\n[a: b\n]---\n|x\uFFFD');
    assert.equal(shown(`${text}\uFFFD`, { encoding: 'stop' }), `open/encoding ${text}$0\uFFFD`);
    assert.equal(shown('\uFFFD', { encoding: 'stop', absent: 'body' }), 'open/encoding $0\uFFFD');
  });

  it('with CRLF line breaks is read, or has no frontmatter', () => {
    const crlf = text.replaceAll('\n', '\r\n');
    assert.equal(shown(crlf, {}), '---\r\n[a: b\r\n]---\r\n|x');
    assert.equal(shown(crlf, { crlf: 'stop' }), 'open/crlf ---$0\r\na: b\r\n---\r\nx');
    assert.equal(shown(crlf, { crlf: 'stop', absent: 'body' }), `|${crlf}`);
    assert.equal(shown(text, { crlf: 'stop' }), '---\n[a: b\n]---\n|x');
  });

  it('with CR line breaks is one line, unless the client reads them', () => {
    const cr = text.replaceAll('\n', '\r');
    assert.equal(shown(cr, {}), 'open/no-frontmatter ---$0\ra: b\r---\rx');
    assert.equal(shown(cr, { cr: 'break' }), '---\r[a: b\r]---\r|x');
    assert.equal(shown(cr, { opens: 'prefix', closes: 'anywhere' }), '---[\ra: b\r]---|\rx');
  });

  it('without frontmatter is dropped, or is the body', () => {
    assert.equal(shown('x', { absent: 'body' }), '|x');
    assert.equal(shown('\uFEFFx', { absent: 'body' }), '|x');
    assert.equal(shown('---\na: b\n', { absent: 'body' }), '|---\na: b\n');
  });
});

describe('a setting', () => {
  const unknown = <Value>(...oneOf: readonly Value[]): Setting<Value> => ({ oneOf, because: 'unknown' });
  const UNKNOWN: OpenRules = {
    bom: unknown<'skip' | 'keep'>('skip', 'keep'),
    encoding: unknown<'replace' | 'stop'>('replace', 'stop'),
    cr: unknown<'break' | 'text'>('break', 'text'),
    opens: unknown(...ALL_OPENS),
    closes: unknown(...ALL_CLOSES),
    absent: unknown<'drop' | 'body'>('drop', 'body'),
  };
  const asked = (text: string): readonly string[] => {
    const results = resultsOf((ask) => openFile(unopened(text), UNKNOWN, ask)) ?? [];
    return [...new Set(results.flatMap(({ picks }) => picks.flat().map(({ setting }) => setting)))].sort();
  };

  it('is not asked for if a file does not depend on it', () => {
    assert.deepEqual(asked('---\na: b\n---\nx'), []);
    assert.deepEqual(asked('---\r\na: b\r\n---\r\nx - -- y\n\n---\n'), []);
    assert.deepEqual(asked('---\na: b\n---\nx\uFFFD'), ['open.encoding']);
    // If the mark is kept, the closing line may be the opening one.
    assert.deepEqual(asked('\uFEFF---\na: b\n---\nx'), ['open.absent', 'open.bom', 'open.closes', 'open.opens']);
    assert.deepEqual(asked('\uFEFFx').slice(0, 1), ['open.absent']);
    assert.deepEqual(asked('---\na: b\n---'), ['open.absent', 'open.closes']);
    assert.deepEqual(asked('# x'), ['open.absent']);
  });
});
