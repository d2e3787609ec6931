/** A composition as it goes over the wire: its places become ranges, in the encoding of the client. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { OnWire } from '../../protocol.ts';
import type { Span } from '../../text.ts';

import type { Locate } from '../locate.ts';

/** `index` is the snapshot that the value was made from. Values of a skill's own, such as schemas, stay as they are. */
export function onWire<T>(analysis: Analysis, locate: Locate, value: T): OnWire<T> {
  return withPlaces(value, (uri, span) => {
    const file = analysis.file(uri);
    return { uri, range: file ? locate.range(file, span) : EMPTY };
  }) as OnWire<T>;
}

const EMPTY = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The value with every place `{uri, span, …}` in it shown in another way; other keys stay where they are. */
export function withPlaces(value: unknown, show: (uri: string, span: Span) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withPlaces(item, show));
  const { uri, span } = value as { uri?: unknown; span?: unknown };
  const entries = Object.entries(value);
  if (typeof uri !== 'string' || !isSpan(span)) return mapped(entries, show);
  const rest = entries.filter(([key]) => key !== 'uri' && key !== 'span');
  return { ...mapped(rest, show), ...show(uri, span) };
}

const mapped = (entries: readonly (readonly [string, unknown])[], show: (uri: string, span: Span) => object): object =>
  Object.fromEntries(entries.map(([key, item]) => [key, withPlaces(item, show)]));

const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 2 &&
  typeof (value as Span).start === 'number' &&
  typeof (value as Span).end === 'number';
