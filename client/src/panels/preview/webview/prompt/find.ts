/** The find box of the prompt. Matches are CSS highlights, so the nodes of the text stay as they are. */

import { el, setText } from '../../../kit/dom.ts';
import { iconButton } from '../../../kit/icons.ts';
import { t } from '../../../kit/l10n.ts';
import { pieceAt, type ShownPiece } from './text.ts';

export interface Find {
  readonly element: HTMLElement;
  readonly open: () => void;
  /** Searches again after the text changed, while the box is open. */
  readonly refresh: () => void;
}

/** The number of matches that are highlighted; all are counted. */
const MOST_HIGHLIGHTED = 2000;

export function createFind(pieces: () => readonly ShownPiece[], prompt: () => string, onClose: () => void): Find {
  const input = el('input', {
    class: 'input',
    attrs: { type: 'text', 'aria-label': t('Find in the prompt'), placeholder: t('Find'), spellcheck: 'false' },
  });
  const count = el('span', { class: 'find-count', attrs: { role: 'status' } });
  const element = el(
    'div',
    { class: 'find', attrs: { role: 'search' } },
    input,
    count,
    iconButton('up', t('Previous match (Shift+Enter)'), () => step(-1)),
    iconButton('down', t('Next match (Enter)'), () => step(1)),
    iconButton('close', t('Close (Escape)'), () => close()),
  );
  element.hidden = true;
  let starts: number[] = [];
  let current = 0;

  const close = (): void => {
    element.hidden = true;
    highlightMatches([]);
    onClose();
  };
  const search = (): void => {
    const needle = input.value.toLowerCase();
    const text = prompt().toLowerCase();
    const shown = pieces();
    const last = shown.at(-1)?.piece;
    const end = last ? last.start + last.text.length : 0;
    starts = [];
    if (needle !== '') {
      for (
        let at = text.indexOf(needle);
        at >= 0 && at + needle.length <= end;
        at = text.indexOf(needle, at + needle.length)
      ) {
        starts.push(at);
      }
    }
    current = Math.min(current, Math.max(0, starts.length - 1));
    highlightMatches(starts.slice(0, MOST_HIGHLIGHTED).map((start) => rangeOf(shown, start, start + needle.length)));
    showCurrent();
  };
  const showCurrent = (): void => {
    setText(
      count,
      input.value === '' ? '' : starts.length === 0 ? t('No results') : t('{0} of {1}', current + 1, starts.length),
    );
    const start = starts[current];
    const now = start === undefined ? undefined : rangeOf(pieces(), start, start + input.value.length);
    highlight('find-current', now ? [now] : []);
  };
  const step = (by: number): void => {
    if (starts.length === 0) return;
    current = (current + by + starts.length) % starts.length;
    showCurrent();
    const start = starts[current] ?? 0;
    pieceAt(pieces(), start)?.element.scrollIntoView({ block: 'center', inline: 'nearest' });
  };
  input.addEventListener('input', () => {
    current = 0;
    search();
    if (starts.length > 0) step(0);
  });
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    element,
    open: () => {
      element.hidden = false;
      input.select();
      input.focus();
      search();
    },
    refresh: () => {
      if (!element.hidden) search();
    },
  };
}

const highlightMatches = (ranges: readonly (Range | undefined)[]): void => {
  highlight(
    'find',
    ranges.filter((range) => range !== undefined),
  );
  if (ranges.length === 0) highlight('find-current', []);
};

function highlight(name: string, ranges: readonly Range[]): void {
  // Without support for highlights, matches are still counted and scrolled to.
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

function rangeOf(pieces: readonly ShownPiece[], start: number, end: number): Range | undefined {
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.text, start - first.piece.start);
  range.setEnd(last.text, end - last.piece.start);
  return range;
}
