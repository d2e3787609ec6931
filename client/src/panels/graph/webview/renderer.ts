/**
 * What of a picture is in the document: the cards, edges and labels in sight and a little around them. A picture of a
 * thousand skills never is there as a whole, unless all of it is in sight; then its cards are small, and have no text.
 */
import { setAttr, svg } from '../../kit/dom.ts';
import type { View } from '../../kit/viewport.ts';
import { drawBand, drawCard, drawLabel, drawLine, drawTitle } from './draw.ts';
import type { Line, Picture } from './drawing.ts';
import type { Rect } from './layout-shelf.ts';
import { crosses } from './routes.ts';

/** How cards look beside what they are. */
export interface Marks {
  /** What is searched for; undefined where nothing is: the rest is dimmed. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The card that Tab leads to; it stays in the document, in sight or not. */
  readonly reached: string | undefined;
  /** The card that a person chose: its edges stand out. */
  readonly selected: string | undefined;
  /** The skill in the active editor. */
  readonly active: string | undefined;
}

export interface Scene {
  readonly show: (picture: Picture, marks: Marks) => void;
  readonly mark: (marks: Marks) => void;
  /** Takes in a new view: most often there is nothing to do. */
  readonly look: (view: View, width: number, height: number) => void;
  readonly cardOf: (id: string) => SVGGElement | undefined;
}

/** Below this nobody can read a card: its name and lines are left out. */
const FAR = 0.4;
/** So much around what is in sight is drawn as well, in pixels of the screen: a short pan draws nothing. */
const AROUND = 400;

interface Drawn {
  readonly element: SVGElement;
  readonly key: string;
}

export function createScene(content: SVGGElement): Scene {
  // An edge that one looks at goes over cards, which would hide parts of it, and under words, which it would strike out.
  const layers = {
    bands: svg('g'),
    lines: svg('g'),
    cards: svg('g'),
    above: svg('g'),
    titles: svg('g'),
    labels: svg('g'),
  };
  content.append(...Object.values(layers));
  let picture: Picture | undefined;
  let marks: Marks = { hits: undefined, reached: undefined, selected: undefined, active: undefined };
  /** What is drawn, and how; undefined before the first look. */
  let seen: { readonly rect: Rect; readonly scale: number; readonly isFar: boolean } | undefined;
  const cards = new Map<string, Drawn>();
  const lines = new Map<string, Drawn>();
  const labels = new Map<string, Drawn>();
  const draw = inSlices(function* () {
    if (!picture || !seen) return;
    const { rect, isFar } = seen;
    content.classList.toggle('far', isFar);
    const { byId } = picture;
    const near = picture.lines.filter(({ bounds }) => crosses(bounds, rect));
    // What the keyboard may be on comes first: it must be there at once.
    const first = byId.get(marks.reached ?? '');
    const inSight = picture.cards.filter((card) => card !== first && crosses(card.rect, rect));
    yield* patch(layers.cards, cards, first ? [first, ...inSight] : inSight, {
      keyOf: ({ node, title, lines: texts, troubles, rect: { width, height } }) =>
        JSON.stringify([title, texts, troubles, width, height, isFar, { ...node, range: undefined }]),
      draw: (card) => drawCard(card, isFar),
      place: ({ id, rect: { x, y } }, element) => {
        setAttr(element, 'transform', `translate(${x} ${y})`);
        markCard(id, element);
      },
    });
    yield* patch(layers.lines, lines, near, {
      keyOf: ({ path, edge }) => JSON.stringify([path, { ...edge, range: undefined }]),
      draw: drawLine,
      place: markLine,
    });
    const worded = isFar ? [] : near.filter(({ label, words }) => label && words !== '');
    yield* patch(layers.labels, labels, worded, {
      keyOf: ({ label, words }) => JSON.stringify([label, words]),
      draw: drawLabel,
      place: (line, element) => dimLine(line, element),
    });
  });
  const markCard = (id: string, element: Element): void => {
    const { hits, reached, selected, active } = marks;
    element.classList.toggle('dim', hits !== undefined && !hits.has(id));
    element.classList.toggle('hit', hits?.has(id) === true);
    element.classList.toggle('active', id === active);
    element.classList.toggle('selected', id === selected);
    setAttr(element, 'tabindex', id === reached ? '0' : '-1');
  };
  const dimLine = ({ edge: { from, to } }: Line, element: Element): void => {
    const { hits } = marks;
    element.classList.toggle('dim', hits !== undefined && !(hits.has(from) && hits.has(to)));
  };
  const markLine = (line: Line, element: Element): void => {
    const { from, to } = line.edge;
    const isNear = marks.selected !== undefined && (from === marks.selected || to === marks.selected);
    element.classList.toggle('near', isNear);
    dimLine(line, element);
    const layer = isNear ? layers.above : layers.lines;
    if (element.parentNode !== layer) layer.append(element);
  };
  const look: Scene['look'] = (view, width, height) => {
    const { x, y, scale } = view;
    content.style.setProperty('--scale', String(scale));
    const sight = { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
    const isFar = scale < FAR;
    if (seen && seen.isFar === isFar && scale <= seen.scale * 1.5 && holds(seen.rect, sight)) return;
    const around = AROUND / scale;
    seen = {
      rect: {
        x: sight.x - around,
        y: sight.y - around,
        width: sight.width + 2 * around,
        height: sight.height + 2 * around,
      },
      scale,
      isFar,
    };
    draw();
  };

  return {
    show: (next, nextMarks) => {
      picture = next;
      marks = nextMarks;
      layers.bands.replaceChildren(...next.bands.map((band) => drawBand(band, next.width)));
      layers.titles.replaceChildren(...next.bands.filter(({ title }) => title !== '').map(drawTitle));
      draw();
    },
    mark: (next) => {
      marks = next;
      if (next.reached !== undefined && !cards.has(next.reached)) return draw();
      for (const [id, { element }] of cards) markCard(id, element);
      for (const line of picture?.lines ?? []) {
        const element = lines.get(line.id)?.element;
        if (element) markLine(line, element);
        const label = labels.get(line.id)?.element;
        if (label) dimLine(line, label);
      }
    },
    look,
    cardOf: (id) => cards.get(id)?.element as SVGGElement | undefined,
  };
}

/** The work of a frame, in milliseconds: what is left goes on in the next one, so that the page stays responsive. */
const SLICE = 24;

/** Called again, it begins anew. What fits into one slice is done when the call returns. */
function inSlices(work: () => Generator<void, void>): () => void {
  let steps: Generator<void, void> | undefined;
  let isWaiting = false;
  const run = (): void => {
    const end = performance.now() + SLICE;
    while (steps && !steps.next().done) {
      if (performance.now() < end) continue;
      if (!isWaiting) requestAnimationFrame(goOn);
      isWaiting = true;
      return;
    }
    steps = undefined;
  };
  const goOn = (): void => {
    isWaiting = false;
    run();
  };
  return () => {
    steps = work();
    run();
  };
}

const holds = (outer: Rect, inner: Rect): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

interface Way<Item> {
  /** Items of one key look alike. */
  readonly keyOf: (item: Item) => string;
  readonly draw: (item: Item) => SVGElement;
  /** What may change without a new element. */
  readonly place: (item: Item, element: SVGElement) => void;
}

/** Makes a layer hold these items: what looks as before stays the element that it is, with the keyboard on it. */
function* patch<Item extends { readonly id: string }>(
  layer: SVGGElement,
  drawn: Map<string, Drawn>,
  items: readonly Item[],
  { keyOf, draw, place }: Way<Item>,
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
