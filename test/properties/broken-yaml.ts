/** YAML that breaks as people break it: a key is deleted, a line is indented, an entry becomes a list item. */
import fc from 'fast-check';
import { samples } from './corpus.ts';

const word = fc.constantFrom('a', 'tags', 'name', 'description', 'version', 'toll', 'request', 'b_c', 'tools', 'x.y');

const scalar = fc.constantFrom(
  'x',
  '1.0',
  'true',
  '',
  'Get ready',
  'Reads pages. Use it: always',
  'a: b: c',
  '"quoted"',
  "'it''s'",
  '"say \\"hi\\""',
  '[a, b]',
  '{a: 1, b: [x]}',
  '{{ x }}',
  '*alias',
  '&anchor',
  '!tag',
  '@at',
  '#1 skill',
  'C:\\new',
  'ends with:',
  'see # here',
  "don't",
  '|',
  '>-',
  '- item',
);

/** The lines of a block of YAML, indented by `depth` levels of two or four spaces. */
const block = (depth: number): fc.Arbitrary<readonly string[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(word, scalar).map(([key, value]) => [`${key}: ${value}`.trimEnd()]) },
        { weight: 1, arbitrary: scalar.map((value) => [`- ${value}`]) },
        { weight: 1, arbitrary: fc.tuple(word, scalar).map(([key, value]) => [`- ${key}: ${value}`]) },
        { weight: 1, arbitrary: scalar.map((value) => [value]) },
        ...(depth > 0
          ? [
              {
                weight: 3,
                arbitrary: fc
                  .tuple(
                    word,
                    fc.constantFrom('  ', '    ', '\t', ''),
                    fc.constantFrom('', ' 1.0', ' text'),
                    block(depth - 1),
                  )
                  .map(([key, indent, value, lines]) => [`${key}:${value}`, ...lines.map((line) => indent + line)]),
              },
            ]
          : []),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.flat());

/** The frontmatter of a sample, or a whole sample that is only YAML. */
const heads: readonly (readonly string[])[] = [...samples.values()].flatMap((text) => {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? (text.startsWith('name:') ? text : undefined);
  return head === undefined ? [] : [head.trimEnd().split('\n').slice(0, 60)];
});

/** One change of an author, at the line with an index. Every function returns new lines. */
type Damage = (line: string, next: string | undefined) => readonly string[];

const DAMAGES: readonly Damage[] = [
  () => [],
  (line) => [line.replace(/^(\s*(?:- )?)[^\s:]+:[ ]?/, '$1')],
  (line) => [line.replace(/^(\s*)/, '$1- ')],
  (line) => [line.replace(/^(\s*)- /, '$1')],
  (line) => [`  ${line}`],
  (line) => [` ${line}`],
  (line) => [line.replace(/^ {1,2}/, '')],
  (line) => [line.replace(/^ +/, '\t')],
  (line) => [line.replace(/^ */, (spaces) => `${spaces}\t`)],
  (line) => [`${line}"`],
  (line) => [line.replace(/: /, ': "')],
  (line) => [line.replace(/["']/, '')],
  (line) => [`${line}:`],
  (line) => [line.replace(/(\w) (\w)/, '$1: $2')],
  (line) => [line.replace(/: /, ':')],
  (line) => [line.replace(/[[{\]}]/, '')],
  (line) => [line.replace(/: /, ': [')],
  (line) => [`${line} # note: x`],
  (line) => [line.replace(/: /, ': @')],
  (line) => [line.replace(/: /, ': |')],
  (line) => [line, line],
  (line, next) => [`${line} ${next?.trim() ?? ''}`],
  (line) => [line.slice(0, Math.ceil(line.length / 2)), `  ${line.slice(Math.ceil(line.length / 2))}`],
  (line) => [line, ''],
  (line) => [line, 'stray text'],
];

const damage = fc.tuple(fc.nat(60), fc.constantFrom(...DAMAGES));

/** Broken YAML: random lines, or the head of a sample, with up to three changes. */
export const brokenYaml: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(block(2), fc.constantFrom(...heads)), fc.array(damage, { maxLength: 3 }))
  .map(([lines, damages]) => {
    const damaged = [...lines];
    for (const [at, change] of damages) {
      const index = damaged.length === 0 ? 0 : at % damaged.length;
      damaged.splice(index, 1, ...change(damaged[index] ?? '', damaged[index + 1]));
    }
    return damaged.map((line) => `${line}\n`).join('');
  });
