/**
 * Hazards in a readable form: a page like that of a rule (`../core/rules/page.ts`), in which `⟨FEFF⟩` is the character
 * with that code point. A line that ends with `⟨D⟩` or `⟨D⟩⟨A⟩` ends with these characters instead of a line feed.
 */
import type { Finding } from '../../server/src/finding.ts';

export interface Hazard {
  readonly text: string;
  /** The lines of the page without markers. `place` converts an offset in `text` to a position in these lines. */
  readonly lines: readonly string[];
  place(offset: number): { readonly line: number; readonly column: number };
}

const ESCAPE = /⟨([0-9A-F]{1,4})⟩/g;
const OWN_BREAK = /⟨D⟩(?:⟨A⟩)?$/;

/** Reads the content of a fence, with markers already removed. */
export function readHazard(content: string): Hazard {
  const lines = content.split('\n');
  let text = '';
  const places: { line: number; column: number }[] = [];
  const add = (piece: string, line: number, column: number, step: number) => {
    for (let i = 0; i < piece.length; i++) places.push({ line, column: column + i * step });
    text += piece;
  };
  for (const [number, line] of lines.entries()) {
    let at = 0;
    for (const match of line.matchAll(ESCAPE)) {
      add(line.slice(at, match.index), number, at, 1);
      add(String.fromCharCode(Number.parseInt(match[1] ?? '', 16)), number, match.index, 0);
      at = match.index + match[0].length;
    }
    add(line.slice(at), number, at, 1);
    if (number < lines.length - 1 && !OWN_BREAK.test(line)) add('\n', number, line.length, 0);
  }
  places.push({ line: lines.length - 1, column: lines.at(-1)?.length ?? 0 });
  return { text, lines, place: (offset) => places[offset] ?? { line: 0, column: 0 } };
}

/** Writes text in the form of a page: the inverse of `readHazard`. */
export function writeHazard(text: string): string {
  return text.replace(/\r\n|\r|[^\n\P{C}]|\uFEFF|[\u2028\u2029]|[\uD800-\uDFFF]/gu, (character) => {
    if (character === '\r\n') return '⟨D⟩⟨A⟩\n';
    if (character === '\r') return '⟨D⟩\n';
    return `⟨${character.charCodeAt(0).toString(16).toUpperCase()}⟩`;
  });
}

/** The lines with a marker line under every finding. */
export function markHazard({ lines, place, text }: Hazard, findings: readonly Finding[]): string {
  const markers = findings.map(({ span, rule, message }) => {
    const start = place(span.start);
    const end = place(Math.min(span.end, text.length));
    const line = lines[start.line] ?? '';
    const limit = end.line === start.line ? end.column : line.replace(OWN_BREAK, '').length;
    const width = Math.max(1, limit - start.column);
    return { line: start.line, text: `${' '.repeat(start.column)}${'^'.repeat(width)} ${rule}: ${message}` };
  });
  return lines
    .flatMap((line, number) => [line, ...markers.filter((marker) => marker.line === number).map((one) => one.text)])
    .join('\n');
}
