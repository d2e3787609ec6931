/** Damaged strings, such as an author, an editor or a faulty disk might produce. */
import fc from 'fast-check';
import { codePoints } from '../code-points.ts';
import { samples } from './corpus.ts';

/** Characters and snippets that once broke the readers. */
const ODD = [
  '\0',
  '\uFEFF',
  '\r',
  '\r\n',
  '\n',
  '\t',
  ' ',
  '\u0085',
  '\u00A0',
  '\u2028',
  '\u200F',
  '\u202E',
  '\uD83D',
  '\uDE00',
  '💡',
  'é',
  ':',
  ': ',
  ' #',
  '- ',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '*',
  '&a',
  '*a',
  '!',
  '!!str',
  '|',
  '>',
  '%',
  '@',
  '`',
  '?',
  '? ',
  '<<: ',
  '---',
  '---\n',
  '...\n',
  '```',
  '~~~',
  '```yaml artifact\n',
  '# ',
  '## ',
  '## Example: x\n',
  '### Input\n',
  '<!--',
  '-->',
  '> ',
  '1. ',
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '{% if x %}',
  '{% endif %}',
  '{{ x }}',
  '|',
  '#tool:x',
  '#skill:x',
  '#interrupt:x',
  '#artifact:x',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  '~',
  'true',
  '1e999',
  '.inf',
  '.nan',
  '0x1f',
  '-0',
  'name: x\n',
  'tools: [x]\n',
  'description: a: b\n',
  'input_schema: {a: string}\n',
  'level: 2\n',
  'composes: [x]\n',
  '# skill-disable-next-line unknown-tool\n',
  '<!-- skill-disable-next-line unknown-tool -->\n',
  '[a](b.md)',
  '(',
  ')',
  '\\',
  '$ref',
];

const odd = fc.constantFrom(...ODD);

/** An offset as a fraction of the text, so that shrinking works for strings of any length. */
const place = fc.double({ min: 0, max: 1, noNaN: true });

export type Mutation = (text: string) => string;

const at = (text: string, where: number): number => Math.floor(where * text.length);

function onLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split(/(?<=\n)/);
  change(lines);
  return lines.join('');
}

const lineAt = (lines: readonly string[], where: number): number =>
  Math.min(lines.length - 1, Math.floor(where * lines.length));

/** One change to text, such as an author, an editor or a faulty disk might make. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  place.map(
    (where): Mutation =>
      (text) =>
        onLines(text, (lines) => lines.splice(lineAt(lines, where), 1)),
  ),
  place.map(
    (where): Mutation =>
      (text) =>
        onLines(text, (lines) => {
          const number = lineAt(lines, where);
          lines.splice(number, 0, lines[number] ?? '');
        }),
  ),
  fc.tuple(place, place).map(
    ([one, other]): Mutation =>
      (text) =>
        onLines(text, (lines) => {
          const [a, b] = [lineAt(lines, one), lineAt(lines, other)];
          [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
        }),
  ),
  place.map(
    (where): Mutation =>
      (text) =>
        text.slice(0, at(text, where)),
  ),
  place.map(
    (where): Mutation =>
      (text) =>
        text.slice(at(text, where)),
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(place, odd).map(
      ([where, what]): Mutation =>
        (text) =>
          text.slice(0, at(text, where)) + what + text.slice(at(text, where)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(place, fc.nat({ max: 12 })).map(
      ([where, length]): Mutation =>
        (text) =>
          text.slice(0, at(text, where)) + text.slice(at(text, where) + length),
    ),
  },
  fc.tuple(place, fc.constantFrom('  ', '\t', ' ')).map(
    ([where, indent]): Mutation =>
      (text) =>
        onLines(text, (lines) => {
          const number = lineAt(lines, where);
          lines[number] = indent + (lines[number] ?? '');
        }),
  ),
  fc.constantFrom<Mutation>(
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => text.replaceAll('\n', '\r'),
    (text) => `\uFEFF${text}`,
    (text) => text.trimEnd(),
    (text) => text.replaceAll('"', "'"),
    (text) => text.replaceAll('  ', '\t'),
  ),
  fc.constantFrom(...['__proto__', 'constructor', 'x', '"x"', "'a: b'"]).chain((name) =>
    place.map(
      (where): Mutation =>
        (text) => {
          const words = [...text.matchAll(/[a-z_]+(?=:)|(?<=: )[a-z_-]+$/gm)];
          const word = words[Math.floor(where * words.length)];
          return word ? text.slice(0, word.index) + name + text.slice(word.index + word[0].length) : text;
        },
    ),
  ),
);

/** A sample after a few mutations. `path` is the path of the sample. */
export const damagedSample: fc.Arbitrary<{ readonly path: string; readonly text: string }> = fc
  .tuple(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([[path, text], mutations]) => ({ path, text: mutations.reduce((result, mutate) => mutate(result), text) }));

/** Any text, mostly of characters and words with a meaning in skills. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  codePoints(80),
  fc.array(odd, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.array(odd, { maxLength: 30 }).map((pieces) => `---\n${pieces.join('')}\n---\n`),
);

/** File names, one for every dialect. */
export const anyPath: fc.Arbitrary<string> = fc.constantFrom(
  'a.skill.md',
  'b.skill.yaml',
  'pack/SKILL.md',
  'skills/plain.md',
  'skills.config.yaml',
);
