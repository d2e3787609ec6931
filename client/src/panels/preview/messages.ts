/**
 * The messages between the preview's panel (in the extension host) and its page (in the webview). The panel owns which skill
 * is shown and what is asked of it (`Asked`); the page owns how it looks (`PageState`) and keeps that with `vscode.setState`.
 * The page sends `ready` each time its script starts; the panel answers with `show`, `empty` or `problem`.
 */
import type {
  AbilitiesReply,
  ClientsReply,
  ComposeReply,
  Composition,
  Invocation,
  OnWire,
  Range,
  SamplesReply,
} from '../../../../server/src/protocol.ts';
import type { Versioned } from '../kit/kept-state.ts';
import type { Place } from '../kit/place.ts';

export type {
  AbilitiesReply,
  Call,
  CallFact,
  ClientsReply,
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

/** A composition as the page receives it, with ranges instead of offsets. */
export type ShownComposition = OnWire<Composition>;
export type ShownSegment = ShownComposition['segments'][number];
export type ShownShape = ShownComposition['subgraph'];
export type ShownNode = ShownShape['nodes'][number];
export type ShownInterrupt = ShownShape['interrupts'][number];
export type ShownDecision = ShownComposition['decisions'][number];
export type ShownError = Extract<ComposeReply['result'], { ok: false }>['errors'][number];
export type ShownGate = ComposeReply['gates'][number];
export type ShownClient = ClientsReply['clients'][number];
export type ShownFile = ClientsReply['files'][number];
export type ShownColumn = keyof ShownClient['cells'];
export type ShownPlace = AbilitiesReply['tools'][number]['place'];
export type ShownReason = ShownClient['cells'][ShownColumn]['reasons'][number];

/**
 * What to compose a skill with: one of its samples by name, or a whole invocation, or neither; never both. `sample`,
 * `invocation` and `without` go into `ComposeParams` as they are.
 */
export interface Asked {
  readonly sample?: string;
  readonly invocation?: Invocation;
  /** The sample or example that the user edited into `invocation`. Only the page reads it, to show its name. */
  readonly origin?: string;
  /** Ids of artifacts to leave out. */
  readonly without: readonly string[];
  /** Of a `SKILL.md`: the client that it is shown for, by its id; undefined: the first target. */
  readonly client?: string;
  /** What it is called with; undefined: placeholders stay as they are written. */
  readonly arguments?: string;
}

/** A finding of the shown file, as *Problems* lists it. */
export interface ShownFinding {
  readonly range: Range;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** The rule's name. */
  readonly rule: string;
  /** The title of the fix that the editor prefers at its place. */
  readonly fix?: string;
}

export const PAGE_STATE_VERSION = 2;

export const TABS = ['prompt', 'run', 'why', 'clients', 'abilities'] as const;
export type Tab = (typeof TABS)[number];

/** What the page keeps with `vscode.setState`; the panel's serializer receives it after a reload of the window. */
export interface PageState extends Versioned {
  readonly version: typeof PAGE_STATE_VERSION;
  /** The skill that was shown; undefined if there was none. */
  readonly uri?: string;
  readonly locked: boolean;
  readonly asked: Asked;
  readonly tab: Tab;
  /** How far each tab is scrolled, in pixels. */
  readonly scroll: { readonly [Key in Tab]?: number };
  /** Whether the form lies over the prompt. */
  readonly sheetOpen: boolean;
  /** Whether the prompt is set in the editor's font. */
  readonly mono: boolean;
  /** The keys of the prompt's blocks that are folded. */
  readonly folded: readonly string[];
  readonly runAsList: boolean;
  /** The sub-skills of the graph that are expanded, as paths of node ids: `outline/check`. */
  readonly open: readonly string[];
}

/** Page → panel. */
export type ToPanel =
  /** The script runs and listens. */
  | { readonly type: 'ready' }
  /** The form changed, a sample was picked, or artifacts were left out. */
  | { readonly type: 'compose'; readonly asked: Asked }
  /** Selects a place in its editor, opened beside the panel if necessary; `focus` also moves the keyboard focus. */
  | { readonly type: 'reveal'; readonly place: Place; readonly focus: boolean }
  /** Writes a sample. The answer is a `show` whose `asked.sample` is the name, or `saveRefused`. */
  | { readonly type: 'saveSample'; readonly name: string; readonly invocation: Invocation }
  /** Makes the shown prompt of a sample the one that its test expects. */
  | { readonly type: 'keepPrompt' }
  /** Opens the reply as JSON in an editor tab. */
  | { readonly type: 'openJson' }
  /** Opens the editor's diff with the other prompt on the left and the shown one on the right. */
  | { readonly type: 'compare'; readonly with: CompareTarget }
  /** The menu of comparisons was opened. The answer is a `comparable`. */
  | { readonly type: 'menuOpened' }
  /** What clients make of the shown `SKILL.md` is on the page, or will be. The answer is a `clients`. */
  | { readonly type: 'askClients' }
  /** What the folder of the shown `SKILL.md` is able to do is on the page. The answer is an `abilities`. */
  | { readonly type: 'askAbilities' }
  /** Copies the prompt. The page itself may not write to the clipboard in every host. */
  | { readonly type: 'copyPrompt' }
  /** True keeps this skill, false follows the active editor. The panel answers with `locked`. */
  | { readonly type: 'lock'; readonly locked: boolean }
  /** The button of a panel that shows no skill. */
  | { readonly type: 'newSkill' }
  /** Saves the graph as a file that the user chooses. `data` is the text of an SVG, or a PNG in base64. */
  | { readonly type: 'exportImage'; readonly format: 'svg' | 'png'; readonly data: string }
  /** Applies the fix of a finding of the shown file. */
  | { readonly type: 'fix'; readonly finding: ShownFinding }
  /** The user scrolled the prompt; `place` is the source of the topmost part that has one. */
  | { readonly type: 'scrolled'; readonly place: Place }
  /** The `show` with this number is on the screen. Logged for measurements; not sent while the panel is hidden. */
  | { readonly type: 'painted'; readonly serial: number };

/** What the prompt is compared with. */
export type CompareTarget =
  | { readonly kind: 'saved' }
  | { readonly kind: 'head' }
  | { readonly kind: 'sample'; readonly name: string };

/** Panel → page. */
export type ToPage =
  | {
      readonly type: 'show';
      /** Increases with each `show` of a panel. */
      readonly serial: number;
      readonly reply: ComposeReply;
      readonly samples: SamplesReply;
      /** What was asked, for the form to show. */
      readonly asked: Asked;
      readonly locked: boolean;
      /** The last composition of the same skill, for a page that restarted while `reply` is an error. */
      readonly lastGood?: ShownComposition;
    }
  /** The cursor or selection of the active editor, in whichever file; null when there is none. */
  | { readonly type: 'cursor'; readonly place: Place | null; readonly scroll: boolean }
  /** The user scrolled an editor, of whichever file; `place` holds the visible lines. */
  | { readonly type: 'visible'; readonly place: Place }
  /** The findings of the shown file, each time they change. */
  | { readonly type: 'findings'; readonly uri: string; readonly findings: readonly ShownFinding[] }
  /** What the prompt can be compared with besides samples; a reason says why it cannot. */
  | { readonly type: 'comparable'; readonly saved?: string; readonly head?: string }
  /** What clients make of the shown `SKILL.md`. */
  | { readonly type: 'clients'; readonly view: ClientsReply }
  /** What the folder of the shown `SKILL.md` is able to do. */
  | { readonly type: 'abilities'; readonly view: AbilitiesReply }
  /** The prompt is in the clipboard. */
  | { readonly type: 'copied' }
  /** The shown composition is out of date and the next one is slow. Holds until the next `show`. */
  | { readonly type: 'stale' }
  | { readonly type: 'locked'; readonly locked: boolean }
  /** The active file, of this name, is not a skill, so the page still shows the previous one. Null: it is one again. */
  | { readonly type: 'notSkill'; readonly name: string | null }
  /** There is no skill to show. The page explains what a skill is. */
  | { readonly type: 'empty' }
  /** A failure that is not a finding, such as a stopped server. Shown above the prompt. */
  | { readonly type: 'problem'; readonly text: string }
  /** Why a sample was not saved; shown at the field of its name. */
  | { readonly type: 'saveRefused'; readonly problem: string }
  /** A command opens a tab, the find box of the prompt, or the form. */
  | { readonly type: 'focus'; readonly what: Tab | 'find' | 'input' };
