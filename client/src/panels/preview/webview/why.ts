/** The tab of decisions: what was considered, whether it was taken, and why; and the invocation record. */

import { el, link, setChildrenKeepingFocus, setText } from '../../kit/dom.ts';
import { t, tAround } from '../../kit/l10n.ts';
import type { ShownDecision } from '../messages.ts';
import { type Actions, decisionsOf, type Model, recordOf, type View } from './model.ts';

const tables: readonly { title: string; id: string; subjects: readonly ShownDecision['subject'][] }[] = [
  { title: t('Artifacts'), id: 'artifact', subjects: ['artifact'] },
  { title: t('Prose'), id: 'prose', subjects: ['prose'] },
  { title: t('Tools'), id: 'tool', subjects: ['tool'] },
  { title: t('Graph'), id: 'graph', subjects: ['approach', 'skill', 'interrupt'] },
];

const subjectNames: Readonly<Record<ShownDecision['subject'], string>> = {
  artifact: t('artifact'),
  prose: t('prose'),
  tool: t('tool'),
  approach: t('approach'),
  skill: t('skill'),
  interrupt: t('interrupt'),
};

export function createWhy(actions: Actions): View {
  const element = el('div', { class: 'why' });
  const record = el('pre');
  const details = el('details', { class: 'record' }, el('summary', { text: t('Invocation record') }), record);
  let key: string | undefined;
  return {
    element,
    update: (model) => {
      const decisions = decisionsOf(model);
      const json = JSON.stringify(recordOf(model), undefined, 2) ?? '';
      const next = JSON.stringify([decisions, json, model.show?.reply.gates, model.show?.reply.toolsKnown]);
      // Unchanged rows keep the keyboard focus.
      if (next === key) return;
      key = next;
      const parts = tables.flatMap(({ title, id, subjects }) => {
        const rows = decisions.filter(({ subject }) => subjects.includes(subject));
        return rows.length === 0 ? [] : [table(title, id, rows, actions)];
      });
      const none = el('p', {
        class: 'quiet',
        text: t('Nothing was chosen between: the skill names no artifacts and no tools.'),
      });
      setText(record, json);
      setChildrenKeepingFocus(element, [
        ...remarks(model, actions),
        ...(parts.length === 0 ? [none] : parts),
        ...(json === '' ? [] : [details]),
      ]);
    },
  };
}

function table(title: string, id: string, rows: readonly ShownDecision[], actions: Actions): HTMLElement {
  const taken = rows.filter((row) => row.taken).length;
  const heads = [title, '', t('Reason')].map((text, at) =>
    el('th', { attrs: { scope: 'col' } }, at === 1 ? el('span', { class: 'unseen', text: t('Taken') }) : text),
  );
  heads[0]?.append(' ', el('span', { class: 'quiet', text: t('{0} of {1}', taken, rows.length) }));
  return el(
    'table',
    { attrs: { id: `why-${id}` } },
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...rows.map((one) => row(one, id === 'graph', actions))),
  );
}

function row(
  { name, subject, taken, reason, uri, range }: ShownDecision,
  showsSubject: boolean,
  actions: Actions,
): HTMLElement {
  const to = link(name, t('Go to the source'), () => actions.reveal({ uri, range }, true));
  return el(
    'tr',
    { class: taken ? 'taken' : 'left' },
    el('td', {}, to, showsSubject && el('span', { class: 'quiet', text: ` ${subjectNames[subject]}` })),
    el('td', { class: 'verdict', text: taken ? t('taken') : t('not taken') }),
    el('td', { text: reason }),
  );
}

/** Conditions that are known only at run time, and assumptions. */
function remarks({ show }: Model, actions: Actions): HTMLElement[] {
  const open = show?.reply.gates.filter(({ closed }) => !closed) ?? [];
  const assumed = show && !show.reply.toolsKnown;
  return [
    ...open.map(({ reason, uri, range }) =>
      el(
        'p',
        { class: 'remark' },
        ...tAround(
          'Known only when it runs: {0}.',
          link(reason, t('Go to the place'), () => actions.reveal({ uri, range }, true)),
        ),
      ),
    ),
    ...(assumed
      ? [
          el('p', {
            class: 'remark',
            text: t('No catalog says which tools there are: every declared tool counts as available.'),
          }),
        ]
      : []),
  ];
}
