/** The prompt tab: the exact text that is sent, the source of each part, and its tokens. */

import { button, el } from '../../../kit/dom.ts';
import { grouped, t } from '../../../kit/l10n.ts';
import type { Actions, Model, View } from '../model.ts';
import { blocksOf, type Piece } from './blocks.ts';
import { createErrors } from './errors.ts';
import { createFind } from './find.ts';
import { type Scroll, syncScroll } from './scroll.ts';
import { contains, highlightedSegments } from './source-ranges.ts';
import { createPromptText, type ShownPiece } from './text.ts';

/** The number of characters that are shown until the user asks for all. */
const SHOWN = 200_000;

export interface PromptView extends View {
  readonly find: () => void;
}

export function createPrompt(actions: Actions): PromptView {
  const text = createPromptText();
  const errors = createErrors(actions);
  const more = el('div', { class: 'more' });
  const element = el('div', { class: 'prompt', attrs: { tabindex: -1 } });
  let model: Model | undefined;
  let shownPrompt: Model['composition'];
  let limit = SHOWN;
  let highlighted: readonly ShownPiece[] = [];
  let highlightedFor: Model['cursor'];
  let followed: Model['visible'];
  let scroll: Scroll | undefined;

  const find = createFind(
    text.pieces,
    () => shownPrompt?.prompt ?? '',
    () => element.focus({ preventScroll: true }),
  );
  const last = el('p', { class: 'quiet last-good', text: t('The last prompt that composed:') });
  element.append(find.element, errors.element, last, text.element, more);

  const reveal = (piece: Piece | undefined): void => {
    if (piece?.segment.source) actions.reveal(piece.segment.source, true);
  };
  text.element.addEventListener('click', ({ target }) => {
    // A click that ends a text selection opens nothing.
    if (document.getSelection()?.isCollapsed === false) return;
    if (target instanceof Node) reveal(text.pieceOf(target));
  });
  text.element.addEventListener('keydown', (event) => moveByKey(event, text.pieces(), reveal));

  const showMore = (prompt: string): void => {
    if (prompt.length <= limit) {
      more.replaceChildren();
      return;
    }
    const label = t('Show all {0} characters', grouped(prompt.length));
    const all = button(label, () => {
      limit = Number.POSITIVE_INFINITY;
      shownPrompt = undefined;
      if (model) update(model);
    });
    more.replaceChildren(el('span', { text: t('The first {0} characters are shown.', grouped(limit)) }), all);
  };

  const highlight = (next: Model, patched: boolean): void => {
    if (!patched && highlightedFor === next.cursor) return;
    const segments = highlightedSegments(next.composition?.segments ?? [], next.cursor);
    for (const { element } of highlighted) element.classList.remove('lit');
    highlighted = segments.size === 0 ? [] : text.pieces().filter(({ piece }) => segments.has(piece.segment));
    for (const { element } of highlighted) element.classList.add('lit');
    if (highlightedFor !== next.cursor && next.cursorScrolls) scrollToHighlight();
    highlightedFor = next.cursor;
  };
  const scrollToHighlight = (): void => {
    scroll?.endUserScroll();
    highlighted[0]?.element.scrollIntoView({ block: 'nearest' });
  };
  const follow = ({ visible, cursor, composition }: Model): void => {
    if (visible === followed) return;
    followed = visible;
    if (!visible || !composition) return;
    // The highlighted part stays visible if the editor's cursor is, even below long output of a loop.
    const onScreen = cursor?.uri === visible.uri && contains(visible.range, cursor.range);
    scroll?.follow(composition, visible, () => onScreen && scrollToHighlight());
  };

  const update = (next: Model): void => {
    const otherSkill = model?.show?.reply.uri !== next.show?.reply.uri;
    model = next;
    errors.update(next);
    element.classList.toggle('dimmed', next.errors.length > 0);
    last.hidden = next.errors.length === 0 || !next.composition;
    element.classList.toggle('nowrap', !next.page.wrap);
    if (otherSkill) limit = SHOWN;
    const patched = next.composition !== shownPrompt;
    if (patched) {
      shownPrompt = next.composition;
      text.patch(shownPrompt ? blocksOf(shownPrompt, limit) : []);
      showMore(shownPrompt?.prompt ?? '');
      find.refresh();
    }
    if (patched) scroll?.endUserScroll();
    highlight(next, patched);
    follow(next);
  };
  const attach = (panel: HTMLElement): void => {
    scroll = syncScroll(panel, text, (place) => actions.post({ type: 'scrolled', place }));
  };
  return { element, update, attach, find: find.open };
}

/** Arrow keys move the focus among the pieces that have a source; Enter opens the source. */
function moveByKey(event: KeyboardEvent, pieces: readonly ShownPiece[], choose: (piece: Piece) => void): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const sourced = pieces.filter(({ piece }) => piece.segment.source);
  const at = sourced.findIndex(({ element }) => element === document.activeElement);
  const here = sourced[at];
  if (by !== undefined) {
    const next = sourced[at < 0 ? 0 : at + by];
    if (!next) return;
    here?.element.removeAttribute('tabindex');
    next.element.tabIndex = -1;
    next.element.focus({ preventScroll: true });
    next.element.scrollIntoView({ block: 'nearest' });
  } else if (event.key === 'Enter' && here) {
    choose(here.piece);
  } else return;
  event.preventDefault();
}
