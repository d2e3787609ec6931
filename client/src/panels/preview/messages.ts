/**
 * What the preview's panel (in the extension host) and its page (in the webview) say to each other, with a checker for each
 * side: neither trusts what it receives. Where a message answers a request of the server, the server's types stand in it.
 *
 * Who owns what. The panel owns the skill that is shown and what is asked of it (`Asked`); the page shows what it gets, and
 * sends the whole `Asked` anew when its form changed. The page owns how it looks (`PageState`): it keeps that with
 * `vscode.setState`, and VS Code hands it to the panel's serializer after a reload of the window.
 *
 * How they begin. The page sends `ready` each time that its script starts, so also when a hidden panel comes back. The panel
 * answers with `show`, `empty` or `problem`, and sends the last good composition along, since the page has forgotten it.
 */
import type {
  ComposeReply,
  Composition,
  Invocation,
  OnWire,
  Range,
  SamplesReply,
} from '../../../../server/src/protocol.ts';

export type {
  ArtifactRef,
  ComposeReply,
  Composition,
  ExitCondition,
  GraphEdge,
  Invocation,
  InvocationSource,
  NamedInvocation,
  OnWire,
  PromptPart,
  Range,
  SamplesReply,
} from '../../../../server/src/protocol.ts';

/** A composition as it reaches the page: places are ranges. */
export type ShownComposition = OnWire<Composition>;
export type ShownSegment = ShownComposition['segments'][number];
export type ShownShape = ShownComposition['subgraph'];
export type ShownNode = ShownShape['nodes'][number];
export type ShownInterrupt = ShownShape['interrupts'][number];
export type ShownDecision = ShownComposition['decisions'][number];
export type ShownError = Extract<ComposeReply['result'], { ok: false }>['errors'][number];
export type ShownGate = ComposeReply['gates'][number];

/** A place in a file, in the position encoding of the wire. */
export interface WirePlace {
  readonly uri: string;
  readonly range: Range;
}

/**
 * What is to be composed. `sample`, `invocation` and `without` go into `ComposeParams` as they are. Either `sample` names a
 * sample of the skill that is taken as it is, or `invocation` is whole and there is no `sample`; or neither.
 */
export interface Asked {
  readonly sample?: string;
  readonly invocation?: Invocation;
  /** The sample or example that `invocation` began as: the form shows its name with "edited". For the page alone. */
  readonly origin?: string;
  /** Ids of artifacts to leave out. */
  readonly without: readonly string[];
}

export const TABS = ['prompt', 'graph', 'why', 'compare'] as const;
export type Tab = (typeof TABS)[number];

/** What the page keeps with `vscode.setState`; the serializer receives it after a reload. */
export interface PageState {
  /** The skill that was shown; undefined where there was none. */
  readonly uri?: string;
  readonly locked: boolean;
  readonly asked: Asked;
  readonly tab: Tab;
  /** How far each tab is scrolled, in pixels. */
  readonly scroll: { readonly [Key in Tab]?: number };
  readonly formOpen: boolean;
  readonly wrap: boolean;
  readonly graphAsList: boolean;
  /** The sub-skills of the graph that stand open, by the path of their nodes' ids: `outline/check`. */
  readonly open: readonly string[];
}

/** Page → panel. */
export type ToPanel =
  /** The script runs and listens. */
  | { readonly type: 'ready' }
  /** The form changed, a sample was picked, or artifacts are to be left out. */
  | { readonly type: 'compose'; readonly asked: Asked }
  /** Selects a place in its editor, opening it beside the panel if need be; `focus` moves the keyboard there, too. */
  | { readonly type: 'reveal'; readonly place: WirePlace; readonly focus: boolean }
  /** Writes a sample (`skill/saveSample`). Then comes a `show` whose `asked.sample` is the name, or `saveRefused`. */
  | { readonly type: 'saveSample'; readonly name: string; readonly invocation: Invocation }
  /** Opens the reply as JSON in an editor tab. */
  | { readonly type: 'openJson' }
  /** Opens the editor's diff: the other prompt at the left, the shown one at the right. */
  | { readonly type: 'compare'; readonly with: Opponent }
  /** The prompt to the clipboard; the page cannot write there itself in every host. */
  | { readonly type: 'copyPrompt' }
  /** True stays with this skill, false follows the active editor. The panel answers with `locked`. */
  | { readonly type: 'lock'; readonly locked: boolean }
  /** The button of the empty panel. */
  | { readonly type: 'newSkill' }
  /** Saves the graph, asking where to. `data` is the SVG's text, or a PNG in base64. */
  | { readonly type: 'exportImage'; readonly format: 'svg' | 'png'; readonly data: string }
  /** Applies the fix that was offered for an error, by its place in the list of the `show` of this number. */
  | { readonly type: 'fix'; readonly serial: number; readonly error: number }
  /** The author scrolled the prompt by hand: where the topmost part comes from that has a source. */
  | { readonly type: 'scrolled'; readonly place: WirePlace }
  /** The `show` of this number is on the screen: for measurements. Not sent while the panel is hidden. */
  | { readonly type: 'painted'; readonly serial: number };

export interface OfferedFix {
  readonly error: number;
  readonly title: string;
}

/** What the prompt is compared with. */
export type Opponent =
  | { readonly kind: 'saved' }
  | { readonly kind: 'head' }
  | { readonly kind: 'sample'; readonly name: string };

/** Panel → page. */
export type ToPage =
  | {
      readonly type: 'show';
      /** Grows with each `show` of a panel. */
      readonly serial: number;
      readonly reply: ComposeReply;
      readonly samples: SamplesReply;
      /** What was asked, so that the form shows it. */
      readonly asked: Asked;
      readonly locked: boolean;
      /** After `ready`, where `reply` is no composition: the last one that was, of the same skill. */
      readonly lastGood?: ShownComposition;
    }
  /** Where the cursor (or selection) stands in an editor; null when it left. Sent for any file: the page picks. */
  | { readonly type: 'cursor'; readonly place: WirePlace | null; readonly scroll: boolean }
  /** The author scrolled an editor: the lines that are on the screen there. Sent for any file. */
  | { readonly type: 'visible'; readonly place: WirePlace }
  /** Behind a `show` of errors: those that the editor has a fix for, by their place in the list, and what it would do. */
  | { readonly type: 'fixes'; readonly serial: number; readonly fixes: readonly OfferedFix[] }
  /** The prompt is in the clipboard. */
  | { readonly type: 'copied' }
  /** What is shown is older than the text, and the answer takes its time. The next `show` ends it. */
  | { readonly type: 'stale' }
  | { readonly type: 'locked'; readonly locked: boolean }
  /** The active file, of this name, is no skill: the page says which skill it still shows. Null: it is one again. */
  | { readonly type: 'notSkill'; readonly name: string | null }
  /** There is nothing to show: the page says what a skill is. */
  | { readonly type: 'empty' }
  /** Something failed that is no finding: the server stopped, the file is gone. Shown above what stands there. */
  | { readonly type: 'problem'; readonly text: string }
  /** Why a sample was not saved; shown at the name's field. */
  | { readonly type: 'saveRefused'; readonly problem: string }
  /** A command asks for a tab, or for its next part: `find` focuses the find box of the prompt. */
  | { readonly type: 'focus'; readonly what: Tab | 'find' | 'form' };
