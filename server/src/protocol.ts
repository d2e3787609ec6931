/**
 * What client and server say to each other beyond the standard protocol. The client imports this file and no other; what
 * is imported here are types, so that nothing of the server comes along.
 */
import type { ComposeResult, Invocation, MemoryItem } from './composer/composition.ts';
import type { Gate } from './composer/prepare.ts';
import type { GraphView } from './protocol/graph-view.ts';
import type { Range, Span } from './text.ts';

export type {
  ArtifactRef,
  ComposeError,
  Composition,
  Decision,
  ExitCondition,
  GraphEdge,
  GraphNode,
  Invocation,
  InvocationSource,
  MemoryItem,
  PromptPart,
  Segment,
  ShapeInterrupt,
  SubgraphShape,
} from './composer/composition.ts';
export type { Gate } from './composer/prepare.ts';
export type {
  FindingCounts,
  GraphAmount,
  GraphView,
  GraphViewEdge,
  GraphViewNode,
  GraphViewSkill,
  UnknownSkill,
} from './protocol/graph-view.ts';
export type { Position, Range } from './text.ts';

/** The command line and the editor agree on this name for settings, diagnostics and logs. */
export const SECTION = 'skillComposer';

/** What the client passes at the start. */
export interface InitializationOptions {
  /** Where a browser finds the script of the composing worker. */
  readonly composeWorker?: string;
  /** The client's command that opens a preview, given `{uri, sample?}`. Without it the server offers no code lenses. */
  readonly previewCommand?: string;
  /** `push`: the server publishes; `pull`: the client asks. Without it: pull where the client can, else push. */
  readonly diagnostics?: 'push' | 'pull';
  /** The editor's name; what it is known to check by itself is not reported twice. */
  readonly editor?: string;
}

/** The settings that the server reads, under `skillComposer`. */
export interface Settings {
  /** Globs of the files that are skills, relative to a workspace folder. */
  readonly files?: readonly string[];
  /** Severities by rule. */
  readonly rules?: Readonly<Record<string, string>>;
  /** What is shown between the words of a composite; each key is one kind. */
  readonly inlayHints?: Partial<InlayHintSettings>;
}

export interface InlayHintSettings {
  /** The effects of the parts, where the skill leaves its own to be inferred. */
  readonly effects: boolean;
  /** The severest operation of the parts, where the skill leaves its own to be inferred. */
  readonly operation: boolean;
  /** The version that a range of `requires` resolves to. */
  readonly versions: boolean;
  /** What the budgets of the parts add up to, behind the skill's own. */
  readonly budget: boolean;
}

/** Sent by a server that has no file system of its own (in a browser); the client answers. */
export const FindFilesRequest = 'skill/findFiles';
/** Params: the globs, relative to every workspace folder. Result: URIs. */
export interface FindFilesParams {
  readonly globs: readonly string[];
}

export const ReadFileRequest = 'skill/readFile';
/** Params: a URI. Result: the text, or null where there is no such file. */
export interface ReadFileParams {
  readonly uri: string;
}

export const ExistsRequest = 'skill/exists';

/** Asks for the first text of a new skill. The server writes nothing; the client makes the file. */
export const NewSkillRequest = 'skill/new';
export interface NewSkillParams {
  readonly kind: 'literal' | 'template' | 'staged' | 'contract' | 'agent-skill';
  readonly name: string;
  /** Without one, a sentence is made from the name. */
  readonly description?: string;
}
/** A file to be, or what is wrong with the name or the description. */
export type NewSkillResult =
  | {
      /** Relative to the folder that is to hold the skill, with `/`. */
      readonly fileName: string;
      readonly text: string;
      /** Where the description stands in the text, in UTF-16 units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

/**
 * A value as it goes over the wire: every place `{uri, span}` in it becomes `{uri, range}`, in the position encoding that
 * was agreed upon.
 */
export type OnWire<T> = T extends { readonly uri: string; readonly span: Span }
  ? { readonly [Key in Exclude<keyof T, 'span'>]: OnWire<T[Key]> } & { readonly range: Range }
  : T extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: OnWire<T[Key]> }
      : T;

/** Composes a skill as it stands in the buffer. Of several requests for one `key` the newest wins; the others give `null`. */
export const ComposeRequest = 'skill/compose';
export interface ComposeParams {
  readonly uri: string;
  /** Who asks: a panel's id. Requests of different keys do not displace one another. */
  readonly key?: string;
  /**
   * Composes this text in the file's place, and leaves the file and what others know of it as they are: an older version
   * to compare with. Ranges in the reply count in it; `version` is null.
   */
  readonly text?: string;
  /** A sample of the skill; what `invocation` says goes before what it says. */
  readonly sample?: string;
  readonly invocation?: Invocation;
  readonly memory?: readonly MemoryItem[];
  /** Ids of artifacts to leave out. */
  readonly without?: readonly string[];
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
  /** How long composing took in the worker, in milliseconds. */
  readonly milliseconds: number;
  /** False where no catalog says which tools there are, so that every declared one counted as available. */
  readonly toolsKnown: boolean;
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
export type GraphReply = OnWire<GraphView>;

/** Sent where the composition graph changed: panels ask again. */
export const GraphChangedNotification = 'skill/graphChanged';

/** Sent where what a composition depends on changed beside the skill's own text: panels ask again. */
export const ComposableChangedNotification = 'skill/composableChanged';

/** The server's notification that its index of the workspace changed: for the status bar. */
export const StatusNotification = 'skill/status';
export interface StatusParams {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  readonly skills: number;
}

/** The default globs (skill-format.md, section 1). */
export const DEFAULT_FILES: readonly string[] = [
  '**/*.skill.md',
  '**/skills/*.md',
  '**/SKILL.md',
  '**/*.skill.{yaml,yml}',
];

/** Files beside the skills that the server reads, wherever the setting puts the skills. */
export const CATALOG_FILES: readonly string[] = ['**/skills.config.yaml', '**/skills.tools.json'];
