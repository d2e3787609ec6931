/** The replies about the skills of a workspace, the details of a skill, and the fixes of all skills. */
import type { MarkupContent } from 'vscode-languageserver-types';
import type { Range } from '../text.ts';
import type { FindingCounts } from './graph-view.ts';

export interface ListedSkill {
  readonly uri: string;
  /** The name in the frontmatter, or the file name if the frontmatter has no name. */
  readonly name: string;
  readonly dialect: 'composer' | 'contract' | 'agent-skill';
  /** True if the file is below a workspace folder. */
  readonly isInWorkspace: boolean;
  readonly version: string | null;
  /** The level, at least 1; null if the dialect has no levels. */
  readonly level: number | null;
  /** The estimated number of tokens in the body, rounded to two digits; null if the dialect has no body. */
  readonly tokens: number | null;
  readonly isDeprecated: boolean;
  /** True if the skill's catalog disables the skill in this workspace. */
  readonly isDisabled: boolean;
  /** The number of samples and of examples with an output; null while the frontmatter does not parse. */
  readonly tests: number | null;
  /** The names of the target clients that do not list the skill; null for a skill without target clients. */
  readonly notListedBy: readonly string[] | null;
  /** The names of the target clients whose model sees the description or the name only in part. */
  readonly cutBy: readonly string[];
  /** The names of the target clients that read the skill, if the others read other folders; else empty. */
  readonly onlyFor: readonly string[];
}

export interface SkillsReply {
  readonly skills: readonly ListedSkill[];
}

/** `null` if the file is not a skill. */
export interface SkillDetailsReply {
  /** The description as Markdown. Text from authors is escaped. */
  readonly description: MarkupContent;
  /** The range of the skill's name; null if the skill has no name. */
  readonly nameRange: Range | null;
}

/** The edits to the catalog that governs the skill. */
export type SetEnabledReply =
  | {
      readonly kind: 'edits';
      readonly uri: string;
      readonly edits: readonly { readonly range: Range; readonly newText: string }[];
    }
  | { readonly kind: 'no-catalog' }
  /**
   * No edit: the skill already has the requested state or has no name, or the catalog is invalid or cannot be edited.
   */
  | { readonly kind: 'nothing'; readonly catalog: string };

/** A fix that the user can select: a safe one, or the only one of its finding. */
export interface OfferedFix {
  readonly id: string;
  readonly uri: string;
  readonly range: Range;
  readonly title: string;
  /** The message of the finding. */
  readonly message: string;
  readonly isSafe: boolean;
}

export interface FixAllReply {
  readonly files: readonly {
    readonly uri: string;
    /** The text that the edits apply to. */
    readonly before: string;
    readonly edits: readonly { readonly range: Range; readonly newText: string }[];
  }[];
  /** The number of fixes in all edits. */
  readonly fixes: number;
  /**
   * The numbers of remaining findings, except hints: findings with several alternative fixes, and findings without a
   * fix.
   */
  readonly left: { readonly undecided: number; readonly unfixable: number };
}

/**
 * The names of the skills that other skills use, and the locations at which those skills are used. Empty if no skill is
 * used.
 */
export interface UsesReply {
  readonly skills: readonly string[];
  readonly places: readonly { readonly uri: string; readonly range: Range }[];
}

/** The parameters of `window/showMessage`, and `places`, which our client offers to show. */
export interface ServerMessage {
  readonly type: number;
  readonly message: string;
  readonly places?: UsesReply['places'];
}

/** The numbers of skills, of those that a client does not list, and of those that are cut. */
interface ListCounts {
  readonly skills: number;
  readonly notListed: number;
  readonly cut: number;
  /** True if more skills may be cut, because it is not known which descriptions a list loses. */
  readonly isMinimum: boolean;
}

/** The numbers of `SKILL.md` files that target clients list (docs/clients.md, "Skills that are not listed"). */
export interface ListsStatus extends ListCounts {
  /** The number of `SKILL.md` files without a target client, which `skills` does not include. */
  readonly withoutTarget: number;
  /** The numbers of skills that are only for some of the chosen clients, with their names; the largest number first. */
  readonly onlyFor: readonly { readonly clients: readonly string[]; readonly skills: number }[];
  /** The target clients. */
  readonly clients: readonly (ListCounts & { readonly name: string })[];
}

/** The state of the workspace that the status bar shows. */
export interface Status {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  /** The number of all known skills, also of the account and of open files outside the workspace folders. */
  readonly skills: number;
  /** The number of these skills that are below a workspace folder. Only their files are counted in the fields below. */
  readonly inWorkspace: number;
  /** The findings in the files below workspace folders when all files were last checked; null before the first time. */
  readonly findings: FindingCounts | null;
  /** Null while the workspace is being read. */
  readonly lists: ListsStatus | null;
}

/** A skill that a target client does not list, or whose description or name it cuts. */
export interface UnlistedSkill {
  readonly uri: string;
  readonly name: string;
  readonly kind: 'not-listed' | 'cut';
  /** The reasons as sentences in plain text, each with the names of the clients. */
  readonly reasons: readonly { readonly clients: readonly string[]; readonly text: string }[];
  /** The location of the first reason's cause. */
  readonly range: Range;
}

export interface UnlistedReply {
  /** The skills that are not listed, then those that are cut. A skill can be in both groups. */
  readonly skills: readonly UnlistedSkill[];
}

export interface AboutReply extends Status {
  /** Null if the file is neither a skill nor a catalog. */
  readonly dialect: 'composer' | 'contract' | 'agent-skill' | 'catalog' | 'package' | null;
  /** The catalog that governs the file, or the file itself; null without a catalog. */
  readonly catalog: {
    readonly uri: string;
    readonly tools: number;
    /** False if the catalog is invalid or a snapshot of tools is missing. In this case, tools are not checked. */
    readonly toolsKnown: boolean;
  } | null;
  /** True if the workspace has a catalog, or a skill in another format than `SKILL.md`. */
  readonly hasOwnFormat: boolean;
}

export interface ReportReply {
  readonly server: string;
  /** The template engine's name and version. */
  readonly engine: string;
  /** The number of files of each dialect. */
  readonly files: Readonly<Record<string, number>>;
}

interface MatchedSkill {
  readonly name: string;
  readonly version: string | null;
  readonly uri: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly ambiguous: boolean;
  /** The matching keys of the frontmatter, each with the matching text as written. */
  readonly reasons: readonly { readonly field: string; readonly text: string }[];
}

export interface MatchReply {
  readonly request: string;
  /** The matching skills, in descending order of score. */
  readonly matches: readonly MatchedSkill[];
  /** True if no match is good enough to say that the request selects it. */
  readonly weak: boolean;
  /** Skills that contain words of the request but are left out, each with the reason. */
  readonly excluded: readonly { readonly name: string; readonly uri: string; readonly reason: string }[];
}

export interface PlannerCatalogReply {
  readonly text: string;
  /** The names of the profiles in the catalogs. */
  readonly profiles: readonly string[];
}
