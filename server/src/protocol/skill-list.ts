/** The skills of a workspace, what is known of one of them, and the fixes of all: the replies. */
import type { MarkupContent } from 'vscode-languageserver-types';
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

/** `null` where the file is no skill. */
export interface SkillDetailsReply {
  /** Markdown, in which text of authors is escaped. */
  readonly description: MarkupContent;
  /** Where its name is written; null where it has none. */
  readonly nameRange: Range | null;
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

/** The names of the skills that others use, and where those name them. Empty where nobody does. */
export interface UsesReply {
  readonly skills: readonly string[];
  readonly places: readonly { readonly uri: string; readonly range: Range }[];
}

/** What the status bar says of the workspace. */
export interface Status {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  readonly skills: number;
}

export interface AboutReply extends Status {
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

export interface ReportReply {
  readonly server: string;
  /** The template engine's name and version. */
  readonly engine: string;
  /** How many files there are of each dialect. */
  readonly files: Readonly<Record<string, number>>;
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

export interface PlannerCatalogReply {
  readonly text: string;
  /** The callers that a catalog knows, by name. */
  readonly profiles: readonly string[];
}
