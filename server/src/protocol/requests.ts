/**
 * Each message between client and server beyond the standard protocol: its method, its parameters and its reply. The server
 * checks parameters with these schemas (`hosts/lsp/guarded-reader.ts`).
 */
import * as v from 'valibot';
import type { AbilitiesView } from './abilities-view.ts';
import type { ClientsReply } from './clients-view.ts';
import type { ComposeReply, SamplesReply, SaveSampleReply } from './compose.ts';
import type {
  BytesContent,
  ConvertReply,
  FileContent,
  ListedEntry,
  NewCatalogReply,
  NewSkillReply,
  WriteTreeReply,
} from './files.ts';
import type { GraphReply } from './graph-view.ts';
import type { InstalledReply, InstallPreviewReply, InstallReply, PackReply } from './packing.ts';
import { message, optional, type ParamsOf, unchecked } from './request.ts';
import { invocation, invocationSource, jsonObject } from './shapes.ts';
import type {
  AboutReply,
  FixAllReply,
  ListedSkill,
  MatchReply,
  PlannerCatalogReply,
  ReportReply,
  SetEnabledReply,
  SkillDetailsReply,
  SkillsReply,
  Status,
  UsesReply,
} from './skill-list.ts';
import type { KeepPromptReply, ModelRunsReply, RunTestsReply, TestsReply } from './tests.ts';
import type { AgentToolReply, EditorToolsReply, PullToolsReply, ToolServersReply } from './tools.ts';

const text = v.string();
const texts = v.array(text);
const uri = text;
// Composing, for the preview and what stands beside it.

/** Composes a skill as it is in the buffer. Of several requests for one `key` only the newest is answered; others get null. */
export const ComposeRequest = message<ComposeReply | null>()('skill/compose', {
  uri,
  /** The id of the panel that asks. Only requests of the same key cancel each other. */
  key: optional(text),
  /** Composes this text in place of the file's, for comparisons. Ranges in the reply count in it; `version` is null. */
  text: optional(text),
  /** A sample of the skill; the values of `invocation` override its own. */
  sample: optional(text),
  invocation: optional(invocation),
  memory: optional(v.array(v.object({ id: text, tier: text, text }))),
  /** Ids of artifacts to leave out. */
  without: optional(texts),
  /** Of a `SKILL.md`: the client that calls it (the first target where this is left out), and with which arguments. */
  client: optional(text),
  arguments: optional(text),
});
export type ComposeParams = ParamsOf<typeof ComposeRequest>;

/** What an invocation of a skill can be made from. */
export const SamplesRequest = message<SamplesReply | null>()('skill/samples', { uri });

/** The edits that write an invocation into the frontmatter as a sample, replacing one of the same name. Nothing is written. */
export const SaveSampleRequest = message<SaveSampleReply>()('skill/saveSample', { uri, name: text, invocation });

/** What each client makes of a `SKILL.md`, and the line that the model of each target sees of it. */
export const ClientsRequest = message<ClientsReply | null>()('skill/clients', { uri });

/** What the folder of a `SKILL.md` is able to do, from a plain scan of its files as they are on the disk. */
export const AbilitiesRequest = message<AbilitiesView | null>()('skill/abilities', { uri });

/** The composition graph of the workspace, or of one skill with all that it composes, directly or not. */
export const GraphRequest = message<GraphReply | null>()('skill/graph', { uri: optional(uri) });

/** Whether any skill of the workspace composes others. */
export const HasCompositionsRequest = message<boolean>()('skill/hasCompositions', {});

// The skills of a workspace.

/**
 * The skills of the workspace in short, once all files are read. From then on the client is sent what changes, in
 * `skill/skillsChanged`.
 */
export const SkillsRequest = message<SkillsReply | null>()('skill/skills', {});

/** What a list shows of a skill when somebody looks at it. */
export const SkillDetailsRequest = message<SkillDetailsReply | null>()('skill/details', { uri });

/** The edits that turn a skill on or off in the workspace. Nothing is written. */
export const SetEnabledRequest = message<SetEnabledReply | null>()('skill/setEnabled', { uri, enabled: v.boolean() });

/** The safe fixes of a file, or of all files of the workspace, until nothing is left that is safe. Nothing is written. */
export const FixAllRequest = message<FixAllReply>()('skill/fixAll', { uri: optional(uri) });

/** Which other skills use those in files or folders that are about to be deleted. */
export const UsesRequest = message<UsesReply | null>()('skill/uses', { uris: texts });

/** The skills that answer a request, once all files are read: the answer of `skill-composer match` (docs/matching.md). */
export const MatchRequest = message<MatchReply | null>()('skill/match', {
  request: text,
  /** The maximum number of matches; 10 without it. */
  top: optional(v.pipe(v.number(), v.integer())),
  /** Who would invoke the skill; `agent-selected` where it is left out. */
  source: optional(invocationSource),
  /** The channel; without one, the workspace. */
  channel: optional(text),
  /** The caller, a profile of the catalog; without one, a caller who holds everything. */
  profile: optional(text),
});
export type MatchParams = ParamsOf<typeof MatchRequest>;

