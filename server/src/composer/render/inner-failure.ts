/**
 * Where a rendering failed. Of a failure inside an included template the engine says only which `include` it was: to
 * learn more, the included text is put in the place of the tag, and rendered again.
 */

import { allNodes } from '../../languages/minijinja/nodes.ts';
import { contains, overlaps, type Span, shift, span } from '../../text.ts';
import type { NamedTemplate, Outcome } from './engine.ts';
import { type EngineError, parseEngineMessage, stretchOf } from './engine-message.ts';
import type { Reading } from './reading.ts';

export interface FailingPlace {
  readonly error: EngineError;
  readonly reading: Reading;
  /** A place of the file; all of a line where not `exact`. */
  readonly place: Span;
  readonly exact: boolean;
  /** An included template in which it fails, and of which no more is known. */
  readonly inside?: string;
  /** The includes go on without end. */
  readonly endless?: boolean;
}

/** A stretch of a template's own text. */
interface Chunk {
  readonly reading: Reading;
  readonly start: number;
  readonly end: number;
}

/** The engine gives up at a depth of 50 includes. */
const DEEPEST = 55;
const LONGEST = 2_000_000;

/** Follows the failure from `include` to `include`; `run` renders texts in the place of the templates. */
export function followFailure(
  message: string,
  main: Reading,
  readings: ReadonlyMap<string, Reading>,
  run: (templates: readonly NamedTemplate[]) => Outcome,
): FailingPlace {
  const copies = new Map([...readings].map(([name, reading]) => [name, [wholeOf(reading)]]));
  let found = locate(parseEngineMessage(message), main, copies);
  const outermost = found;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { error, reading, place } = found;
    if (error.kind !== 'could not render include') return found;
    const inside = [...readings.keys()].find((name) => error.detail === `error in ${JSON.stringify(name)}`);
    const target = inside === undefined ? undefined : readings.get(inside);
    const tag = [...allNodes(reading.template.nodes)].find(
      ({ kind, span: where }) =>
        (kind === 'include' || kind === 'import' || kind === 'from-import') && overlaps(where, place),
    );
    if (inside === undefined || !target || !tag) return found;
    const stopped = { ...found, inside };
    const chunks = copies.get(error.at?.template ?? '');
    if (!chunks || lengthOf(chunks) > LONGEST) return stopped;
    copies.set(error.at?.template ?? '', spliced(chunks, reading, tag.span, target));
    const next = run([...copies].map(([name, parts]) => ({ name, text: textOf(parts) })));
    if (next.kind !== 'error' || next.template !== undefined) return stopped;
    found = locate(parseEngineMessage(next.message), main, copies);
  }
  return { ...outermost, endless: true };
}

const wholeOf = (reading: Reading): Chunk => ({ reading, start: 0, end: reading.source.text.length });
const sliceOf = ({ reading, start, end }: Chunk): string => reading.source.text.slice(start, end);
const textOf = (chunks: readonly Chunk[]): string => chunks.map(sliceOf).join('');
const lengthOf = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { start, end }) => sum + end - start, 0);

function locate(error: EngineError, main: Reading, copies: ReadonlyMap<string, readonly Chunk[]>): FailingPlace {
  const chunks = error.at && copies.get(error.at.template);
  if (!error.at || !chunks) return { error, reading: main, place: main.template.span, exact: false };
  const { start, end, exact } = stretchOf(textOf(chunks), error.at);
  let at = 0;
  for (const chunk of chunks) {
    const size = chunk.end - chunk.start;
    if (start < at + size || chunk === chunks.at(-1)) {
      const from = chunk.start + start - at;
      const place = span(from, Math.max(from, Math.min(chunk.end, chunk.start + end - at)));
      return { error, reading: chunk.reading, place: shift(place, chunk.reading.template.base), exact };
    }
    at += size;
  }
  return { error, reading: main, place: main.template.span, exact: false };
}

/** Puts all of `target` in the place of a tag, wherever the tag still stands. */
function spliced(chunks: readonly Chunk[], reading: Reading, tag: Span, target: Reading): Chunk[] {
  const { start, end } = shift(tag, -reading.template.base);
  const index = chunks.findIndex((chunk) => chunk.reading === reading && contains(chunk, { start, end }));
  const chunk = chunks[index];
  if (!chunk) return [...chunks];
  return chunks.toSpliced(index, 1, { ...chunk, end: start }, wholeOf(target), { ...chunk, start: end });
}
