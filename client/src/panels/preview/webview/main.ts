/** The preview's page: receives messages, updates the model, and has the views patch what differs. */

import { el, setChildren } from '../../kit/dom.ts';
import { connectHost, onPanelMessage } from '../../kit/host.ts';
import { onFindKey } from '../../kit/keys.ts';
import type { PageState, ToPage, ToPanel } from '../messages.ts';
import { createCompare } from './compare.ts';
import { createFooter } from './footer.ts';
import { createInvocation } from './form/invocation.ts';
import { createGraph } from './graph/graph-tab.ts';
import { createHeader } from './header.ts';
import { type Actions, newModel, newPageState, receive } from './model.ts';
import { createNoSkillPage } from './no-skill-page.ts';
import { createPrompt } from './prompt/prompt.ts';
import { createTabs } from './tabs.ts';
import { createWhy } from './why.ts';

const host = connectHost<ToPanel, PageState>(newPageState());
let model = newModel(host.state);

const actions: Actions = {
  post: host.post,
  reveal: ({ uri, range }, focus = false) => host.post({ type: 'reveal', place: { uri, range }, focus }),
  ask: (asked) => {
    model = { ...model, pending: [...model.pending, asked] };
    actions.setPage({ asked });
    host.post({ type: 'compose', asked });
  },
  setPage: (change) => {
    model = { ...model, page: { ...model.page, ...change } };
    host.keep(model.page);
    render();
  },
  openTab: (tab) => actions.setPage({ tab }),
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
const noSkillPage = createNoSkillPage(actions);
const page = el('div', { class: 'page' }, header.element, invocation.element, tabs.element, footer.element);
const root = document.getElementById('root') ?? document.body;

function render(): void {
  if (!model.show) {
    // The page stays blank until the first answer.
    const isKnown = model.empty || model.problem !== undefined;
    noSkillPage.update(model);
    setChildren(root, isKnown ? [noSkillPage.element] : []);
    return;
  }
  setChildren(root, [page]);
  for (const view of [header, invocation, tabs, footer]) view.update(model);
}

onPanelMessage((message: ToPage) => {
  const before = model.page;
  model = receive(model, message);
  if (model.page !== before) host.keep(model.page);
  render();
  if (message.type === 'show') reportPainted(message.serial);
  if (message.type === 'copied') tabs.showCopied();
  if (message.type !== 'focus' || !model.show) return;
  if (message.what === 'find') openFind();
  else if (message.what === 'form') invocation.focusForm();
  else actions.openTab(message.what);
});

/** A message that is queued in an animation frame arrives after the frame is painted. */
function reportPainted(serial: number): void {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => host.post({ type: 'painted', serial });
    channel.port2.postMessage(undefined);
  });
}

onFindKey(openFind, () => model.show !== undefined);
host.post({ type: 'ready' });
