/** The graph as a drawing: keyboard, mouse, and what is marked in it. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { ArrowTip } from '../../kit/graph/arrow-tip.tsx';
import { Canvas, type CanvasHandle } from '../../kit/graph/canvas.tsx';
import { directionOf } from '../../kit/keys.ts';
import { t } from '../../kit/l10n.ts';
import type { Place } from '../../kit/place.ts';
import type { GraphReply } from '../messages.ts';
import { nextCard } from './arrow-keys.ts';
import type { Card } from './drawing.ts';
import { DrawnGraph } from './drawn-graph.tsx';
import type { Item } from './groups.ts';
import type { ViewProps } from './model.ts';

interface GraphViewProps extends ViewProps {
  /** Names what is shown; another part is shown from its beginning. */
  readonly part: string;
  /** The cards that the search found; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The skill in the editor. */
  readonly active: string | undefined;
  readonly canvas: RefObject<CanvasHandle | null>;
  readonly openItem: (item: Item) => void;
}

export function GraphView(props: GraphViewProps) {
  const { page, graph, drawing, part, hits, active, canvas, openItem, actions } = props;
  const { cards, byId, first } = drawing;
  const focused = byId.get(page.selected ?? '') ?? first;
  // The skill that was in the editor when the part was opened: another one must not move what is drawn.
  const opening = useMemo(() => active, [part]);
  useFollowing(byId, page.selected, part, canvas);
  // After a step that is taken in the drawing, the focus is in the next one.
  const takesStep = useRef(false);
  useLayoutEffect(() => {
    if (takesStep.current && focused) focusCard(focused.id);
    takesStep.current = false;
  }, [part]);

  const select = (card: Card): void => {
    if (card.id !== page.selected) actions.setPage({ selected: card.id });
    // The editor that opens beside resizes the panel, which must not move the card.
    canvas.current?.scrollTo(card);
    focusCard(card.id);
  };
  const reveal = ({ id, item }: Card, takesFocus: boolean): void => {
    if (item.opens) {
      takesStep.current = true;
      openItem(item);
      return;
    }
    const place = placeOf(graph, id);
    if (place) actions.reveal(place, takesFocus);
  };
  const cardAt = ({ target }: Event): Card | undefined => {
    const drawn = target instanceof Element ? target.closest<SVGGElement>('.node') : null;
    return byId.get(drawn?.dataset.id ?? '');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const card = cardAt(event);
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directionOf(event);
    if (direction) select(nextCard(drawing, card, direction) ?? card);
    else if (event.key === 'Enter' || event.key === ' ') reveal(card, event.key === 'Enter');
    else if (event.key === 'Backspace') {
      takesStep.current = page.trail.length > 0;
      actions.back();
    } else return;
    event.preventDefault();
  };
  return (
    <Canvas
      key={part}
      label={t('Composition graph')}
      drawing={drawing}
      start={byId.get(opening ?? '') ?? first}
      boxes={cards}
      handle={canvas}
      kept={page.view}
      onView={actions.keepView}
    >
      {(seen) => (
        <>
          <ArrowTip />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards within are buttons; they share these listeners */}
          <g
            class={page.isAccented ? 'accented' : undefined}
            // Chromium makes an element of a drawing that listens to the focus a stop of the Tab key.
            tabindex={-1}
            onClick={(event) => {
              const card = cardAt(event);
              if (!card) return;
              select(card);
              reveal(card, false);
            }}
            onKeyDown={onKeyDown}
            onFocusIn={(event) => {
              const card = cardAt(event);
              if (card && card.id !== page.selected) actions.setPage({ selected: card.id });
            }}
          >
            <DrawnGraph
              drawing={drawing}
              seen={seen}
              hits={hits}
              active={active}
              selected={page.selected}
              focused={focused?.id}
            />
          </g>
        </>
      )}
    </Canvas>
  );
}

export function focusCard(id: string): void {
  const drawn = document.querySelectorAll<SVGGElement>('.node');
  [...drawn].find(({ dataset }) => dataset.id === id)?.focus({ preventScroll: true });
}

/** Where a node stands now; an unknown skill where its name is written. */
function placeOf({ nodes, edges }: GraphReply, id: string): Place | undefined {
  const node = nodes.find((one) => one.id === id);
  return node?.kind === 'skill' ? node : edges.find(({ to }) => to === id);
}

/** Keeps the selected card in its place on the screen when a new layout moves it in the drawing. */
function useFollowing(
  byId: ReadonlyMap<string, Card>,
  selected: string | null,
  part: string,
  canvas: RefObject<CanvasHandle | null>,
): void {
  const last = useRef({ byId, part });
  useLayoutEffect(() => {
    const before = last.current.part === part ? last.current.byId.get(selected ?? '') : undefined;
    const after = byId.get(selected ?? '');
    last.current = { byId, part };
    if (before && after && (before.x !== after.x || before.y !== after.y)) canvas.current?.follow(before, after);
  });
}
