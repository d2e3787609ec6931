/**
 * What is known of one client that loads `SKILL.md` files: typed data, each fact with its source.
 * `clients/schema.json` closes the shape.
 */

/** `derived`: concluded from source code that was read. `unverified`: it raises nothing. Without one: read at its source. */
export type Certainty = 'derived' | 'unverified';

export interface Fact<Value> {
  readonly value: Value;
  readonly note?: string;
  /** A key of the client's `sources`. */
  readonly source: string;
  readonly certainty?: Certainty;
}

export interface FactSource {
  readonly where: string;
  /** ISO date. */
  readonly checked: string;
}

/** What a client makes of a file in which something is not as the standard wants it. */
export type Outcome =
  | 'ok'
  /** It works, with a loss that the note tells. */
  | 'loaded'
  | 'loaded_with_warning'
  /** The loader fixes the text itself. */
  | 'repaired'
  | 'truncated'
  /** Another name is used. */
  | 'renamed'
  | 'hidden_from_model'
  | 'skipped_with_message'
  | 'skipped_silently'
  /** The upload fails. */
  | 'rejected'
  | 'first_wins'
  | 'last_wins'
  | 'both_listed'
  | 'unknown';

/** What may be the matter with a file; each client has an outcome for the first fourteen. */
export type Condition =
  | 'missing_frontmatter'
  | 'bad_yaml'
  | 'unquoted_colon'
  | 'bom'
  | 'crlf'
  | 'missing_name'
  | 'missing_description'
  | 'name_bad_chars'
  | 'name_consecutive_hyphens'
  | 'name_not_folder'
  | 'name_too_long'
  | 'description_too_long'
  | 'unknown_key'
  | 'duplicate_name'
  | 'unclosed_frontmatter'
  | 'empty_frontmatter'
  | 'wrong_type'
  | 'file_too_large'
  | 'empty_body';

export type KeyType = 'string' | 'boolean' | 'number' | 'list' | 'map' | 'string-or-list' | 'unknown';

export interface OutcomeFact extends Fact<Outcome> {
  /** What the model does not see although the file is loaded. */
  readonly loses?: 'description';
  /** For `wrong_type`: the keys whose types the client insists on. `scalar`: what is no list and no map. */
  readonly types?: Readonly<Partial<Record<string, KeyType | 'scalar'>>>;
}

/** A folder in which a client looks for skills. */
export interface ClientDir {
  readonly scope: string;
  /** With `/`; `*` stands for a part of a name. */
  readonly path: string;
  /**
   * Where the path starts. `root`: the folder that the client is opened in; `upward`: that or one above it; `below`: any
   * folder below it; `home`: the user's; `elsewhere`: no folder of a workspace.
   */
  readonly at: 'root' | 'upward' | 'below' | 'home' | 'elsewhere';
  readonly base: string;
  /** How many folders below the path the skill's own may lie. */
  readonly depth: number | 'unlimited' | 'unknown';
  /** A `SKILL.md` directly in the folder counts too. */
  readonly self?: true;
  /** Of the folders of one group the first that is there counts. */
  readonly group?: string;
  /** Only with a setting, or in some workspaces. */
  readonly conditional?: true;
}

export type LengthUnit = 'characters' | 'bytes';

export interface TextLimit {
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Characters where it is left out. */
  readonly unit?: LengthUnit;
  /** How much of it the list shows. */
  readonly listing?: number;
  /** Keys whose texts count together with this one. */
  readonly with?: readonly string[];
  /** A regular expression (flag `u`) of what is accepted. */
  readonly pattern?: string;
  readonly folder?: 'equal' | 'equal-ignoring-case';
  /** Words that it may not contain. */
  readonly reserved?: readonly string[];
  /** False where `<` and `>` are refused. */
  readonly tags?: false;
}

export interface ClientKeyFact {
  readonly name: string;
  readonly type: KeyType;
  /** One sentence on what the key does. */
  readonly effect: string;
  /** Every value that is documented, where they are listed. */
  readonly values?: readonly string[];
  readonly default?: string | boolean;
  readonly nested?: readonly { readonly name: string; readonly type?: string; readonly max?: number }[];
  /** True for a word that authors also use for their own purposes, so that its values are not judged. */
  readonly shared?: true;
  /** Commas part the items of a text. */
  readonly commas?: true;
  readonly source: string;
  readonly certainty?: Certainty;
}

/** What keeps a skill out of the list that the model sees. */
export type HiddenBy =
  | { readonly key: string; readonly is?: boolean }
  | { readonly missing: 'description' }
  | { readonly other: string };

