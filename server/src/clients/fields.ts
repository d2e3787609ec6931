/** The step `fields` of a client (docs/clients.md, "The steps of a client"): the name and the description of a skill. */
import { type ReadSkill, splitPath } from './file.ts';
import type { Field, Stop } from './reading.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface FieldRules {
  readonly name: NameRules;
  readonly description: DescriptionRules;
  /** Other keys whose values must have one of these types. */
  readonly types: Readonly<Partial<Record<string, readonly FieldType[]>>>;
  /** The unit of the limits; undefined if the client has none. */
  readonly counts?: Setting<Counts>;
  /** A number or a boolean as name or description; undefined if the client takes no such value. */
  readonly scalars?: Setting<Scalars>;
  /** False if the client drops a skill without a body. */
  readonly emptyBody: Setting<boolean>;
}

/** Unicode code points, or UTF-16 code units. */
export type Counts = 'code-points' | 'code-units';

/** The text in the file, or the value as JavaScript writes it: `15300` for `153e2`. */
export type Scalars = 'written' | 'value';

export type FieldType = 'string' | 'number' | 'boolean' | 'date' | 'list' | 'map' | 'null';

interface ValueRules {
  /** The types, beside strings, whose values become text. */
  readonly types: Setting<readonly Exclude<FieldType, 'string' | 'null'>[]>;
  /** The text of a list or a map: joined with commas, as JavaScript does it, or JSON. */
  readonly structure: Setting<'joined' | 'json'>;
  /** A value of another type: as if the key were missing, or a reason to drop the skill. */
  readonly otherType: Setting<'missing' | 'stop'>;
  /** A key without a value. */
  readonly null: Setting<'missing' | 'stop'>;
  /** The text `""`. */
  readonly empty: Setting<Empty>;
  /** A text of white space only: a text, or as empty. */
  readonly blank: Setting<'text' | 'empty'>;
  /** The largest length of a text in the unit `counts`; null without a limit. The skill is dropped above it. */
  readonly max: Setting<number | null>;
}

/** An empty text is as if the key were missing, or kept, or replaced. */
export type Empty = 'missing' | 'kept' | { readonly text: string };

export interface NameRules extends ValueRules {
  /** `folder`: the name is always that of the folder. Otherwise the key is used, and this without it. */
  readonly from: Setting<'key' | 'key-or-folder' | 'folder'>;
  /** A regular expression (flag `u`) that the name must match; or null. */
  readonly pattern: Setting<string | null>;
  /** True if the name must be that of the folder. */
  readonly isFolder: Setting<boolean>;
  /** The starts of names for which the skill is dropped. */
  readonly reserved: readonly string[];
  readonly change: Setting<NameChange>;
  /** A regular expression (flag `u`) for the values of `name` that are a second name, if the name is that of the folder. */
  readonly label: Setting<string | null>;
}

/** The change of a name: none; each run of spaces to a hyphen; each of `:\/<>*?"|` to a hyphen. */
export type NameChange = 'none' | 'spaces' | 'path-characters';

export interface DescriptionRules extends ValueRules {
  readonly missing: Setting<Missing>;
}

/** Without a description: the skill is dropped, has none, or has a part of its body or a fixed text. */
export type Missing = 'stop' | 'none' | 'first-line' | 'first-paragraph' | { readonly text: string };

/** A skill with its name, as a client reads it. */
export interface Named {
  readonly name: string;
  /** A second name, which the client shows in its list and accepts. */
  readonly label?: string;
  /** The description; undefined if it has none. */
  readonly description?: string;
  /** True if the description is the value of the key, and not another text or an empty one. */
  readonly isDescribed: boolean;
}

/** Returns the type of a field. */
export function typeOf({ value, isDate }: Field): FieldType {
  if (isDate) return 'date';
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'map';
  return typeof value as 'string' | 'number' | 'boolean';
}

/** Returns the characters of a text: code points, or UTF-16 code units, so that a surrogate pair is two. */
export const charactersOf = (text: string, counts: Counts): readonly string[] =>
  counts === 'code-points' ? [...text] : text.split('');

/**
 * Returns the name and the description of a skill, or the reason why the client drops it. Asks for a setting only if
 * the file makes it matter.
 */
export function readFields(
  rules: FieldRules,
  path: string,
  { keys, body, isBodyEmpty }: Omit<ReadSkill, 'isRepaired'>,
  ask: Ask,
): Named | Stop {
  const { description: descriptionRules, types, emptyBody } = rules;
  for (const [key, accepted = []] of Object.entries(types)) {
    const field = keys.get(key);
    if (field && !accepted.includes(typeOf(field))) return { code: 'fields/type', key };
  }
  const named = nameOf(rules, splitPath(splitPath(path).folder).name, keys.get('name'), ask);
  if ('code' in named) return named;
  const value = textIn('description', rules, keys.get('description'), ask);
  if (typeof value === 'object') return value;
  const description = value ?? missing(ask('fields.description.missing', descriptionRules.missing), body);
  if (description === undefined) return { code: 'fields/missing', key: 'description' };
  if (isBodyEmpty && !ask('fields.emptyBody', emptyBody)) return { code: 'fields/body' };
  const isDescribed = value !== undefined && isWritten(keys.get('description'));
  return { ...named, ...(description !== null && { description }), isDescribed };
}

