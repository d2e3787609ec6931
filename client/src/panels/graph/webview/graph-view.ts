/** The drawn graph: its cards, the keyboard in it, the search, and what a person moved of it. */

import { el, svg } from '../../kit/dom.ts';
import { t } from '../../kit/l10n.ts';
import { createMeasure } from '../../kit/measure-text.ts';
import { createViewport } from '../../kit/viewport.ts';
import type { GraphReply, GraphState } from '../messages.ts';
import { type Direction, nextCard } from './arrow-keys.ts';
import { arrowTip } from './draw.ts';
import { type Card, type Picture, pictureOf } from './drawing.ts';
import type { Reveal } from './list.ts';
import { createScene, type Marks } from './renderer.ts';

export interface GraphViewActions {
  /** Keeps for the next time; nothing is drawn. */
  readonly keep: (change: Partial<GraphState>) => void;
  readonly look: (change: Partial<GraphState>) => void;
  readonly reveal: Reveal;
}

export interface GraphView {
  readonly element: HTMLElement;
  /** Lays out anew only where the graph or its filters changed. */
  readonly update: (
    graph: GraphReply | undefined,
    state: GraphState,
    active: string | undefined,
  ) => Picture | undefined;
  readonly search: () => { readonly hits: number; readonly hit: number };
  readonly step: (by: 1 | -1) => void;
  readonly go: (id: string) => void;
  readonly zoom: (by: number) => void;
  readonly fit: () => void;
}

/** Text of this size beside the editor's own is still read; what is wider than a narrow panel is scrolled for. */
const [READABLE, NARROWEST] = [0.8, 600];

export function createGraphView({ keep, look, reveal }: GraphViewActions): GraphView {
  const content = svg('g');
  const frame = svg(
    'svg',
    { class: 'graph-frame', role: 'group', 'aria-label': t('Composition graph') },
    arrowTip(),
    content,
  );
  const element = el('div', { class: 'graph-view' }, frame as unknown as HTMLElement);
  const scene = createScene(content);
  let state: GraphState | undefined;
  let graph: GraphReply | undefined;
  let active: string | undefined;
  let picture: Picture | undefined;
  let filterKey = '';
  let hits: readonly Card[] = [];
  /** The width that the layout is for. */
  let room = 0;
  let pendingKeep: ReturnType<typeof setTimeout> | undefined;

  let asked = false;
  const moved = (): void => {
    if (asked) return;
    asked = true;
    // However often it moves within a frame, what is in sight is looked for once.
    requestAnimationFrame(() => {
      asked = false;
      scene.look(viewport.view(), frame.clientWidth, frame.clientHeight);
    });
    clearTimeout(pendingKeep);
    pendingKeep = setTimeout(() => keep({ view: viewport.touched() ? viewport.view() : null }), 200);
  };
  const viewport = createViewport(frame, content, moved);
  const fit = (): void => {
    if (picture && frame.clientWidth > 0) viewport.fit(picture.width, picture.height);
  };
  const layOutAgain = (): void => {
    const next = Math.max(NARROWEST, frame.clientWidth / READABLE);
    if (graph && state && frame.clientWidth > 0 && next !== room) {
      room = next;
      picture = pictureOf(graph, state, createMeasure(), room);
      scene.show(picture, marks());
    }
    fit();
  };
  const marks = (): Marks => ({
    hits: state?.search ? new Set(hits.map(({ id }) => id)) : undefined,
    reached: selectedCard()?.id,
    selected: state?.selected ?? undefined,
    active,
  });
  const selectedCard = (): Card | undefined => picture?.byId.get(state?.selected ?? '') ?? picture?.cards[0];
  /** Moves the selection, and what is in sight with it. */
  const select = (card: Card, focus: boolean): void => {
    look({ selected: card.id });
    viewport.reach(card.rect);
    if (focus) scene.cardOf(card.id)?.focus({ preventScroll: true });
  };
  const open = (card: Card, focus: boolean): void => {
    const { node, id } = card;
    // A skill that is not there is found where it is named.
    const place = node.kind === 'skill' ? node : picture?.lines.find(({ edge }) => edge.to === id)?.edge;
    if (place) reveal(place, focus);
  };
  const cardAt = ({ target }: Event): Card | undefined =>
    target instanceof Element ? picture?.byId.get(target.closest<SVGGElement>('.card')?.dataset.id ?? '') : undefined;

  frame.addEventListener('click', (event) => {
    const card = cardAt(event);
    if (!card) return;
    select(card, true);
    // The editor that opens takes its part of the room: that must not move what was clicked.
    viewport.show(viewport.view());
    open(card, false);
  });
  frame.addEventListener('focusin', (event) => {
    const card = cardAt(event);
    if (card && card.id !== state?.selected) look({ selected: card.id });
  });
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = cardAt(event);
    const direction = /^Arrow(Up|Down|Left|Right)$/.exec(event.key)?.[1] as Direction | undefined;
    if (direction && card && picture) select(nextCard(picture, card, direction) ?? card, true);
    else if ((event.key === 'Enter' || event.key === ' ') && card) open(card, event.key === 'Enter');
    else if (event.key === '+' || event.key === '=') viewport.zoom(1.25);
    else if (event.key === '-') viewport.zoom(1 / 1.25);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  });
  // A panel that is pulled wide fits anew, as long as nobody moved the graph.
  new ResizeObserver(() => {
    const card = selectedCard();
    if (!viewport.touched()) layOutAgain();
    else if (card && state?.selected) viewport.reach(card.rect);
    else moved();
  }).observe(frame);

  const find = (): void => {
    const needle = state?.search.trim().toLowerCase() ?? '';
    const has = ({ node }: Card): boolean => node.name.toLowerCase().includes(needle);
    hits = needle === '' ? [] : (picture?.cards ?? []).filter(has);
  };
  const hitNow = (): number => hits.findIndex(({ id }) => id === state?.selected);

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
      // What a person moved stays where it is, in a panel of another width, too.
      if (isOther || room === 0 || !viewport.touched()) room = Math.max(NARROWEST, frame.clientWidth / READABLE);
      if (isNew && graph) picture = pictureOf(graph, state, createMeasure(), room);
      find();
      if (!picture) return undefined;
      if (!isNew) scene.mark(marks());
      else {
        scene.show(picture, marks());
        if (isFirst && state.view) viewport.show(state.view);
        else if (isOther || !viewport.touched()) fit();
        moved();
      }
      const [first] = hits;
      if (newSearch && first && hitNow() < 0) viewport.reach(first.rect);
      return picture;
    },
    search: () => ({ hits: hits.length, hit: hitNow() + 1 }),
    step: (by) => {
      const at = hitNow();
      const next = at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
      if (hits[next]) select(hits[next], false);
    },
    go: (id) => {
      const card = picture?.byId.get(id);
      if (card) select(card, true);
    },
    zoom: viewport.zoom,
    fit,
  };
}
