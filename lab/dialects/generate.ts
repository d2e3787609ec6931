/** Random frontmatters: kinds that authors write, and odd ones. Equal seeds give equal texts. */
import fc from 'fast-check';

const KEYS = ['name', 'description', 'license', 'version', 'metadata', 'allowed-tools', 'tags', 'when_to_use'];
const ODD_KEYS = [
  '"name"',
  "'x y'",
  'a b',
  'A',
  'x.y',
  '1',
  'true',
  'null',
  '<<',
  '&k n',
  '!!str s',
  'é',
  '-',
  'x#y',
  '*k',
];

const TEXTS = [
  'Sorts apples. Use it when someone mentions apples.',
  'Sorts nuts: first by size.',
  'Sorts issues like #12 by age',
  'It\'s a "quoted" word',
  'See https://example.org/a?b=c#d',
  'Ends with a colon:',
  '- a dash',
  'a - b -- c',
  'text with {braces} and [brackets], commas',
  'Read, Grep, Bash(git status:*)',
  'café naïve 日本語 😀',
  'C:\\new `tools` $1',
  'one, two; three | four > five',
  '100% sure & more',
  'a: b: c',
  'trailing space ',
  'what? why!',
  '@team',
  '*.ts',
  '&one',
  '!two',
  '%3',
  '`code`',
  '|',
  '>',
  ',',
  '#',
  '~',
];
const SCALARS = [
  'true',
  'False',
  'yes',
  'No',
  'on',
  'OFF',
  'null',
  '~',
  'Null',
  '1',
  '0',
  '-1',
  '+2',
  '007',
  '08',
  '0o17',
  '0x1F',
  '-0x1f',
  '0b11',
  '1_000',
  '1.0',
  '1.10',
  '-.5',
  '5.',
  '1e3',
  '1E-2',
  '12e4567',
  '.inf',
  '-.INF',
  '.nan',
  '1:30',
  '12:30:45',
  '1.2.3',
  '2026-11-29',
  '2026-1-2',
  '2026-11-29T10:00:00Z',
  '2026-11-29 10:00',
  '=',
  '<<',
  '123abc',
  '1,000',
  '0x',
  '0o8',
  '1e',
  '_1',
  '1_',
  '0_1',
  '+',
  '.',
  '..',
  '9007199254740993',
  '1.7976931348623159e308',
  '0.1e-400',
];
const TAGS = ['!!str', '!!int', '!!float', '!!bool', '!!null', '!x', '!<tag:yaml.org,2002:str>', '!'];

const prose = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z][a-z ,.:#'"\-[\]{}]{0,20}$/) },
);
const quoted = prose.chain((text) =>
  fc.constantFrom(
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    `'${text.replaceAll("'", "''")}'`,
    `"${text}"`,
    `'${text}'`,
  ),
);
const plain = fc.oneof({ weight: 3, arbitrary: prose }, { weight: 2, arbitrary: fc.constantFrom(...SCALARS) });
const atom = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 2, arbitrary: quoted });
const tagged = fc.tuple(fc.constantFrom(...TAGS), atom).map(([tag, value]) => `${tag} ${value}`);
const anchored = fc.tuple(fc.constantFrom('&a', '&b'), atom).map(([anchor, value]) => `${anchor} ${value}`);
const flowItem = fc.oneof(
  fc.constantFrom('a', 'b c', '1', 'x: y', '"q"', "'s'", 'a:b', '*a', '[]', '{}', '- x', '', '2026-11-29', '!x a'),
  atom,
);
const flow = fc.oneof(
  fc
    .tuple(fc.array(flowItem, { maxLength: 3 }), fc.constantFrom(', ', ',', ',\n  ', ',\n', ' , '))
    .map(([items, by]) => `[${items.join(by)}]`),
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', '"c"', '1'), flowItem), { maxLength: 3 }),
      fc.constantFrom(', ', ',', ',\n  '),
    )
    .map(([items, by]) => `{${items.map(([key, value]) => `${key}: ${value}`).join(by)}}`),
);
const indent = fc.constantFrom('  ', '  ', '  ', '    ', ' ', '', '\t', '  \t');
const lines = fc.array(
  fc.oneof({ weight: 5, arbitrary: prose }, fc.constantFrom('', '# note', '- item', 'key: value', '  deeper')),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const block = fc
  .tuple(fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '> # note', '|1-'), indent, lines)
  .map(([sign, by, all]) => [sign, ...all.map((line) => (line === '' ? '' : by + line))].join('\n'));
const folded = fc
  .tuple(prose, indent, lines)
  .map(([first, by, all]) => [first, ...all.map((line) => by + line)].join('\n'));
const list = fc
  .tuple(
    indent,
    fc.array(fc.oneof(atom, flow, fc.constantFrom('', 'a: 1', 'a: 1\n    b: 2', '- x')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([by, items]) => ['', ...items.map((item) => `${by}- ${item}`)].join('\n'));
const map = fc
  .tuple(
    indent,
    fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'owner', '<<', '"q"', '1'), fc.oneof(atom, fc.constantFrom('*a', ''))),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([by, entries]) => ['', ...entries.map(([key, value]) => `${by}${key}: ${value}`)].join('\n'));
const value = fc.oneof(
  { weight: 8, arbitrary: atom },
  { weight: 2, arbitrary: flow },
  { weight: 2, arbitrary: block },
  { weight: 1, arbitrary: folded },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: map },
  { weight: 1, arbitrary: tagged },
  { weight: 1, arbitrary: anchored },
  { weight: 1, arbitrary: fc.constantFrom('', '*a', '*b', '# note', 'x # note', 'x\t# note', '\tx', 'x\t', 'a\tb') },
);
const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) },
);
const entry = fc
  .tuple(key, fc.constantFrom(': ', ': ', ': ', ': ', ':  ', ':', ' : ', ':\t'), value)
  .map(([name, colon, one]) => (one.startsWith('\n') ? `${name}:${one}` : name + colon + one));
const line = fc.oneof(
  { weight: 12, arbitrary: entry },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '# note', '  # note', '  ', '---', '...', 'stray', '- item', '%YAML 1.1'),
  },
);
const frontmatter = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('\n', '\n', '\n', '\n', '\n', '\n', '\r\n', '\r'),
  )
  .map(([all, lineBreak]) => `${all.join('\n')}\n`.replaceAll('\n', lineBreak));

/** Missing items of a list, and keys that are merged from a list or a date, have rules that no author needs. */
const UNUSUAL = /[[{,]\s*,|,\s*[\]}]|<<:\s*(?:[\r\n]|\d{4}-)/;

/** Returns `count` random frontmatters. */
export const generate = (count: number, seed: number): readonly string[] =>
  fc.sample(
    frontmatter.filter((text) => !UNUSUAL.test(text)),
    { numRuns: count, seed },
  );
