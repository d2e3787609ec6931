/** The tab that opens the editor's diff between the prompt and another one. */

import { button, el, setChildren } from '../../kit/dom.ts';
import { t } from '../../kit/l10n.ts';
import type { CompareTarget } from '../messages.ts';
import { type Actions, samplesOf, type View } from './model.ts';

export function createCompare(actions: Actions): View {
  const list = el('ul', { class: 'opponents' });
  const element = el(
    'div',
    { class: 'compare' },
    el('p', { text: t('Open the difference between the prompt as it is now and:') }),
    list,
  );
  let key: string | undefined;
  const row = (target: CompareTarget, text: string, description: string): HTMLElement =>
    el(
      'li',
      {},
      button(text, () => actions.post({ type: 'compare', with: target })),
      el('span', { class: 'quiet', text: description }),
    );
  return {
    element,
    update: (model) => {
      const names = samplesOf(model)?.samples.map(({ name }) => name) ?? [];
      const others = names.filter((name) => name !== model.page.asked.sample);
      if (key === JSON.stringify(others)) return;
      key = JSON.stringify(others);
      setChildren(list, [
        row({ kind: 'saved' }, t('Last save'), t('the file as it is on the disk')),
        row({ kind: 'head' }, 'HEAD', t('the file of git’s last commit')),
        ...others.map((name) => row({ kind: 'sample', name }, name, t('the same text, for this sample'))),
      ]);
    },
  };
}
