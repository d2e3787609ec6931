/**
 * Where each stretch of the output came from: the templates are rendered again, with markers around every literal stretch
 * and every expression, and the markers are read off the output. What is captured first and printed later (macros, `set`,
 * `filter` and `call` blocks) has none inside: it is one piece, at the place that prints it.
 */
import type { Node, TextNode } from '../../languages/minijinja/ast.ts';
import { bodiesOf } from '../../languages/minijinja/nodes.ts';
import { applyEdits, type Span, shift, sliceOf, type TextEdit } from '../../text.ts';
import type { Piece } from './model.ts';
import type { ParsedTemplate } from './rendering.ts';
import { effectiveTexts } from './whitespace.ts';

/** A marker is `open` or `close`, the number of its origin in decimal digits, and `stop`. */
interface Markers {
  readonly open: string;
  readonly close: string;
  readonly stop: string;
}

/** What a pair of markers encloses. */
export type Origin = Pick<Piece, 'kind' | 'uri' | 'span' | 'artifact'>;

const FIRST_PRIVATE = 0xe000;
const LAST_PRIVATE = 0xf8ff;

/** Three characters for private use that none of the texts has; undefined where they have nearly all of them. */
export function chooseMarkers(texts: readonly string[]): Markers | undefined {
  const taken = new Set<string>();
  for (const text of texts) for (const [found] of text.matchAll(/[\ue000-\uf8ff]/g)) taken.add(found);
  const free: string[] = [];
  for (let code = FIRST_PRIVATE; code <= LAST_PRIVATE && free.length < 3; code++) {
    const character = String.fromCharCode(code);
    if (!taken.has(character)) free.push(character);
  }
  const [open, close, stop] = free;
  return open && close && stop ? { open, close, stop } : undefined;
}

/** The template's text with its markers; what they enclose is added to `origins`, whose length is the next number. */
export function addMarkers({ source, template }: ParsedTemplate, markers: Markers, origins: Origin[]): string {
  const texts: TextNode[] = [];
  const edits: TextEdit[] = [];
  const enclose = (kind: Piece['kind'], place: Span, outer: Span, inside: string) => {
    const number = origins.push({ kind, uri: source.uri, span: place, artifact: source.artifact }) - 1;
    const newText = `${markers.open}${number}${markers.stop}${inside}${markers.close}${number}${markers.stop}`;
    edits.push({ span: shift(outer, -template.base), newText });
  };
  const written = (place: Span) => sliceOf(template.text, shift(place, -template.base));
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.kind === 'text') texts.push(node);
      else if (node.kind === 'output' || node.kind === 'filter-block' || node.kind === 'call-block') {
        enclose('value', node.span, node.span, written(node.span));
      } else if (node.kind !== 'macro' && node.kind !== 'set-block') {
        for (const body of bodiesOf(node)) walk(body.nodes);
      }
    }
  };
  walk(template.nodes);
  const effective = effectiveTexts(template, texts);
  const rawTags = new Map(template.tags.map((tag) => [tag.content.start, tag.span]));
  texts.forEach((node, i) => {
    const place = effective[i];
    if (node.raw) {
      // The markers go outside of the tags, which may trim white space inside.
      const outer = rawTags.get(node.span.start) ?? node.span;
      if (place) enclose('authored', place, outer, `{% raw %}${written(place)}{% endraw %}`);
    } else if (place) enclose('authored', place, node.span, written(place));
    else edits.push({ span: shift(node.span, -template.base), newText: '' });
  });
  return applyEdits(template.text, edits);
}

/**
 * The pieces of a marked output; undefined unless it is `plain` without its markers, and they enclose all of it and nest.
 * Of nested pairs the outermost counts: what is inside was captured, and printed as a part of it.
 */
export function readPieces(
  marked: string,
  plain: string,
  markers: Markers,
  origins: readonly Origin[],
): readonly Piece[] | undefined {
  const pattern = new RegExp(`([${markers.open}${markers.close}])(\\d+)${markers.stop}`, 'g');
  const pieces: Piece[] = [];
  const opened: string[] = [];
  let at = 0;
  let length = 0;
  let start = 0;
  for (let match = pattern.exec(marked); match !== null; match = pattern.exec(marked)) {
    const [whole, marker, number = ''] = match;
    const size = match.index - at;
    if (size > 0 && opened.length === 0) return undefined;
    if (!plain.startsWith(marked.slice(at, match.index), length)) return undefined;
    length += size;
    at = match.index + whole.length;
    if (marker === markers.open) {
      if (opened.length === 0) start = length;
      opened.push(number);
      continue;
    }
    const origin = origins[Number(number)];
    if (opened.pop() !== number || origin === undefined) return undefined;
    if (opened.length === 0 && length > start) pieces.push({ start, end: length, ...origin });
  }
  return opened.length === 0 && at === marked.length && length === plain.length ? pieces : undefined;
}
