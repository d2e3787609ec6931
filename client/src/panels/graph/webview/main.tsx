/** The page of the composition graph: receives messages, derives the next model from each message, and renders it. */
import { render } from 'preact';
import { connectHost, onPanelMessage } from '../../kit/host.ts';
import { onFindKey } from '../../kit/keys.ts';
import { debounce } from '../../kit/schedule.ts';
import type { GraphState, ToGraphPage, ToGraphPanel } from '../messages.ts';
import { type Actions, back, type Model, newModel, newPageState, open, receive } from './model.ts';
import { Page } from './page.tsx';

const host = connectHost<ToGraphPanel, GraphState>(newPageState());
let model = newModel(host.state);

const root = document.getElementById('root') ?? document.body;

function show(next: Model): void {
  const before = model;
  model = next;
  if (next.page !== before.page) host.keep(next.page);
  if (next.pendingPart && next.pendingPart !== before.pendingPart)
    host.post({ type: 'scope', scope: next.pendingPart.scope });
  render(<Page model={model} actions={actions} />, root);
}

const keepSoon = debounce(() => host.keep(model.page), 200);

const actions: Actions = {
  setPage: (change) => show({ ...model, page: { ...model.page, ...change } }),
  // The view changes with every frame while the user drags, and the page need not be rendered again.
  keepView: (view) => {
    model = { ...model, page: { ...model.page, view } };
    keepSoon();
  },
  open: (spot) => show(open(model, spot)),
  back: () => show(back(model)),
  reveal: ({ uri, range }, focus) => host.post({ type: 'reveal', place: { uri, range }, focus }),
  newSkill: () => host.post({ type: 'newSkill' }),
};

// Only the latest of several messages is rendered, after the pending input events.
const renderSoon = debounce(() => show(model), 0);

onPanelMessage((message: ToGraphPage) => {
  const before = model.page;
  model = receive(model, message);
  if (model.page !== before) host.keep(model.page);
  renderSoon();
});

onFindKey(() => document.querySelector<HTMLInputElement>('#search')?.select());
host.post({ type: 'ready' });
