/**
 * The requests and notifications of client and server beyond the standard protocol. The client imports this file and no
 * other of the server; this file imports only types, so that no code of the server gets into the client.
 */
import type { ComposeResult, Invocation, MemoryItem } from './composer/composition.ts';
import type { Gate } from './composer/prepare.ts';
import type { Call, ClientsView } from './protocol/clients-view.ts';
import type { GraphPanelView } from './protocol/graph-view.ts';
import type { OnWire } from './protocol/tests.ts';
import type { Range } from './text.ts';

export type {
  Composition,
  ExitCondition,
  GraphEdge,
  Invocation,
  InvocationSource,
  MemoryItem,
  PromptPart,
} from './composer/composition.ts';
export type { Gate } from './composer/prepare.ts';
export type { AbilitiesParams, AbilitiesReply } from './protocol/abilities-view.ts';
export type { Call, CallFact, ListFill } from './protocol/clients-view.ts';
export type * from './protocol/files.ts';
export type { ConvertParams, ConvertReply } from './protocol/files.ts';
export * from './protocol/files.ts';
export type * from './protocol/graph-view.ts';
export type {
  InstallParams,
  InstallPreviewParams,
  InstallPreviewReply,
  InstallReply,
  InstallView,
} from './protocol/packing.ts';
export * from './protocol/packing.ts';
export type * from './protocol/settings.ts';
export type * from './protocol/skill-list.ts';
export type * from './protocol/skill-list.ts';
export type * from './protocol/skill-list.ts';
export {
  type AboutParams,
  type AboutReply,
  AboutRequest,
  type ReportReply,
  ReportRequest,
  StatusNotification,
  type StatusParams,
} from './protocol/skill-list.ts';
export type * from './protocol/tests.ts';
export type { OnWire } from './protocol/tests.ts';
export type * from './protocol/tools.ts';
export type { AgentToolParams, AgentToolReply } from './protocol/tools.ts';
export type { Position, Range } from './text.ts';

/** The command line and the editor agree on this name for settings, diagnostics and logs. */
export const SECTION = 'skillComposer';

/**
 * Sent by the client for an open skill: the text of the file when its version was released, null where that is not known.
 * It is valid until the next one, or until the file is closed.
 */
export const BaselineNotification = 'skill/baseline';
export interface BaselineParams {
  readonly uri: string;
  readonly text: string | null;
}

/** Asks for the first text of a new skill. The server writes nothing; the client makes the file. */
export const NewSkillRequest = 'skill/new';

/** Asks which servers the catalogs of a folder would have started and called; none is. Only in Node. */
export const ToolServersRequest = 'skill/toolServers';

/** Starts and calls what the last reply has shown, and writes the snapshots. */
export const PullToolsRequest = 'skill/pullTools';

/** Asks for the snapshot with tools of the editor in it. The server writes nothing. */
export const EditorToolsRequest = 'skill/editorTools';

/** Composes a skill as it is in the buffer. Of several requests for one `key` only the newest is answered; others get `null`. */
export const ComposeRequest = 'skill/compose';
export interface ComposeParams {
  readonly uri: string;
  /** The id of the panel that asks. Only requests of the same key cancel each other. */
  readonly key?: string;
  /** Composes this text in place of the file's, for comparisons. Ranges in the reply count in it; `version` is null. */
  readonly text?: string;
  /** A sample of the skill; the values of `invocation` override its own. */
  readonly sample?: string;
  readonly invocation?: Invocation;
  readonly memory?: readonly MemoryItem[];
  /** Ids of artifacts to leave out. */
  readonly without?: readonly string[];
  /** Of a `SKILL.md`: the client that calls it (the first target where this is left out), and with which arguments. */
  readonly client?: string;
  readonly arguments?: string;
}

/** `null` where the file is no skill, or a newer request came. */
export interface ComposeReply {
  readonly uri: string;
  /** The version of the buffer that was composed; null for a file that is not open. */
  readonly version: number | null;
  readonly name: string;
  readonly skillVersion: string;
  readonly result: OnWire<ComposeResult>;
  /** Why the planner would not dispatch the invocation. */
  readonly gates: readonly OnWire<Gate>[];
  /** The invocation as it was composed, defaults filled in. */
  readonly invocation: Invocation;
  /** The names of the parameters in it that were made up, which they are where no sample is given. */
  readonly madeUp: readonly string[];
  /** How long composing took in the worker. */
  readonly milliseconds: number;
  /** False where no catalog says which tools there are, so that every declared one counted as available. */
  readonly toolsKnown: boolean;
  /** Of a `SKILL.md` that takes arguments or has commands: how it is called. */
  readonly call?: Call;
}

/** What an invocation of a skill can be made from. */
export const SamplesRequest = 'skill/samples';
export interface SamplesParams {
  readonly uri: string;
}
export interface NamedInvocation {
  readonly name: string;
  readonly range: Range;
  readonly invocation: Invocation;
}
/** `null` where the file is no skill. */
export interface SamplesReply {
  readonly uri: string;
  readonly name: string;
  readonly samples: readonly NamedInvocation[];
  /** The inputs of the skill's examples that are data. */
  readonly examples: readonly NamedInvocation[];
  /** The parameters as JSON Schema, for a form; undefined where the schema is missing or wrong. */
  readonly schema: unknown;
  readonly profiles: readonly string[];
  /** Those of the catalog, then those that only the skill names. */
  readonly models: readonly string[];
}

