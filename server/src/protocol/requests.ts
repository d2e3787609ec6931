/**
 * The messages between client and server beyond the standard protocol, each with its method, parameters and reply. The
 * server checks parameters with these schemas (`frontends/lsp/guarded-reader.ts`).
 */
import * as v from 'valibot';
import type { AbilitiesView } from './abilities-view.ts';
import type { ChoiceReply, ChosenReply } from './chosen.ts';
import type { ClientChoiceReply, SetClientsReply } from './client-choice.ts';
import type { ClientsReply } from './clients-view.ts';
import type { ComposeReply, SamplesReply, SaveSampleReply } from './compose.ts';
import type {
  BytesContent,
  ConvertReply,
  EmitPreviewReply,
  EmitReply,
  FileContent,
  ListedEntry,
  NewCatalogReply,
  NewSkillReply,
  WriteTreeReply,
} from './files.ts';
import type { GraphPage, GraphReply } from './graph-view.ts';
import type { ObservableReply, ObserveReply, PlanObservingReply } from './observing.ts';
import type { InstalledReply, InstallPreviewReply, InstallReply, PackReply } from './packing.ts';
import { message, optional, type ParamsOf, unchecked } from './request.ts';
import type { DebugMove, RunQuery, RunReply, ShownRun } from './run.ts';
import { invocation, invocationSource, json, jsonObject } from './shapes.ts';
import type {
  AboutReply,
  FixAllReply,
  ListedSkill,
  MatchReply,
  OfferedFix,
  PlannerCatalogReply,
  ReportReply,
  SetEnabledReply,
  SkillDetailsReply,
  SkillsReply,
  Status,
  UnlistedReply,
  UsesReply,
} from './skill-list.ts';
import type { KeepPromptReply, ModelRunsReply, RunTestsReply, TestsReply } from './tests.ts';
import type { AgentToolReply, EditorToolsReply, PullToolsReply, ToolServersReply } from './tools.ts';

const text = v.string();
const texts = v.array(text);
const uri = text;

// Composing, for the preview and related panels.

/**
 * Composes a skill as it is in the buffer. Returns null if the file is not a skill, and `superseded` if a newer request
 * with the same `key` replaced this request.
 */
export const ComposeRequest = message<ComposeReply | 'superseded' | null>()('skill/compose', {
  uri,
  /** The ID of the requesting panel. Only requests with the same key cancel each other. */
  key: optional(text),
  /**
   * The text to compose instead of the file's text, for comparisons. Ranges in the reply refer to this text, and
   * `version` is null.
   */
  text: optional(text),
  /** The name of a sample of the skill. The values of `invocation` override the sample's values. */
  sample: optional(text),
  invocation: optional(invocation),
  /** The IDs of artifacts to leave out. */
  without: optional(texts),
  /** The names of optional parameters without a value, which are not generated. */
  omitted: optional(texts),
  /** For a `SKILL.md`: the client that invokes it (by default the first target), and the arguments. */
  client: optional(text),
  arguments: optional(text),
});
export type ComposeParams = ParamsOf<typeof ComposeRequest>;

/**
 * Runs a skill as `skill/compose` composes it, without a model, without tools and without services (docs/run.md).
 * Returns null and `superseded` like `skill/compose`.
 */
export const RunSkillRequest = message<ShownRun | 'superseded' | null>()('skill/run', {
  uri,
  key: optional(text),
  sample: optional(text),
  invocation: optional(invocation),
  without: optional(texts),
  omitted: optional(texts),
  /** The answers to the interrupts that the sample does not answer, in the order in which they fire. */
  answered: v.array(json),
});

/** Starts the worker for runs, so that the first `skill/run` does not wait for it. */
export const PrepareRunsRequest = message<null>()('skill/prepareRuns', {});

/** Returns the samples and the parameter schema of a skill, from which an invocation can be made. */
export const SamplesRequest = message<SamplesReply | null>()('skill/samples', { uri });

/** Returns the edits that save an invocation as a sample and replace a sample with the same name. Writes nothing. */
export const SaveSampleRequest = message<SaveSampleReply>()('skill/saveSample', { uri, name: text, invocation });

/** Returns how each client handles a `SKILL.md`, and the line that the model of each target client sees. */
export const ClientsRequest = message<ClientsReply | null>()('skill/clients', { uri });

/** Returns whether a client finds, loads, lists, chooses and delivers a `SKILL.md`, with the reasons. */
export const ChosenRequest = message<ChosenReply | null>()('skill/chosen', {
  uri,
  /** The ID of a client; the first target client by default. */
  client: optional(text),
  /** A request of a user, to rank the client's skills for it. */
  request: optional(text),
  /** The arguments with which a user calls the skill; without them, placeholders are kept. */
  arguments: optional(text),
});
export type ChosenParams = ParamsOf<typeof ChosenRequest>;

