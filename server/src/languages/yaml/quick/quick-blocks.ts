/** Literal and folded blocks (`|` and `>`); see the contract in `quick-yaml.ts`. */
import { type Span, span } from '../../../text.ts';
import { skipBlanks } from '../lines.ts';
import type { YamlScalar } from '../node.ts';

/** A block, and where the line behind it begins. */
export interface Block {
  readonly scalar: YamlScalar;
  readonly next: number;
}

const HEADER = /^[|>]-?$/;

/**
 * The block whose indicator stands at the start of `rest`, which ends with the YAML. `next` is the start of the line below
 * the indicator's, `indent` the indentation of the map or list around. Undefined where the library must decide.
 */
export function blockScalar(
  text: string,
  rest: Span,
  lineEnd: number,
  next: number,
  indent: number,
): Block | undefined {
  const header = text.slice(rest.start, lineEnd);
  if (!HEADER.test(header)) return undefined;
  const isFolded = header[0] === '>';
  const lines: string[] = [];
  let margin = -1;
  let end = rest.start;
  let at = next;
  for (; at < rest.end; ) {
    const lineBreak = text.indexOf('\n', at);
    // The library treats a last line without a line break in its own way.
    if (lineBreak < 0 || lineBreak >= rest.end) return undefined;
    const first = skipBlanks(text, at, lineBreak);
    if (first === lineBreak) {
      if (first > at || margin < 0) return undefined;
      lines.push('');
    } else {
      if (margin < 0) margin = first - at;
      if (margin <= indent) return undefined;
      if (first - at < margin) break;
      if (isFolded && (first - at > margin || text[lineBreak - 1] === ' ')) return undefined;
      lines.push(text.slice(at + margin, lineBreak));
      end = lineBreak;
    }
    at = lineBreak + 1;
  }
  if (margin < 0) return undefined;
  while (lines.at(-1) === '') lines.pop();
  while (end > rest.start && /\s/.test(text[end - 1] as string)) end--;
  const value = (isFolded ? folded(lines) : lines.join('\n')) + (header.length === 1 ? '\n' : '');
  const scalar: YamlScalar = {
    kind: 'scalar',
    span: span(rest.start, end),
    value,
    style: isFolded ? 'folded' : 'literal',
    source: value,
  };
  return { scalar, next: at };
}

/** A single line break becomes a blank; of several, all but the first stay. */
function folded(lines: readonly string[]): string {
  let result = lines[0] ?? '';
  let breaks = 0;
  for (const line of lines.slice(1)) {
    if (line === '') breaks++;
    else {
      result += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
      breaks = 0;
    }
  }
  return result;
}
