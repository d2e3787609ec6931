/**
 * The messages between the preview's panel (in the extension host) and its page (in the webview). The panel owns the
 * shown skill and the request (`PreviewRequest`). The page owns the view state (`PageState`) and saves it with
 * `vscode.setState`. The page sends `ready` each time its script starts, or if it lacks the base of a `showEdit`; the
 * panel answers `show`, `empty` or `problem`.
 */
import * as v from 'valibot';
import { optional, type TypeOf } from '../../../../server/src/protocol/request.ts';

export { formatShare, withoutDate } from '../../../../server/src/protocol/chosen.ts';

import { fileRange, invocation, json, range } from '../../../../server/src/protocol/shapes.ts';
import type {
  AbilitiesView,
  ChoiceReply,
  ChosenReply,
  ClientsReply,
  ComposeReply,
  Composition,
  DebugMove,
  ModelChoice,
  OnWire,
  SamplesReply,
  ShownRun,
} from '../../../../server/src/protocol.ts';
import type { FileRange } from '../kit/file-range.ts';
import type { STATE_VERSIONS, Versioned } from '../kit/saved-state.ts';

export type {
  AbilitiesView,
  Call,
  CallFact,
  ChosenReply,
  ClientsReply,
  ComposeReply,
  Composition,
  DebugMove,
  DebugProgress,
  ExitCondition,
  GraphEdge,
  Invocation,
  InvocationSource,
  NamedInvocation,
  OnWire,
  PromptPart,
  Range,
  SamplesReply,
  ShownRun,
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
export type ShownStep = ChosenReply['steps'][number];
export type ShownRanking = NonNullable<ChosenReply['ranking']>;
export type ShownFile = ClientsReply['files'][number];
export type SameNamedFile = ClientsReply['sameNames'][number];
export type ShownColumn = keyof ShownClient['cells'];
export type ShownPlace = AbilitiesView['tools'][number]['place'];
export type ShownReason = ShownClient['cells'][ShownColumn]['reasons'][number];

/**
 * The request to compose a skill with a sample (by name), with an invocation, or with neither. `sample`, `invocation`
 * and `without` are passed to `ComposeParams` unchanged.
 */
const asked = v.object({
  sample: optional(v.string()),
  invocation: optional(invocation),
  /**
   * The name of the sample or example from which the user made `invocation`. Only the page reads it, to show the name.
   */
  origin: optional(v.string()),
  /** The IDs of the artifacts to leave out. */
  without: v.array(v.string()),
  /** The names of the optional parameters that have no value, not even a generated one. */
  omitted: optional(v.array(v.string())),
  /** The ID of the client for which a `SKILL.md` is shown; undefined for the first target client. */
  client: optional(v.string()),
  /** The arguments for a `SKILL.md`; undefined to keep the placeholders. */
  arguments: optional(v.string()),
});
export type PreviewRequest = TypeOf<typeof asked>;

/** A finding of the shown file, as *Problems* lists it. */
const shownFinding = v.object({
  range,
  severity: v.picklist(['error', 'warning', 'info']),
  message: v.string(),
  /** The rule's name. */
  rule: v.string(),
  /** The title of the editor's preferred fix. */
  fix: optional(v.string()),
});
export type ShownFinding = TypeOf<typeof shownFinding>;

export type Tab = 'prompt' | 'run' | 'why' | 'chosen' | 'abilities';

/** The state that the page saves with `vscode.setState`. The serializer of the panel receives it after a reload. */
export interface PageState extends Versioned {
  readonly version: typeof STATE_VERSIONS.preview;
  /** The shown skill; undefined without a skill. */
  readonly uri?: string;
  readonly locked: boolean;
  readonly asked: PreviewRequest;
  readonly tab: Tab;
  /** The scroll position of each tab, in pixels. */
  readonly scroll: { readonly [Key in Tab]?: number };
  /** True if the form is open. */
  readonly sheetOpen: boolean;
  /** The share of the form in the area that it divides with the prompt, in percent; undefined until it is resized. */
  readonly formShare?: number;
  /** The request in the tab *Chosen*; undefined until the user types one. */
  readonly request?: string;
  /** True if the prompt is shown in the editor's font. */
  readonly mono: boolean;
  /** The keys of the folded blocks of the prompt. */
  readonly folded: readonly string[];
  readonly runAsList: boolean;
  /** The expanded composed skills of the graph, as paths of node IDs: `outline/check`. */
  readonly open: readonly string[];
}

/** The part of the page's saved state that the panel reads. */
export const restoredState = v.object({ uri: optional(v.string()), locked: v.boolean(), asked });

/** The prompt with which the shown prompt is compared. */
const compareTarget = v.variant('kind', [
  v.object({ kind: v.literal('saved') }),
  v.object({ kind: v.literal('head') }),
  v.object({ kind: v.literal('sample'), name: v.string() }),
]);
export type CompareTarget = TypeOf<typeof compareTarget>;

/** The numbers of times that a model can be asked for its choice. */
export const TRIALS = [1, 3, 5, 10] as const;

/** The messages from the page to the panel, validated because a page shows untrusted files. */
export const toPanel = v.variant('type', [
  /** The script has started and can receive messages, or needs the whole `show`. */
  v.object({ type: v.literal('ready') }),
  /** The form changed, a sample was picked, or artifacts were left out. */
  v.object({ type: v.literal('compose'), asked }),
  /** Selects a location in its editor, which opens beside the panel; `focus` also moves the keyboard focus. */
  v.object({ type: v.literal('reveal'), place: fileRange, focus: v.boolean() }),
  /** Saves a sample. The reply is `show` with the name as `asked.sample`, or `saveRefused`. */
  v.object({ type: v.literal('saveSample'), name: v.string(), invocation }),
  /** Saves the shown prompt of a sample as the expected prompt of its test. */
  v.object({ type: v.literal('keepPrompt') }),
  /** Opens the reply as JSON in an editor tab. */
  v.object({ type: v.literal('openJson') }),
  /** Opens the diff view of the editor, with the other prompt on the left and the shown prompt on the right. */
  v.object({ type: v.literal('compare'), with: compareTarget }),
  /** The menu with the comparisons was opened. The reply is `comparable`. */
  v.object({ type: v.literal('menuOpened') }),
  /** Requests how clients use the shown `SKILL.md`. The reply is `clients`. */
  v.object({ type: v.literal('askClients') }),
  /**
   * Requests whether the client of `asked` chooses the shown `SKILL.md`, also for a request that the user types. The reply
   * is `chosen`.
   */
  v.object({ type: v.literal('askChosen'), request: optional(v.string()) }),
  /**
   * Asks a model of the editor, after the user agrees, which skill it chooses from the list of a client. The replies are
   * `choice`.
   */
  v.object({
    type: v.literal('askModel'),
    client: v.string(),
    request: v.pipe(v.string(), v.nonEmpty()),
    trials: v.picklist(TRIALS),
  }),
  /** Saves a request as a routing case of the shown skill, and asks again whether the skill is chosen. */
  v.object({ type: v.literal('keepCase'), request: v.pipe(v.string(), v.nonEmpty()), should: v.boolean() }),
  /** Stops asking the model. */
  v.object({ type: v.literal('stopModel') }),
  /** Requests the abilities of the folder of the shown `SKILL.md`. The reply is `abilities`. */
  v.object({ type: v.literal('askAbilities') }),
  /** Announces a run, which then begins sooner. */
  v.object({ type: v.literal('prepareRun') }),
  /** Runs the shown skill without a model. `answered` are the user's answers to its interrupts. The reply is `run`. */
  v.object({ type: v.literal('run'), answered: v.array(json) }),
  /** Copies the prompt. In some hosts the page itself cannot write to the clipboard. */
  v.object({ type: v.literal('copyPrompt') }),
  /** Locks the preview to this skill (true), or follows the active editor (false). The reply is `locked`. */
  v.object({ type: v.literal('lock'), locked: v.boolean() }),
  /** Closes the preview. The page offers this when the file was deleted. */
  v.object({ type: v.literal('close') }),
  /** The user clicked the button that is shown if the panel has no skill. */
  v.object({ type: v.literal('newSkill') }),
  /** Lists all clients, so that the user chooses the target clients of the shown `SKILL.md`. */
  v.object({ type: v.literal('chooseClients') }),
  /** Saves the graph as a file that the user chooses. `data` is the text of an SVG, or a PNG in base64. */
  v.object({ type: v.literal('exportImage'), format: v.picklist(['svg', 'png']), data: v.string() }),
  /** Applies the fix of a finding of the shown file. */
  v.object({ type: v.literal('fix'), finding: shownFinding }),
  /** The user scrolled the prompt; `place` is the source of the topmost segment that has a source. */
  v.object({ type: v.literal('scrolled'), place: fileRange }),
  /**
   * The `show` with this number was painted. The panel logs this for measurements. The page does not send it while it
   * is hidden.
   */
  v.object({ type: v.literal('painted'), serial: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
]);
export type ToPanel = TypeOf<typeof toPanel>;

/** A composition with its input. */
export interface ComposedSkill {
  readonly reply: ComposeReply;
  readonly samples: SamplesReply;
  /** The request, for the form. */
  readonly asked: PreviewRequest;
  /** The requested sample, if it does not exist, so that `asked` contains another input. */
  readonly missingSample?: string;
}

/** A composition for the page. */
export interface Show extends ComposedSkill {
  readonly type: 'show';
  /** Increases with each `show` of a panel. */
  readonly serial: number;
  readonly locked: boolean;
  /** The last valid composition of the same skill, for a page that restarts while `reply` is an error. */
  readonly lastGood?: ShownComposition;
}

/**
 * A `show` without its prompt. `text` replaces the characters `[start, end)` in the prompt of the `show` with the serial
 * `base`.
 */
export interface ShowEdit {
  readonly type: 'showEdit';
  readonly base: number;
  readonly show: Show;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The choice of a model, also while the model answers. */
export interface ShownChoice {
  readonly uri: string;
  readonly client: ChoiceReply['client'];
  readonly request: string;
  readonly model: string;
  readonly trials: number;
  /** The answers so far, the most frequent choice first. */
  readonly counted: readonly { readonly choice: ModelChoice; readonly count: number }[];
  readonly isRunning: boolean;
  /** The reason why a trial failed. */
  readonly problem?: string;
  /** The time of the start, in milliseconds since 1970. */
  readonly time: number;
  /** False if the form, the order or the cuts of the client's list are not known exactly. */
  readonly isExact: boolean;
  /** True if the shown request, client or list is another one. */
  readonly isOlder: boolean;
}

/** Panel → page. `shown-prompt.ts` sends a `Show` as a `ShowEdit`, if it can. */
export type ToPage =
  | Show
  /** The cursor or selection of the active editor, in any file; null without an editor. */
  | { readonly type: 'cursor'; readonly place: FileRange | null; readonly scroll: boolean }
  /** The user scrolled an editor of any file; `place` contains the visible lines. */
  | { readonly type: 'visible'; readonly place: FileRange }
  /** The findings of the shown file, each time they change. */
  | { readonly type: 'findings'; readonly uri: string; readonly findings: readonly ShownFinding[] }
  /** The reasons why the prompt cannot be compared with the last save or with git's HEAD. */
  | { readonly type: 'comparable'; readonly saved?: string; readonly head?: string }
  /** How clients use the shown `SKILL.md`. */
  | { readonly type: 'clients'; readonly view: ClientsReply }
  /** The answer to whether a client chooses the shown `SKILL.md`. */
  | { readonly type: 'chosen'; readonly view: ChosenReply }
  /** The choice of a model for the shown `SKILL.md`. */
  | { readonly type: 'choice'; readonly choice: ShownChoice }
  /** The abilities of the folder of the shown `SKILL.md`. */
  | { readonly type: 'abilities'; readonly view: AbilitiesView }
  /** The dry run of the shown skill. */
  | { readonly type: 'run'; readonly run: ShownRun }
  /** The debug session of the shown skill that the tab *Run* follows, or its new position; null without a session. */
  | { readonly type: 'debug'; readonly progress: DebugMove | null }
  /** The prompt was copied to the clipboard. */
  | { readonly type: 'copied' }
  /**
   * The shown composition is out of date until the next `show`: the next composition is slow, or failed for a reason
   * that is not in the file, such as a stopped server.
   */
  | { readonly type: 'stale'; readonly reason?: string }
  /** The shown file was deleted, or is no longer a skill. The page keeps its last prompt until the next `show`. */
  | { readonly type: 'gone'; readonly isDeleted: boolean }
  | { readonly type: 'locked'; readonly locked: boolean }
  /**
   * The active file with this name is not a skill, so the page still shows the previous skill. A null name withdraws an
   * earlier message.
   */
  | { readonly type: 'notSkill'; readonly name: string | null }
  /** Shows the page for a preview without a skill, which explains what skills are. */
  | { readonly type: 'empty' }
  /** A failure of an action, such as saving a file. The page shows it above the prompt. */
  | { readonly type: 'problem'; readonly text: string }
  /** The reason why a sample was not saved. The page shows it at the name field. */
  | { readonly type: 'saveRefused'; readonly problem: string }
  /** A command opens a tab, the find box of the prompt, or the form. */
  | { readonly type: 'focus'; readonly what: Tab | 'find' | 'input' };
