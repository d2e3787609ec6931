/**
 * Renders the visible part of the drawing, and a margin around it, into the document. A large graph is in the document as a
 * whole only when it is zoomed out so far that its cards have no text.
 */
import { setAttr, svg } from '../../kit/dom.ts';
import { overlaps, type Rect } from '../../kit/geometry.ts';
import type { View } from '../../kit/viewport.ts';
import { drawBand, drawCard, drawEdge, drawLabel, drawTitle } from './draw.ts';
import type { Drawing, DrawnEdge } from './drawing.ts';

/** How cards are marked. */
export interface Marks {
  /** The hits of the search, other cards being dimmed; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The card that Tab leads to. It stays in the document even when it is not visible. */
  readonly focusable: string | undefined;
  /** The selected card, whose edges are highlighted. */
  readonly selected: string | undefined;
  /** The skill in the active editor. */
  readonly active: string | undefined;
}

export interface Renderer {
  readonly show: (drawing: Drawing, marks: Marks) => void;
  readonly mark: (marks: Marks) => void;
  /** Renders what a new view shows, if it is not rendered yet. */
  readonly setView: (view: View, width: number, height: number) => void;
  readonly cardOf: (id: string) => SVGGElement | undefined;
}

/** Below this scale, cards are rendered without text. */
const FAR = 0.4;
/** The margin that is rendered around the visible part, in pixels of the screen. */
const MARGIN = 400;

interface Drawn {
  readonly element: SVGElement;
  readonly key: string;
}

