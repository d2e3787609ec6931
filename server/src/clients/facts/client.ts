/**
 * The facts about a client that loads `SKILL.md` files, each with its source. How it reads a file is in
 * `clients/pipeline/data/`. `data/schema.json` is the schema of the data files.
 */

/**
 * The certainty of a fact (docs/verifying-facts.md). A `derived` fact follows from source code or a test run. The note of a
 * `partial` fact says which part is not known: it causes at most hints. No source confirms an `unverified` fact, which never
 * causes a finding. Undefined means that the source states the fact.
 */
export type Certainty = 'derived' | 'partial' | 'unverified';

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

export type KeyType = 'string' | 'boolean' | 'number' | 'list' | 'map' | 'string-or-list' | 'unknown';

/** A folder that a client searches for skills. */
export interface ClientDir {
  readonly scope: string;
  /** The path with `/` separators; `*` matches a part of a name. */
  readonly path: string;
  /**
   * The start of the path. `root`: the folder that the client has opened; `upward`: that folder or a parent; `below`:
   * any folder below it; `home`: the user's home; `elsewhere`: outside of workspaces.
   */
  readonly at: 'root' | 'upward' | 'below' | 'home' | 'elsewhere';
  readonly base: string;
  /** The group of the folder. The client uses only the first existing folder in each group. */
  readonly group?: string;
  /** True if the folder is searched only with a setting, or only in some workspaces. */
  readonly conditional?: true;
}

export type LengthUnit = 'characters' | 'bytes';

export interface TextLimit {
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The unit of the limits; characters by default. */
  readonly unit?: LengthUnit;
  /** The largest length that is shown in the list of skills. */
  readonly listing?: number;
  /** The other keys whose values count towards the same limit. */
  readonly with?: readonly string[];
  /** A regular expression (flag `u`) for accepted values. */
  readonly pattern?: string;
  readonly folder?: 'equal' | 'equal-ignoring-case';
  /** The characters of a name that the client replaces, as a regular expression (flag `u`), and their replacement. */
  readonly replaces?: { readonly characters: string; readonly by: string };
  /** Words that the value must not contain. */
  readonly reserved?: readonly string[];
  /** False if `<` and `>` are refused. */
  readonly tags?: false;
}

export interface ClientKeyFact {
  readonly name: string;
  readonly type: KeyType;
  /** One sentence about the effect of the key. */
  readonly effect: string;
  /** All documented values, if the document has a list. */
  readonly values?: readonly string[];
  readonly default?: string | boolean;
  readonly nested?: readonly { readonly name: string; readonly type?: string; readonly max?: number }[];
  /** True if the client also reads integers, beside `values`. */
  readonly integers?: true;
  /** True if authors also use the key for their own purposes, so that its values are not checked. */
  readonly shared?: true;
  /** True if commas separate the items in a string. */
  readonly commas?: true;
  readonly source: string;
  readonly certainty?: Certainty;
}

/** A condition under which a skill is hidden from the list that the model receives. */
export type HiddenBy =
  | { readonly key: string; readonly is?: boolean }
  | { readonly missing: 'description' }
  | { readonly other: string };

/** The model that a client uses if its user chooses none. */
export interface DefaultModel {
  /** The size of its context, in tokens. */
  readonly context: number;
  /** The number of characters that count as one of its tokens, if it differs from that of the budget. */
  readonly charactersPerToken?: number;
}

/** A model that a client knows by its name. */
export interface ClientModel {
  readonly name: string;
  /** The size of its context in tokens, as the client counts it. */
  readonly context: number;
  /** The number of characters that the client counts as one token of this model; that of the budget by default. */
  readonly charactersPerToken?: number;
}

export interface ListingBudget {
  /** The share of the model's context that the list may use. Such a budget has a `defaultModel`. */
  readonly percentOfContext?: number;
  /** The number of characters that count as one token. */
  readonly charactersPerToken?: number;
  /** True if the client counts tokens itself, with a fixed number of bytes for each token. */
  readonly countsTokens?: true;
  readonly defaultModel?: DefaultModel;
  /** True if only a model of `models` changes the size of the list: other models count as the default model. */
  readonly ignoresContext?: true;
  readonly characters?: number;
  readonly bytes?: number;
  readonly skills?: number;
  /** The largest length of a description in a list that is too long. */
  readonly shortenedMost?: number;
  /** The smallest length of such a description. If it does not fit, the list has no descriptions. */
  readonly shortenedLeast?: number;
  /** The length of the texts around the list, which count, too, and of those around a list that is too long. */
  readonly around?: { readonly whole: number; readonly short: number };
  /** A second budget, only for names. */
  readonly namesCharacters?: number;
  /** `line`: the entries with a line break after each; `entry`: without line breaks between entries. */
  readonly counts: 'line' | 'entry' | 'name-and-description';
  /** The setting that turns the budget on. */
  readonly onlyWith?: string;
}

