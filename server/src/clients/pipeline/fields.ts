/** The step `fields` of a client (docs/clients.md, "The steps of a client"): the name and the description of a skill. */
import { byteLength } from '../../text.ts';
import type { Field, ReadSkill, Stop } from './reading.ts';
import { type Ask, isChoice, resultWith, type Setting } from './setting.ts';

export interface FieldRules {
  readonly name: NameRules;
  readonly description: DescriptionRules;
  /** Other keys whose values must have one of these types. */
  readonly types: Readonly<Partial<Record<string, readonly FieldType[]>>>;
  /** Other keys whose text, if it is not empty, must be one of these. */
  readonly values?: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Other keys with the largest length of their text in the unit `counts`. */
  readonly lengths?: Readonly<Partial<Record<string, number>>>;
  /** The accepted keys; null or undefined if the client accepts all keys. */
  readonly keys?: Setting<readonly string[] | null>;
  /** The unit of the limits; undefined if the client has none. */
  readonly counts?: Setting<LimitUnit>;
  /** A number or a boolean as name or description; undefined if the client takes no such value. */
  readonly scalars?: Setting<Scalars>;
  /** False if the client drops a skill without a body. */
  readonly emptyBody: Setting<boolean>;
}

/** Unicode code points, or UTF-16 code units. */
export type Counts = 'code-points' | 'code-units';

/** The unit of a limit. Bytes are those of UTF-8. */
export type LimitUnit = Counts | 'bytes';

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
  /** A key without a value. `text`: it has the word that is written, for example `null`, or is missing without one. */
  readonly null: Setting<'missing' | 'stop' | 'text'>;
  /** The text `""`. */
  readonly empty: Setting<Empty>;
  /** True if the client removes white space around the text; undefined is false. */
  readonly trims?: Setting<boolean>;
  /** A text of white space only: a text, or as empty. */
  readonly blank: Setting<'text' | 'empty'>;
  /** The largest length of a text in the unit `counts`; null without a limit. The skill is dropped above it. */
  readonly max: Setting<number | null>;
}

/** An empty text is as if the key were missing, or kept, or replaced. */
export type Empty = 'missing' | 'kept' | { readonly text: string };

export interface NameRules extends ValueRules {
  /** `folder`: the name is always that of the folder. Otherwise the key is used, and this without it. */
  readonly from: Setting<NameFrom>;
  /** A regular expression (flag `u`) that the name must match; or null. */
  readonly pattern: Setting<string | null>;
  /** True if the name must be that of the folder; `any-case`: except for letter case. */
  readonly isFolder: Setting<boolean | 'any-case'>;
  /** The starts of names for which the skill is dropped. */
  readonly reserved: readonly string[];
  /** The words that a name must not contain, in any letter case. */
  readonly reservedWords?: readonly string[];
  readonly change: Setting<NameChange>;
  /** The length to which a longer name is cut; null or undefined if it is not cut. */
  readonly cut?: Setting<number | null>;
  /** A regular expression (flag `u`) for the values of `name` that are a second name, if the name is that of the folder. */
  readonly label: Setting<string | null>;
}

type NameFrom = 'key' | 'key-or-folder' | 'folder';

/**
 * The change of a name: none; `trim`: no white space at its ends; `fold`: the same, and each run of white space to a space;
 * `spaces`: the same, and each run of spaces to a hyphen; `path-characters`: each of `:\/<>*?"|` to a hyphen.
 */
export type NameChange = 'none' | 'trim' | 'fold' | 'spaces' | 'path-characters';

export interface DescriptionRules extends ValueRules {
  readonly missing: Setting<Missing>;
  /** True if `<` and `>` are a reason to drop the skill; undefined is false. */
  readonly refusesTags?: Setting<boolean>;
}

/** Without a description: the skill is dropped, has none, or has a part of its body or a fixed text. */
export type Missing = 'stop' | 'none' | BodyPart | { readonly text: string };

