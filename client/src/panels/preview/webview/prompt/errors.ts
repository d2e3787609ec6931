/** The errors of a skill that does not compose, shown above its last good prompt. */

import { button, el, link, setChildren, withCode } from '../../../kit/dom.ts';
import { t, tCount } from '../../../kit/l10n.ts';
import type { ShownError } from '../../messages.ts';
import { type Actions, fileName, type View } from '../model.ts';
import { lineText } from './source-ranges.ts';

export function createErrors(actions: Actions): View {
  const element = el('ul', { class: 'errors', attrs: { 'aria-label': t('Why it does not compose') } });
  let shown = new Map<string, HTMLElement>();
  return {
    element,
    update: ({ errors, fixes, page, show }) => {
      const leaveOut = (without: readonly string[]): void =>
        actions.ask({ ...page.asked, without: [...new Set([...page.asked.without, ...without])] });
      const next = new Map<string, HTMLElement>();
      for (const [at, error] of errors.entries()) {
        const fix = fixes.find((one) => one.error === at);
        const key = JSON.stringify([error, page.asked, fix]);
        const one = shown.get(key) ?? item(error, actions, leaveOut);
        // The element may be older than the answer that the fix belongs to.
        if (fix && show)
          setFixButton(one, fix.title, () => actions.post({ type: 'fix', serial: show.serial, error: at }));
        next.set(key, one);
      }
      shown = next;
      setChildren(element, [...next.values()]);
      element.hidden = next.size === 0;
    },
  };
}

function setFixButton(item: HTMLElement, title: string, apply: () => void): void {
  const advice = item.querySelector('.advice');
  const old = advice?.querySelector<HTMLButtonElement>('.mend');
  if (old) old.onclick = apply;
  else {
    const added = button(title, () => undefined);
    added.classList.add('mend');
    added.onclick = apply;
    advice?.append(' ', added);
  }
}

function item(error: ShownError, actions: Actions, leaveOut: (without: readonly string[]) => void): HTMLElement {
  const { message, suggestion, uri, range, trimming } = error;
  const place = link(lineText(fileName(uri), range), t('Go to the place'), () => actions.reveal({ uri, range }, true));
  const text = el('div', {}, el('span', { class: 'message' }, ...withCode(message)), ' ', place);
  const advice = el('div', { class: 'advice' }, ...withCode(suggestion));
  if (trimming) {
    const leaveOutButton = button(t('Leave them out here'), () => leaveOut(trimming.without));
    leaveOutButton.title = tCount(
      trimming.tokens,
      'Without {1}: 1 token. The file stays as it is.',
      'Without {1}: {0} tokens. The file stays as it is.',
      trimming.without.join(', '),
    );
    advice.append(' ', leaveOutButton);
  }
  return el('li', {}, text, advice);
}
