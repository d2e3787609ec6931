/**
 * What the composition graph's panel (in the extension host) and its page (in the webview) say to each other, with a
 * checker for each side: neither trusts what it receives.
 *
 * Who owns what. The panel owns the graph: it asks the server for what the page's scope says, again whenever the graph
 * changed. The page owns how it looks (`GraphState`), the scope included: it keeps that with `vscode.setState`, and
 * VS Code hands it to the panel's serializer after a reload of the window.
 *
 * How they begin. The page sends `ready` each time that its script starts, and the panel answers with `show` or `problem`.
 */
import type { GraphReply, Range } from '../../../../server/src/protocol.ts';
import {
  anything,
  boolean,
  type Check,
  count,
  either,
  isMessage,
  listOf,
  nothing,
  number,
  oneOf,
  place,
  range,
  shape,
  string,
} from '../kit/checks.ts';

export type { FindingCounts, GraphAmount, GraphReply, Range, UnknownSkill } from '../../../../server/src/protocol.ts';

export type ShownNode = GraphReply['nodes'][number];
export type ShownSkill = Extract<ShownNode, { kind: 'skill' }>;
export type ShownEdge = GraphReply['edges'][number];

/** A place in a file, in the position encoding of the wire. */
export interface WirePlace {
  readonly uri: string;
  readonly range: Range;
}

/** What the page keeps. */
export interface GraphState {
  /** The skill that is shown with all that it reaches; null for the workspace. */
  readonly scope: string | null;
  /** How the drawing is moved and enlarged, in pixels of the frame; null while it fits by itself. */
  readonly view: { readonly x: number; readonly y: number; readonly scale: number } | null;
  /** The node that the keyboard is at. */
  readonly selected: string | null;
  /** Shows skills of this level alone; 0 stands for those that declare none. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
  readonly search: string;
  readonly asList: boolean;
}

/** Page → panel. */
export type ToGraphPanel =
  /** The script runs and listens. */
  | { readonly type: 'ready' }
  /** Selects a place in its editor; `focus` moves the keyboard there, too. */
  | { readonly type: 'reveal'; readonly place: WirePlace; readonly focus: boolean }
  /** Shows another part: a skill with all that it reaches, or the workspace. */
  | { readonly type: 'scope'; readonly scope: string | null };

/** Panel → page. */
export type ToGraphPage =
  | {
      readonly type: 'show';
      readonly graph: GraphReply;
      /** What was asked for. */
      readonly scope: string | null;
    }
  /** The skill in the active editor; null where that is none. */
  | { readonly type: 'active'; readonly uri: string | null }
  /** Something failed that is no finding. Shown above what stands there. */
  | { readonly type: 'problem'; readonly text: string };

/** True for what a page may send. */
export const isToGraphPanel = (value: unknown): value is ToGraphPanel => isMessage(value, toPanel);

/** True for what a panel may send. */
export const isToGraphPage = (value: unknown): value is ToGraphPage => isMessage(value, toPage);

/** True for a state that this version wrote. */
export const isGraphState = (value: unknown): value is GraphState => state(value);

const maybe = (check: Check): Check => either(nothing, check);
const strings = listOf(string);
const amount = maybe(shape({ declared: maybe(number), ofParts: maybe(number) }));

const state = shape({
  scope: maybe(string),
  view: maybe(shape({ x: number, y: number, scale: number })),
  selected: maybe(string),
  level: maybe(count),
  onlyErrors: boolean,
  search: string,
  asList: boolean,
});

const skill = shape({
  kind: oneOf('skill'),
  id: string,
  uri: string,
  range,
  name: string,
  version: maybe(string),
  level: maybe(number),
  rank: count,
  description: maybe(string),
  isDeprecated: boolean,
  isBroken: boolean,
  isInCycle: boolean,
  effects: strings,
  operation: maybe(string),
  isInferred: shape({ effects: boolean, operation: boolean }),
  p95: amount,
  cost: amount,
  stages: listOf(strings),
  findings: shape({ errors: count, warnings: count, infos: count, hints: count }),
});

const edge = shape({
  from: string,
  to: string,
  uri: string,
  range,
  step: string,
  as: maybe(string),
  requires: maybe(string),
  version: maybe(string),
  isAllowed: boolean,
  stage: maybe(count),
  isInCycle: boolean,
  isCritical: boolean,
});

const toPanel: Readonly<Record<ToGraphPanel['type'], Check>> = {
  ready: anything,
  reveal: shape({ place, focus: boolean }),
  scope: shape({ scope: maybe(string) }),
};

const toPage: Readonly<Record<ToGraphPage['type'], Check>> = {
  show: shape({
    graph: shape({
      nodes: listOf(either(skill, shape({ kind: oneOf('unknown'), id: string, name: string, rank: count }))),
      edges: listOf(edge),
      cycles: listOf(strings),
      partial: boolean,
    }),
    scope: maybe(string),
  }),
  active: shape({ uri: maybe(string) }),
  problem: shape({ text: string }),
};
