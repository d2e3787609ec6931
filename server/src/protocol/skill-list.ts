/** The list of a workspace's skills, what is told of one of them, and the fixes of all: the params and replies. */
import type { MarkupContent } from 'vscode-languageserver-types';
import type { InvocationSource } from '../composer/composition.ts';
import type { Range } from '../text.ts';

export interface ListedSkill {
  readonly uri: string;
  /** The file's name where the frontmatter has none. */
  readonly name: string;
  readonly dialect: 'composer' | 'contract' | 'agent-skill';
  readonly version: string | null;
  /** From 1; null where the dialect has no levels. */
  readonly level: number | null;
  /** About how many tokens its text below the frontmatter has, in two digits; null where the dialect has no such text. */
  readonly tokens: number | null;
  readonly isDeprecated: boolean;
  /** Whether its catalog keeps it out of this workspace. */
  readonly isDisabled: boolean;
  /** How many samples, and examples with an output, it is tested by; null while its frontmatter does not parse. */
  readonly tests: number | null;
}

export interface SkillsReply {
  readonly skills: readonly ListedSkill[];
}

export interface SkillsChangedParams {
  readonly changed: readonly ListedSkill[];
  /** The URIs of those that are no longer there. */
  readonly gone: readonly string[];
}

export interface SkillDetailsParams {
  readonly uri: string;
}

/** `null` where the file is no skill. */
export interface SkillDetailsReply {
  /** Markdown, in which text of authors is escaped. */
  readonly description: MarkupContent;
  /** Where its name is written; null where it has none. */
  readonly nameRange: Range | null;
}

export interface SetEnabledParams {
  /** The skill's. */
  readonly uri: string;
  readonly enabled: boolean;
}

/** The edits of the catalog that governs the skill. */
export type SetEnabledReply =
  | {
      readonly kind: 'edits';
      readonly uri: string;
      readonly edits: readonly { readonly range: Range; readonly newText: string }[];
    }
  | { readonly kind: 'no-catalog' }
  /** The skill is as wanted already, it has no name, or the catalog does not parse or has no shape that can be edited. */
  | { readonly kind: 'nothing'; readonly catalog: string };

/** Without a file, all of the workspace. */
export interface FixAllParams {
  readonly uri?: string;
}

export interface FixAllReply {
  readonly files: readonly {
    readonly uri: string;
    /** The text that the edits are for. */
    readonly before: string;
    readonly edits: readonly { readonly range: Range; readonly newText: string }[];
  }[];
  /** How many fixes there are in all edits. */
  readonly fixes: number;
  /** How many findings stay, hints aside: those with fixes to choose from, and those without. */
  readonly left: { readonly undecided: number; readonly unfixable: number };
}

export interface UsesParams {
  readonly uris: readonly string[];
}
/** The names of the skills that others use, and where those name them. Empty where nobody does. */
export interface UsesReply {
  readonly skills: readonly string[];
  readonly places: readonly { readonly uri: string; readonly range: Range }[];
}

// What the status bar and fault reports say.

/** Sent when the index of the workspace changed, if the client has requested `skill/about`. */
export const StatusNotification = 'skill/status';
export interface StatusParams {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  readonly skills: number;
}

/** What the status bar says of a file. */
export const AboutRequest = 'skill/about';
export interface AboutParams {
  readonly uri?: string;
}
export interface AboutReply extends StatusParams {
  /** Null where the file is neither a skill nor a catalog. */
  readonly dialect: 'composer' | 'contract' | 'agent-skill' | 'catalog' | 'package' | null;
  /** The catalog that governs the file, or that it is; null where there is none. */
  readonly catalog: {
    readonly uri: string;
    readonly tools: number;
    /** False where the catalog is broken, or a snapshot of tools is missing: tools are then not checked. */
    readonly toolsKnown: boolean;
  } | null;
}

/** The content of a fault report: versions and numbers, and no content of files. */
export const ReportRequest = 'skill/report';
export interface ReportReply {
  readonly server: string;
  /** The template engine's name and version. */
  readonly engine: string;
  /** How many files there are of each dialect. */
  readonly files: Readonly<Record<string, number>>;
}

/** Which skills answer a request (docs/matching.md): the params and the reply. */
export interface MatchParams {
  readonly request: string;
  /** So many matches at most; 10 where it is left out. */
  readonly top?: number;
  /** Who would invoke the skill; `agent-selected` where it is left out. */
  readonly source?: InvocationSource;
  /** The channel; without one, the workspace. */
  readonly channel?: string;
  /** The caller, a profile of the catalog; without one, a caller who holds everything. */
  readonly profile?: string;
}

interface MatchedSkill {
  readonly name: string;
  readonly version: string | null;
  readonly uri: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly ambiguous: boolean;
  /** Keys of the frontmatter, each with what matched in it, as it is written there. */
  readonly reasons: readonly { readonly field: string; readonly text: string }[];
}

export interface MatchReply {
  readonly request: string;
  /** The best first. */
  readonly matches: readonly MatchedSkill[];
  /** Skills that have words of the request and may not be used for it. */
  readonly excluded: readonly { readonly name: string; readonly uri: string; readonly reason: string }[];
}