/** The planner catalog of the workspace, as `skill-composer catalog` prints it. */
export const PlannerCatalogRequest = message<PlannerCatalogReply | null>()('skill/catalog', {
  /** `prompt` where it is left out. */
  format: optional(v.picklist(['prompt', 'json', 'markdown'])),
  /** The caller, a profile of a catalog; without one, a caller who holds everything. */
  profile: optional(text),
  /** The URIs of folders that the paths of files are relative to. */
  folders: optional(texts),
});
export type PlannerCatalogParams = ParamsOf<typeof PlannerCatalogRequest>;
export type PlannerCatalogFormat = NonNullable<PlannerCatalogParams['format']>;

/** What the status bar says of a file. */
export const AboutRequest = message<AboutReply | null>()('skill/about', { uri: optional(uri) });

/** The content of a fault report: versions and numbers, and no content of files. */
export const ReportRequest = message<ReportReply | null>()('skill/report', {});

// Tests.

const only = optional(texts);

/** The tests of a file, without running them. */
export const TestsRequest = message<TestsReply | null>()('skill/tests', { uri });

/** A sample and a case of `evals/` may have the same name. */
const runKey = { kind: v.picklist(['sample', 'evals']), sample: text };

/** Runs those tests of a file that need no model, as `skill-composer test` does. */
export const RunTestsRequest = message<RunTestsReply | null>()('skill/runTests', {
  uri,
  /** Only these tests, by their names. */
  only,
  /** Only tests whose name, or whose skill's name, contains it. */
  filter: optional(text),
  /** Compares every sample with its kept prompt, not only the samples that ask for it. */
  snapshots: optional(v.boolean()),
  /**
   * The output of a model for each sample, or why there is none. All other samples are compared with their recorded
   * outputs.
   */
  given: optional(v.array(v.union([v.object({ ...runKey, output: text }), v.object({ ...runKey, problem: text })]))),
  /** What a model has answered to the questions of results, by their names. */
  answers: optional(v.array(v.object({ name: text, answer: text }))),
});
export type RunTestsParams = ParamsOf<typeof RunTestsRequest>;
export type GivenOutput = NonNullable<RunTestsParams['given']>[number];

/** What a model is asked when samples are run with one. The server asks none; what a model gives comes back as `given`. */
export const ModelRunsRequest = message<ModelRunsReply | null>()('skill/modelRuns', { uri, only });

/** What makes the prompt of a sample the expected one: edits of the skill, and a file beside it. Nothing is written. */
export const KeepPromptRequest = message<KeepPromptReply>()('skill/keepPrompt', { uri, sample: text });

/**
 * What keeps a request as one that must lead to a skill (`should`), or must not: edits of the skill, or a file. Nothing is
 * written.
 */
export const KeepRoutingCaseRequest = message<KeepPromptReply>()('skill/keepRoutingCase', {
  uri,
  request: text,
  should: v.boolean(),
});
export type KeepRoutingCaseParams = ParamsOf<typeof KeepRoutingCaseRequest>;

// New files, and skills that come in or go out.

/** Asks for the first text of a new skill. The server writes nothing; the client creates the file. */
export const NewSkillRequest = message<NewSkillReply>()('skill/new', {
  kind: v.picklist(['literal', 'template', 'staged', 'composite', 'workflow', 'contract', 'agent-skill']),
  /** Other words become a name: `Release Notes` gives `release-notes`. */
  name: text,
  /** The URIs of the skills that a composite or a workflow is made of. */
  composes: optional(texts),
  /** Without one, a sentence is made from the name. */
  description: optional(text),
});
export type NewSkillParams = ParamsOf<typeof NewSkillRequest>;

/** Asks for the first text of a catalog for the skills below a folder, by its URI. The server writes nothing. */
export const NewCatalogRequest = message<NewCatalogReply>()('skill/newCatalog', { folder: uri });

/** What a document converts to, as it is in the buffer. Nothing is written. */
export const ConvertRequest = message<ConvertReply | null>()('skill/convert', {
  uri,
  /** The text of a document that is not served, such as a record. */
  text: optional(text),
  to: v.picklist(['skill-md', 'record', 'agent-skill', 'package']),
});

const installation = {
  /** The URI of the workspace folder. */
  folder: uri,
  /** The path of a file, a folder or an archive; its URI in a browser. */
  source: text,
  /** The folder for all skills, below the workspace; without one the usual ones. */
  to: optional(text),
};

