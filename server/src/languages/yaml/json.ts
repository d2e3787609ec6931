/** Parses JSON to the same tree as YAML, so that vocabulary, hover and outline work for both formats. */
import { type Span, span } from '../../text.ts';
import type { YamlNode, YamlProblem, YamlScalar, YamlTree } from './node.ts';
import { parseYaml } from './parse.ts';

/**
 * Parses the span `place` of a string as JSON. Reports a problem for syntax that only YAML allows. All spans are
 * offsets in UTF-16 code units into the whole text. Never throws.
 */
export function parseJson(text: string, place: Span): YamlTree {
  const tree = parseYaml(text, place, 'JSON');
  if (tree.broken) return { ...tree, problems: tree.problems.map(withJsonFix) };
  const source = text.slice(place.start, place.end);
  if (isJson(source)) return tree;
  const found = [
    ...tree.comments.map((comment) => problemOfComment(comment.span)),
    ...(tree.root ? foreignScalars(text, tree.root) : []),
    ...trailingCommas(source, place.start),
  ];
  const problems = found.length > 0 ? found : [problemAt(tree.root?.span ?? place, 'This is not valid JSON.')];
  return { ...tree, broken: true, problems: [...problems, ...tree.problems].sort(byPlace) };
}

/** Returns whether the whole text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a problem of YAML without its fix if the fix writes text that JSON does not allow, such as single quotes. */
function withJsonFix(problem: YamlProblem): YamlProblem {
  const { fix, ...rest } = problem;
  return fix?.edits.every(({ newText }) => /^(?:[\s\\]*|["\]}])$/.test(newText) || isJson(newText)) ? problem : rest;
}

const byPlace = (a: YamlProblem, b: YamlProblem): number => a.span.start - b.span.start;

const problemAt = (place: Span, message: string): YamlProblem => ({ span: place, message, kind: 'syntax' });

/** Returns a problem whose fix removes the text at its span. */
const removable = (place: Span, message: string, title: string): YamlProblem => ({
  ...problemAt(place, message),
  fix: { title, edits: [{ span: place, newText: '' }] },
});

const problemOfComment = (place: Span): YamlProblem =>
  removable(place, 'JSON does not allow comments. Remove this comment.', 'Remove the comment');

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * Returns the problems with scalars that only YAML allows: strings and keys without quotes, single quotes, block
 * scalars.
 */
function foreignScalars(text: string, root: YamlNode): readonly YamlProblem[] {
  const scalars: { readonly scalar: YamlScalar; readonly isKey: boolean }[] = [];
  const open: YamlNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'scalar') scalars.push({ scalar: node, isKey: false });
    else if (node.kind === 'list') open.push(...node.items);
    else
      for (const { key, value } of node.entries) {
        scalars.push({ scalar: key, isKey: true });
        open.push(value);
      }
  }
  return scalars.flatMap(({ scalar, isKey }) => {
    const written = text.slice(scalar.span.start, scalar.span.end);
    if (scalar.style === 'double') return foreignEscapes(written, scalar.span.start);
    if (!isKey && (/^(?:true|false|null)$/.test(written) || NUMBER.test(written))) return [];
    const comment = /^(?:\/\/.*|\/\*[\s\S]*?(?:\*\/|$))/.exec(written)?.[0];
    if (comment !== undefined) {
      const { start } = scalar.span;
      return [problemOfComment(span(start, start + comment.length))];
    }
    return [
      problemAt(
        scalar.span,
        `JSON requires double quotes around ${isKey ? 'keys' : 'strings'}, and a value after each colon.`,
      ),
    ];
  });
}

/** Returns the problem with the first line break, tab or escape sequence in double quotes that only YAML allows. */
function foreignEscapes(written: string, start: number): readonly YamlProblem[] {
  const found = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|(?<foreign>[\n\r\t]|\\.?)/gu;
  for (const { 0: match, index, groups } of written.matchAll(found)) {
    if (groups?.foreign === undefined) continue;
    const message = match.startsWith('\\')
      ? `JSON has no escape sequence \`${match}\`. Write the character itself, or \`\\u\` and four hexadecimal digits.`
      : 'JSON does not allow line breaks or tabs in strings. Write `\\n` or `\\t`.';
    return [problemAt(span(start + index, start + index + match.length), message)];
  }
  return [];
}

/**
 * Returns the problems with commas before a closing bracket. Commas in strings are skipped. `base` is the offset of
 * `source` in the file.
 */
function trailingCommas(source: string, base: number): readonly YamlProblem[] {
  const problems: YamlProblem[] = [];
  let comma: number | undefined;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\\n]|\\.)*"?|[^\s"]/g)) {
    if (comma !== undefined && (token === ']' || token === '}')) {
      problems.push(
        removable(
          span(base + comma, base + comma + 1),
          'JSON does not allow a comma before a closing bracket. Remove it.',
          'Remove the comma',
        ),
      );
    }
    comma = token === ',' ? index : undefined;
  }
  return problems;
}
