/** The types of findings and their fixes. */
import type { Span, TextEdit } from './text.ts';

export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A location in any file, and how it is related to the finding. */
export interface RelatedLocation {
  readonly uri: string;
  readonly span: Span;
  readonly message: string;
}

/** Edits to one file; a fix may also edit files other than the file with the finding. */
export interface FileEdits {
  readonly uri: string;
  readonly edits: readonly TextEdit[];
}

/**
 * One way to remove a finding. A `safe` fix never changes the meaning of a file, so `check --fix` and `source.fixAll`
 * apply it without asking. The first fix of a finding is the preferred one.
 */
export interface Fix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly FileEdits[];
  /** The name of the skill that the fix creates. Hosts that cannot create files omit the fix. */
  readonly creates?: string;
  /** A file that the fix creates and that is not a skill. Hosts that cannot create files omit the fix. */
  readonly createsFile?: { readonly uri: string; readonly text: string };
  /** A file or a folder that the fix moves. Hosts that cannot move files omit the fix. */
  readonly moves?: { readonly from: string; readonly to: string };
  /** The skills that the fix makes available to more clients. Hosts that cannot do this omit the fix. */
  readonly shares?: Sharing;
  /** A text that the fix inserts and that the author must replace. Editors select it. */
  readonly placeholder?: string;
}

/** Returns whether a fix only edits a file, and leaves nothing for the author to fill in. */
export const isOnlyIn = (uri: string, { edits, creates, createsFile, moves, shares, placeholder }: Fix): boolean =>
  edits.length > 0 &&
  edits.every((edited) => edited.uri === uri) &&
  [creates, createsFile, moves, shares, placeholder].every((one) => one === undefined);

/** Skills to link or to copy to the folders of clients (docs/sharing.md, "One skill for several clients"). */
export interface Sharing {
  /** The URIs of the `SKILL.md` files. */
  readonly skills: readonly string[];
  /** The IDs of the clients. */
  readonly clients: readonly string[];
}

/**
 * A request to merge a finding about clients into another finding about the same defect: one from a rule in `rules` that
 * is about `key` or at the same place, one from a rule in `ofFile`, or one with the same `cause`.
 */
export interface Join {
  readonly rules: readonly string[];
  /** Rules whose findings are about the whole file. Their place does not matter. */
  readonly ofFile: readonly string[];
  readonly key?: string;
  readonly cause: string;
  /** The names of the clients, and what they do: the verb phrases of the sentence that is added to the other message. */
  readonly names: readonly string[];
  readonly does: { readonly one: string; readonly many: string };
}

/**
 * The size of a defect. A baseline accepts a smaller defect, but not a larger defect. `of` is the unit, such as
 * `tokens`.
 */
export interface Measure {
  readonly of: string;
  readonly amount: number;
}

/**
 * The text that is too long for its clients: the listed texts of the skill, or the list of skills. The fixes depend on
 * all skills, so the feature that offers fixes computes them.
 */
export type Shortening = 'description' | 'list';

/**
 * The cause that findings in many files may share, such as one habit of a repository (docs/ci.md, "One cause, one
 * finding").
 */
export interface SharedCause {
  /** Equal for the findings of a rule with one cause. */
  readonly cause: string;
  /** The predicate of a sentence about the other skills, such as `have this problem`. */
  readonly many: string;
  /** Names in code that differ between the files, and that the sentence lists. */
  readonly names?: readonly string[];
  /** The title of the fix for all files, if the titles of the fixes in the files differ. */
  readonly title?: string;
}

/** One defect at one location. */
export interface Finding {
  readonly rule: string;
  /** The number of the rule, such as `E010`, or its name if it has no number. Editors show the name. */
  readonly code: string;
  readonly severity: Severity;
  /** The defect and how to fix it: plain text, with code in backticks. */
  readonly message: string;
  readonly span: Span;
  readonly related: readonly RelatedLocation[];
  readonly fixes: readonly Fix[];
  /** Editors that support tags show `unnecessary` code faded and `deprecated` code struck through. */
  readonly tag?: 'unnecessary' | 'deprecated';
  /** The top-level keys of the frontmatter that the finding is about, for a finding that others join by their key. */
  readonly about?: readonly string[];
  readonly joins?: Join;
  readonly measure?: Measure;
  /** Set if a baseline contains the finding. */
  readonly isKnown?: true;
  /** Set if the finding is about the link that leads to the file. */
  readonly isAboutLink?: true;
  readonly shortens?: Shortening;
  /** The URI of the file with a finding that includes this one. Only an editor with the file open shows this one. */
  readonly repeats?: string;
  readonly shared?: SharedCause;
  /** The number of other files with the same cause, in a finding that was merged from those of all these files. */
  readonly others?: number;
}

/** The maximum number of characters of a text of a file in a message. */
const MAX_QUOTED = 100;

const withShortCode = (text: string): string =>
  text.replace(/`([^`]+)`/g, (whole, code: string) => {
    const characters = [...code];
    return characters.length > MAX_QUOTED ? `\`${characters.slice(0, MAX_QUOTED).join('')}…\`` : whole;
  });

/** Returns a draft whose message and titles of fixes show only the start of long code. */
export const withShortTexts = (draft: Draft): Draft => ({
  ...draft,
  message: withShortCode(draft.message),
  ...(draft.fixes && { fixes: draft.fixes.map((fix) => ({ ...fix, title: withShortCode(fix.title) })) }),
});

/** The result of a rule: a finding without its rule, code and severity. */
export interface Draft {
  readonly span: Span;
  readonly message: string;
  readonly related?: readonly RelatedLocation[];
  readonly fixes?: readonly Fix[];
  readonly tag?: Finding['tag'];
  readonly about?: Finding['about'];
  readonly joins?: Join;
  readonly measure?: Measure;
  /** Set only if this case has a different severity than the rule. */
  readonly severity?: Severity;
  readonly isAboutLink?: true;
  readonly shortens?: Shortening;
  readonly repeats?: string;
  /** The name of a rule that reports the same defect. The draft counts only if that rule is off. */
  readonly unlessReportedBy?: string;
  readonly shared?: SharedCause;
}

/** Returns a fix in the file itself, or undefined without edits. */
export const fixHere = (
  { uri }: { readonly uri: string },
  title: string,
  edits: readonly TextEdit[],
  safe = false,
): Fix[] => fixIn(title, [{ uri, edits }], safe);

/** Returns a fix in one or several files, or no fix if one of the files has no edit. */
export const fixIn = (title: string, edits: readonly FileEdits[], safe = false): Fix[] =>
  edits.every((one) => one.edits.length > 0) ? [{ title, safe, edits }] : [];

/** Returns related locations in the file itself. */
export const placesHere = (
  { uri }: { readonly uri: string },
  places: readonly { readonly span: Span }[],
  message: string,
): RelatedLocation[] => places.map(({ span }) => ({ uri, span, message }));