/** A skill that the client itself brings. */
export interface BuiltInSkill {
  readonly name: string;
  /** The length of its entry, without a line break after it. */
  readonly characters: number;
  /** The part of `characters` that a list that is too long may lose, for the description. 0 by default. */
  readonly removable?: number;
}

export interface BuiltInSkills {
  /** Their place in the list, before or after the skills of a user, or in the order of all skills. */
  readonly place: 'first' | 'last' | 'in-order';
  readonly skills: readonly BuiltInSkill[];
}

/** The form of a skill's entry in the list. If the line is known, an undefined field means that the client does not do it. */
export interface ListFormat extends Fact<string> {
  /** The entry of a skill, with `{name}`, `{label}`, `{description}`, `{path}` and `{scope}`. */
  readonly line?: string;
  /**
   * A regular expression (flag `u`) for names. A client that identifies a skill by its folder shows such a name as
   * `{label}`, in parentheses, if the name differs from the folder.
   */
  readonly label?: string;
  /** The text that the client shows instead of a missing description. */
  readonly fromBody?: {
    /** The first line that is not empty, without the signs of a heading, or the first paragraph that is not a heading. */
    readonly part: 'line' | 'paragraph';
    /** The largest length. A longer text ends with `...`. */
    readonly most?: number;
    /** The text for a file without text. */
    readonly empty?: string;
  };
  /** The entry of a skill whose description is not shown, if it has another form. */
  readonly nameOnly?: string;
  /** False if only the content of the line is known, not its text. */
  readonly exact?: false;
  /** The characters that are replaced in the values of some placeholders. */
  readonly escapes?: {
    readonly placeholders: readonly string[];
    readonly characters: Readonly<Partial<Record<string, string>>>;
  };
  /**
   * The form of the path of the file. `native`: absolute, with the separators of the system; `home`: as `native`, but
   * `~/` replaces the user's home; `alias`: relative to a folder of skills, which is written as `r` with a number.
   */
  readonly path?: 'native' | 'home' | 'alias';
  /**
   * True if the client replaces white space, including line breaks, with single spaces. `breaks`: only line breaks and
   * tabs, each sequence with one space. The client also removes white space around the text.
   */
  readonly folds?: true | 'breaks';
  /** True if the client does this only with a description that it cuts to fit into the budget. */
  readonly foldsIfCut?: true;
  /** True if a block value at the end of the frontmatter loses its last line break. */
  readonly cutsLastBreak?: true;
  /** True if the client removes white space around the description. */
  readonly trims?: true;
  /** True if the client removes `<…>` from the description before it cuts the text. */
  readonly removesTags?: true;
  /** The text between `description` and the keys in the limit's `with`. */
  readonly joiner?: string;
  /** The end of a description that is cut at its limit, or to fit into the budget. Undefined if it is not known. */
  readonly ellipsis?: { readonly limit?: string; readonly budget?: string };
}

/**
 * The order of the list. `scope-name`: by the scope of the folder, then by name; `folder-path` and `file-path`: by the
 * path; `found`: as the client finds the skills, which depends on the file system.
 */
export type ListOrder = 'name' | 'scope-name' | 'folder-path' | 'file-path' | 'found';

/**
 * The text that is removed if the list is too long. `names-first`: all names stay, and each description that still fits;
 * `first-lines`: each description keeps its first line, even if the list is still too long.
 */
export type Overflow =
  | 'nothing'
  | 'least-used-descriptions-go'
  | 'names-first'
  | 'shortens-evenly'
  | 'first-lines'
  | 'stops'
  | 'stops-then-names'
  | 'unknown';

/**
 * The placeholders for arguments that a client replaces in the body. The placeholder `$ARGUMENTS` means all arguments.
 */
export interface ArgumentRules {
  /** The number of the first argument in `$ARGUMENTS[N]`; undefined if the client does not support this form. */
  readonly indexedFirst?: 0 | 1;
  /** The number of the first argument in `$N`. */
  readonly shortFirst?: 0 | 1;
  /** True if `$name` is replaced for the names in `arguments`. */
  readonly named?: true;
  /** True if exactly one backslash before the dollar sign prevents the replacement. */
  readonly escape?: true;
  /** True if `$N` is replaced only if no letter, digit or underscore follows. */
  readonly shortWhole?: true;
  /** True if the placeholder with the highest number also receives all following arguments. */
  readonly lastTakesRest?: true;
  /**
   * The way to split the arguments. `shell`: as a shell splits a command, up to the end of its first command; `quotes`:
   * at white space and at quotes. Otherwise at white space outside quotes.
   */
  readonly split?: 'shell' | 'quotes';
  /**
   * The replacement of `$0` in a client that counts from 1. A `$0` without any other number is the last argument if
   * `lastTakesRest` is true. Undefined if the client keeps `$0`.
   */
  readonly zero?: string;
  /** The replacement of a missing argument; undefined if unknown. */
  readonly missingIndexed?: 'stays' | 'empty';
  readonly missingNamed?: 'stays' | 'empty';
  /** The text before the arguments if the body has no placeholders. */
  readonly appended: string;
}