/**
 * The first line, without the signs of a heading; the first line that is not `---`; the first line; the first line that is
 * not a heading; the first three such lines that are not empty, in one line. The first two are cut, and the first three
 * have a text for an empty body.
 */
export type BodyPart = 'first-line' | 'first-raw-line' | 'first-written-line' | 'first-text-line' | 'first-lines';

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

/** Returns the length of a text in the unit of a limit. */
export function lengthIn(text: string, unit: LimitUnit): number {
  if (unit === 'bytes') return byteLength(text);
  return unit === 'code-units' || !/[\ud800-\udbff]/.test(text) ? text.length : [...text].length;
}

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
  const { description: descriptionRules, emptyBody } = rules;
  const other = checkOthers(rules, keys, ask);
  if (other) return other;
  const named = nameOf(rules, path.split('/').at(-2) ?? '', keys.get('name'), ask);
  if ('code' in named) return named;
  const value = textIn('description', rules, keys.get('description'), ask);
  if (typeof value === 'object') return value;
  const isRefused = (refuses: boolean): boolean => refuses && /[<>]/.test(value ?? '');
  if (resultWith(ask, 'fields.description.refusesTags', descriptionRules.refusesTags ?? false, isRefused))
    return { code: 'fields/tags', key: 'description' };
  const description = value ?? missing(ask('fields.description.missing', descriptionRules.missing), body);
  if (description === undefined) return { code: 'fields/missing', key: 'description' };
  if (isBodyEmpty && !ask('fields.emptyBody', emptyBody)) return { code: 'fields/body' };
  const isDescribed = value !== undefined && isWritten(keys.get('description'));
  return { ...named, ...(description !== null && { description }), isDescribed };
}

/**
 * Returns every reason for which a client drops a skill, as if each one before it were corrected, so that an author need not
 * correct one to see the next.
 */
export function allStops(
  rules: FieldRules,
  path: string,
  read: Omit<ReadSkill, 'isRepaired'>,
  ask: Ask,
): readonly Stop[] {
  const stops: Stop[] = [];
  for (let left = rules; ; ) {
    const one = readFields(left, path, read, ask);
    if (!('code' in one) || stops.some(({ code, key }) => code === one.code && key === one.key)) return stops;
    // A value of another type is missing only because it has that type.
    const isSame =
      one.code === 'fields/missing' && stops.some(({ code, key }) => code === 'fields/type' && key === one.key);
    if (!isSame) stops.push(one);
    left = without(left, one);
  }
}

/** Returns the rules without the one that led to a stop. */
function without(rules: FieldRules, { code, key = '' }: Stop): FieldRules {
  const { name, description } = rules;
  const value = key === 'name' ? name : key === 'description' ? description : undefined;
  const changed = (change: Partial<ValueRules>): FieldRules => ({ ...rules, [key]: { ...value, ...change } });
  switch (code) {
    case 'fields/reserved':
      return { ...rules, name: { ...name, reserved: [], reservedWords: [] } };
    case 'fields/pattern':
      return { ...rules, name: { ...name, pattern: null } };
    case 'fields/folder':
      return { ...rules, name: { ...name, isFolder: false } };
    case 'fields/tags':
      return { ...rules, description: { ...description, refusesTags: false } };
    case 'fields/length':
      return value ? changed({ max: null }) : { ...rules, lengths: { ...rules.lengths, [key]: Infinity } };
    case 'fields/type':
      return value
        ? changed({ otherType: 'missing', null: 'missing' })
        : { ...rules, types: { ...rules.types, [key]: ALL } };
    case 'fields/missing':
      return key === 'name'
        ? { ...rules, name: { ...name, from: 'key-or-folder' } }
        : { ...rules, description: { ...description, missing: 'none' } };
    case 'fields/value':
      return { ...rules, values: { ...rules.values, [key]: undefined } as NonNullable<FieldRules['values']> };
    case 'fields/unknown-key':
      return { ...rules, keys: null };
    default:
      return { ...rules, emptyBody: true };
  }
}

