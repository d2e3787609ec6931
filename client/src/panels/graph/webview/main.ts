/** The composition graph's page: receives messages, keeps the state, and updates toolbar, drawing and list. */

import { debounce } from '../../kit/debounce.ts';
import { el, setChildren } from '../../kit/dom.ts';
import { connectHost, onPanelMessage } from '../../kit/host.ts';
import { onFindKey } from '../../kit/keys.ts';
import type { Place } from '../../kit/place.ts';
import {
  GRAPH_STATE_VERSION,
  type GraphReply,
  type GraphState,
  type ToGraphPage,
  type ToGraphPanel,
} from '../messages.ts';
import { createGraphView } from './graph-view.ts';
import { listOf } from './list.ts';
import { createSummary } from './summary.ts';
import { createToolbar } from './toolbar.ts';

const initialState: GraphState = {
  version: GRAPH_STATE_VERSION,
  scope: null,
  view: null,
  selected: null,
  level: null,
  onlyErrors: false,
  search: '',
  asList: false,
};

const host = connectHost<ToGraphPanel, GraphState>(initialState);
let { state } = host;
let graph: GraphReply | undefined;
let problem: string | undefined;
let active: string | undefined;

const reveal = ({ uri, range }: Place, focus: boolean): void =>
  host.post({ type: 'reveal', place: { uri, range }, focus });
const keep = (change: Partial<GraphState>): void => {
  state = { ...state, ...change };
  host.keep(state);
};
const changeState = (change: Partial<GraphState>): void => {
  keep(change);
  render();
};

const view = createGraphView({ keep, setState: changeState, reveal });
const toolbar = createToolbar({
  setState: changeState,
  scope: (scope) => host.post({ type: 'scope', scope }),
  step: view.step,
  zoom: view.zoom,
  fit: view.fit,
});
const summary = createSummary({ go: view.go, clear: () => changeState({ level: null, onlyErrors: false }) });
const list = el('div', { class: 'graph-list', attrs: { tabindex: '-1' } });
const page = el('main', { class: 'page' }, toolbar.element, summary.element, view.element, list);
const root = document.getElementById('root') ?? document.body;

function render(): void {
  if (!graph && problem === undefined) return;
  setChildren(root, [page]);
  const drawing = view.update(graph, state, active);
  const { hits, hit } = view.search();
  toolbar.update({ state, scopes: scopesOf(graph), levels: levelsOf(graph), hits, hit });
  summary.update({ graph, drawing, problem });
  view.element.hidden = state.asList;
  list.hidden = !state.asList;
  setChildren(list, drawing && state.asList ? [listOf(drawing, reveal)] : []);
}

/** The skills that can be shown by themselves: composers, the current scope, and the skill in the editor. */
function scopesOf(all: GraphReply | undefined): ReadonlyMap<string, string> {
  const composers = new Set(all?.edges.map(({ from }) => from));
  for (const one of [state.scope, active]) if (one) composers.add(one);
  const named = (all?.nodes ?? []).flatMap(({ id, name }) => (composers.has(id) ? [[id, name] as const] : []));
  return new Map([...named].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function levelsOf(all: GraphReply | undefined): readonly number[] {
  const levels = (all?.nodes ?? []).flatMap((node) => (node.kind === 'skill' ? [node.level ?? 0] : []));
  return [...new Set(levels)].sort((a, b) => b - a);
}

// The newest of several messages is rendered, after input events that are waiting.
const renderSoon = debounce(render, 0);

onPanelMessage((message: ToGraphPage) => {
  if (message.type === 'problem') problem = message.text;
  else if (message.type === 'active') active = message.uri ?? undefined;
  else {
    problem = undefined;
    graph = message.graph;
    // Another part of the graph is a new drawing, shown from its beginning.
    if (message.scope !== state.scope) keep({ scope: message.scope, view: null, selected: null });
  }
  renderSoon();
});

onFindKey(toolbar.focusSearch);
host.post({ type: 'ready' });
