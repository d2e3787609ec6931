/** Renders a template that fails. In the output, a gap shows the source of each failing expression. */
import { allNodes, type Output } from '../../languages/minijinja/ast.ts';
import { parseTemplate } from '../../languages/minijinja/parser.ts';
import { applyEdits, contains, type Span, shift, sliceOf } from '../../text.ts';
import { renderTemplate } from '../render.ts';
import type { TemplateEngine } from './engine.ts';
import type { Piece, RenderFailure, RenderRequest, TemplateSource } from './rendering.ts';

/** A part of the output; `gap` is the source of a failing expression. */
export interface GappedPiece extends Omit<Piece, 'kind' | 'start' | 'end'> {
  readonly text: string;
  readonly kind: Piece['kind'] | 'gap';
}

interface Gap {
  readonly source: TemplateSource;
  readonly span: Span;
}

/** The maximum number of gaps. A template with more failing expressions becomes a single gap. */
const MOST_GAPS = 50;

/** The character that replaces every character of a gap while the rest is rendered, so that offsets do not change. */
const PLACEHOLDER = '\uf8fe';
const HOLES = new RegExp(`${PLACEHOLDER}+`, 'g');

/**
 * Renders a template without its failing expressions: the expressions in `failures`, and those that fail in later
 * attempts. Returns undefined if a tag or something else that is not an expression fails, since then nothing can be
 * rendered. Never throws.
 */
export function renderWithGaps(
  engine: TemplateEngine,
  request: RenderRequest,
  failures: readonly RenderFailure[],
): readonly GappedPiece[] | undefined {
  if (request.templates.some(({ text }) => text.includes(PLACEHOLDER))) return undefined;
  const gaps: Gap[] = [];
  for (let failing = failures; gaps.length < MOST_GAPS; ) {
    for (const failure of failing) {
      const gap = gapAround(failure, request.templates);
      if (!gap) return undefined;
      if (gaps.every(({ span }) => span.start !== gap.span.start)) gaps.push(gap);
    }
    const templates = request.templates.map((source) => withHoles(source, gaps));
    const result = renderTemplate(engine, { ...request, templates });
    if (result.ok) return result.pieces.flatMap((piece) => filled(piece, result.text, gaps));
    if (gapAround(result.failure, templates) === undefined) return undefined;
    failing = [result.failure];
  }
  return undefined;
}

function gapAround({ uri, span }: RenderFailure, templates: readonly TemplateSource[]): Gap | undefined {
  const source = templates.find((one) => one.uri === uri && contains(one.span, span));
  if (!source) return undefined;
  const { nodes } = parseTemplate(source.text, source.span.start);
  for (const node of allNodes(nodes)) {
    if (isOutput(node) && contains(node.span, span)) return { source, span: node.span };
  }
  return undefined;
}

const isOutput = (node: { readonly kind: string; readonly span: Span }): node is Output => node.kind === 'output';

function withHoles(source: TemplateSource, gaps: readonly Gap[]): TemplateSource {
  const own = gaps.filter((gap) => gap.source.artifact === source.artifact);
  const edits = own.map(({ span }) => ({
    span: shift(span, -source.span.start),
    newText: PLACEHOLDER.repeat(span.end - span.start),
  }));
  return { ...source, text: applyEdits(source.text, edits) };
}

/**
 * Returns a piece with its placeholders replaced by gaps; in captured text, whose location is not known, by an
 * ellipsis.
 */
function filled(piece: Piece, output: string, gaps: readonly Gap[]): readonly GappedPiece[] {
  const { start, end, ...origin } = piece;
  const text = output.slice(start, end);
  if (piece.kind !== 'authored') return [{ ...origin, text: text.replace(HOLES, '…') }];
  const inside = gaps
    .filter(({ source, span }) => source.artifact === piece.artifact && contains(piece.span, span))
    .sort((a, b) => a.span.start - b.span.start);
  const pieces: GappedPiece[] = [];
  let at = 0;
  for (const { source, span } of inside) {
    const hole = text.indexOf(PLACEHOLDER, at);
    if (hole < 0) break;
    if (hole > at) pieces.push({ ...origin, text: text.slice(at, hole) });
    const written = sliceOf(source.text, shift(span, -source.span.start));
    pieces.push({ ...origin, span, kind: 'gap', text: written });
    at = hole + written.length;
  }
  return at < text.length ? [...pieces, { ...origin, text: text.slice(at) }] : pieces;
}
