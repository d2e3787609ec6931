/**
 * Leaves out the instructions of an approach that need an optional tool which the caller does not have
 * (docs/composer.md, step 5).
 */
import { subtract } from '../../languages/markdown/spans.ts';
import { inWords } from '../../nearest.ts';
import type { PackageArtifact, PackageReference, PackageStage, Passage } from '../../skill/package.ts';
import { overlaps, type Span, span } from '../../text.ts';
import { addDecision, type SubgraphContext } from './graph.ts';

/**
 * Returns the approach without the text that refers to declared tools which are not `available`, and adds a decision on
 * each piece of this text. The smallest of these pieces is left out: a clause, a sentence or a list item. A stage
 * without other text has empty text. The stages keep their references, which limit the tools that they may call.
 */
export function withoutAbsentTools(
  context: SubgraphContext,
  approach: PackageArtifact | undefined,
  available: readonly string[],
): PackageArtifact | undefined {
  const declared = context.skillPackage.tools.map(({ name }) => name);
  const isAbsent = ({ kind, name }: PackageReference): boolean =>
    kind === 'tool' && declared.includes(name) && !available.includes(name);
  if (!approach?.references.some(isAbsent)) return approach;
  const { id: artifact, references } = approach;
  const decide = (place: Span, name: string, reason: string): void =>
    addDecision(context, { span: place, subject: 'prose', name, artifact, taken: false, reason });
  const cut = (passage: Passage, name: string): Passage => {
    const cuts = passage.flatMap((part) => cutsIn(part, references, isAbsent));
    for (const place of cuts) {
      const tools = references.filter((one) => isAbsent(one) && overlaps(one.span, place)).map((one) => one.name);
      decide(place, name, `it needs ${inWords([...new Set(tools)], 'and')}, which the caller does not have`);
    }
    return cuts.length === 0 ? passage : without(passage, cuts);
  };
  const stages = approach.stages.map((stage, at) => {
    const left = stageWithout(stage, at, cut(stage.text, stage.name));
    if (left.text.length > 0 || stage.text.length === 0) return left;
    decide(stage.span, stage.name, 'the stage has no text that the caller has the tools for');
    return left;
  });
  return {
    ...approach,
    text: approach.stages.length > 0 ? approach.text : cut(approach.text, approach.name),
    beforeStages: cut(approach.beforeStages, approach.name),
    afterStages: cut(approach.afterStages, approach.name),
    stages,
  };
}