/**
 * Returns the clients from which a user chooses the target clients, with the reasons for each one, once all files are
 * read. `uri` is the URI of a file, or of a workspace folder.
 */
export const ClientChoiceRequest = message<ClientChoiceReply | null>()('skill/clientChoice', { uri });

/**
 * Returns the changes after which these clients are the target clients of the skills beside `uri`: in their catalog, or in
 * the settings. Without clients, they are detected again. Writes nothing.
 */
export const SetClientsRequest = message<SetClientsReply | null>()('skill/setClients', { uri, clients: texts });

/**
 * Returns the questions with which a client asks a model for its choice among the skills that a client of `SKILL.md` files
 * lists. The server calls no model. Null if the file is not a `SKILL.md`, or if this list does not contain it.
 */
export const ChoiceRequest = message<ChoiceReply | null>()('skill/choice', {
  uri,
  /** The ID of a client of `SKILL.md` files; the first target client by default. */
  client: optional(text),
  requests: texts,
});

/** Returns the abilities of a `SKILL.md` folder, from a scan of its files on disk. */
export const AbilitiesRequest = message<AbilitiesView | null>()('skill/abilities', { uri });

/**
 * Returns the composition graph of the workspace, or of one skill and its closure; null if the file is not a skill. A
 * large graph has several pages. A request with the `next` of a page returns the page that follows: its nodes and edges
 * follow those of the page before, and `cycles` and `lists` are empty. Only the last few graphs have further pages; for
 * others, the reply is null.
 */
export const GraphRequest = message<GraphPage | null>()('skill/graph', { uri: optional(uri), next: optional(text) });

/** Requests all pages of a graph with `send`. Throws an error if the server no longer has the graph. */
export async function requestGraph(
  send: (params: ParamsOf<typeof GraphRequest>) => Promise<GraphPage | null>,
  params: { readonly uri?: string },
): Promise<GraphReply | null> {
  const first = await send(params);
  if (!first) return null;
  const pages = [first];
  for (let next = first.next; next !== null; ) {
    const page = await send({ ...params, next });
    if (!page) throw new Error('The graph was replaced by newer graphs before it was complete.');
    pages.push(page);
    next = page.next;
  }
  const { next: _, ...graph } = first;
  return { ...graph, nodes: pages.flatMap(({ nodes }) => nodes), edges: pages.flatMap(({ edges }) => edges) };
}

/** Returns whether any skill in the workspace composes other skills. */
export const HasCompositionsRequest = message<boolean>()('skill/hasCompositions', {});

// The skills of a workspace.

/**
 * Returns a short list of the skills in the workspace after all files are read. After that, the server sends changes in
 * `skill/skillsChanged`.
 */
export const SkillsRequest = message<SkillsReply | null>()('skill/skills', {});

/** Compares the files on disk with the index, because an editor may miss changes. Replies when all files are read. */
export const RefreshRequest = message<null>()('skill/refresh', {});

/** Returns the details that a list shows for a focused skill. */
export const SkillDetailsRequest = message<SkillDetailsReply | null>()('skill/details', { uri });

/** Returns the `SKILL.md` files that target clients do not list, or list only in part, once all files are read. */
export const UnlistedRequest = message<UnlistedReply | null>()('skill/unlisted', {});

/** Returns the edits that enable or disable a skill in the workspace. Writes nothing. */
export const SetEnabledRequest = message<SetEnabledReply | null>()('skill/setEnabled', { uri, enabled: v.boolean() });

/**
 * Returns the edits that apply safe fixes to a file, or to the workspace, until no safe fix is left. Writes nothing.
 */
export const FixAllRequest = message<FixAllReply>()('skill/fixAll', {
  uri: optional(uri),
  /** The IDs of fixes from `skill/fixes` that are not safe, and that are applied, too. */
  also: optional(texts),
  /** The IDs of safe fixes that are not applied. */
  leave: optional(texts),
});

/** Returns the fixes in the workspace among which the user can choose. */
export const FixesRequest = message<readonly OfferedFix[]>()('skill/fixes', {});

/** Returns the skills in other files that use the skills in files or folders that are about to be deleted. */
export const UsesRequest = message<UsesReply | null>()('skill/uses', { uris: texts });

/**
 * Returns the skills that match a request, as `skill-composer match` does (docs/matching.md), once all files are read.
 */
