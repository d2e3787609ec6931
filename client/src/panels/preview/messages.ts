/**
 * The messages between the preview's panel (in the extension host) and its page (in the webview). The panel owns which skill
 * is shown and what is asked of it (`Asked`); the page owns how it looks (`PageState`) and keeps that with `vscode.setState`.
 * The page sends `ready` each time its script starts; the panel answers with `show`, `empty` or `problem`.
 */
import * as v from 'valibot';
import { optional, type TypeOf } from '../../../../server/src/protocol/request.ts';
import { fileRange, invocation, range } from '../../../../server/src/protocol/shapes.ts';
import type {
  AbilitiesView,
  ClientsReply,
  ComposeReply,
  Composition,
  OnWire,
  SamplesReply,
} from '../../../../server/src/protocol.ts';
import type { FileRange } from '../kit/file-range.ts';
import type { STATE_VERSIONS, Versioned } from '../kit/kept-state.ts';

export type {
  AbilitiesView,
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
export type ShownSubgraph = ShownComposition['subgraph'];
export type ShownNode = ShownSubgraph['nodes'][number];
export type ShownInterrupt = ShownSubgraph['interrupts'][number];
export type ShownDecision = ShownComposition['decisions'][number];
export type ShownError = Extract<ComposeReply['result'], { ok: false }>['errors'][number];
export type ShownGate = ComposeReply['gates'][number];
export type ShownClient = ClientsReply['clients'][number];
export type ShownFile = ClientsReply['files'][number];
export type ShownColumn = keyof ShownClient['cells'];
export type ShownPlace = AbilitiesView['tools'][number]['place'];
export type ShownReason = ShownClient['cells'][ShownColumn]['reasons'][number];

/**
 * What to compose a skill with: one of its samples by name, or a whole invocation, or neither; never both. `sample`,
 * `invocation` and `without` go into `ComposeParams` as they are.
 */
const asked = v.object({
  sample: optional(v.string()),
  invocation: optional(invocation),
  /** The sample or example that the user edited into `invocation`. Only the page reads it, to show its name. */
  origin: optional(v.string()),
  /** Ids of artifacts to leave out. */
  without: v.array(v.string()),
  /** Of a `SKILL.md`: the client that it is shown for, by its id; undefined: the first target. */
  client: optional(v.string()),
  /** What it is called with; undefined: placeholders stay as they are written. */
  arguments: optional(v.string()),
});
export type Asked = TypeOf<typeof asked>;

/** A finding of the shown file, as *Problems* lists it. */
const shownFinding = v.object({
  range,
  severity: v.picklist(['error', 'warning', 'info']),
  message: v.string(),
  /** The rule's name. */
  rule: v.string(),
  /** The title of the fix that the editor prefers at its place. */
  fix: optional(v.string()),
});
export type ShownFinding = TypeOf<typeof shownFinding>;

export type Tab = 'prompt' | 'run' | 'why' | 'clients' | 'abilities';

/** What the page keeps with `vscode.setState`; the panel's serializer receives it after a reload of the window. */
export interface PageState extends Versioned {
  readonly version: typeof STATE_VERSIONS.preview;
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

/** The part of its state that the panel takes over from a page. */
export const keptByPage = v.object({ uri: optional(v.string()), locked: v.boolean(), asked });

/** What the prompt is compared with. */
const compareTarget = v.variant('kind', [
  v.object({ kind: v.literal('saved') }),
  v.object({ kind: v.literal('head') }),
  v.object({ kind: v.literal('sample'), name: v.string() }),
]);
export type CompareTarget = TypeOf<typeof compareTarget>;

/** Page → panel. A page shows files of strangers, so its messages are checked. */
export const toPanel = v.variant('type', [
  /** The script runs and listens. */
  v.object({ type: v.literal('ready') }),
  /** The form changed, a sample was picked, or artifacts were left out. */
  v.object({ type: v.literal('compose'), asked }),
  /** Selects a place in its editor, opened beside the panel if necessary; `focus` also moves the keyboard focus. */
  v.object({ type: v.literal('reveal'), place: fileRange, focus: v.boolean() }),
  /** Writes a sample. The answer is a `show` whose `asked.sample` is the name, or `saveRefused`. */
  v.object({ type: v.literal('saveSample'), name: v.string(), invocation }),
  /** Makes the shown prompt of a sample the one that its test expects. */
  v.object({ type: v.literal('keepPrompt') }),
  /** Opens the reply as JSON in an editor tab. */
  v.object({ type: v.literal('openJson') }),
  /** Opens the editor's diff with the other prompt on the left and the shown one on the right. */
  v.object({ type: v.literal('compare'), with: compareTarget }),
  /** The menu of comparisons was opened. The answer is a `comparable`. */
  v.object({ type: v.literal('menuOpened') }),
  /** What clients make of the shown `SKILL.md` is on the page, or will be. The answer is a `clients`. */
  v.object({ type: v.literal('askClients') }),
  /** What the folder of the shown `SKILL.md` is able to do is on the page. The answer is an `abilities`. */
  v.object({ type: v.literal('askAbilities') }),
  /** Copies the prompt. The page itself may not write to the clipboard in every host. */
  v.object({ type: v.literal('copyPrompt') }),
  /** True keeps this skill, false follows the active editor. The panel answers with `locked`. */
  v.object({ type: v.literal('lock'), locked: v.boolean() }),
  /** The button of a panel that shows no skill. */
  v.object({ type: v.literal('newSkill') }),
  /** Saves the graph as a file that the user chooses. `data` is the text of an SVG, or a PNG in base64. */
  v.object({ type: v.literal('exportImage'), format: v.picklist(['svg', 'png']), data: v.string() }),
  /** Applies the fix of a finding of the shown file. */
  v.object({ type: v.literal('fix'), finding: shownFinding }),
  /** The user scrolled the prompt; `place` is the source of the topmost part that has one. */
  v.object({ type: v.literal('scrolled'), place: fileRange }),
  /** The `show` with this number is on the screen. Logged for measurements; not sent while the panel is hidden. */
  v.object({ type: v.literal('painted'), serial: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
]);
export type ToPanel = TypeOf<typeof toPanel>;

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
  | { readonly type: 'cursor'; readonly place: FileRange | null; readonly scroll: boolean }
  /** The user scrolled an editor, of whichever file; `place` holds the visible lines. */
  | { readonly type: 'visible'; readonly place: FileRange }
  /** The findings of the shown file, each time they change. */
  | { readonly type: 'findings'; readonly uri: string; readonly findings: readonly ShownFinding[] }
  /** What the prompt can be compared with besides samples; a reason says why it cannot. */
  | { readonly type: 'comparable'; readonly saved?: string; readonly head?: string }
  /** What clients make of the shown `SKILL.md`. */
  | { readonly type: 'clients'; readonly view: ClientsReply }
  /** What the folder of the shown `SKILL.md` is able to do. */
  | { readonly type: 'abilities'; readonly view: AbilitiesView }
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