function nameOf(
  all: FieldRules,
  folder: string,
  field: Field | undefined,
  ask: Ask,
): Pick<Named, 'name' | 'label'> | Stop {
  const { name: rules } = all;
  const from = ask('fields.name.from', rules.from);
  const value = textIn('name', all, field, ask);
  const isReserved = rules.reserved.some((start) => typeof value === 'string' && value.startsWith(start));
  if (isReserved) return { code: 'fields/reserved', key: 'name' };
  if (from === 'folder') {
    const isLabel = typeof value === 'string' && value !== folder;
    const label =
      isLabel && resultWith(ask, 'fields.name.label', rules.label, (label) => label !== null && matches(label, value));
    return { name: folder, ...(label && { label: value as string }) };
  }
  if (typeof value === 'object') return value;
  if (value === undefined && from === 'key') return { code: 'fields/missing', key: 'name' };
  const name = value ?? folder;
  const isRefused = (pattern: string | null): boolean => pattern !== null && !matches(pattern, name);
  if (resultWith(ask, 'fields.name.pattern', rules.pattern, isRefused)) return { code: 'fields/pattern', key: 'name' };
  if (name !== folder && ask('fields.name.isFolder', rules.isFolder)) return { code: 'fields/folder', key: 'name' };
  return { name: resultWith(ask, 'fields.name.change', rules.change, (change) => CHANGES[change](name)) };
}

const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);

const CHANGES: Readonly<Record<NameChange, (name: string) => string>> = {
  none: (name) => name,
  spaces: (name) => name.replace(/ +/g, '-'),
  'path-characters': (name) => name.replace(/[:\\/<>*?"|]/g, '-'),
};

/** Returns whether a key has a value that is not an empty text. */
const isWritten = (field: Field | undefined): boolean =>
  field !== undefined && !(typeof field.value === 'string' && field.value.trim() === '');

/** Returns the text of a key; undefined if it is missing. */
function textIn(key: 'name' | 'description', all: FieldRules, field: Field | undefined, ask: Ask) {
  if (!field) return undefined;
  const rules: ValueRules = all[key];
  const of = `fields.${key}`;
  const type = typeOf(field);
  const stop: Stop = { code: 'fields/type', key };
  if (type === 'null') return ask(`${of}.null`, rules.null) === 'stop' ? stop : undefined;
  const isText = type === 'string' || resultWith(ask, `${of}.types`, rules.types, (types) => types.includes(type));
  if (!isText) return ask(`${of}.otherType`, rules.otherType) === 'stop' ? stop : undefined;
  const text =
    typeof field.value === 'object' && field.value !== null
      ? resultWith(ask, `${of}.structure`, rules.structure, (form) => STRUCTURES[form](field.value as object))
      : resultWith(ask, 'fields.scalars', all.scalars ?? 'written', (form) => scalarOf(field, form));
  if (text === '' || (text.trim() === '' && ask(`${of}.blank`, rules.blank) === 'empty')) {
    const empty = ask(`${of}.empty`, rules.empty);
    return typeof empty === 'object' ? empty.text : empty === 'kept' ? text : undefined;
  }
  const isTooLong = (max: number | null): boolean =>
    max !== null &&
    resultWith(ask, 'fields.counts', all.counts ?? 'code-points', (counts) => charactersOf(text, counts).length > max);
  return resultWith(ask, `${of}.max`, rules.max, isTooLong) ? ({ code: 'fields/length', key } as const) : text;
}

const STRUCTURES: Readonly<Record<'joined' | 'json', (value: object) => string>> = {
  joined: (value) => String(value),
  json: (value) => JSON.stringify(value),
};

/** Returns the text of a string, a date, a number or a boolean. */
const scalarOf = ({ value, text }: Field, form: Scalars): string =>
  typeof value === 'string' ? value : form === 'value' ? String(value) : (text ?? String(value));

/** Returns the text for a missing description; null for none, undefined if the skill is dropped. */
function missing(rule: Missing, body: string): string | null | undefined {
  if (typeof rule === 'object') return rule.text;
  if (rule === 'stop') return undefined;
  return rule === 'none' ? null : FALLBACKS[rule](body);
}

/** The number of characters that a description from the first line of the body has at most. */
const FIRST_LINE = 100;

const FALLBACKS: Readonly<Record<'first-line' | 'first-paragraph', (body: string) => string>> = {
  'first-line': (body) => {
    const line = body.split('\n').find((one) => one.trim() !== '') ?? 'Skill';
    const text = line.trim().replace(/^#+\s+/, '');
    return text.length > FIRST_LINE ? `${text.slice(0, FIRST_LINE - 3)}...` : text;
  },
  // The first paragraph that is not a heading, in one line.
  'first-paragraph': (body) => {
    const paragraphs = body.trim().split(/\r?\n[ \t]*\r?\n/);
    return (paragraphs.find((one) => !one.startsWith('#')) ?? '').replace(/\s*\r?\n\s*/g, ' ').trim();
  },
};