const ALL: readonly FieldType[] = ['string', 'number', 'boolean', 'date', 'list', 'map', 'null'];

/** Returns the reason why a client refuses the other keys of a file. */
function checkOthers(rules: FieldRules, keys: ReadSkill['keys'], ask: Ask): Stop | undefined {
  const { types, values = {}, lengths = {} } = rules;
  const known = rules.keys ?? null;
  const unknownIn = (accepted: readonly string[] | null): string | null =>
    (accepted && [...keys.keys()].find((key) => !accepted.includes(key))) ?? null;
  const unknown = resultWith(ask, 'fields.keys', known, unknownIn);
  if (unknown !== null) return { code: 'fields/unknown-key', key: unknown };
  for (const [key, accepted = []] of Object.entries(types)) {
    const field = keys.get(key);
    if (field && !accepted.includes(typeOf(field))) return { code: 'fields/type', key };
  }
  for (const [key, accepted] of Object.entries(values)) {
    if (!accepted) continue;
    const value = keys.get(key)?.value;
    if (value && !(typeof value === 'string' && accepted.includes(value))) return { code: 'fields/value', key };
  }
  for (const [key, max = Infinity] of Object.entries(lengths)) {
    const value = keys.get(key)?.value;
    if (typeof value === 'string' && isLonger(rules, value, max, ask)) return { code: 'fields/length', key };
  }
  return undefined;
}

/** The bytes in UTF-8 of one UTF-16 code unit are at most three. */
const MOST_BYTES = 3;

const isLonger = ({ counts = 'code-points' }: FieldRules, text: string, max: number, ask: Ask): boolean =>
  text.length * (counts === 'bytes' || isChoice(counts) ? MOST_BYTES : 1) > max &&
  resultWith(ask, 'fields.counts', counts, (unit) => lengthIn(text, unit) > max);

function nameOf(
  all: FieldRules,
  folder: string,
  field: Field | undefined,
  ask: Ask,
): Pick<Named, 'name' | 'label'> | Stop {
  const { name: rules } = all;
  // If both names are equal, most clients use the same name for each answer.
  const from = field?.value === folder ? rules.from : ask('fields.name.from', rules.from);
  const value = textIn('name', all, field, ask);
  const isReserved = rules.reserved.some((start) => typeof value === 'string' && value.startsWith(start));
  const hasWord = rules.reservedWords?.some((word) => typeof value === 'string' && value.toLowerCase().includes(word));
  if (isReserved || hasWord) return { code: 'fields/reserved', key: 'name' };
  const shown = (name: string): string =>
    resultWith(ask, 'fields.name.cut', rules.cut ?? null, (cut) =>
      cut === null
        ? name
        : resultWith(ask, 'fields.counts', all.counts ?? 'code-points', (unit) => cutTo(name, cut, unit)),
    );
  return resultWith<NameFrom, Pick<Named, 'name' | 'label'> | Stop>(ask, 'fields.name.from', from, (one) =>
    one === 'folder' ? labelled() : checked(one === 'key'),
  );

  /** Returns the name of the folder, with a second name. */
  function labelled(): Pick<Named, 'name' | 'label'> {
    const isLabel = typeof value === 'string' && value !== folder;
    const label =
      isLabel && resultWith(ask, 'fields.name.label', rules.label, (label) => label !== null && matches(label, value));
    return { name: shown(folder), ...(label && { label: value as string }) };
  }

  /** Returns the name in the file if the client accepts it. */
  function checked(isNeeded: boolean): Pick<Named, 'name'> | Stop {
    if (typeof value === 'object') return value;
    if (value === undefined && isNeeded) return { code: 'fields/missing', key: 'name' };
    const given = value ?? folder;
    const trimmed = given.trim();
    const name =
      trimmed === given
        ? given
        : resultWith(ask, 'fields.name.change', rules.change, (change) => (TRIMS.has(change) ? trimmed : given));
    const isRefused = (pattern: string | null): boolean => pattern !== null && !matches(pattern, name);
    if (resultWith(ask, 'fields.name.pattern', rules.pattern, isRefused))
      return { code: 'fields/pattern', key: 'name' };
    const isOther = (isFolder: boolean | 'any-case'): boolean =>
      isFolder === 'any-case' ? name.toLowerCase() !== folder.toLowerCase() : isFolder && name !== folder;
    if (resultWith(ask, 'fields.name.isFolder', rules.isFolder, isOther)) return { code: 'fields/folder', key: 'name' };
    return { name: shown(resultWith(ask, 'fields.name.change', rules.change, (change) => CHANGES[change](name))) };
  }
}

