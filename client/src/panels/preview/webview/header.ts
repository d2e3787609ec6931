/** The header: the skill, whether it composes, its tokens, and notes about problems. */

import { el, link, setAttr, setChildrenKeepingFocus, setText } from '../../kit/dom.ts';
import { iconButton, setIcon } from '../../kit/icons.ts';
import { grouped, t, tAround, tCount } from '../../kit/l10n.ts';
import { type Actions, closedGates, fileName, type Model, type View } from './model.ts';

const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function createHeader(actions: Actions): View {
  let model: Model | undefined;
  const name = link('', t('Go to the skill'), () => {
    const uri = model?.show?.reply.uri;
    if (uri !== undefined) actions.reveal({ uri, range: top }, true);
  });
  const version = el('span', { class: 'version' });
  const dot = el('span', { class: 'dot', attrs: { 'aria-hidden': 'true' } });
  const stateText = el('span');
  const state = el('span', { class: 'state' }, dot, stateText);
  const count = el('span');
  const tokenizerName = el('span', { class: 'quiet tokenizer' });
  const figures = el('span', { class: 'figures' }, count, tokenizerName);
  const fill = el('span', { class: 'fill' });
  const bar = el('span', { class: 'bar', attrs: { 'aria-hidden': 'true' } }, fill);
  const lock = iconButton('follow', '', () => actions.post({ type: 'lock', locked: !(model?.page.locked ?? false) }));
  const json = iconButton('json', t('Open the composition as JSON'), () => actions.post({ type: 'openJson' }));
  const notes = el('ul', { class: 'notes' });
  const live = el('div', { class: 'unseen', attrs: { role: 'status', 'aria-live': 'polite' } });
  const line = el(
    'div',
    { class: 'headline' },
    el('h1', {}, name, version),
    state,
    el('span', { class: 'budget' }, figures, bar),
    el('span', { class: 'tools' }, lock, json),
  );
  const element = el('header', {}, line, notes, live);

  return {
    element,
    update: (next) => {
      model = next;
      const { show, composition, page } = next;
      if (!show) return;
      setText(name, show.reply.name);
      // A long name is cut off in a narrow panel.
      setAttr(name, 'title', `${show.reply.name}\n${t('Go to the skill')}`);
      setText(version, show.reply.skillVersion);
      const composed = compositionState(next);
      const { kind, text } = next.stale ? { kind: 'stale', text: t('out of date') } : composed;
      // The layout does not change while the composition is out of date.
      line.className = `headline ${composed.kind}`;
      dot.className = `dot ${kind}`;
      setText(stateText, text);
      setText(live, `${show.reply.name}: ${text}`);
      if (composition) {
        const { total, budget, tokenizer } = composition.tokens;
        const share = budget === null ? 0 : budget > 0 ? Math.min(1, total / budget) : 1;
        const figure = grouped(total);
        setText(count, budget === null ? t('{0} tokens', figure) : t('{0} / {1} tokens', figure, grouped(budget)));
        setText(tokenizerName, ` ${tokenizer}`);
        setAttr(figures, 'title', t('Counted with {0}', tokenizer));
        fill.style.width = `${(share * 100).toFixed(1)}%`;
        fill.classList.toggle('near', share > 0.8);
      }
      figures.hidden = !composition;
      bar.hidden = (composition?.tokens.budget ?? null) === null;
      setIcon(lock, page.locked ? 'lock' : 'follow');
      const label = page.locked
        ? t('Stays with this skill: follow the active editor')
        : t('Follows the active editor: stay with this skill');
      setAttr(lock, 'title', label);
      setAttr(lock, 'aria-label', label);
      setAttr(lock, 'aria-pressed', String(page.locked));
      setChildrenKeepingFocus(notes, notesOf(next, actions));
      notes.hidden = notes.childNodes.length === 0;
    },
  };
}

/** The state of the shown composition, out of date or not. */
function compositionState(model: Model): { kind: 'good' | 'bad' | 'blocked'; text: string } {
  const count = model.errors.length;
  if (count > 0)
    return { kind: 'bad', text: tCount(count, 'does not compose: 1 error', 'does not compose: {0} errors') };
  if (closedGates(model).length > 0) return { kind: 'blocked', text: t('composes, but would not be dispatched') };
  const madeUp = model.show?.reply.madeUp.length ?? 0;
  return { kind: 'good', text: madeUp > 0 ? t('composes, with made-up values') : t('composes') };
}

function notesOf(model: Model, actions: Actions): HTMLElement[] {
  const { show, notSkill, problem, page } = model;
  const gates = closedGates(model).map(({ uri, range, reason }) =>
    el(
      'li',
      {},
      ...tAround(
        'The planner would not dispatch this, because {0}.',
        link(reason, t('Go to the place'), () => actions.reveal({ uri, range }, true)),
      ),
    ),
  );
  const { without } = page.asked;
  const restore = link(t('Take them again'), t('Compose with them'), () => actions.ask({ ...page.asked, without: [] }));
  return [
    ...(problem === undefined ? [] : [el('li', { class: 'problem', text: problem })]),
    ...(notSkill === undefined
      ? []
      : [el('li', { text: t('{0} is no skill; this is still {1}.', notSkill, fileName(show?.reply.uri ?? '')) })]),
    ...gates,
    ...(without.length === 0 ? [] : [el('li', {}, t('Left out here: {0}.', without.join(', ')), ' ', restore)]),
  ];
}