/** Returns the stage with the rest of its text; with empty text if only its bold name is left. */
function stageWithout(stage: PackageStage, at: number, text: Passage): PackageStage {
  if (text === stage.text) return stage;
  const rest = text.map((part) => part.text).join('');
  if (!hasWords(rest.replace(/^(\*\*|__).*?\1/s, ''))) return { ...stage, text: [] };
  // A name that was the beginning of the text may contain the tool.
  const isNamed = rest.replace(/[*_`\\]/g, '').includes(stage.name);
  return { ...stage, text, name: isNamed ? stage.name : `Stage ${at + 1}` };
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns the rest of a passage, without white space at its ends. */
function without(passage: Passage, cuts: readonly Span[]): Passage {
  const parts = passage.flatMap((part) =>
    subtract([part.span], cuts).map((place) => ({
      span: place,
      text: part.text.slice(place.start - part.span.start, place.end - part.span.start),
    })),
  );
  if (!parts.some(({ text }) => hasWords(text))) return [];
  const isFilled = ({ text }: Passage[number]): boolean => text.trim() !== '';
  const [first, last] = [parts.findIndex(isFilled), parts.findLastIndex(isFilled)];
  return parts.slice(first, last + 1).map(({ span: { start }, text }, at, all) => {
    const from = at === 0 ? text.length - text.trimStart().length : 0;
    const to = at === all.length - 1 ? text.trimEnd().length : text.length;
    return { span: span(start + from, start + to), text: text.slice(from, to) };
  });
}

interface PlacedReference {
  readonly start: number;
  readonly end: number;
  readonly isAbsent: boolean;
}

/** Returns the spans in the file to leave out of a part of a passage, in order and without overlaps. */
function cutsIn(
  { span: place, text }: Passage[number],
  references: readonly PackageReference[],
  isAbsent: (reference: PackageReference) => boolean,
): readonly Span[] {
  const inside: readonly PlacedReference[] = references
    .filter((one) => place.start <= one.span.start && one.span.end <= place.end)
    .map((one) => ({
      start: one.span.start - place.start,
      end: one.span.end - place.start,
      isAbsent: isAbsent(one),
    }));
  const cuts: Span[] = [];
  for (const { start, isAbsent: isCut } of inside) {
    if (!isCut || cuts.some((cut) => cut.start <= start && start < cut.end)) continue;
    const block = blockAt(text, start);
    const own = cutsInBlock(text, block, inside);
    const isEmpty = !subtract([span(block.contentStart, block.end)], own).some((left) =>
      hasWords(text.slice(left.start, left.end)),
    );
    cuts.push(...(isEmpty ? [wholeBlock(text, block)] : own));
  }
  return cuts.map((cut) => span(place.start + cut.start, place.start + cut.end));
}

/** A paragraph or a list item up to the next one, as offsets in the text. `indent` is the indent of a list item. */
interface Block {
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
  readonly indent: number | undefined;
}

const ITEM = /^([ \t]*)(?:[-*+]|\d+[.)])[ \t]+/;

function blockAt(text: string, at: number): Block {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  while (start > 0 && !ITEM.test(lineAt(text, start))) {
    const before = text.lastIndexOf('\n', start - 2) + 1;
    if (lineAt(text, before).trim() === '') break;
    start = before;
  }
  let end = nextLineOf(text, at);
  while (end < text.length && lineAt(text, end).trim() !== '' && !ITEM.test(lineAt(text, end))) {
    end = nextLineOf(text, end);
  }
  const marker = ITEM.exec(lineAt(text, start));
  return { start, contentStart: start + (marker?.[0].length ?? 0), end, indent: marker?.[1]?.length };
}

const nextLineOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
};

const lineAt = (text: string, start: number): string => text.slice(start, nextLineOf(text, start));

/** Returns a block with the empty lines after it, and with what belongs to it: nested text, or the list after a colon. */
function wholeBlock(text: string, { start, end, indent }: Block): Span {
  let last = end;
  const isLead = text.slice(start, end).trimEnd().endsWith(':');
  while (last < text.length) {
    const line = lineAt(text, last);
    const depth = line.length - line.trimStart().length;
    const isNested = indent === undefined ? isLead && ITEM.test(line) : depth > indent;
    if (line.trim() !== '' && !isNested) break;
    last += line.length;
  }
  return span(start, last);
}

/** Returns the sentences and clauses of a block that need an absent tool. */
function cutsInBlock(
  text: string,
  { contentStart, end }: Block,
  references: readonly PlacedReference[],
): readonly Span[] {
  const content = masked(text.slice(contentStart, end).trimEnd());
  const whole = span(contentStart, contentStart + content.length);
  const pieces = (place: Span, separator: RegExp) => split(place, content, contentStart, separator);
  return cutPieces(pieces(whole, SENTENCE_END), references, false, (sentence, inside) => {
    const bare = withoutEnd(text, sentence);
    const cuts = cutPieces(pieces(bare, NEXT_ACTION), inside, false, (clause, own) => {
      if (own.every(({ isAbsent }) => isAbsent)) return [clause];
      return cutPieces(pieces(clause, NEXT_ITEM), own, true, (item) => [item]);
    });
    return subtract([bare], cuts).some((left) => hasWords(text.slice(left.start, left.end))) ? cuts : [sentence];
  });
}

/** Replaces code spans, in which punctuation ends no sentence. */
const masked = (text: string): string => text.replace(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));

const SENTENCE_END = /(?<=[.!?…]["'”’)*_]*)\s+(?![\sa-z])/g;
const NEXT_ACTION = /;\s+|,?\s+(?:and\s+)?then\s+/g;
const NEXT_ITEM = /\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/g;

/** Splits a span of the text at the separators. `content` begins at the offset `from`. */
function split({ start, end }: Span, content: string, from: number, separator: RegExp): readonly Span[] {
  const pieces: Span[] = [];
  let at = start;
  for (const match of content.slice(start - from, end - from).matchAll(separator)) {
    pieces.push(span(at, start + match.index));
    at = start + match.index + match[0].length;
  }
  return [...pieces, span(at, end)];
}

const withoutEnd = (text: string, { start, end }: Span): Span =>
  span(start, start + text.slice(start, end).replace(/[.!?…"'”’)*_\s]+$/, '').length);

/**
 * Cuts the pieces with an absent tool, each with the separator before it, or after it at the beginning. `inner` returns
 * the cuts in a piece. With `keepsVerb`, the verb stays if the next piece is another tool, as in "use a or b".
 */
function cutPieces(
  pieces: readonly Span[],
  references: readonly PlacedReference[],
  keepsVerb: boolean,
  inner: (piece: Span, own: readonly PlacedReference[]) => readonly Span[],
): readonly Span[] {
  const cuts: Span[] = [];
  /** The end of the last piece of which something is left. */
  let kept: number | undefined;
  /** The beginning of the pieces at the beginning that are cut. */
  let open: number | undefined;
  for (const [at, piece] of pieces.entries()) {
    const own = references.filter((one) => piece.start <= one.start && one.end <= piece.end);
    const found = own.some(({ isAbsent }) => isAbsent) ? inner(piece, own) : [];
    const isWhole = found.some((cut) => cut.start <= piece.start && cut.end >= piece.end);
    if (!isWhole) {
      if (open !== undefined) cuts.push(span(open, piece.start));
      open = undefined;
      cuts.push(...found);
      kept = piece.end;
    } else if (kept !== undefined) {
      cuts.push(span(kept, piece.end));
      kept = piece.end;
    } else {
      const isList = keepsVerb && references.some(({ start }) => start === pieces[at + 1]?.start);
      open ??= isList ? own[0]?.start : piece.start;
    }
  }
  if (open !== undefined) cuts.push(span(open, pieces.at(-1)?.end ?? open));
  return cuts;
}