export const MatchRequest = message<MatchReply | null>()('skill/match', {
  request: text,
  /** The maximum number of matches; the default is 10. */
  top: optional(v.pipe(v.number(), v.integer())),
  /** The source of the invocation; the default is `agent-selected`. */
  source: optional(invocationSource),
  /** The channel; the default is the workspace. */
  channel: optional(text),
  /** The caller, a profile of the catalog; the default caller holds all roles and scopes. */
  profile: optional(text),
  /** The surface, which selects the version of each skill; the default is no particular surface. */
  surface: optional(text),
  /** The file for which a skill is chosen. Its workspace folder has precedence over the others. */
  uri: optional(uri),
});
export type MatchParams = ParamsOf<typeof MatchRequest>;

/** Returns the planner catalog of the workspace, as `skill-composer catalog` prints it. */
export const PlannerCatalogRequest = message<PlannerCatalogReply | null>()('skill/catalog', {
  /** The default is `prompt`. */
  format: optional(v.picklist(['prompt', 'json', 'markdown'])),
  /** The caller, a profile of a catalog; the default caller holds all roles and scopes. */
  profile: optional(text),
  /** The surface, which selects the version of each skill; the default is no particular surface. */
  surface: optional(text),
  /** The URIs of the folders to which the file paths are relative. */
  folders: optional(texts),
});
export type PlannerCatalogParams = ParamsOf<typeof PlannerCatalogRequest>;
export type PlannerCatalogFormat = NonNullable<PlannerCatalogParams['format']>;

/** Returns the facts that the status bar shows for a file. */
export const AboutRequest = message<AboutReply | null>()('skill/about', { uri: optional(uri) });

/** Returns the content of a fault report: versions and counts, but no file contents. */
export const ReportRequest = message<ReportReply | null>()('skill/report', {});

// Tests.

const only = optional(texts);

/** Returns the tests of a file, without running them. */
export const TestsRequest = message<TestsReply | null>()('skill/tests', { uri });

/** A sample and a case of `evals/` may have the same name. */
const runKey = { kind: v.picklist(['sample', 'evals']), sample: text };

/** Runs the tests of a file that need no model, as `skill-composer test` does. */
export const RunTestsRequest = message<RunTestsReply | null>()('skill/runTests', {
  uri,
  /** The names of the tests to run; all tests by default. */
  only,
  /** Only tests whose name, or whose skill's name, contains this text. */
  filter: optional(text),
  /** Compares every sample with its saved prompt, not only the samples that request it. */
  snapshots: optional(v.boolean()),
  /**
   * The output of a model for a sample, or the reason why it is missing. All other samples are compared with their
   * recorded outputs.
   */
  given: optional(v.array(v.union([v.object({ ...runKey, output: text }), v.object({ ...runKey, problem: text })]))),
  /** A model's answers to the questions, each with the name of its result. */
  answers: optional(v.array(v.object({ name: text, answer: text }))),
});
export type RunTestsParams = ParamsOf<typeof RunTestsRequest>;
export type GivenOutput = NonNullable<RunTestsParams['given']>[number];

/** Returns the prompts for a model run. The server calls no model; the client sends the outputs as `given`. */
export const ModelRunsRequest = message<ModelRunsReply | null>()('skill/modelRuns', { uri, only });

/** Returns the edits and the file that save the current prompt of a sample as the expected prompt. Writes nothing. */
export const KeepPromptRequest = message<KeepPromptReply>()('skill/keepPrompt', { uri, sample: text });

/**
 * Returns the edits or the file that save a request as a routing test. The request must select the skill if `should` is
 * true, and must not select it otherwise. Writes nothing.
 */
export const KeepRoutingCaseRequest = message<KeepPromptReply>()('skill/keepRoutingCase', {
  uri,
  request: text,
  should: v.boolean(),
});
export type KeepRoutingCaseParams = ParamsOf<typeof KeepRoutingCaseRequest>;

// New files, and importing and exporting skills.

/** Returns the initial text of a new skill. The server writes nothing; the client creates the file. */
export const NewSkillRequest = message<NewSkillReply>()('skill/new', {
  kind: v.picklist(['literal', 'template', 'staged', 'composite', 'workflow', 'contract', 'agent-skill']),
  /** Any text, from which a name is generated: `Release Notes` gives `release-notes`. */
  name: text,
  /** The URIs of the skills that a composite or a workflow composes. */
  composes: optional(texts),
  /** The description; by default, a sentence that contains the name. */
  description: optional(text),
});
export type NewSkillParams = ParamsOf<typeof NewSkillRequest>;

/** Returns the initial text of a catalog for the skills below a folder. Writes nothing. */
export const NewCatalogRequest = message<NewCatalogReply>()('skill/newCatalog', { folder: uri });

