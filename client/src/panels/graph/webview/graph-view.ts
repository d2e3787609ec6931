/** The graph as a drawing: layout, keyboard, mouse and search. */

import { arrowTip } from '../../kit/arrow-tip.ts';
import { debounce } from '../../kit/debounce.ts';
import { el, svg } from '../../kit/dom.ts';
import { directionOf } from '../../kit/keys.ts';
import { t } from '../../kit/l10n.ts';
import { createMeasure } from '../../kit/measure-text.ts';
import { createViewport } from '../../kit/viewport.ts';
import { zoomByKey } from '../../kit/zoom.ts';
import type { GraphReply, GraphState } from '../messages.ts';
import { nextCard } from './arrow-keys.ts';
import { type Card, type Drawing, drawingOf } from './drawing.ts';
import type { Reveal } from './list.ts';
import { createRenderer, type Marks } from './renderer.ts';

export interface GraphViewActions {
  /** Keeps a change of the state without rendering. */
  readonly keep: (change: Partial<GraphState>) => void;
  readonly setState: (change: Partial<GraphState>) => void;
  readonly reveal: Reveal;
}

export interface GraphView {
  readonly element: HTMLElement;
  /** Lays out again only if the graph or its filters changed. */
  readonly update: (
    graph: GraphReply | undefined,
    state: GraphState,
    active: string | undefined,
  ) => Drawing | undefined;
  readonly search: () => { readonly hits: number; readonly hit: number };
  readonly step: (by: 1 | -1) => void;
  readonly go: (id: string) => void;
  readonly zoom: (by: number) => void;
  readonly fit: () => void;
}

/** The smallest scale at which text is readable, and the smallest width in pixels that a layout is made for. */
const [READABLE, NARROWEST] = [0.8, 600];

export function createGraphView({ keep, setState, reveal }: GraphViewActions): GraphView {
  const content = svg('g');
  const frame = svg(
    'svg',
    { class: 'graph-frame', role: 'group', 'aria-label': t('Composition graph') },
    arrowTip('userSpaceOnUse'),
    content,
  );
  const element = el('div', { class: 'graph-view' }, frame as unknown as HTMLElement);
  const renderer = createRenderer(content);
  let state: GraphState | undefined;
  let graph: GraphReply | undefined;
  let active: string | undefined;
  let drawing: Drawing | undefined;
  let filterKey = '';
  let hits: readonly Card[] = [];
  /** The width that the layout was made for. */
  let room = 0;
  let isRenderQueued = false;
  const onMove = (): void => {
    if (isRenderQueued) return;
    isRenderQueued = true;
    requestAnimationFrame(() => {
      isRenderQueued = false;
      renderer.setView(viewport.view(), frame.clientWidth, frame.clientHeight);
    });
    keepView();
  };
  const viewport = createViewport(frame, content, onMove);
  const keepView = debounce(() => keep({ view: viewport.isUserMoved() ? viewport.view() : null }), 200);
  const fit = (): void => {
    if (drawing && frame.clientWidth > 0) viewport.fit(drawing.width, drawing.height);
  };
  const layOutAgain = (): void => {
    const next = Math.max(NARROWEST, frame.clientWidth / READABLE);
    if (graph && state && frame.clientWidth > 0 && next !== room) {
      room = next;
      drawing = drawingOf(graph, state, createMeasure(), room);
      renderer.show(drawing, marks());
    }
    fit();
  };
  const marks = (): Marks => ({
    hits: state?.search ? new Set(hits.map(({ id }) => id)) : undefined,
    focusable: selectedCard()?.id,
    selected: state?.selected ?? undefined,
    active,
  });
  const selectedCard = (): Card | undefined => drawing?.byId.get(state?.selected ?? '') ?? drawing?.cards[0];
  /** Selects a card and scrolls to it. */
  const select = (card: Card, focus: boolean): void => {
    setState({ selected: card.id });
    viewport.scrollTo(card.rect);
    if (focus) renderer.cardOf(card.id)?.focus({ preventScroll: true });
  };
  const open = (card: Card, focus: boolean): void => {
    const { node, id } = card;
    // An unknown skill is opened where its name is written.
    const place = node.kind === 'skill' ? node : drawing?.edges.find(({ edge }) => edge.to === id)?.edge;
    if (place) reveal(place, focus);
  };
  const cardAt = ({ target }: Event): Card | undefined =>
    target instanceof Element ? drawing?.byId.get(target.closest<SVGGElement>('.card')?.dataset.id ?? '') : undefined;

  frame.addEventListener('click', (event) => {
    const card = cardAt(event);
    if (!card) return;
    select(card, true);
    // The editor that opens resizes the panel, which must not move the clicked card.
    viewport.show(viewport.view());
    open(card, false);
  });
  frame.addEventListener('focusin', (event) => {
    const card = cardAt(event);
    if (card && card.id !== state?.selected) setState({ selected: card.id });
  });
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = cardAt(event);
    const direction = directionOf(event);
    if (direction && card && drawing) select(nextCard(drawing, card, direction) ?? card, true);
    else if ((event.key === 'Enter' || event.key === ' ') && card) open(card, event.key === 'Enter');
    else if (!zoomByKey(event.key, { zoom: viewport.zoom, fit })) return;
    event.preventDefault();
  });
  // A resized panel fits the graph again, unless the user moved it.
  new ResizeObserver(() => {
    const card = selectedCard();
    if (!viewport.isUserMoved()) layOutAgain();
    else if (card && state?.selected) viewport.scrollTo(card.rect);
    else onMove();
  }).observe(frame);

  const find = (): void => {
    const needle = state?.search.trim().toLowerCase() ?? '';
    const has = ({ node }: Card): boolean => node.name.toLowerCase().includes(needle);
    hits = needle === '' ? [] : (drawing?.cards ?? []).filter(has);
  };
  const selectedHit = (): number => hits.findIndex(({ id }) => id === state?.selected);

  return {
    element,
    update: (nextGraph, nextState, nextActive) => {
      const isFirst = graph === undefined;
      const nextKey = JSON.stringify([nextState.level, nextState.onlyErrors]);
      const isOther = nextState.scope !== state?.scope || nextKey !== filterKey;
      const isNew = nextGraph !== graph || isOther;
      const newSearch = state !== undefined && nextState.search !== state.search;
      graph = nextGraph;
      state = nextState;
      active = nextActive;
      filterKey = nextKey;
      // A graph that the user moved keeps its layout in a panel of another width.
      if (isOther || room === 0 || !viewport.isUserMoved()) room = Math.max(NARROWEST, frame.clientWidth / READABLE);
      if (isNew && graph) drawing = drawingOf(graph, state, createMeasure(), room);
      find();
      if (!drawing) return undefined;
      if (!isNew) renderer.mark(marks());
      else {
        renderer.show(drawing, marks());
        if (isFirst && state.view) viewport.show(state.view);
        else if (isOther || !viewport.isUserMoved()) fit();
        onMove();
      }
      const [first] = hits;
      if (newSearch && first && selectedHit() < 0) viewport.scrollTo(first.rect);
      return drawing;
    },
    search: () => ({ hits: hits.length, hit: selectedHit() + 1 }),
    step: (by) => {
      const at = selectedHit();
      const next = at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
      if (hits[next]) select(hits[next], false);
    },
    go: (id) => {
      const card = drawing?.byId.get(id);
      if (card) select(card, true);
    },
    zoom: viewport.zoom,
    fit,
  };
}
