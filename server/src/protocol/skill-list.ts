/** The list of a workspace's skills, what is told of one of them, and the fixes of all: the params and replies. */
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
