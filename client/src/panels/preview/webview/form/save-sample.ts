/** “Save as sample”: a button that opens a field for the name, which also shows why a name was refused. */

import { button, el, setAttr, setText } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { Invocation } from '../../messages.ts';
import type { Actions, Model, View } from '../model.ts';
import { newId } from './control-groups.ts';

export function createSaveSample(actions: Actions, read: () => Invocation): View {
  const id = newId();
  const name = el('input', { class: 'input', attrs: { type: 'text', id, 'aria-describedby': `${id}-e` } });
  const label = el('label', { class: 'label', text: t('sample name'), attrs: { for: id } });
  const problem = el('div', { class: 'field-error', attrs: { id: `${id}-e`, role: 'alert' } });
  const begin = button(t('Save as sample…'), () => open(true));
  const save = (): void => {
    const given = name.value.trim();
    if (given !== '') actions.post({ type: 'saveSample', name: given, invocation: read() });
    else showProblem(t('Give the sample a name.'));
  };
  const entry = el(
    'div',
    { class: 'member' },
    label,
    el(
      'div',
      { class: 'line' },
      name,
      button(t('Save'), save, 'primary'),
      button(t('Cancel'), () => open(false)),
    ),
    problem,
  );
  const element = el('div', { class: 'save-sample' }, begin, entry);
  entry.hidden = true;
  let model: Model | undefined;

  const showProblem = (text: string): void => {
    setText(problem, text);
    problem.hidden = text === '';
    setAttr(name, 'aria-invalid', text === '' ? undefined : 'true');
  };
  const open = (opened: boolean): void => {
    entry.hidden = !opened;
    begin.hidden = opened;
    showProblem('');
    if (opened) {
      name.value = model?.page.asked.sample ?? model?.page.asked.origin ?? '';
      name.select();
      name.focus();
    } else begin.focus();
  };
  showProblem('');
  name.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') open(false);
  });
  return {
    element,
    update: (next) => {
      const saved = !entry.hidden && next.show !== model?.show && next.page.asked.sample === name.value.trim();
      const refused = next.saveProblem !== model?.saveProblem;
      model = next;
      if (saved) open(false);
      else if (refused) showProblem(next.saveProblem ?? '');
    },
  };
}