/** The edits that write an invocation into the frontmatter as a sample, replacing one of the same name; nothing else is touched. */
export const SaveSampleRequest = 'skill/saveSample';
export interface SaveSampleParams {
  readonly uri: string;
  readonly name: string;
  readonly invocation: Invocation;
}
export type SaveSampleReply =
  | { readonly version: number | null; readonly edits: readonly { readonly range: Range; readonly newText: string }[] }
  | { readonly problem: string };

/** The composition graph of the workspace, or of one skill with all that it composes, directly or not. */
export const GraphRequest = 'skill/graph';
export interface GraphParams {
  readonly uri?: string;
}
/** `null` where the file is no skill. */
export type GraphReply = OnWire<GraphPanelView>;

/**
 * The skills of the workspace in short, once all files are read. From then on the client is sent what changes, in
 * `skill/skillsChanged`.
 */
export const SkillsRequest = 'skill/skills';

/** What has changed in the list since the client was told last. */
export const SkillsChangedNotification = 'skill/skillsChanged';

/** What a list does not show of a skill until somebody looks at it. */
export const SkillDetailsRequest = 'skill/details';

/** The edits that turn a skill on or off in the workspace. Nothing is written. */
export const SetEnabledRequest = 'skill/setEnabled';

/** The safe fixes of a file, or of all files of the workspace, until nothing is left that is safe. Nothing is written. */
export const FixAllRequest = 'skill/fixAll';
/** Who would miss the skills in files or folders that are about to be deleted: asked before, told after. */
export const UsesRequest = 'skill/uses';

/** What each client makes of a `SKILL.md`, and the line that the model of each target sees of it. */
export const ClientsRequest = 'skill/clients';
export type ClientsParams = SamplesParams;
/** `null` where the file is no `SKILL.md`. */
export type ClientsReply = OnWire<ClientsView>;

/** What the folder of a `SKILL.md` is able to do, from a plain scan of its files as they are on the disk. */
export const AbilitiesRequest = 'skill/abilities';

/** The skills that answer a request, once all files are read: the answer of `skill-composer match`. */
export const MatchRequest = 'skill/match';

/** Whether any skill of the workspace composes others. */
export const HasCompositionsRequest = 'skill/hasCompositions';

/** Sent when the composition graph changed, if the client has requested it: panels ask again. */
export const GraphChangedNotification = 'skill/graphChanged';

/** Sent when something changed that compositions depend on, other than the skill's own text: panels ask again. */
export const ComposableChangedNotification = 'skill/composableChanged';
export interface ComposableChangedParams {
  /** The files whose compositions may be other ones now; null where that is unknown. */
  readonly uris: readonly string[] | null;
}

/** The tests of a file, without running them. */
export const TestsRequest = 'skill/tests';

/** Runs those tests of a file that need no model, as `skill-composer test` does. */
export const RunTestsRequest = 'skill/runTests';

/** What a model is asked when samples are run with one. The server asks none; what a model gives comes back as `given`. */
export const ModelRunsRequest = 'skill/modelRuns';

/** What makes the prompt of a sample the expected one: edits of the skill, and a file beside it. Nothing is written. */
export const KeepPromptRequest = 'skill/keepPrompt';

/** What a document converts to, as it is in the buffer. Nothing is written. */
export const ConvertRequest = 'skill/convert';

/** What comes of installing a source into a workspace folder. Nothing is written. */
export const InstallPreviewRequest = 'skill/installPreview';
/** Installs what a preview has shown. */
export const InstallRequest = 'skill/install';

/** What keeps a request as one that is to lead to a skill, or not: edits of the skill, or a file. Nothing is written. */
export const KeepRoutingCaseRequest = 'skill/keepRoutingCase';

/** The planner catalog of the workspace, as `skill-composer catalog` prints it. */
export const PlannerCatalogRequest = 'skill/catalog';
export interface PlannerCatalogParams {
  /** `prompt` where it is left out. */
  readonly format?: PlannerCatalogFormat;
  /** The caller, a profile of a catalog; without one, a caller who holds everything. */
  readonly profile?: string;
  /** The URIs of folders that the paths of files are relative to. */
  readonly folders?: readonly string[];
}
export type PlannerCatalogFormat = 'prompt' | 'json' | 'markdown';
export interface PlannerCatalogReply {
  readonly text: string;
  /** The callers that a catalog knows, by name. */
  readonly profiles: readonly string[];
}

/** Asks for the first text of a catalog for the skills below a folder. The server writes nothing. */
export const NewCatalogRequest = 'skill/newCatalog';

/** The default globs (docs/format.md, section 1). */
export const DEFAULT_FILES: readonly string[] = [
  '**/*.skill.md',
  '**/skills/*.md',
  '**/{SKILL.md,SKILL.MD,Skill.md,skill.md}',
  '**/*.skill.{yaml,yml}',
  '**/*.skill.json',
];

/** Other files that the server reads, whatever the setting for skills. */
export const CATALOG_FILES: readonly string[] = [
  '**/skills.config.yaml',
  '**/skills.tools.json',
  '**/skills.baseline.json',
];

/** A call of a tool by an agent of the editor, on skills as they are in the buffers. Nothing is written. */
export const AgentToolRequest = 'skill/agentTool';