/** A preview of installing a source into a workspace folder. Nothing is written. */
export const InstallPreviewRequest = message<InstallPreviewReply>()('skill/installPreview', installation);
export type InstallPreviewParams = ParamsOf<typeof InstallPreviewRequest>;

/** Installs what a preview showed. */
export const InstallRequest = message<InstallReply>()('skill/install', {
  ...installation,
  /** The preview's. */
  digest: text,
  /** Writes over local edits. */
  force: v.boolean(),
});

/** The skills of the lock file, and how the files differ from them. Nothing is written. */
export const InstalledRequest = message<InstalledReply>()('skill/installed', { folder: uri });

/** Writes an archive of skills with all that they need. */
export const PackRequest = message<PackReply>()('skill/pack', {
  /** The URI of the workspace folder, below which the skills lie. */
  folder: uri,
  /** The URIs of skills, and of folders with some. */
  uris: texts,
  /** The path of the archive, its URI in a browser; the ending tells the kind. */
  out: text,
});
export type PackParams = ParamsOf<typeof PackRequest>;

// Tools (docs/tools.md), and the tools of agents.

/** Asks which servers the catalogs of a folder would have started and called; none is. Only in Node. */
export const ToolServersRequest = message<ToolServersReply>()('skill/toolServers', {
  folder: uri,
  /** The values of inputs, by their ids. */
  inputs: optional(v.record(text, text)),
});

/** Starts and calls what the last reply has shown, and writes the snapshots. */
export const PullToolsRequest = message<PullToolsReply>()('skill/pullTools', { plan: v.pipe(v.number(), v.integer()) });

/** Asks for the snapshot with tools of the editor in it. The server writes nothing. */
export const EditorToolsRequest = message<EditorToolsReply>()('skill/editorTools', {
  folder: uri,
  /** The tools that replace the ones before; without them the reply names those that are taken. */
  tools: optional(v.array(v.object({ name: text, description: text, inputSchema: optional(jsonObject) }))),
});

/** A call of a tool by an agent of the editor, on skills as they are in the buffers. Nothing is written. */
export const AgentToolRequest = message<AgentToolReply>()('skill/agentTool', {
  tool: v.picklist(['check', 'compose', 'match']),
  /** The input of the agent, of any shape. */
  input: v.unknown(),
  /** The URIs of the folders that files are named in. */
  folders: texts,
});

// Notifications.

/**
 * Sent by the client for an open skill: the text of the file when its version was released, null where that is not known.
 * It is valid until the next one, or until the file is closed.
 */
export const ReleasedTextNotification = message<void>()('skill/releasedText', {
  uri,
  text: optional(v.nullable(text)),
});

/** Sent when the index of the workspace changed, if the client has requested `skill/about`. */
export const StatusNotification = unchecked<Status, void>('skill/status');

/** What has changed in the list of skills since the client was told last; `gone` has the URIs of those that are no longer there. */
export const SkillsChangedNotification = unchecked<
  { readonly changed: readonly ListedSkill[]; readonly gone: readonly string[] },
  void
>('skill/skillsChanged');
export type SkillsChangedParams = ParamsOf<typeof SkillsChangedNotification>;

/** Sent when the composition graph changed, if the client has requested it: panels ask again. */
export const GraphChangedNotification = unchecked<void, void>('skill/graphChanged');

/**
 * Sent when something changed that compositions depend on, other than the skill's own text: panels ask again. `uris` are the
 * files whose compositions may differ now; null where that is unknown.
 */
export const ComposableChangedNotification = unchecked<{ readonly uris: readonly string[] | null }, void>(
  'skill/composableChanged',
);
export type ComposableChangedParams = ParamsOf<typeof ComposableChangedNotification>;

// What a server that has no file system of its own, in a browser, asks its client for.

/** The URIs in a folder that match globs relative to it, and perhaps others. */
export const FindFilesRequest = unchecked<{ readonly folder: string; readonly globs: readonly string[] }, string[]>(
  'skill/findFiles',
);

export const ReadFileRequest = unchecked<{ readonly uri: string }, FileContent>('skill/readFile');

export const ExistsRequest = unchecked<{ readonly uri: string }, boolean>('skill/exists');

/** What is directly in a folder; nothing where there is no such folder. */
export const ListFolderRequest = unchecked<{ readonly uri: string }, ListedEntry[]>('skill/listFolder');

/** The bytes of a file of at most `most` bytes. Nothing is read through a link. */
export const ReadBytesRequest = unchecked<{ readonly uri: string; readonly most: number }, BytesContent>(
  'skill/readBytes',
);

/** Writes and removes files below a folder, by its URI: all of them or none. Nothing is written through a link. */
export const WriteTreeRequest = unchecked<
  {
    readonly folder: string;
    readonly write: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    readonly remove: readonly string[];
  },
  WriteTreeReply
>('skill/writeTree');
export type WriteTreeParams = ParamsOf<typeof WriteTreeRequest>;