export function createRenderer(content: SVGGElement): Renderer {
  // Edges of the selected card are above other cards and below titles and labels.
  const layers = {
    bands: svg('g'),
    edges: svg('g'),
    cards: svg('g'),
    selectedEdges: svg('g'),
    titles: svg('g'),
    labels: svg('g'),
  };
  content.append(...Object.values(layers));
  let drawing: Drawing | undefined;
  let marks: Marks = { hits: undefined, focusable: undefined, selected: undefined, active: undefined };
  /** The rendered rectangle and its scale; undefined before the first view. */
  let rendered: { readonly rect: Rect; readonly scale: number; readonly isFar: boolean } | undefined;
  const cards = new Map<string, Drawn>();
  const edges = new Map<string, Drawn>();
  const labels = new Map<string, Drawn>();
  const draw = overFrames(function* () {
    if (!drawing || !rendered) return;
    const { rect, isFar } = rendered;
    content.classList.toggle('far', isFar);
    const { byId } = drawing;
    const near = drawing.edges.filter(({ bounds }) => overlaps(bounds, rect));
    // The card that may have the focus comes first, so that it is there at once.
    const first = byId.get(marks.focusable ?? '');
    const visibleCards = drawing.cards.filter((card) => card !== first && overlaps(card.rect, rect));
    yield* patch(layers.cards, cards, first ? [first, ...visibleCards] : visibleCards, {
      keyOf: ({ node, title, lines: texts, problems, rect: { width, height } }) =>
        JSON.stringify([title, texts, problems, width, height, isFar, { ...node, range: undefined }]),
      draw: (card) => drawCard(card, isFar),
      place: ({ id, rect: { x, y } }, element) => {
        setAttr(element, 'transform', `translate(${x} ${y})`);
        markCard(id, element);
      },
    });
    yield* patch(layers.edges, edges, near, {
      keyOf: ({ path, edge }) => JSON.stringify([path, { ...edge, range: undefined }]),
      draw: drawEdge,
      place: markEdge,
    });
    const labelled = isFar ? [] : near.filter(({ label, labelText }) => label && labelText !== '');
    yield* patch(layers.labels, labels, labelled, {
      keyOf: ({ label, labelText }) => JSON.stringify([label, labelText]),
      draw: drawLabel,
      place: dimEdge,
    });
  });
  const markCard = (id: string, element: Element): void => {
    const { hits, focusable, selected, active } = marks;
    element.classList.toggle('dim', hits !== undefined && !hits.has(id));
    element.classList.toggle('hit', hits?.has(id) === true);
    element.classList.toggle('active', id === active);
    element.classList.toggle('selected', id === selected);
    setAttr(element, 'tabindex', id === focusable ? '0' : '-1');
  };
  const dimEdge = ({ edge: { from, to } }: DrawnEdge, element: Element): void => {
    const { hits } = marks;
    element.classList.toggle('dim', hits !== undefined && !(hits.has(from) && hits.has(to)));
  };
  const markEdge = (drawnEdge: DrawnEdge, element: Element): void => {
    const { from, to } = drawnEdge.edge;
    const isNear = marks.selected !== undefined && (from === marks.selected || to === marks.selected);
    element.classList.toggle('near', isNear);
    dimEdge(drawnEdge, element);
    const layer = isNear ? layers.selectedEdges : layers.edges;
    if (element.parentNode !== layer) layer.append(element);
  };
  const setView: Renderer['setView'] = (view, width, height) => {
    const { x, y, scale } = view;
    content.style.setProperty('--scale', String(scale));
    const visible = { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
    const isFar = scale < FAR;
    if (rendered && rendered.isFar === isFar && scale <= rendered.scale * 1.5 && contains(rendered.rect, visible))
      return;
    const margin = MARGIN / scale;
    rendered = {
      rect: {
        x: visible.x - margin,
        y: visible.y - margin,
        width: visible.width + 2 * margin,
        height: visible.height + 2 * margin,
      },
      scale,
      isFar,
    };
    draw();
  };

  return {
    show: (next, nextMarks) => {
      drawing = next;
      marks = nextMarks;
      layers.bands.replaceChildren(...next.bands.map((band) => drawBand(band, next.width)));
      layers.titles.replaceChildren(...next.bands.filter(({ title }) => title !== '').map(drawTitle));
      draw();
    },
    mark: (next) => {
      marks = next;
      if (next.focusable !== undefined && !cards.has(next.focusable)) return draw();
      for (const [id, { element }] of cards) markCard(id, element);
      for (const drawnEdge of drawing?.edges ?? []) {
        const element = edges.get(drawnEdge.id)?.element;
        if (element) markEdge(drawnEdge, element);
        const label = labels.get(drawnEdge.id)?.element;
        if (label) dimEdge(drawnEdge, label);
      }
    },
    setView,
    cardOf: (id) => cards.get(id)?.element as SVGGElement | undefined,
  };
}

/** The rendering time in a frame; the rest continues in the next one, so that the page stays responsive. */
const FRAME_MILLISECONDS = 24;

/** Spreads `work` over frames. A further call starts it again; the part of the first frame is done on return. */
function overFrames(work: () => Generator<void, void>): () => void {
  let steps: Generator<void, void> | undefined;
  let isWaiting = false;
  const run = (): void => {
    const end = performance.now() + FRAME_MILLISECONDS;
    while (steps && !steps.next().done) {
      if (performance.now() < end) continue;
      if (!isWaiting) requestAnimationFrame(resume);
      isWaiting = true;
      return;
    }
    steps = undefined;
  };
  const resume = (): void => {
    isWaiting = false;
    run();
  };
  return () => {
    steps = work();
    run();
  };
}

const contains = (outer: Rect, inner: Rect): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

interface LayerItems<Item> {
  /** Items with the same key look the same. */
  readonly keyOf: (item: Item) => string;
  readonly draw: (item: Item) => SVGElement;
  /** Updates what may change without a new element. */
  readonly place: (item: Item, element: SVGElement) => void;
}

/** Makes a layer show these items. An item that looks the same keeps its element, and with it the focus. */
function* patch<Item extends { readonly id: string }>(
  layer: SVGGElement,
  drawn: Map<string, Drawn>,
  items: readonly Item[],
  { keyOf, draw, place }: LayerItems<Item>,
): Generator<void, void> {
  const wanted = new Set(items.map(({ id }) => id));
  for (const [id, { element }] of drawn) {
    if (wanted.has(id)) continue;
    element.remove();
    drawn.delete(id);
  }
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    const old = drawn.get(item.id);
    const element = old?.key === key ? old.element : draw(item);
    if (element !== old?.element) {
      drawn.set(item.id, { element, key });
      const hadFocus = old?.element === document.activeElement;
      if (old) old.element.replaceWith(element);
      else layer.append(element);
      place(item, element);
      if (hadFocus) element.focus({ preventScroll: true });
    } else place(item, element);
    if (at % 16 === 15) yield;
  }
}
