/** What a client makes of one `SKILL.md`: a row of cells, each with its reasons (docs/clients.md). */
import type { Certainty, Client, Condition, Fact, Outcome } from '../vocabulary/client.ts';

export const COLUMNS = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'] as const;

/** What in the file, or around it, is behind a reason. */
export interface Cause {
  readonly kind: Condition | 'place' | 'file-name' | 'key';
  /** The key that it is about, where it is one. */
  readonly key?: string;
}

export interface Reason {
  /** A sentence. */
  readonly text: string;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: Certainty | 'read';
  readonly cause?: Cause;
  /** True where the cell is what the author wants, so that nobody need be told. */
  readonly meant?: true;
  /** True where the client loses something by it, which is more than a remark. */
  readonly bad?: true;
}

export type YesNo = 'yes' | 'no' | 'unknown';
/** Who can choose the skill. */
export type Chosen = 'model-or-name' | 'model' | 'name' | 'nobody' | 'unknown';

export interface Cell<Outcome extends string = YesNo> {
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
}

export interface ClientRow {
  readonly client: Client;
  /** What the client knows the skill by. */
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

/** A reason that rests on a fact. */
export function reasonOf(
  { sources }: Client,
  fact: Pick<Fact<unknown>, 'source' | 'certainty' | 'note'>,
  text: string,
  more: Pick<Reason, 'cause' | 'meant' | 'bad'> = {},
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

// The words in which a reason is told.

const WHAT: Readonly<Record<Condition, string>> = {
  missing_frontmatter: 'There is no frontmatter',
  unclosed_frontmatter: 'The frontmatter is never closed',
  empty_frontmatter: 'The frontmatter is empty',
  bad_yaml: 'The frontmatter is not valid YAML',
  unquoted_colon: 'A value without quotes has a colon in it',
  bom: 'The file begins with a byte order mark',
  crlf: 'Lines end with CR and LF',
  missing_name: 'There is no `name`',
  missing_description: 'There is no `description`',
  name_bad_chars: 'The `name` is not spelt as this client wants names',
  name_consecutive_hyphens: 'The `name` has two hyphens in a row',
  name_not_folder: 'The `name` is not that of the folder',
  name_too_long: 'The `name` is too long',
  description_too_long: 'The `description` is too long',
  unknown_key: 'The client does not know this key',
  duplicate_name: 'Another skill has the same name',
  wrong_type: 'A value is not of the type that this client wants',
  file_too_large: 'The file is too large',
  empty_body: 'There is nothing below the frontmatter',
};

const THEN: Readonly<Record<Outcome, string>> = {
  ok: 'which is fine',
  loaded: 'and the skill is loaded with a loss',
  loaded_with_warning: 'and the skill is loaded with a warning',
  repaired: 'which the client fixes by itself',
  truncated: 'and is cut',
  renamed: 'and another one is used',
  hidden_from_model: 'so the model does not see the skill',
  skipped_with_message: 'so the skill is not loaded, and a message says so',
  skipped_silently: 'so the skill is not loaded, and nobody is told',
  rejected: 'so the upload is refused',
  first_wins: 'and the one that is found first stays',
  last_wins: 'and the one that is found last stays',
  both_listed: 'and both are listed',
  unknown: 'and what follows is not known',
};

/** What is the matter, as a sentence without its point. */
export const whatOf = ({ kind, key }: Cause): string => {
  if (kind === 'unknown_key' && key !== undefined) return `\`${key}\` is no key of this client`;
  if (kind === 'wrong_type' && key !== undefined) return `\`${key}\` is not of the type that this client wants`;
  if (kind === 'description_too_long' && key !== undefined && key !== 'description') {
    return `The \`description\` together with \`${key}\` is too long`;
  }
  return kind === 'place' || kind === 'file-name' || kind === 'key' ? '' : WHAT[kind];
};

/** What is the matter and what comes of it, as a sentence without its point. */
export const tell = (cause: Cause, outcome: Outcome): string => `${whatOf(cause)}, ${THEN[outcome]}`;