export interface ListingBudget {
  readonly percentOfContext?: number;
  /** How a limit in tokens is counted in text. */
  readonly charactersPerToken?: number;
  /** True where the client itself counts tokens, of so many bytes each. */
  readonly countsTokens?: true;
  /** Used where nobody says how large the context is. */
  readonly fallbackCharacters?: number;
  readonly characters?: number;
  readonly bytes?: number;
  readonly skills?: number;
  /** A second budget, for names alone. */
  readonly namesCharacters?: number;
  readonly counts: 'line' | 'name-and-description';
  /** The setting without which there is no budget. */
  readonly onlyWith?: string;
}

/** What goes when the list is too long. */
export type Overflow =
  | 'nothing'
  | 'least-used-descriptions-go'
  | 'shortens-evenly'
  | 'stops'
  | 'stops-then-names'
  | 'descriptions-then-entries'
  | 'rest-by-name'
  | 'unknown';

/** What a client fills in where the body names the arguments of the call. `$ARGUMENTS` is all of them. */
export interface ArgumentRules {
  /** The number of the first one in `$ARGUMENTS[N]`; undefined where that form means nothing. */
  readonly indexedFirst?: 0 | 1;
  /** The same for `$N`. */
  readonly shortFirst?: 0 | 1;
  /** `$name`, of the names that `arguments` lists. */
  readonly named?: true;
  /** A backslash before the dollar sign keeps it. */
  readonly escape?: true;
  /** The highest number takes all that follow, too. */
  readonly lastTakesRest?: true;
  /** What becomes of one that was not given; undefined where that is not known. */
  readonly missingIndexed?: 'stays' | 'empty';
  readonly missingNamed?: 'stays' | 'empty';
  /** Stands before the arguments where they follow a body that names none. */
  readonly appended: string;
}

/** Which commands in a body a client runs: `!` before a code span, or a fence of the language `!`. */
export interface CommandRules {
  readonly inline: 'after-space' | 'anywhere';
  readonly fenced?: true;
}

/** The tools of a client by the names that it documents for permissions. */
export interface ClientTools {
  readonly names: readonly ClientTool[];
  /** What it calls the tool of an MCP server. */
  readonly mcp?: string;
}

export interface ClientTool {
  readonly name: string;
  /** One sentence on what the tool does. */
  readonly docs: string;
  /** What stands between its brackets, with tab stops; the tool alone allows everything. */
  readonly pattern?: string;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  /** What the facts rest on. */
  readonly basis: string;
  /** The version or day that they tell of. */
  readonly asOf: string;
  readonly sources: Readonly<Partial<Record<string, FactSource>>>;
  /** The folders that are this client's alone: a workspace that has one means this client. */
  readonly ownFolders: readonly string[];
  /** In the order in which they are read. */
  readonly dirs: Fact<readonly ClientDir[]>;
  readonly fileName: Fact<'exact' | 'any-case' | 'ending' | 'unknown'>;
  /** What becomes of a skill's folder, and of a `SKILL.md`, that is a symbolic link. */
  readonly links: Fact<Readonly<Record<'folder' | 'file', 'followed' | 'passed-over' | 'unknown'>>>;
  /** Which of equal names stays, by the order of `dirs`. */
  readonly precedence: Fact<'first' | 'last' | 'both' | 'unknown'>;
  /** What a skill is known by. */
  readonly identity: 'name' | 'folder';
  /** Where the frontmatter may begin: at the very start, behind white space, behind any text. */
  readonly opening: 'start' | 'whitespace' | 'anywhere';
  readonly outcomes: Readonly<Partial<Record<Condition, OutcomeFact>>>;
  readonly limits: Readonly<Partial<Record<'name' | 'description' | 'compatibility' | 'file', Fact<TextLimit>>>>;
  /** Keys beyond the standard's, and those that the client reads in its own way. */
  readonly keys: readonly ClientKeyFact[];
  readonly keyWarnings: Fact<readonly { readonly when: string; readonly severity: string }[]>;
  /** The words that count as truth values, where not only those of YAML do. */
  readonly booleans?: Fact<readonly string[]>;
  readonly allowedTools: Fact<'grants' | 'ignored' | 'kept' | 'warned' | 'unknown'>;
  /** Undefined where no document names them. */
  readonly tools?: Fact<ClientTools>;
  /** Whether people can call a skill by its name. */
  readonly byName: Fact<'yes' | 'unknown'>;
  /** Undefined where nothing is filled in, or nobody knows what. */
  readonly arguments?: Fact<ArgumentRules>;
  /** Undefined where nothing is run, or nobody knows whether. */
  readonly commands?: Fact<CommandRules>;
  readonly listing: {
    /** `line` is what the list says of a skill: `{name}`, `{description}`, `{path}`. */
    readonly format: Fact<string> & { readonly line?: string };
    readonly budget: Fact<ListingBudget | null | 'unknown'>;
    readonly overflow: Fact<Overflow>;
    readonly hidden: Fact<readonly HiddenBy[]>;
  };
  /** What nothing computes with, for people. */
  readonly facts: Readonly<Partial<Record<string, Fact<unknown>>>>;
  readonly uncertain: readonly string[];
}
