/** Reads the engine's messages: what kind of error, in which template, and where the line of carets points. */

export interface EngineError {
  /** In the engine's words: `undefined value`, `invalid operation`. */
  readonly kind: string;
  /** What follows the kind; empty where there is nothing. */
  readonly detail: string;
  /** Absent where the engine does not know. */
  readonly at?: { readonly template: string; readonly line: number; readonly column?: number; readonly length: number };
}

/** `line` counts from 1; `column` from 0 in code points, and only where the failing code stands on one line. */
export function parseEngineMessage(message: string): EngineError {
  const cut = message.search(/\n-{3,}/);
  const head = cut < 0 ? message : message.slice(0, cut);
  const place = /^([\s\S]*) \(in ([\s\S]*):(\d+)\)$/.exec(head.trimEnd());
  const summary = place?.[1] ?? head.trimEnd();
  const colon = summary.indexOf(': ');
  const kind = colon < 0 ? summary : summary.slice(0, colon);
  const detail = colon < 0 ? '' : summary.slice(colon + 2);
  if (!place) return { kind, detail };
  const code = cut < 0 ? '' : (message.slice(cut).split('\n~~~', 1)[0] ?? '');
  // The lines of code are numbered; only the line of carets begins so.
  const carets = /\n {5}i ( *)(\^+) /.exec(code);
  const at = { template: place[2] ?? '', line: Number(place[3]), length: carets?.[2]?.length ?? 0 };
  return { kind, detail, at: carets ? { ...at, column: carets[1]?.length ?? 0 } : at };
}

/** The engine counts columns in 16 bits. */
const LAST_COLUMN = 65_535;

/** The stretch of `text` that an error points at; all of its line where the engine knows no better. */
export function stretchOf(text: string, { line, column, length }: NonNullable<EngineError['at']>) {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  if (column === undefined || column >= LAST_COLUMN) return { start, end, exact: false };
  const from = advance(text, start, column);
  return { start: from, end: Math.min(end, advance(text, from, length)), exact: true };
}

/** The offset that lies `count` code points further on. */
function advance(text: string, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count && at < text.length; i++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
