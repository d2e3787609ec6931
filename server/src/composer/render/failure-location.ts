/**
 * Where a rendering failed. Of a failure inside an included template the engine says only which `include` it was: to
 * learn more, the included text replaces the tag, and all is rendered again.
 */
import { allNodes } from '../../languages/minijinja/nodes.ts';
import { contains, overlaps, type Span, shift, span } from '../../text.ts';
import { type EngineError, parseEngineMessage, stretchOf } from './engine-message.ts';
import { type ParsedTemplate, type Rendering, runWith } from './rendering.ts';

export interface FailureLocation {
  readonly error: EngineError;
  readonly template: ParsedTemplate;
  /** A place of the file; all of a line where not `exact`. */
  readonly place: Span;
  readonly exact: boolean;
  /** An included template in which it fails, and of which no more is known. */
  readonly inside?: string;
  /** The includes go on without end. */
  readonly endless?: boolean;
}

/** A stretch of a template's own text. */
interface Part {
  readonly template: ParsedTemplate;
  readonly start: number;
  readonly end: number;
}

/** The engine gives up at a depth of 50 includes. */
const MAX_INCLUDES = 55;
const MAX_TEXT = 2_000_000;

/** Follows a failure, given by the engine's message, from `include` to `include`. */
export function locateFailure(rendering: Rendering, message: string): FailureLocation {
  const { main, unloadable } = rendering;
  const templates = new Map([...rendering.templates].filter(([name]) => !unloadable.has(name)));
  /** The text of each template, with the includes replaced that were followed by now. */
  const texts = new Map([...rendering.templates].map(([name, template]) => [name, [wholeOf(template)]]));
  let found = locate(parseEngineMessage(message), main, texts);
  const outermost = found;
  for (let depth = 0; depth < MAX_INCLUDES; depth++) {
    const { error, template, place } = found;
    if (error.kind !== 'could not render include') return found;
    const inside = [...templates.keys()].find((name) => error.detail === `error in ${JSON.stringify(name)}`);
    const included = inside === undefined ? undefined : templates.get(inside);
    const tag = [...allNodes(template.template.nodes)].find(
      ({ kind, span: where }) =>
        (kind === 'include' || kind === 'import' || kind === 'from-import') && overlaps(where, place),
    );
    if (inside === undefined || !included || !tag) return found;
    const failing = error.at?.template ?? '';
    const parts = texts.get(failing);
    if (!parts || lengthOf(parts) > MAX_TEXT) return { ...found, inside };
    texts.set(failing, inline(parts, template, tag.span, included));
    const next = runWith(
      rendering,
      [...texts].map(([name, parts]) => ({ name, text: textOf(parts) })),
    );
    if (next.kind !== 'error' || next.template !== undefined) return { ...found, inside };
    found = locate(parseEngineMessage(next.message), main, texts);
  }
  return { ...outermost, endless: true };
}

const wholeOf = (template: ParsedTemplate): Part => ({ template, start: 0, end: template.source.text.length });
const textOf = (parts: readonly Part[]): string =>
  parts.map(({ template, start, end }) => template.source.text.slice(start, end)).join('');
const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { start, end }) => sum + end - start, 0);

function locate(
  error: EngineError,
  main: ParsedTemplate,
  texts: ReadonlyMap<string, readonly Part[]>,
): FailureLocation {
  const parts = error.at && texts.get(error.at.template);
  if (!error.at || !parts) return { error, template: main, place: main.template.span, exact: false };
  const { start, end, exact } = stretchOf(textOf(parts), error.at);
  let at = 0;
  for (const part of parts) {
    const size = part.end - part.start;
    if (start < at + size || part === parts.at(-1)) {
      const from = part.start + start - at;
      const place = span(from, Math.max(from, Math.min(part.end, part.start + end - at)));
      return { error, template: part.template, place: shift(place, part.template.template.base), exact };
    }
    at += size;
  }
  return { error, template: main, place: main.template.span, exact: false };
}

/** Replaces a tag of `template`, wherever it still stands, by all of `included`. */
function inline(parts: readonly Part[], template: ParsedTemplate, tag: Span, included: ParsedTemplate): Part[] {
  const { start, end } = shift(tag, -template.template.base);
  const index = parts.findIndex((part) => part.template === template && contains(part, { start, end }));
  const part = parts[index];
  if (!part) return [...parts];
  return parts.toSpliced(index, 1, { ...part, end: start }, wholeOf(included), { ...part, start: end });
}
