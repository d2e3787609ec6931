/** A field of several lines. Of a text that is very long it shows the beginning, and all of it when asked. */

import { button, el, setText } from '../../../kit/dom.ts';
import { grouped, t } from '../../../kit/l10n.ts';

export interface LongText {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  readonly read: () => string;
  readonly write: (text: string) => void;
}

/** The browser lays out a whole text at every change of it. In characters. */
const LONG = 20_000;

export function createLongText(area: HTMLTextAreaElement): LongText {
  /** All of it, while its beginning is shown. */
  let whole: string | undefined;
  const show = (text: string, cut: boolean): void => {
    whole = cut ? text : undefined;
    area.readOnly = cut;
    area.value = cut ? `${text.slice(0, LONG)}…` : text;
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
    write: (text) => show(text, text.length > LONG),
  };
}
