/** The row for one `SKILL.md` and one client, with the reason for each cell (docs/clients.md). */
import type { Certainty, Client, Condition, Fact, Outcome } from '../vocabulary/client.ts';

export const COLUMNS = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'] as const;

/** The property of the file or its folder that causes a reason. */
export interface Cause {
  readonly kind: Condition | 'place' | 'file-name' | 'key';
  /** The frontmatter key that is the cause, if there is one. */
  readonly key?: string;
  /** The reserved word that the `name` contains. */
  readonly word?: string;
}

export interface Reason {
  /** A sentence. */
  readonly text: string;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: Certainty | 'read';
  readonly cause?: Cause;
  /** True if the author wants this outcome, so it is not reported. */
  readonly isIntended?: true;
  /** True if the skill loses something in this client. */
  readonly isLoss?: true;
  /** True if the client skips the skill and shows no message. */
  readonly isSilent?: boolean;
  /** True if the outcome depends on something that the files do not say, such as a setting or an installation. */
  readonly isOpen?: true;
}

export type YesNo = 'yes' | 'no' | 'unknown';
/** The ways to choose the skill: the model chooses it, or people call it by its name. */
export type Chosen = 'model-or-name' | 'model' | 'name' | 'nobody' | 'unknown';

export interface Cell<Outcome extends string = YesNo> {
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
}

export interface ClientRow {
  readonly client: Client;
  /** The name of the skill in the client. */
  readonly name: string;
  readonly found: Cell;
  readonly loaded: Cell;
  readonly listed: Cell;
  readonly chosen: Cell<Chosen>;
  readonly cut: Cell;
  readonly ignored: Cell;
}

export const cell = <Outcome extends string>(outcome: Outcome, ...reasons: readonly Reason[]): Cell<Outcome> => ({
  outcome,
  reasons,
});

/** Returns a reason with the source of a fact. `text` has no period. */
export function reasonOf(
  { sources }: Client,
  fact: Pick<Fact<unknown>, 'source' | 'certainty' | 'note'>,
  text: string,
  more: Pick<Reason, 'cause' | 'isIntended' | 'isLoss' | 'isSilent' | 'isOpen'> = {},
): Reason {
  const source = sources[fact.source];
  return {
    text: fact.note === undefined ? `${text}.` : `${text} (${fact.note}).`,
    source: source?.where ?? '',
    checked: source?.checked ?? '',
    certainty: fact.certainty ?? 'read',
    ...more,
  };
}

// The wording of reasons.

const CAUSE_TEXTS: Readonly<Record<Condition, string>> = {
  missing_frontmatter: 'The file has no frontmatter',
  unclosed_frontmatter: 'The frontmatter is not closed',
  empty_frontmatter: 'The frontmatter is empty',
  bad_yaml: 'The frontmatter is not valid YAML',
  unquoted_colon: 'A value without quotes contains a colon',
  bom: 'The file begins with a byte order mark',
  crlf: 'Lines end with CR and LF',
  missing_name: 'The `name` is missing',
  missing_description: 'The `description` is missing',
  name_bad_chars: 'The `name` has a form that this client does not support',
  name_consecutive_hyphens: 'The `name` has two hyphens in a row',
  name_not_folder: 'The `name` differs from the folder name',
  name_too_long: 'The `name` is too long',
  description_too_long: 'The `description` is too long',
  unknown_key: 'The client does not know this key',
  duplicate_name: 'Another skill has the same name',
  wrong_type: 'A value does not have the type that this client requires',
  file_too_large: 'The file is too large',
  empty_body: 'The body is empty',
  name_reserved: 'The `name` contains a reserved word',
  description_tags: 'The `description` contains `<` or `>`',
  duplicate_key: 'A key is written twice',
  empty_description: 'The `description` is empty',
  unknown_tag: 'A value begins with a tag that YAML does not define',
  unquoted_sign: 'A value without quotes begins with a sign of YAML',
  fence_spaces: 'Spaces follow the hyphens of the frontmatter',
  cr: 'Lines end with CR only',
};

const OUTCOME_TEXTS: Readonly<Record<Outcome, string>> = {
  ok: 'which is fine',
  loaded: 'so the skill is only partly loaded',
  loaded_with_warning: 'and the skill is loaded with a warning',
  repaired: 'which the client fixes automatically',
  truncated: 'so it is cut',
  renamed: 'so the client uses another name',
  hidden_from_model: 'so the model does not see the skill',
  skipped_with_message: 'so the skill is not loaded, and the client shows a message',
  skipped_silently: 'so the skill is not loaded, and the client shows no message',
  rejected: 'so the upload is refused',
  first_wins: 'and the first one is used',
  last_wins: 'and the last one is used',
  both_listed: 'and both are listed',
  unknown: 'and the result is not known',
};

/** Returns the cause as a sentence without a period. */
export const describeCause = ({ kind, key, word }: Cause): string => {
  if (word !== undefined) return `The \`name\` contains the reserved word \`${word}\``;
  if (kind === 'unknown_key' && key !== undefined) return `\`${key}\` is not a key of this client`;
  if (kind === 'duplicate_key' && key !== undefined) return `The key \`${key}\` is written twice`;
  if (kind === 'wrong_type' && key !== undefined) return `\`${key}\` does not have the type that this client requires`;
  if (kind === 'description_too_long' && key !== undefined && key !== 'description') {
    return `The \`description\` together with \`${key}\` is too long`;
  }
  return kind === 'place' || kind === 'file-name' || kind === 'key' ? '' : CAUSE_TEXTS[kind];
};

/** Returns the cause and its outcome as a sentence without a period. */
export const describeOutcome = (cause: Cause, outcome: Outcome): string =>
  `${describeCause(cause)}, ${OUTCOME_TEXTS[outcome]}`;
