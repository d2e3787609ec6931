/** The page of the composition graph: messages in, the model on, what differs patched. */
import { el, setChildren } from '../../kit/dom.ts';
import { type GraphReply, type GraphState, isGraphState, isToGraphPage, type ToGraphPanel } from '../messages.ts';
import { createGraphView } from './graph-view.ts';
import { listOf } from './list.ts';
import { createSummary } from './summary.ts';
import { createBar } from './toolbar.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: ToGraphPanel): void;
  getState(): unknown;
  setState(state: GraphState): void;
};

const fresh: GraphState = {
  scope: null,
  view: null,
  selected: null,
  level: null,
  onlyErrors: false,
  search: '',
  asList: false,
};

const host = acquireVsCodeApi();
const kept = host.getState();
let state = isGraphState(kept) ? kept : fresh;
let graph: GraphReply | undefined;
let problem: string | undefined;
let active: string | undefined;

const reveal = ({ uri, range }: { uri: string; range: GraphReply['edges'][number]['range'] }, focus: boolean): void =>
  host.postMessage({ type: 'reveal', place: { uri, range }, focus });
const keep = (change: Partial<GraphState>): void => {
  state = { ...state, ...change };
  host.setState(state);
};
const look = (change: Partial<GraphState>): void => {
  keep(change);
  render();
};

const view = createGraphView({ keep, look, reveal });
const bar = createBar({
  look,
  scope: (scope) => host.postMessage({ type: 'scope', scope }),
  step: view.step,
  zoom: view.zoom,
  fit: view.fit,
});
const summary = createSummary({ go: view.go, clear: () => look({ level: null, onlyErrors: false }) });
const list = el('div', { class: 'graph-list', attrs: { tabindex: '-1' } });
const page = el('main', { class: 'page' }, bar.element, summary.element, view.element, list);
const root = document.getElementById('root') ?? document.body;

function render(): void {
  if (!graph && problem === undefined) return;
  setChildren(root, [page]);
  const picture = view.update(graph, state, active);
  const { hits, hit } = view.search();
  bar.update({ state, scopes: scopesOf(graph), levels: levelsOf(graph), hits, hit });
  summary.update({ graph, picture, problem });
  view.element.hidden = state.asList;
  list.hidden = !state.asList;
  setChildren(list, picture && state.asList ? [listOf(picture, reveal)] : []);
}

/** What can be shown by itself: what composes something, what is shown now, and what is open in the editor. */
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

let due: ReturnType<typeof setTimeout> | undefined;

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isToGraphPage(data)) return;
  if (data.type === 'problem') problem = data.text;
  else if (data.type === 'active') active = data.uri ?? undefined;
  else {
    problem = undefined;
    graph = data.graph;
    // Another part of the graph is another drawing: it is seen from where it begins.
    if (data.scope !== state.scope) keep({ scope: data.scope, view: null, selected: null });
  }
  // What was asked of the page meanwhile goes first; of many messages the last one is drawn.
  clearTimeout(due);
  due = setTimeout(render);
});

addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  bar.focusSearch();
});

host.postMessage({ type: 'ready' });
