/** Paths of Windows in double quotes, in which YAML reads a backslash as the start of an escape sequence. */
import { type Span, sliceOf, span } from '../../text.ts';
import type { YamlNode } from './node.ts';

/** A letter, a colon and a backslash that begin a path, up to the next space or quote. */
const DRIVE_PATH = /(?<![A-Za-z0-9\\])[A-Za-z]:\\(?:\\|[^\s"\\]|(?<=\\)")*/g;

/**
 * Returns the spans of the single backslashes in paths with a drive letter, each with the character that follows. The
 * text is the source of a double-quoted scalar, or a line with some. Takes linear time.
 */
export function escapesInPaths(text: string, { start, end }: Span): readonly Span[] {
  const found: Span[] = [];
  for (const { index, 0: path } of text.slice(start, end).matchAll(DRIVE_PATH)) {
    if (!isPath(path)) continue;
    for (let at = 0; at < path.length; at++) {
      if (path[at] !== '\\') continue;
      const next = path[at + 1];
      if (next !== undefined && next !== '\\' && next !== '"')
        found.push(span(start + index + at, start + index + at + 2));
      else at++;
    }
  }
  return found;
}

/** Returns false for a label before a line break, such as `Q:\nWhy?\nA:\nSo.`. */
function isPath(written: string): boolean {
  if (written.indexOf(':', 2) >= 0) return false;
  if (/\.\w{1,5}[.,;:)]?$/.test(written)) return true;
  const folders = written
    .slice(2)
    .split(/\\+/)
    .filter((one) => one !== '');
  return !/^[QA]/i.test(written) && (folders.length > 1 || !/^.:\\n/.test(written));
}

/** Returns the double-quoted scalars of a tree, in its order. */
export function doubleQuoted(root: YamlNode | undefined, text: string): readonly Span[] {
  const found = new Map<number, Span>();
  const rest: YamlNode[] = root ? [root] : [];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.kind === 'map') for (const { value } of node.entries) rest.push(value);
    else if (node.kind === 'list') rest.push(...node.items);
    // Aliases repeat a scalar at the same place.
    else if (node.style === 'double' && sliceOf(text, node.span).includes(':\\')) found.set(node.span.start, node.span);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}
