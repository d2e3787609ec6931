/** The immutable model of the page, and the functions that derive the next model from messages and user actions. */

import type { FileRange } from '../../kit/file-range.ts';
import type { View } from '../../kit/graph/view.ts';
import { STATE_VERSIONS } from '../../kit/saved-state.ts';
import type { GraphPosition, GraphReply, GraphState, ToGraphPage } from '../messages.ts';
import type { Drawing } from './drawing.ts';
import { type Folders, foldersOf, initialFolder, type ShownGraph } from './folders.ts';

export interface Model {
  readonly graph: GraphReply | undefined;
  /** The folders of `graph`. */
  readonly folders: Folders | undefined;
  /** The last graph of the workspace, whose folders and skills the user can choose. */
  readonly workspace: { readonly graph: GraphReply; readonly folders: Folders } | undefined;
  readonly problem: string | undefined;
  /** The skill in the active editor. */
  readonly active: string | undefined;
  /** The part to show when its graph arrives. */
  readonly pendingPart: Pick<GraphState, keyof GraphPosition | 'trail'> | undefined;
  readonly page: GraphState;
}

export interface Actions {
  /** Changes the state of the page, and saves it for a reload. */
  readonly setPage: (change: Partial<GraphState>) => void;
  readonly keepView: (view: View | null) => void;
  /** Shows another part, and adds the current part to the trail. */
  readonly open: (spot: GraphPosition) => void;
  readonly back: () => void;
  readonly reveal: (place: FileRange, focus: boolean) => void;
  readonly newSkill: () => void;
}

/** The properties of every view of the page. */
export interface ViewProps {
  readonly page: GraphState;
  readonly graph: GraphReply;
  readonly folders: Folders;
  /** The shown part, with current locations. */
  readonly shown: ShownGraph;
  /** The last layout, whose locations in files may be out of date. */
  readonly drawing: Drawing;
  readonly actions: Actions;
}

export const newPageState = (): GraphState => ({
  version: STATE_VERSIONS.graph,
  ...initialPosition(null, null),
  trail: [],
  onlyErrors: false,
  isAccented: false,
  search: '',
  asList: false,
});

export const newModel = (page: GraphState): Model => ({
  graph: undefined,
  folders: undefined,
  workspace: undefined,
  problem: undefined,
  active: undefined,
  pendingPart: undefined,
  page,
});

/** Returns a part of the graph in its initial view. */
export const initialPosition = (scope: string | null, folder: string | null): GraphPosition => ({
  scope,
  folder,
  level: null,
  isGrouped: null,
  view: null,
  selected: null,
});

/** Returns the model after a message. */
export function receive(model: Model, message: ToGraphPage): Model {
  switch (message.type) {
    case 'problem':
      return { ...model, problem: message.text };
    case 'active':
      return { ...model, active: message.uri ?? undefined };
    case 'show': {
      const { graph, scope } = message;
      const folders = foldersOf(graph);
      const { page, pendingPart, active } = model;
      const moved =
        pendingPart?.scope === scope
          ? pendingPart
          : page.scope === scope
            ? page
            : { ...initialPosition(scope, page.folder), trail: trailOf(page) };
      const isGone = moved.folder !== '' && !folders.all.includes(moved.folder ?? '');
      const folder = scope === null && isGone ? initialFolder(graph, folders, active) : moved.folder;
      return {
        ...model,
        graph,
        folders,
        workspace: scope === null ? { graph, folders } : model.workspace,
        problem: undefined,
        pendingPart: moved === pendingPart ? undefined : pendingPart,
        page: { ...page, ...moved, folder },
      };
    }
  }
}

const LONGEST_TRAIL = 20;

const trailOf = ({ scope, folder, level, isGrouped, view, selected, trail }: GraphState): readonly GraphPosition[] =>
  [...trail, { scope, folder, level, isGrouped, view, selected }].slice(-LONGEST_TRAIL);

/** Returns the model that shows another part. If the part needs another graph, it becomes `pendingPart`. */
export const open = (model: Model, spot: GraphPosition): Model => moved(model, { ...spot, trail: trailOf(model.page) });

/** Returns the model that shows the previous part. */
export function back(model: Model): Model {
  const trail = model.page.trail.slice(0, -1);
  const last = model.page.trail.at(-1);
  return last ? moved(model, { ...last, trail }) : model;
}

const moved = (model: Model, to: NonNullable<Model['pendingPart']>): Model =>
  to.scope === model.page.scope ? { ...model, page: { ...model.page, ...to } } : { ...model, pendingPart: to };
