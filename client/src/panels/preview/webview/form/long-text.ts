/** A text area that shows only the beginning of a very long text, and a button for all of it. */

import { button, el, setText } from '../../../kit/dom.ts';
import { grouped, t } from '../../../kit/l10n.ts';

export interface LongText {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  readonly read: () => string;
  readonly write: (text: string) => void;
}

/** In characters. Browsers lay out the whole text of an area at each change. */
const MOST_SHOWN = 20_000;

export function createLongText(area: HTMLTextAreaElement): LongText {
  /** The whole text, while only its beginning is shown. */
  let whole: string | undefined;
  const show = (text: string, cut: boolean): void => {
    whole = cut ? text : undefined;
    area.readOnly = cut;
    area.value = cut ? `${text.slice(0, MOST_SHOWN)}…` : text;
    all.hidden = !cut;
    if (cut) setText(all, t('Show all {0} characters', grouped(text.length)));
  };
  const all = button('', () => {
    show(whole ?? area.value, false);
    area.focus();
  });
  all.hidden = true;
  return {
    element: el('div', { class: 'long-text' }, area, all),
    area,
    read: () => whole ?? area.value,
    write: (text) => show(text, text.length > MOST_SHOWN),
  };
}
