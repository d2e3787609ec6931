/**
 * The messages between the composition graph's panel (in the extension host) and its page (in the webview). The panel
 * owns the graph. The page owns the view state (`GraphState`) and saves it with `vscode.setState`; both are restored
 * after a window reload. The page sends `ready` each time its script starts; the panel answers `show` or `problem`.
 */
import * as v from 'valibot';
import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import { fileRange } from '../../../../server/src/protocol/shapes.ts';
import type { GraphReply } from '../../../../server/src/protocol.ts';
import type { View } from '../kit/graph/view.ts';
import type { STATE_VERSIONS, Versioned } from '../kit/saved-state.ts';

export type { GraphAmount, GraphReply } from '../../../../server/src/protocol.ts';

export type ShownNode = GraphReply['nodes'][number];
export type ShownSkill = Extract<ShownNode, { kind: 'skill' }>;
export type ShownEdge = GraphReply['edges'][number];

/** A part of the graph, with the user's view of it. */
export interface GraphPosition {
  /** The skill that is shown with its closure; null for a folder. */
  readonly scope: string | null;
  /** The shown folder: a URI, or empty for the workspace; null until the page has chosen a folder. */
  readonly folder: string | null;
  /** The level of the shown skills; 0 for skills without a level, null for all levels. */
  readonly level: number | null;
  /** True if skills are grouped, false if not; null if grouping depends on the number of skills. */
  readonly isGrouped: boolean | null;
  /** The position and zoom that the user chose; null for the initial view. */
  readonly view: View | null;
  /** The id of the selected card. */
  readonly selected: string | null;
}

/** The saved state of the page. */
export interface GraphState extends Versioned, GraphPosition {
  readonly version: typeof STATE_VERSIONS.graph;
  /** The parts that were shown before, the most recent last. */
  readonly trail: readonly GraphPosition[];
  readonly onlyErrors: boolean;
  /** True if the slowest path is highlighted. */
  readonly isAccented: boolean;
  readonly search: string;
  readonly asList: boolean;
}

/** The messages from the page to the panel, validated because a page shows untrusted files. */
export const toGraphPanel = v.variant('type', [
  /** The script has started and can receive messages. */
  v.object({ type: v.literal('ready') }),
  /** Selects a location in its editor; `focus` also moves the keyboard focus to the editor. */
  v.object({ type: v.literal('reveal'), place: fileRange, focus: v.boolean() }),
  /** Requests the graph of a skill with its closure, or of the workspace. */
  v.object({ type: v.literal('scope'), scope: v.nullable(v.string()) }),
  /** The user clicked the button that is shown if the workspace has no skills. */
  v.object({ type: v.literal('newSkill') }),
]);
export type ToGraphPanel = TypeOf<typeof toGraphPanel>;

/** Panel → page. */
export type ToGraphPage =
  | {
      readonly type: 'show';
      readonly graph: GraphReply;
      /** The skill whose closure this graph shows; null for the workspace. */
      readonly scope: string | null;
    }
  /** The skill in the active editor, or null. Sent before the first `show`. */
  | { readonly type: 'active'; readonly uri: string | null }
  /** A failure that is not a finding. The page shows it above the graph. */
  | { readonly type: 'problem'; readonly text: string };
