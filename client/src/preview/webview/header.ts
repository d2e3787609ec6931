/** The line that answers at a glance: which skill, whether it composes, and what it costs. */
import { el, link, setAttr, setChildren, setText } from './dom.ts';
import { iconButton, setIcon } from './icons.ts';
import { type Actions, closedGates, fileName, grouped, type Model, plural, type View } from './view.ts';

const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function createHeader(actions: Actions): View {
  let model: Model | undefined;
  const name = link('', 'Go to the skill', () => {
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
  const json = iconButton('json', 'Open the composition as JSON', () => actions.post({ type: 'openJson' }));
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
      setText(version, show.reply.skillVersion);
      const { kind, text } = stateOf(next);
      dot.className = `dot ${kind}`;
      setText(stateText, text);
      setText(live, `${show.reply.name}: ${text}`);
      if (composition) {
        const { total, budget, tokenizer } = composition.tokens;
        const share = budget > 0 ? Math.min(1, total / budget) : 1;
        setText(count, `${grouped(total)} / ${grouped(budget)} tokens`);
        setText(tokenizerName, ` ${tokenizer}`);
        setAttr(figures, 'title', `Counted with ${tokenizer}`);
        fill.style.width = `${(share * 100).toFixed(1)}%`;
        fill.classList.toggle('near', share > 0.8);
      }
      figures.hidden = !composition;
      bar.hidden = !composition;
      setIcon(lock, page.locked ? 'lock' : 'follow');
      const says = page.locked
        ? 'Stays with this skill: follow the active editor'
        : 'Follows the active editor: stay with this skill';
      setAttr(lock, 'title', says);
      setAttr(lock, 'aria-label', says);
      setAttr(lock, 'aria-pressed', String(page.locked));
      setChildren(notes, notesOf(next, actions));
      notes.hidden = notes.childNodes.length === 0;
    },
  };
}

/** The worst that can be said. */
function stateOf(model: Model): { kind: 'good' | 'bad' | 'stale' | 'blocked'; text: string } {
  if (model.stale) return { kind: 'stale', text: 'out of date' };
  const count = model.errors.length;
  if (count > 0) return { kind: 'bad', text: `does not compose: ${plural(count, 'error')}` };
  if (closedGates(model).length > 0) return { kind: 'blocked', text: 'composes, but would not be dispatched' };
  return { kind: 'good', text: 'composes' };
}

function notesOf(model: Model, actions: Actions): HTMLElement[] {
  const { show, notSkill, problem, page } = model;
  const gates = closedGates(model).map(({ uri, range, reason }) =>
    el(
      'li',
      {},
      'The planner would not dispatch this, because ',
      link(reason, 'Go to the place', () => actions.reveal({ uri, range }, true)),
      '.',
    ),
  );
  const { without } = page.asked;
  const again = link('Take them again', 'Compose with them', () => actions.ask({ ...page.asked, without: [] }));
  return [
    ...(problem === undefined ? [] : [el('li', { class: 'problem', text: problem })]),
    ...(notSkill === undefined
      ? []
      : [el('li', { text: `${notSkill} is no skill; this is still ${fileName(show?.reply.uri ?? '')}.` })]),
    ...gates,
    ...(without.length === 0 ? [] : [el('li', {}, `Left out here: ${without.join(', ')}. `, again)]),
  ];
}
