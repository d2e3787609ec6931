/** The page, with the toolbar, the summary, and the drawing or the list. */
import { useMemo, useRef } from 'preact/hooks';
import type { CanvasHandle } from '../../kit/graph/canvas.tsx';
import { createMeasure } from '../../kit/graph/layered.ts';
import type { GraphReply } from '../messages.ts';
import { type Card, type Drawing, drawingOf } from './drawing.ts';
import { type Folders, foldersOf, type Item, type ShownGraph, shownItems, WORKSPACE } from './folders.ts';
import { focusCard, GraphView } from './graph-view.tsx';
import { SkillList } from './list.tsx';
import { type Actions, initialPosition, type Model, type ViewProps } from './model.ts';
import { Summary } from './summary.tsx';
import { Toolbar } from './toolbar.tsx';

interface PageProps {
  readonly model: Model;
  readonly actions: Actions;
}

export function Page({ model, actions }: PageProps) {
  // The page is empty until the first reply.
  if (!model.graph) return model.problem === undefined ? null : <p class="problem summary-line">{model.problem}</p>;
  return <GraphPage model={model} graph={model.graph} actions={actions} />;
}

function GraphPage({ model, graph, actions }: PageProps & { readonly graph: GraphReply }) {
  const { page, problem, active } = model;
  const { folder, level, onlyErrors, isGrouped } = page;
  const canvas = useRef<CanvasHandle>(null);
  const folders = useMemo(() => model.folders ?? foldersOf(graph), [graph, model.folders]);
  const shown = useMemo(
    () =>
      shownItems(graph, folders, {
        folder: page.scope === null ? (folder ?? WORKSPACE) : WORKSPACE,
        level,
        onlyErrors,
        isGrouped,
      }),
    [graph, folders, page.scope, folder, level, onlyErrors, isGrouped],
  );
  const part = JSON.stringify([page.scope, folder, level, onlyErrors, shown.grouping]);
  const drawing = useDrawing(shown, folders, part);
  const hits = useMemo(() => hitsOf(drawing, page.search), [drawing, page.search]);
  const views: ViewProps = { page, graph, folders, shown, drawing, actions };

  const select = (card: Card): void => {
    actions.setPage({ selected: card.id });
    canvas.current?.scrollTo(card);
    document.querySelector('.skill-list .selected')?.scrollIntoView({ block: 'nearest' });
  };
  const go = (card: Card): void => {
    select(card);
    focusCard(card.id);
  };
  const step = (by: 1 | -1): void => {
    const at = hits.findIndex(({ id }) => id === page.selected);
    const next = hits[at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length];
    if (next) select(next);
  };
  const openItem = ({ opens }: Item): void => {
    if (opens && 'folder' in opens) actions.open(initialPosition(null, opens.folder));
    else if (opens) actions.open({ ...initialPosition(page.scope, folder), level: opens.level });
  };
  const marked = page.search.trim() === '' ? undefined : new Set(hits.map(({ id }) => id));
  return (
    <main class="page">
      {graph.nodes.length > 0 && <Toolbar {...views} model={model} canvas={canvas} hits={hits} step={step} />}
      <Summary {...views} problem={problem} go={go} />
      {page.asList ? (
        <SkillList {...views} hits={marked} openItem={openItem} />
      ) : (
        <GraphView {...views} part={part} hits={marked} active={active} canvas={canvas} openItem={openItem} />
      )}
    </main>
  );
}

/** The total width of the page's left and right margins, in pixels. */
const MARGINS = 32;

/**
 * Computes the layout again when the drawn data changes. The layout has the width that the page had when the part was
 * opened.
 */
function useDrawing(shown: ShownGraph, folders: Folders, part: string): Drawing {
  const room = useMemo(() => Math.max(NARROWEST, innerWidth - MARGINS), [part]);
  // Ranges change with every keystroke and need no new drawing.
  const drawn = useMemo(
    () => JSON.stringify([shown.items, shown.links], (name, value) => (name === 'range' ? undefined : value)),
    [shown],
  );
  return useMemo(() => drawingOf(shown, folders, createMeasure(), room), [part, drawn, room]);
}

const NARROWEST = 320;

function hitsOf({ cards }: Drawing, search: string): readonly Card[] {
  const needle = search.trim().toLowerCase();
  const has = (name: string): boolean => name.toLowerCase().includes(needle);
  return needle === ''
    ? []
    : cards.filter(({ text, item }) => (item.opens && has(text.title)) || item.nodes.some(({ name }) => has(name)));
}
