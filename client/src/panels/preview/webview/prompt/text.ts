/** Patches the shown prompt. Unchanged text keeps its nodes, and with them selection, focus and scroll position. */

import { el, setAttr, setChildren, setText } from '../../../kit/dom.ts';
import { grouped, t, tCount } from '../../../kit/l10n.ts';
import { type Block, type Chunk, type Piece, sameChunk } from './blocks.ts';

export interface ShownPiece {
  readonly element: HTMLSpanElement;
  readonly text: Text;
  piece: Piece;
}

interface ShownChunk {
  readonly element: HTMLDivElement;
  chunk: Chunk;
  pieces: ShownPiece[];
}

interface ShownBlock {
  readonly element: HTMLElement;
  readonly gutter: HTMLElement;
  readonly text: HTMLElement;
  readonly tokens: HTMLElement;
  chunks: ShownChunk[];
}

export interface PromptText {
  readonly element: HTMLElement;
  readonly patch: (blocks: readonly Block[]) => void;
  /** All shown pieces, in the order of the prompt. */
  readonly pieces: () => readonly ShownPiece[];
  readonly pieceOf: (node: Node) => Piece | undefined;
}

const gutterNames = {
  framing: t('framing'),
  context: t('context'),
  examples: t('example'),
  request: t('request'),
};

export function createPromptText(): PromptText {
  const element = el('div', { class: 'prompt-text', attrs: { role: 'group', 'aria-label': t('Prompt'), tabindex: 0 } });
  let shown = new Map<string, ShownBlock>();
  let order: readonly ShownPiece[] | undefined;
  const pieceByNode = new WeakMap<Node, ShownPiece>();

  const newPiece = (piece: Piece): ShownPiece => {
    const text = document.createTextNode(piece.text);
    const span = el('span', {}, text);
    const one: ShownPiece = { element: span, text, piece };
    pieceByNode.set(span, one);
    setClass(one);
    return one;
  };
  const patchChunk = (target: ShownChunk, chunk: Chunk): void => {
    const pieces = chunk.pieces.map((piece, at) => {
      const old = target.pieces[at];
      if (!old) return newPiece(piece);
      const looksDifferent = old.piece.segment.kind !== piece.segment.kind || hasSource(old.piece) !== hasSource(piece);
      old.piece = piece;
      if (old.text.data !== piece.text) patchText(old.text, piece.text);
      if (looksDifferent) setClass(old);
      return old;
    });
    if (pieces.length !== target.pieces.length) {
      setChildren(
        target.element,
        pieces.map((one) => one.element),
      );
    }
    target.chunk = chunk;
    target.pieces = pieces;
  };
  const newChunk = (chunk: Chunk): ShownChunk => {
    const one: ShownChunk = { element: el('div', { class: 'chunk' }), chunk, pieces: [] };
    // The estimated height of a chunk that is not laid out yet, from its lines.
    const lines = chunk.pieces.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    one.element.style.containIntrinsicHeight = `auto ${Math.max(1, lines) * 1.5}em`;
    patchChunk(one, chunk);
    return one;
  };

  const patchBlock = (target: ShownBlock, block: Block): void => {
    const { chunks: old } = target;
    const { chunks } = block;
    const shorter = Math.min(old.length, chunks.length);
    let head = 0;
    while (head < shorter && same(old[head], chunks[head])) head++;
    let tail = 0;
    while (tail < shorter - head && same(old[old.length - 1 - tail], chunks[chunks.length - 1 - tail])) tail++;
    const middle = old.slice(head, old.length - tail);
    target.chunks = chunks.map((chunk, at) => {
      const kept =
        at < head ? old[at] : at >= chunks.length - tail ? old[at - chunks.length + old.length] : middle[at - head];
      if (!kept) return newChunk(chunk);
      patchChunk(kept, chunk);
      return kept;
    });
    if (target.chunks.some((one, at) => one !== old[at]) || old.length !== chunks.length) {
      setChildren(
        target.text,
        target.chunks.map((one) => one.element),
      );
    }
    const { part, artifact, tokens } = block;
    setText(target.gutter, gutterNames[part]);
    setAttr(target.gutter, 'title', artifact);
    setText(target.tokens, grouped(tokens));
    setAttr(target.tokens, 'title', tCount(tokens, '1 token', '{0} tokens'));
    setAttr(
      target.element,
      'aria-label',
      artifact === undefined ? gutterNames[part] : `${gutterNames[part]}: ${artifact}`,
    );
  };

  return {
    element,
    patch: (blocks) => {
      const next = new Map<string, ShownBlock>();
      for (const block of blocks) {
        const target = shown.get(block.key) ?? newBlock(block.part);
        patchBlock(target, block);
        next.set(block.key, target);
      }
      shown = next;
      order = undefined;
      setChildren(
        element,
        [...next.values()].map((one) => one.element),
      );
    },
    pieces: () => {
      order ??= [...shown.values()].flatMap(({ chunks }) => chunks.flatMap(({ pieces }) => pieces));
      return order;
    },
    pieceOf: (node) => pieceByNode.get(node instanceof Text && node.parentNode ? node.parentNode : node)?.piece,
  };
}

const same = (shown: ShownChunk | undefined, chunk: Chunk | undefined): boolean =>
  shown !== undefined && chunk !== undefined && sameChunk(shown.chunk, chunk);

const hasSource = ({ segment }: Piece): boolean => segment.source !== undefined && segment.source !== null;

function setClass({ element, piece }: ShownPiece): void {
  element.className = `piece ${piece.segment.kind}${hasSource(piece) ? ' sourced' : ''}`;
}

/** Replaces only the characters that differ, which keeps a selection elsewhere in the text. */
function patchText(node: Text, text: string): void {
  const old = node.data;
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  node.replaceData(head, old.length - head - tail, text.slice(head, text.length - tail));
}

function newBlock(part: Block['part']): ShownBlock {
  const gutter = el('div', { class: 'gutter' });
  const text = el('div', { class: 'text' });
  const tokens = el('div', { class: 'tokens' });
  const element = el('section', { class: `block ${part}`, attrs: { role: 'group' } }, gutter, text, tokens);
  return { element, gutter, text, tokens, chunks: [] };
}

/** The piece that contains an offset of the prompt. */
export function pieceAt(pieces: readonly ShownPiece[], offset: number): ShownPiece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const one = pieces[middle] as ShownPiece;
    if (offset < one.piece.start) high = middle - 1;
    else if (offset >= one.piece.start + one.piece.text.length) low = middle + 1;
    else return one;
  }
  return undefined;
}
