/** The page of a preview that shows no skill: what a skill is, and a button to make one. */

import { button, el } from '../../kit/dom.ts';
import { t } from '../../kit/l10n.ts';
import type { Actions, View } from './model.ts';

export function createNoSkillPage(actions: Actions): View {
  const problem = el('p', { class: 'problem', attrs: { role: 'status' } });
  const paragraphs = [
    t(
      'A skill is a Markdown file: its frontmatter says what it takes, which tools it may use and what it gives; its text says how.',
    ),
    t(
      'This panel shows what becomes of it: the prompt that is sent, why this and not that, and what then runs. Open a skill to see it here, or make one.',
    ),
  ];
  const element = el(
    'div',
    { class: 'empty' },
    el('h1', { text: t('No skill is open') }),
    ...paragraphs.map((text) => el('p', { text })),
    button(t('New Skill…'), () => actions.post({ type: 'newSkill' }), 'primary'),
    problem,
  );
  return {
    element,
    update: (model) => {
      problem.textContent = model.problem ?? '';
      problem.hidden = model.problem === undefined;
    },
  };
}
