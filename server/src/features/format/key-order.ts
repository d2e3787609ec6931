/** Puts top-level keys in the order of the format, moving as little text as possible. */
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, lineBreakOf, type Span, shift, sliceOf, span, type TextEdit } from '../../text.ts';
import type { KeyTable } from '../../vocabulary/shape.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import { sharedAnchors } from './anchors.ts';
import { type Chunk, chunksOf } from './chunks.ts';

/** Larger maps are not put in order, since the time grows with the square of the number of keys. */
const MAX_KEYS = 500;

/** `blanks` are the edits that remove blanks at line ends: the result includes them, in lines that move by way of the move. */
export function keyOrderEdits(
  { text, dialect, frontmatter }: SkillFile,
  place: Span,
  blanks: readonly TextEdit[],
): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const all =
    root?.kind === 'map' && root.entries.length <= MAX_KEYS ? chunksOf(text, root, frontmatter.content) : undefined;
  const chunks = (all ?? []).filter(({ span: { start, end } }) => start < place.end && place.start < end);
  const order = inOrder(text, chunks, tableOf(dialect));
  if (order.every((at, slot) => at === slot)) return blanks;
  return moves(text, chunks, order, chunks[0] === all?.[0], blanks);
}

/** The indices of the chunks in their new order. An unknown key stays below the key above it. */
function inOrder(text: string, chunks: readonly Chunk[], table: KeyTable): readonly number[] {
  const groups: { rank: number; members: number[] }[] = [];
  for (const [at, { entry }] of chunks.entries()) {
    const name = String(entry.key.value);
    const rank = table.findIndex((key) => key.name === name || key.aliases?.includes(name));
    if (rank >= 0 || groups.length === 0) groups.push({ rank, members: [at] });
    else groups.at(-1)?.members.push(at);
  }
  const anchors = sharedAnchors(text, chunks);
  const sharesAnchor = (late: readonly number[], early: readonly number[]): boolean =>
    anchors.some((ends) => late.some((at) => ends.has(at)) && early.some((at) => ends.has(at)));
  const left = [...groups];
  const order: number[] = [];
  while (left.length > 0) {
    let best = 0;
    for (const [at, group] of left.entries()) {
      if (group.rank >= (left[best]?.rank ?? 0)) continue;
      if (!left.slice(0, at).some((earlier) => sharesAnchor(group.members, earlier.members))) best = at;
    }
    const [taken] = left.splice(best, 1);
    order.push(...(taken?.members ?? []));
  }
  return order;
}

/** The edits that bring the chunks into the order. */
function moves(
  text: string,
  chunks: readonly Chunk[],
  order: readonly number[],
  isTop: boolean,
  blanks: readonly TextEdit[],
): readonly TextEdit[] {
  const lineBreak = lineBreakOf(text);
  const stays = heaviestRun(order, (at) => lengthOf(chunks[at]));
  const edits: TextEdit[] = [];
  const gone: Span[] = [];
  const swapped = isTop ? order[0] : undefined;
  const [top] = chunks;
  // The first key has no empty lines above it: the key that was first gets them.
  const blankOf = (at: number): string => {
    const { span: place, blankEnd } =
      chunks[swapped === undefined ? at : at === 0 ? swapped : at === swapped ? 0 : at] ?? NONE;
    return text.slice(place.start, blankEnd);
  };
  const textOf = (at: number): string => {
    const { span: place, blankEnd } = chunks[at] ?? NONE;
    const inside = blanks.filter((edit) => blankEnd <= edit.span.start && edit.span.end <= place.end);
    const body = applyEdits(
      text.slice(blankEnd, place.end),
      inside.map((edit) => ({ ...edit, span: shift(edit.span, -blankEnd) })),
    );
    return blankOf(at).replace(/[ \t]+/g, '') + body + (/[\r\n]$/.test(body) ? '' : lineBreak);
  };
  let pending = '';
  for (const at of order) {
    const { span: place, blankEnd } = chunks[at] ?? NONE;
    if (!stays.has(at)) {
      pending += textOf(at);
      edits.push({ span: place, newText: '' });
      gone.push(place);
      continue;
    }
    const blank = blankOf(at);
    if (blank !== text.slice(place.start, blankEnd)) {
      edits.push({ span: span(place.start, blankEnd), newText: pending + blank });
      gone.push(span(place.start, blankEnd));
    } else if (pending !== '') edits.push({ span: span(place.start, place.start), newText: pending });
    pending = '';
  }
  const end = Math.max(...chunks.map(({ span: place }) => place.end));
  if (pending !== '') {
    const isCut = end > (top?.span.start ?? 0) && !/[\r\n]/.test(text[end - 1] ?? '');
    edits.push({ span: span(end, end), newText: isCut ? lineBreak + pending : pending });
  }
  const left = blanks.filter(
    ({ span: edit }) => !gone.some((place) => place.start <= edit.start && edit.end <= place.end),
  );
  return [...edits.filter(({ span: place, newText }) => sliceOf(text, place) !== newText), ...left];
}

const NONE = { span: span(0, 0), blankEnd: 0 };

const lengthOf = (chunk: Chunk | undefined): number => (chunk ? chunk.span.end - chunk.span.start : 0);

/** The rising subsequence with the most text, which need not move. */
function heaviestRun(order: readonly number[], weight: (at: number) => number): ReadonlySet<number> {
  const best = order.map(weight);
  const before = order.map(() => -1);
  for (const [slot, at] of order.entries()) {
    for (let earlier = 0; earlier < slot; earlier++) {
      const sum = (best[earlier] ?? 0) + weight(at);
      if ((order[earlier] ?? 0) < at && sum > (best[slot] ?? 0)) {
        best[slot] = sum;
        before[slot] = earlier;
      }
    }
  }
  const run = new Set<number>();
  let slot = best.indexOf(Math.max(...best));
  while (slot >= 0) {
    run.add(order[slot] ?? 0);
    slot = before[slot] ?? -1;
  }
  return run;
}