/** Converts a document, as it is in the buffer, and returns the resulting files. Writes nothing. */
export const ConvertRequest = message<ConvertReply | null>()('skill/convert', {
  uri,
  /** The text of a document that the server does not read, such as a record. */
  text: optional(text),
  to: v.picklist(['skill-md', 'record', 'agent-skill', 'package']),
});

/**
 * Writes a skill to the `SKILL.md` folders of its target clients (docs/sharing.md). Converts the text of open
 * documents, so the client names those with unsaved changes.
 */
export const EmitRequest = message<EmitReply>()('skill/emit', {
  /** The URI of a workspace folder, or of a folder below it. */
  folder: uri,
  uri,
  /** Further skills to write. */
  more: optional(v.array(uri)),
  /** The IDs of the clients; the target clients by default. */
  clients: optional(texts),
  /** True to convert only skills that were converted before: this one, and those that compose it. */
  again: v.boolean(),
  /** The URIs of the targets whose edits, or files that were not converted from this skill, may be overwritten. */
  overwrite: v.array(uri),
  /** The URIs of the files with unsaved changes. A skill that contains one of these texts is not written. */
  unsaved: optional(v.array(uri)),
});

/** Returns the files of a target that the next conversion with `overwrite` would change. Writes nothing. */
export const EmitPreviewRequest = message<EmitPreviewReply>()('skill/emitPreview', {
  /** The URI of a workspace folder, or of a folder below it. */
  folder: uri,
  /** The URI of the source. */
  uri,
  /** The URI of the converted `SKILL.md`. */
  target: uri,
});

const installation = {
  /** The URI of a workspace folder, or of a folder below it. */
  folder: uri,
  /** The path of a file, a folder or an archive; in a browser its URI. */
  source: text,
  /** The folder for all skills, relative to the workspace; by default the standard folders. */
  to: optional(text),
};

/** Returns a preview of installing a source into a workspace folder. Writes nothing. */
export const InstallPreviewRequest = message<InstallPreviewReply>()('skill/installPreview', installation);
export type InstallPreviewParams = ParamsOf<typeof InstallPreviewRequest>;

/** Installs the files of a preview. */
export const InstallRequest = message<InstallReply>()('skill/install', {
  ...installation,
  /** The digest of the preview. */
  digest: text,
  /** True to overwrite local edits. */
  force: v.boolean(),
});

/** Returns the skills in the lock file, and the differences between their files and the lock file. Writes nothing. */
export const InstalledRequest = message<InstalledReply>()('skill/installed', { folder: uri });

/** Writes an archive of skills and everything they need. */
export const PackRequest = message<PackReply>()('skill/pack', {
  /** The URI of the workspace folder that contains the skills. */
  folder: uri,
  /** The URIs of skills, and of folders that contain skills. */
  uris: texts,
  /** The path of the archive; in a browser its URI. The extension selects the format. */
  out: text,
});
export type PackParams = ParamsOf<typeof PackRequest>;

// Tools (docs/tools.md), and the tools of agents.

/**
 * Returns the servers that the catalogs in a folder would start or call, but does not start or call them. Supported
 * only in Node.
 */
export const ToolServersRequest = message<ToolServersReply>()('skill/toolServers', {
  folder: uri,
  /** The values of inputs, by ID. */
  inputs: optional(v.record(text, text)),
});

/** Starts and calls the servers that the last reply listed, and writes the snapshots. */
export const PullToolsRequest = message<PullToolsReply>()('skill/pullTools', { plan: v.pipe(v.number(), v.integer()) });

// Runs of installed clients (docs/observing.md). Supported only in Node, and only in a trusted workspace.

/** Returns the clients, with those that are installed. Starts nothing. `folder` is the URI of a workspace folder. */
export const ObservableRequest = message<ObservableReply>()('skill/observable', { folder: uri });

/** Returns what a run of a client would start and copy. Starts nothing. */
export const PlanObservingRequest = message<PlanObservingReply>()('skill/planObserving', {
  folder: uri,
  /** The ID of the client. It becomes a word of a command line, so it is no option. */
  client: v.pipe(text, v.regex(/^[a-z][a-z-]*$/)),
  /** The kinds of other files to copy: `agents`, `commands`, `plugins`. */
  others: v.array(v.picklist(['agents', 'commands', 'plugins'])),
});

/** Runs the client of the last plan once. If the request is cancelled, the client is ended with its processes. */
export const ObserveRequest = message<ObserveReply>()('skill/observe', { plan: v.pipe(v.number(), v.integer()) });

