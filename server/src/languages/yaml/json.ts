/** JSON as the same tree as YAML, of which it is a part, so that one vocabulary, one hover and one outline serve both. */
import { type Span, span } from '../../text.ts';
import type { YamlNode, YamlProblem, YamlScalar, YamlTree } from './node.ts';
import { parseYaml } from './parse.ts';

/** Reads a stretch as JSON; what only YAML allows is a problem. */
export function parseJson(text: string, place: Span): YamlTree {
  const tree = parseYaml(text, place, 'JSON');
  if (tree.broken) return tree;
  const source = text.slice(place.start, place.end);
  if (isJson(source)) return tree;
  const found = [
    ...tree.comments.map((comment) => problemAt(comment.span, 'JSON has no comments. Remove this one.')),
    ...(tree.root ? foreignScalars(text, tree.root) : []),
    ...trailingCommas(source, place.start),
  ];
  const problems = found.length > 0 ? found : [problemAt(tree.root?.span ?? place, 'This is no valid JSON.')];
  return { ...tree, broken: true, problems: [...problems, ...tree.problems].sort(byPlace) };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const byPlace = (a: YamlProblem, b: YamlProblem): number => a.span.start - b.span.start;

const problemAt = (place: Span, message: string): YamlProblem => ({ span: place, message, kind: 'syntax' });

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Scalars that YAML reads and JSON does not: words and keys without quotes, single quotes, blocks. */
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
    if (scalar.style === 'double') return inText(written, scalar.span.start);
    if (!isKey && (/^(?:true|false|null)$/.test(written) || NUMBER.test(written))) return [];
    const comment = /^(?:\/\/.*|\/\*[\s\S]*?(?:\*\/|$))/.exec(written)?.[0];
    if (comment !== undefined) {
      const { start } = scalar.span;
      return [problemAt(span(start, start + comment.length), 'JSON has no comments. Remove this one.')];
    }
    return [
      problemAt(scalar.span, `JSON writes ${isKey ? 'keys' : 'text'} in double quotes, and a value after each colon.`),
    ];
  });
}

/** What only YAML allows in double quotes: the first line break, tab, or escape of its own. */
function inText(written: string, start: number): readonly YamlProblem[] {
  const found = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|(?<foreign>[\n\r\t]|\\.?)/gu;
  for (const { 0: match, index, groups } of written.matchAll(found)) {
    if (groups?.foreign === undefined) continue;
    const message = match.startsWith('\\')
      ? `JSON has no escape \`${match}\`. Write the character itself, or \`\\u\` and its four hexadecimal digits.`
      : 'JSON writes line breaks and tabs in text as `\\n` and `\\t`.';
    return [problemAt(span(start + index, start + index + match.length), message)];
  }
  return [];
}

/** A comma before a closing bracket, outside of text. */
function trailingCommas(source: string, base: number): readonly YamlProblem[] {
  const problems: YamlProblem[] = [];
  let comma: number | undefined;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\\n]|\\.)*"?|[^\s"]/g)) {
    if (comma !== undefined && (token === ']' || token === '}')) {
      problems.push(
        problemAt(span(base + comma, base + comma + 1), 'JSON has no comma before a closing bracket. Remove it.'),
      );
    }
    comma = token === ',' ? index : undefined;
  }
  return problems;
}
