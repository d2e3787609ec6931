/** Templates with the expected problems under each line: `^^^ kind: message`. */
import assert from 'node:assert/strict';

export interface Marked {
  readonly kind: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly message: string;
}

const MARKER = /^( *)(\^+) (.*)$/;

/** Compares the problems in the text with its markers. A marked line must not be empty. */
export function checkMarked(source: string, find: (text: string) => readonly Marked[]): void {
  const text = source
    .split('\n')
    .filter((line) => !MARKER.test(line))
    .join('\n');
  assert.equal(mark(text, find(text)), source);
}

/** Returns the text with markers for the problems. */
function mark(text: string, found: readonly Marked[]): string {
  const lines: string[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push(line);
    for (const { kind, span, message } of found) {
      if (span.start < start || span.start > start + line.length) continue;
      const length = Math.max(1, Math.min(span.end, start + line.length) - span.start);
      lines.push(`${' '.repeat(span.start - start)}${'^'.repeat(length)} ${kind}: ${message}`);
    }
    start += line.length + 1;
  }
  return lines.join('\n');
}
