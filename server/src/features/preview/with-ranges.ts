/** Converts spans in compositions and graphs to ranges in the position encoding of the client. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { OnWire } from '../../protocol.ts';
import type { Span } from '../../text.ts';
import type { Locate } from '../locate.ts';

/** Converts the spans in a value to ranges; the value must come from the same `analysis`. */
export function withRanges<T>(analysis: Analysis, locate: Locate, value: T): OnWire<T> {
  return mapPlaces(value, (uri, span) => {
    const file = analysis.file(uri);
    return { uri, range: file ? locate.range(file, span) : EMPTY };
  }) as OnWire<T>;
}

const EMPTY = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Replaces every `{uri, span}` in a value with the result of `show`; keeps the other keys. */
export function mapPlaces(value: unknown, show: (uri: string, span: Span) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapPlaces(item, show));
  const { uri, span } = value as { uri?: unknown; span?: unknown };
  const entries = Object.entries(value);
  if (typeof uri !== 'string' || !isSpan(span)) return mapped(entries, show);
  const rest = entries.filter(([key]) => key !== 'uri' && key !== 'span');
  return { ...mapped(rest, show), ...show(uri, span) };
}

const mapped = (entries: readonly (readonly [string, unknown])[], show: (uri: string, span: Span) => object): object =>
  Object.fromEntries(entries.map(([key, item]) => [key, mapPlaces(item, show)]));

const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 2 &&
  typeof (value as Span).start === 'number' &&
  typeof (value as Span).end === 'number';