const cutTo = (name: string, to: number, unit: LimitUnit): string =>
  charactersOf(name, unit === 'code-units' ? unit : 'code-points')
    .slice(0, to)
    .join('');

const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);

/** The changes before the name is checked. */
const TRIMS: ReadonlySet<NameChange> = new Set<NameChange>(['trim', 'fold', 'spaces']);

const CHANGES: Readonly<Record<NameChange, (name: string) => string>> = {
  none: (name) => name,
  trim: (name) => name,
  fold: (name) => name.replace(/\s+/g, ' '),
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
  if (type === 'null') {
    const { text: word = '' } = field;
    return resultWith(ask, `${of}.null`, rules.null, (rule) =>
      rule === 'stop' ? stop : rule === 'text' && word !== '' ? word : undefined,
    );
  }
  const isText = type === 'string' || resultWith(ask, `${of}.types`, rules.types, (types) => types.includes(type));
  if (!isText) return ask(`${of}.otherType`, rules.otherType) === 'stop' ? stop : undefined;
  const written =
    typeof field.value === 'object' && field.value !== null
      ? resultWith(ask, `${of}.structure`, rules.structure, (form) => STRUCTURES[form](field.value as object))
      : resultWith(ask, 'fields.scalars', all.scalars ?? 'written', (form) => scalarOf(field, form));
  const text = resultWith(ask, `${of}.trims`, rules.trims ?? false, (trims) => (trims ? written.trim() : written));
  if (text === '' || (text.trim() === '' && ask(`${of}.blank`, rules.blank) === 'empty')) {
    const empty = ask(`${of}.empty`, rules.empty);
    return typeof empty === 'object' ? empty.text : empty === 'kept' ? text : undefined;
  }
  const isTooLong = (max: number | null): boolean => max !== null && isLonger(all, text, max, ask);
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

/** The numbers of characters that a description from the body has at most. */
const FIRST_LINE = 100;
const RAW_LINE = 240;
/** The number of lines of a description from several lines of the body. */
const FIRST_LINES = 3;

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).map((line) => line.trim());

const FALLBACKS: Readonly<Record<BodyPart, (body: string) => string>> = {
  'first-line': (body) => {
    const line = body.split('\n').find((one) => one.trim() !== '') ?? 'Skill';
    const text = line.trim().replace(/^#+\s+/, '');
    return text.length > FIRST_LINE ? `${text.slice(0, FIRST_LINE - 3)}...` : text;
  },
  'first-raw-line': (body) => {
    const line = linesOf(body).find((one) => one !== '' && one !== '---') ?? 'No description provided.';
    const characters = [...line];
    return characters.length > RAW_LINE
      ? `${characters
          .slice(0, RAW_LINE - 1)
          .join('')
          .trimEnd()}…`
      : line;
  },
  'first-written-line': (body) => body.trim().split(/\r?\n/, 1)[0]?.trim() || 'No description available',
  'first-text-line': (body) => linesOf(body).find((one) => one !== '' && !one.startsWith('#')) ?? '',
  'first-lines': (body) =>
    linesOf(body)
      .filter((one) => one !== '' && !one.startsWith('#'))
      .slice(0, FIRST_LINES)
      .join(' '),
};
