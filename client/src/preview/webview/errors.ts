/** What keeps the skill from composing, above the last good prompt. */

import type { ShownError } from '../messages.ts';
import { button, el, link, marked, setChildren } from './dom.ts';
import { placeText } from './places.ts';
import { type Actions, fileName, grouped, type View } from './view.ts';

export function createErrors(actions: Actions): View {
  const element = el('ul', { class: 'errors', attrs: { 'aria-label': 'Why it does not compose' } });
  let shown = new Map<string, HTMLElement>();
  return {
    element,
    update: ({ errors, page }) => {
      const leaveOut = (without: readonly string[]): void =>
        actions.ask({ ...page.asked, without: [...new Set([...page.asked.without, ...without])] });
      const next = new Map<string, HTMLElement>();
      for (const error of errors) {
        const key = JSON.stringify([error, page.asked]);
        next.set(key, shown.get(key) ?? item(error, actions, leaveOut));
      }
      shown = next;
      setChildren(element, [...next.values()]);
      element.hidden = next.size === 0;
    },
  };
}

function item(error: ShownError, actions: Actions, leaveOut: (without: readonly string[]) => void): HTMLElement {
  const { message, suggestion, uri, range, trimming } = error;
  const place = link(placeText(fileName(uri), range), 'Go to the place', () => actions.reveal({ uri, range }, true));
  const text = el('div', {}, el('span', { class: 'message' }, ...marked(message)), ' ', place);
  const advice = el('div', { class: 'advice' }, ...marked(suggestion));
  if (trimming) {
    const mend = button('Leave them out here', () => leaveOut(trimming.without));
    mend.title = `Without ${trimming.without.join(', ')}: ${grouped(trimming.tokens)} tokens. The file stays as it is.`;
    advice.append(' ', mend);
  }
  return el('li', {}, text, advice);
}
