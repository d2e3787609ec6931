/**
 * The messages between the composition graph's panel (in the extension host) and its page (in the webview). The panel owns
 * the graph; the page owns how it looks (`GraphState`) and keeps that with `vscode.setState`, from where a reload of the
 * window restores both. The page sends `ready` each time its script starts; the panel answers with `show` or `problem`.
 */
import type { GraphReply } from '../../../../server/src/protocol.ts';
import type { Versioned } from '../kit/kept-state.ts';
import type { Place } from '../kit/place.ts';
import type { View } from '../kit/viewport.ts';

export type { GraphAmount, GraphReply } from '../../../../server/src/protocol.ts';

export type ShownNode = GraphReply['nodes'][number];
export type ShownSkill = Extract<ShownNode, { kind: 'skill' }>;
export type ShownEdge = GraphReply['edges'][number];

export const GRAPH_STATE_VERSION = 1;

/** What the page keeps. */
export interface GraphState extends Versioned {
  readonly version: typeof GRAPH_STATE_VERSION;
  /** The skill that is shown with all skills that it reaches; null for the workspace. */
  readonly scope: string | null;
  /** How the user moved and zoomed the drawing; null while it fits automatically. */
  readonly view: View | null;
  /** The id of the selected node. */
  readonly selected: string | null;
  /** Shows only skills of this level; 0 for those that declare none. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
  readonly search: string;
  readonly asList: boolean;
}

/** Page → panel. */
export type ToGraphPanel =
  /** The script runs and listens. */
  | { readonly type: 'ready' }
  /** Selects a place in its editor; `focus` also moves the keyboard focus there. */
  | { readonly type: 'reveal'; readonly place: Place; readonly focus: boolean }
  /** Shows another part: a skill with all skills that it reaches, or the workspace. */
  | { readonly type: 'scope'; readonly scope: string | null };

/** Panel → page. */
export type ToGraphPage =
  | {
      readonly type: 'show';
      readonly graph: GraphReply;
      /** The part of the graph that this is. */
      readonly scope: string | null;
    }
  /** The skill in the active editor; null if there is none. */
  | { readonly type: 'active'; readonly uri: string | null }
  /** A failure that is not a finding. Shown above the graph. */
  | { readonly type: 'problem'; readonly text: string };