/** Returns the snapshot of tools with the editor's tools added. Writes nothing. */
export const EditorToolsRequest = message<EditorToolsReply>()('skill/editorTools', {
  folder: uri,
  /**
   * The tools that replace the editor's earlier tools. Without tools, the reply lists the tools in the snapshot.
   */
  tools: optional(v.array(v.object({ name: text, description: text, inputSchema: optional(jsonObject) }))),
});

/** Calls an authoring tool for an agent in the editor, with skills as they are in the buffers. Writes nothing. */
export const AgentToolRequest = message<AgentToolReply>()('skill/agentTool', {
  tool: v.picklist(['check', 'compose', 'match']),
  /** The input from the agent, which may have any form. */
  input: v.unknown(),
  /** The URIs of the folders to which the file names are relative. */
  folders: texts,
});

// Debugging (docs/debugging.md).

/**
 * Passes a message of the Debug Adapter Protocol to a debug session. The first message starts the session, and a
 * missing message ends it.
 */
export const DebugRequest = message<null>()('skill/debug', {
  /** The ID of the session, which the client chooses. */
  session: text,
  message: optional(jsonObject),
});

/**
 * Sent by the server: asks the model that the user has selected, or calls a tool of the editor, for a debug session. The
 * server cancels the request if the session is paused or ends.
 */
export const AskModelRequest = unchecked<{ readonly session: string; readonly query: RunQuery }, RunReply>(
  'skill/askModel',
);

// Notifications.

/** A message of a debug session to its client. */
export const DebugNotification = unchecked<{ readonly session: string; readonly message: object }, void>(
  'skill/debugMessage',
);
export type DebugMessage = ParamsOf<typeof DebugNotification>;

/**
 * Sent when a debug session has moved in its run, or its run is another one. `progress` is null after the session.
 */
export const DebugProgressNotification = unchecked<
  { readonly session: string; readonly progress: DebugMove | null },
  void
>('skill/debugProgress');
export type DebugProgressParams = ParamsOf<typeof DebugProgressNotification>;

/**
 * Sent by the client for an open skill. `text` is the text that the file had when its version was released, or null if
 * unknown. This text is valid until the next notification, or until the file is closed.
 */
export const ReleasedTextNotification = message<void>()('skill/releasedText', {
  uri,
  text: optional(v.nullable(text)),
});

/** Sent when the index of the workspace changed, if the client has requested `skill/about`. */
export const StatusNotification = unchecked<Status, void>('skill/status');

/** The changes to the list of skills since the last notification; `gone` contains the URIs of removed skills. */
export const SkillsChangedNotification = unchecked<
  { readonly changed: readonly ListedSkill[]; readonly gone: readonly string[] },
  void
>('skill/skillsChanged');
export type SkillsChangedParams = ParamsOf<typeof SkillsChangedNotification>;

/** Sent when the composition graph changed, if the client has requested the graph. Panels then request it again. */
export const GraphChangedNotification = unchecked<void, void>('skill/graphChanged');

/**
 * Sent after a change that compositions depend on, except for a change to the skill's own text. Panels then request the
 * compositions again. `uris` are the files whose compositions may differ now; null if unknown.
 */
export const ComposableChangedNotification = unchecked<{ readonly uris: readonly string[] | null }, void>(
  'skill/composableChanged',
);
export type ComposableChangedParams = ParamsOf<typeof ComposableChangedNotification>;

// Requests from a server without a file system (in a browser) to its client.

/** Returns the URIs in a folder that match globs relative to that folder; the reply may contain other URIs, too. */
export const FindFilesRequest = unchecked<{ readonly folder: string; readonly globs: readonly string[] }, string[]>(
  'skill/findFiles',
);

export const ReadFileRequest = unchecked<{ readonly uri: string }, FileContent>('skill/readFile');

export const ExistsRequest = unchecked<{ readonly uri: string }, boolean>('skill/exists');

/** Returns the direct entries of a folder; an empty list if the folder does not exist. */
export const ListFolderRequest = unchecked<{ readonly uri: string }, ListedEntry[]>('skill/listFolder');

/** Returns the bytes of a file if it has at most `most` bytes. Does not follow links. */
export const ReadBytesRequest = unchecked<{ readonly uri: string; readonly most: number }, BytesContent>(
  'skill/readBytes',
);

/** Writes and removes files below a folder: either all files or no file. Does not write through links. */
export const WriteTreeRequest = unchecked<
  {
    readonly folder: string;
    readonly write: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    readonly remove: readonly string[];
  },
  WriteTreeReply
>('skill/writeTree');
export type WriteTreeParams = ParamsOf<typeof WriteTreeRequest>;