/** The commands in a body that a client runs: `!` before a code span, or a fence with the language `!`. */
export interface CommandRules {
  readonly inline: 'after-space' | 'anywhere';
  readonly fenced?: true;
  /**
   * True if the client also runs commands in fences and code spans, which the author may mean as examples; `spans` if it
   * runs those in code spans.
   */
  readonly inCode?: true | 'spans';
}

/** The tools of a client, with their documented names for permissions. */
export interface ClientTools {
  readonly names: readonly ClientTool[];
  /** Further names of tools: aliases, older names, names of tool sets. Completion does not offer them. */
  readonly others?: readonly string[];
  /** The form of an MCP tool's name. */
  readonly mcp?: string;
}

export interface ClientTool {
  readonly name: string;
  /** One sentence about the tool. */
  readonly docs: string;
  /** The text in brackets after the tool's name, with tab stops. Without brackets, every use of the tool is allowed. */
  readonly pattern?: string;
}

/** How a program that uses a framework names its folders of skills. */
export interface Framework {
  /** The npm package. */
  readonly package: string;
  /** The code that names a folder, with `FOLDER` for its path. */
  readonly names: string;
  readonly source: string;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  /** The kind of source of the facts. */
  readonly basis: string;
  /** The version or date of the facts. */
  readonly asOf: string;
  readonly sources: Readonly<Partial<Record<string, FactSource>>>;
  /** The ISO date on which the development of the client ended. */
  readonly archived?: string;
  /** For a framework, whose folders only the program that uses it knows (docs/clients.md, "Frameworks"). */
  readonly framework?: Framework;
  /** The folders that only this client uses, so that a workspace with such a folder targets this client. */
  readonly ownFolders: readonly string[];
  /** The folders, in the order in which the client reads them. */
  readonly dirs: Fact<readonly ClientDir[]>;
  readonly limits: Readonly<Partial<Record<'name' | 'description' | 'compatibility' | 'file', Fact<TextLimit>>>>;
  /** Keys beyond the standard, and keys that the client reads differently. */
  readonly keys: readonly ClientKeyFact[];
  /** The reaction to keys that neither the standard nor the client defines. */
  readonly unknownKeys: Fact<'ignored' | 'warned' | 'refused' | 'unknown'>;
  readonly keyWarnings: Fact<readonly { readonly when: string; readonly severity: string }[]>;
  /** The words for booleans, if the client does not use those of YAML. */
  readonly booleans?: Fact<readonly string[]>;
  /** Set if the client compares the text of the value with `booleans`, so that it does not read `True`. */
  readonly exactBooleans?: Fact<true>;
  readonly allowedTools: Fact<'grants' | 'ignored' | 'kept' | 'warned' | 'unknown'>;
  /** Undefined if no document lists the tools. */
  readonly tools?: Fact<ClientTools>;
  /** The support for calls in which a user names the skill. */
  readonly byName: Fact<'yes' | 'unknown'>;
  /** The names of skills that the client loads, but that a user cannot call by name. The note is the reason. */
  readonly uncallable?: Fact<readonly string[]>;
  /** Null if the client replaces no placeholders; undefined if this is unknown. */
  readonly arguments?: Fact<ArgumentRules | null>;
  /** The variables that the client replaces in the body, in the form `${NAME}`; undefined if this is unknown. */
  readonly variables?: Fact<readonly string[]>;
  /** Null if the client runs no commands; undefined if this is unknown. */
  readonly commands?: Fact<CommandRules | null>;
  readonly listing: {
    readonly format: ListFormat;
    /** The tool that the model must call to see the list; undefined if the list is in each request. */
    readonly tool?: Fact<string>;
    /** Undefined if the order is not known. */
    readonly order?: Fact<ListOrder>;
    readonly budget: Fact<ListingBudget | null | 'unknown'>;
    /** The models that the client knows by name, for a budget that depends on the model. */
    readonly models?: Fact<readonly ClientModel[]>;
    /** Undefined if it is not known whether the list has skills that the client itself brings. */
    readonly builtIn?: Fact<BuiltInSkills>;
    readonly overflow: Fact<Overflow>;
    readonly hidden: Fact<readonly HiddenBy[]>;
  };
  /** Other facts, which are only for readers and which no code uses. */
  readonly facts: Readonly<Partial<Record<string, Fact<unknown>>>>;
  readonly uncertain: readonly string[];
}
