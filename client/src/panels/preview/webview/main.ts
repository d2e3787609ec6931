/** The page of the preview: messages in, the model on, what differs patched. */

import { el, setChildren } from '../../kit/dom.ts';
import type { PageState, ToPanel } from '../messages.ts';
import { isPageState, isToPage } from '../messages-checks.ts';
import { createCompare } from './compare.ts';
import { createFooter } from './footer.ts';
import { createInvocation } from './form/invocation.ts';
import { createGraph } from './graph/graph-tab.ts';
import { createHeader } from './header.ts';
import { type Actions, newModel, newPageState, receive } from './model.ts';
import { createEmpty } from './no-skill-page.ts';
import { createPrompt } from './prompt/prompt.ts';
import { createTabs } from './tabs.ts';
import { createWhy } from './why.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: ToPanel): void;
  getState(): unknown;
  setState(state: PageState): void;
};

const host = acquireVsCodeApi();
const kept = host.getState();
let model = newModel(isPageState(kept) ? kept : newPageState());

const actions: Actions = {
  post: (message) => host.postMessage(message),
  reveal: ({ uri, range }, focus = false) => host.postMessage({ type: 'reveal', place: { uri, range }, focus }),
  ask: (asked) => {
    model = { ...model, pending: [...model.pending, asked] };
    actions.look({ asked });
    host.postMessage({ type: 'compose', asked });
  },
  look: (change) => {
    model = { ...model, page: { ...model.page, ...change } };
    host.setState(model.page);
    render();
  },
  openTab: (tab) => actions.look({ tab }),
};

const header = createHeader(actions);
const invocation = createInvocation(actions);
const prompt = createPrompt(actions);
const openFind = (): void => {
  actions.openTab('prompt');
  prompt.find();
};
const views = { prompt, graph: createGraph(actions), why: createWhy(actions), compare: createCompare(actions) };
const tabs = createTabs(actions, views, openFind);
const footer = createFooter(actions);
const empty = createEmpty(actions);
const page = el('div', { class: 'page' }, header.element, invocation.element, tabs.element, footer.element);
const root = document.getElementById('root') ?? document.body;

function render(): void {
  if (!model.show) {
    // Before the first answer the page is blank for a moment rather than wrong.
    const says = model.empty || model.problem !== undefined;
    empty.update(model);
    setChildren(root, says ? [empty.element] : []);
    return;
  }
  setChildren(root, [page]);
  for (const view of [header, invocation, tabs, footer]) view.update(model);
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isToPage(data)) return;
  const before = model.page;
  model = receive(model, data);
  if (model.page !== before) host.setState(model.page);
  render();
  if (data.type === 'show') tellPainted(data.serial);
  if (data.type === 'copied') tabs.sayCopied();
  if (data.type !== 'focus' || !model.show) return;
  if (data.what === 'find') openFind();
  else if (data.what === 'form') invocation.focusForm();
  else actions.openTab(data.what);
});

/** A frame begins before its paint; what is queued in it runs behind. */
function tellPainted(serial: number): void {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => host.postMessage({ type: 'painted', serial });
    channel.port2.postMessage(undefined);
  });
}

addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return;
  if (!model.show) return;
  event.preventDefault();
  event.stopPropagation();
  openFind();
});

host.postMessage({ type: 'ready' });
