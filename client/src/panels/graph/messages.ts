/**
 * The messages between the composition graph's panel (in the extension host) and its page (in the webview). The panel owns
 * the graph; the page owns how it looks (`GraphState`) and keeps that with `vscode.setState`, from where a reload of the
 * window restores both. The page sends `ready` each time its script starts; the panel answers with `show` or `problem`.
 */
import * as v from 'valibot';
import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import { fileRange } from '../../../../server/src/protocol/shapes.ts';
import type { GraphReply } from '../../../../server/src/protocol.ts';
import type { View } from '../kit/graph/view.ts';
import type { STATE_VERSIONS, Versioned } from '../kit/kept-state.ts';

export type { GraphAmount, GraphReply } from '../../../../server/src/protocol.ts';

export type ShownNode = GraphReply['nodes'][number];
export type ShownSkill = Extract<ShownNode, { kind: 'skill' }>;
export type ShownEdge = GraphReply['edges'][number];

/** A part of the graph, and where one was in it. */
export interface Spot {
  /** The skill that is shown with all skills that it reaches; null for a folder. */
  readonly scope: string | null;
  /** The shown folder: a URI, or empty for the workspace; null until the page has chosen one. */
  readonly folder: string | null;
  /** Shows only skills of this level; 0 for those that declare none. */
  readonly level: number | null;
  /** Whether skills are grouped by folder; null where their number decides. */
  readonly isGrouped: boolean | null;
  /** How the user moved and zoomed the drawing; null for the view at opening. */
  readonly view: View | null;
  /** The id of the selected card. */
  readonly selected: string | null;
}

/** What the page keeps. */
export interface GraphState extends Versioned, Spot {
  readonly version: typeof STATE_VERSIONS.graph;
  /** Where one came from, the last one last. */
  readonly trail: readonly Spot[];
  readonly onlyErrors: boolean;
  /** Accents the slowest way. */
  readonly isAccented: boolean;
  readonly search: string;
  readonly asList: boolean;
}

/** Page → panel. A page shows files of strangers, so its messages are checked. */
export const toGraphPanel = v.variant('type', [
  /** The script runs and listens. */
  v.object({ type: v.literal('ready') }),
  /** Selects a place in its editor; `focus` also moves the keyboard focus there. */
  v.object({ type: v.literal('reveal'), place: fileRange, focus: v.boolean() }),
  /** Wants the graph of a skill with all skills that it reaches, or that of the workspace. */
  v.object({ type: v.literal('scope'), scope: v.nullable(v.string()) }),
  /** Where there is no skill yet. */
  v.object({ type: v.literal('newSkill') }),
]);
export type ToGraphPanel = TypeOf<typeof toGraphPanel>;

/** Panel → page. */
export type ToGraphPage =
  | {
      readonly type: 'show';
      readonly graph: GraphReply;
      /** The part of the graph that this is. */
      readonly scope: string | null;
    }
  /** The skill in the active editor; null if there is none. It comes before the first `show`. */
  | { readonly type: 'active'; readonly uri: string | null }
  /** A failure that is not a finding. Shown above the graph. */
  | { readonly type: 'problem'; readonly text: string };
