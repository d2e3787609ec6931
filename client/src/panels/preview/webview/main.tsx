/** The page of the preview: receives messages, derives the next model from each message, and renders it. */
import { render } from 'preact';
import { connectHost, onPanelMessage } from '../../kit/host.ts';
import { onFindKey, onSelectAllKey } from '../../kit/keys.ts';
import type { PageState, ShowEdit, ToPage, ToPanel } from '../messages.ts';
import { restored } from '../shown-prompt.ts';
import { type Actions, acted, editing, type Model, newModel, newPageState, receive } from './model.ts';
import { Page } from './page.tsx';

const host = connectHost<ToPanel, PageState>(newPageState());
let model = newModel(host.state);

const root = document.getElementById('root') ?? document.body;

function show(next: Model): void {
  const before = model.page;
  model = next;
  if (next.page !== before) host.keep(next.page);
  render(<Page model={model} actions={actions} />, root);
}

const actions: Actions = {
  post: host.post,
  reveal: ({ uri, range }, focus = false) => host.post({ type: 'reveal', place: { uri, range }, focus }),
  ask: (asked) => {
    show({ ...acted(model), pending: [...model.pending, asked], page: { ...model.page, asked } });
    host.post({ type: 'compose', asked });
  },
  setPage: (change) => show({ ...('tab' in change ? model : acted(model)), page: { ...model.page, ...change } }),
  find: () => show(receive(model, { type: 'focus', what: 'find' })),
  edit: (field) => show(editing(model, field)),
};

onPanelMessage((received: ToPage | ShowEdit) => {
  const message = received.type === 'showEdit' ? restored(received, model.show) : received;
  if (!message) return host.post({ type: 'ready' });
  show(receive(model, message));
  if (message.type === 'show') reportPainted(message.serial);
});

/**
 * Reports that a `show` was painted. A message that is sent in an animation frame arrives after the frame was painted.
 */
function reportPainted(serial: number): void {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => host.post({ type: 'painted', serial });
    channel.port2.postMessage(undefined);
  });
}

onFindKey(actions.find, () => model.show !== undefined);
onSelectAllKey(
  () => document.querySelector('#panel-prompt:not([hidden]) .blocks'),
  () => model.prompt?.prompt ?? '',
);
host.post({ type: 'ready' });
