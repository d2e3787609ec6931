/** The step `entry` of a client (docs/clients.md, "The steps of a client"): the text of a skill in the client's list. */
import { type Counts, charactersOf } from './fields.ts';
import { type ClientPlace, splitPath } from './file.ts';
import type { Field, Keys } from './reading.ts';
import type { Loaded } from './resolve.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface EntryRules {
  /** The changes of a description, in this order. */
  readonly text: readonly Operation[];
  /** The unit of cuts; undefined if the client cuts nothing. */
  readonly counts?: Setting<Counts>;
  /**
   * The entry, with `{name}`, `{description}`, and these of the file: `{scope}` of its skills folder, `{root}`, the short
   * name of that folder, `{rest}`, the path in it, `{path}`, and of the skill's own folder `{directory}`, its path, and
   * `{folder}`, its name. Null if the form is not known.
   */
  readonly line: string | null;
  /** The texts of other keys, for the placeholders of `line` with these names. */
  readonly others?: Readonly<Record<string, OtherKeys>>;
  /** The entry of a skill without a description; undefined if it is `line`. */
  readonly short?: string;
  /** The text for `{name}` of a skill with a second name `{label}`. */
  readonly labelled?: string;
  readonly escape: Setting<Escape>;
  /** The placeholders whose values are escaped. */
  readonly escaped: readonly ('name' | 'description' | 'path' | 'directory')[];
  readonly path: Setting<PathForm>;
  /**
   * The text that JavaScript's `String.replace` replaces with the list, so that `$$` and `$&` in an entry have a meaning;
   * null or undefined if the list stays as it is.
   */
  readonly replaces?: Setting<string | null>;
}

/** The text of some keys, which is empty without a value. */
export interface OtherKeys {
  /** The text before the values of each key. */
  readonly keys: Readonly<Record<string, string>>;
  /** True if each word of a text, or each item of a list, is a value. */
  readonly words: boolean;
  /** The lengths to which the values of keys are cut, in UTF-16 code units. */
  readonly cuts?: Readonly<Partial<Record<string, number>>>;
  readonly before: string;
  readonly by: string;
  readonly after: string;
}

/** Absolute; the same with `~/` for the home; relative to the folder in which the client starts; the same after `/`. */
export type PathForm = 'absolute' | 'home' | 'relative' | 'below-slash';

/**
 * The characters `&<>"'`, with `&apos;`, `&#039;`, `&#39;` or `&#x27;` for the last one; `&<>"'` and two more, as Handlebars
 * does it; only `&<>`; only `<>`; or as in JSON.
 */
export type Escape = 'none' | 'xml' | 'html' | 'decimal' | 'python' | 'handlebars' | 'text' | 'angle' | 'json';

export type Operation =
  /** Adds the value of another key: a scalar as it is written, or `value`: any value as JavaScript makes text of it. */
  | { readonly do: 'join'; readonly key: string; readonly by: string; readonly takes?: 'value' }
  /** Cuts to a length, which the mark ends. */
  | { readonly do: 'cut'; readonly to: number; readonly mark: string }
  /** The same, with the mark in the middle. In it, `{path}` is that of the file. */
  | { readonly do: 'cut-middle'; readonly to: number; readonly mark: string }
  /** Replaces each run of white space with a space, and removes it at the ends. */
  | { readonly do: 'fold' }
  /**
   * Removes white space at the ends. Then each run of line breaks, each other control character, and each of U+200B, U+2028
   * and U+2029 becomes a space.
   */
  | { readonly do: 'breaks' }
  /** Removes white space at the ends, then all lines but the first. */
  | { readonly do: 'first-line' }
  /** Removes each `<…>` that is not empty. */
  | { readonly do: 'tags' }
  | { readonly do: 'trim' }
  /** Replaces half of a surrogate pair with U+FFFD. */
  | { readonly do: 'well-formed' };

/** A description of which the list shows only a part. */
export interface Cut {
  /** The key whose value does not fit: the last one that is joined, unless the description alone is too long. */
  readonly key: string;
  /** The lengths of the part and of the whole, in the client's unit. */
  readonly to: number;
  readonly of: number;
  /** True if the list shows only the first line. */
  readonly isLine?: true;
}

/** Returns the cut that a client makes in every list; undefined if it shows all of a description. */
export function cutOf(
  { text: operations, counts = 'code-points' }: EntryRules,
  { description = '', file: { path } }: Loaded,
  { keys }: Pick<Keys, 'keys'>,
  ask: Ask,
): Cut | undefined {
  const isCut = ({ do: name }: Operation): boolean => name === 'cut' || name === 'cut-middle' || name === 'first-line';
  const at = operations.findIndex(isCut);
  const operation = operations[at];
  if (operation?.do === 'first-line') return lineCutOf(operations.slice(0, at), description, keys);
  if (operation?.do !== 'cut' && operation?.do !== 'cut-middle') return undefined;
  const { to } = operation;
  const before = operations.slice(0, at);
  const joined = before.flatMap((one) => (one.do === 'join' && joinedText(one, keys) ? [one] : []));
  // No operation before a cut makes a text longer, except for the texts of other keys.
  const most = joined.reduce((sum, one) => sum + joinedText(one, keys).length + 10, description.length);
  if (most <= to) return undefined;
  return resultWith(ask, 'entry.counts', counts, (unit) => {
    const apply = (some: typeof operations): number =>
      charactersOf(
        some.reduce((text, one) => OPERATIONS[one.do](text, one as never, keys, unit, path), description),
        unit,
      ).length;
    const of = apply(before);
    if (of <= to) return undefined;
    const alone = apply(before.filter((one) => one.do !== 'join'));
    return { key: alone > to ? 'description' : (joined.at(-1)?.key ?? 'description'), to, of };
  });
}

/** Returns the cut of a list that shows only the first line. */
function lineCutOf(before: readonly Operation[], description: string, keys: Keys['keys']): Cut | undefined {
  const apply = (some: typeof before): string =>
    some.reduce((text, one) => OPERATIONS[one.do](text, one as never, keys, 'code-points', ''), description).trim();
  const lengthOf = (text: string): number => charactersOf(text, 'code-points').length;
  const whole = apply(before);
  const line = OPERATIONS['first-line'](whole, { do: 'first-line' }, keys, 'code-points', '');
  if (line === whole) return undefined;
  const joined = before.flatMap((one) => (one.do === 'join' && joinedText(one, keys) ? [one] : []));
  const isAlone = apply(before.filter((one) => one.do !== 'join')) !== line;
  const key = isAlone ? 'description' : (joined.at(-1)?.key ?? 'description');
  return { key, to: lengthOf(line), of: lengthOf(whole), isLine: true };
}

const OPERATIONS: {
  readonly [Name in Operation['do']]: (
    text: string,
    with_: Extract<Operation, { do: Name }>,
    keys: Keys['keys'],
    counts: Counts,
    path: string,
  ) => string;
} = {
  join: (text, { by, ...from }, keys) => {
    const added = joinedText(from, keys);
    return added ? `${text}${text && by}${added}` : text;
  },
  cut: (text, { to, mark }, _, counts) => {
    const characters = charactersOf(text, counts);
    return characters.length > to ? characters.slice(0, to - mark.length).join('') + mark : text;
  },
  'cut-middle': (text, { to, mark }, _, counts, path) => {
    const characters = charactersOf(text, counts);
    const written = charactersOf(mark.replaceAll('{path}', path), counts);
    if (characters.length <= to) return text;
    if (written.length >= to) return written.slice(0, to).join('');
    const head = Math.ceil((to - written.length) / 2);
    const tail = characters.slice(characters.length - (to - written.length - head));
    return [...characters.slice(0, head), ...written, ...(head + written.length === to ? [] : tail)].join('');
  },
  tags: withoutTags,
  'first-line': (text) => text.trim().split('\n', 1)[0] ?? '',
  fold: (text) => text.replace(/\s+/g, ' ').trim(),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the client replaces them
  breaks: (text) => text.trim().replace(/[\r\n]+|[\u0000-\u001f\u007f\u200b\u2028\u2029]/g, ' '),
  trim: (text) => text.trim(),
  'well-formed': (text) => text.replace(/\p{Cs}/gu, '\uFFFD'),
};

/** Returns the text of a key that a client adds to the description; empty for none. */
function joinedText({ key, takes }: Pick<Extract<Operation, { do: 'join' }>, 'key' | 'takes'>, keys: Keys['keys']) {
  const field = keys.get(key);
  if (takes !== 'value') return field?.text ?? '';
  return field === undefined || field.value === null ? '' : String(field.value);
}

/** Removes everything from a `<` to the next `>`, if there is text between them. Linear time. */
function withoutTags(text: string): string {
  let kept = '';
  for (let from = 0; ; ) {
    const open = text.indexOf('<', from);
    const close = open < 0 ? -1 : text.indexOf('>', open + 1);
    if (close < 0) return kept + text.slice(from);
    kept += text.slice(from, close === open + 1 ? close + 1 : open);
    from = close + 1;
  }
}

const XML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const ESCAPES: Readonly<Record<Exclude<Escape, 'json'>, Readonly<Record<string, string>>>> = {
  none: {},
  xml: XML,
  html: { ...XML, "'": '&#039;' },
  python: { ...XML, "'": '&#x27;' },
  handlebars: { ...XML, "'": '&#x27;', '`': '&#x60;', '=': '&#x3D;' },
  text: { '&': XML['&'], '<': XML['<'], '>': XML['>'] },
  decimal: { ...XML, "'": '&#39;' },
  angle: { '<': XML['<'], '>': XML['>'] },
};

const escapedWith = (set: Escape, text: string): string =>
  set === 'json' ? JSON.stringify(text).slice(1, -1) : text.replace(/[&<>"'`=]/g, (one) => ESCAPES[set][one] ?? one);

const PATHS: Readonly<Record<PathForm, (path: string, place: ClientPlace) => string>> = {
  absolute: native,
  home: (path, { home }) =>
    home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : native(path),
  relative: (path, { start }) => (path.startsWith(`${start}/`) ? path.slice(start.length + 1) : path),
  'below-slash': (path, { start }) => (path.startsWith(`${start}/`) ? path.slice(start.length) : path),
};

/** Returns a path as its system writes it: `/c:/a` is `c:\\a`. */
function native(path: string): string {
  return /^\/[a-z]:\//i.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
}

/** The short names that some clients give their skills folders. */
export interface RootNames {
  nameOfRoot(rank: number): string;
}

/** The part of a description that a list shows. */
export type Part =
  | { readonly kind: 'whole' | 'nothing' }
  /** The first line, without the values of other keys. */
  | { readonly kind: 'first-line' }
  /** The first characters, of which the mark replaces the last ones; `folds`: white space is folded before. */
  | { readonly kind: 'start'; readonly to: number; readonly mark: string; readonly folds?: true };

const WHOLE: Part = { kind: 'whole' };

/** The text of a skill in a client's list. */
export interface Entry {
  /** Null if its form is not known. */
  readonly line: string | null;
  /** The description as the file contains it, with the values of other keys that the client adds to it. */
  readonly written: string;
  /** The description with the changes before the first cut, of which the entry shows the start. */
  readonly prepared: string;
  /** The number of code points of `prepared` in the entry; undefined if it shows all. */
  readonly shown?: number;
}

/**
 * Returns the entry of a skill in the client's list. Asks for a setting only if the skill makes it matter.
 */
export function entryOf(
  rules: EntryRules,
  skill: Loaded,
  keys: Pick<Keys, 'keys'>,
  place: ClientPlace,
  roots: RootNames,
  ask: Ask,
  part: Part = WHOLE,
): Entry {
  const text = resultWith(ask, 'entry.counts', rules.counts ?? 'code-points', (counts) =>
    textOf(rules, skill, keys.keys, counts, part),
  );
  const { written, prepared, shown, last } = text;
  const line = lineOf(rules, skill, keys, place, roots, ask, last);
  return { line, written, prepared, ...(shown !== undefined && { shown }) };
}

/** Returns a description as the list shows it, with its earlier forms. */
function textOf(
  { text: operations }: EntryRules,
  { description = '', file: { path } }: Loaded,
  keys: Keys['keys'],
  counts: Counts,
  part: Part,
): Omit<Entry, 'line'> & { readonly last: string } {
  const isFirstLine = part.kind === 'first-line';
  let text = isFirstLine ? (description.split('\n', 1)[0] ?? '') : description;
  let written = text;
  let prepared: string | undefined;
  let shown: number | undefined;
  const cutTo = (to: number, mark: string): void => {
    const characters = charactersOf(text, counts);
    if (characters.length <= to) return;
    const kept = Math.max(0, to - mark.length);
    prepared ??= text;
    shown = Math.min(shown ?? Infinity, [...characters.slice(0, kept).join('')].length);
    text = characters.slice(0, kept).join('') + (to === 0 ? '' : mark);
  };
  for (const operation of operations) {
    if (operation.do === 'join' && isFirstLine) continue;
    if (operation.do === 'first-line') {
      const whole = text.trim();
      text = OPERATIONS['first-line'](text, operation, keys, counts, path);
      if (text !== whole) [prepared, shown] = [prepared ?? whole, [...text].length];
    } else if (operation.do === 'cut') cutTo(operation.to, operation.mark);
    else text = OPERATIONS[operation.do](text, operation as never, keys, counts, path);
    if (operation.do === 'join') written = text;
  }
  if (part.kind === 'start') {
    if (part.folds) text = OPERATIONS.fold(text, { do: 'fold' }, keys, counts, path);
    cutTo(part.to, part.mark);
  }
  if (part.kind === 'nothing') {
    prepared ??= text;
    shown = 0;
    text = '';
  }
  return { written, prepared: prepared ?? text, last: text, ...(shown !== undefined && { shown }) };
}

/** Returns the line of a skill with its description as the list shows it; null if the form is not known. */
function lineOf(
  rules: EntryRules,
  { name, label, file: { path }, found: { folder, rest, rank } }: Loaded,
  { keys }: Pick<Keys, 'keys'>,
  place: ClientPlace,
  roots: RootNames,
  ask: Ask,
  text: string,
): string | null {
  const line = (text === '' ? rules.short : undefined) ?? rules.line;
  if (line === null) return null;
  const shown = (placeholder: string, one: string): string =>
    line.includes(placeholder) ? resultWith(ask, 'entry.path', rules.path, (form) => PATHS[form](one, place)) : '';
  const others = Object.entries(rules.others ?? {}).map(([part, other]) => [part, otherText(other, keys)]);
  const values: Readonly<Record<string, string>> = {
    ...(Object.fromEntries(others) as Record<string, string>),
    name: label === undefined ? name : fill(rules.labelled ?? '{name}', { name, label }),
    description: text,
    path: shown('{path}', path),
    directory: shown('{directory}', splitPath(path).folder),
    scope: folder.scope,
    root: roots.nameOfRoot(rank),
    rest,
    folder: splitPath(splitPath(path).folder).name,
  };
  const isEscaped = new Set<string>(rules.escaped);
  const entry = resultWith(ask, 'entry.escape', rules.escape, (set) =>
    fill(line, values, (text, key) => (isEscaped.has(key) ? escapedWith(set, text) : text)),
  );
  return resultWith(ask, 'entry.replaces', rules.replaces ?? null, (replaced) => inserted(entry, replaced));
}

/** Returns an entry after its list has replaced a text; null if it then has a part of the prompt around the list. */
function inserted(entry: string, replaced: string | null): string | null {
  if (replaced === null) return entry;
  if (/^(?:[^$]|\$[$&])*?\$[`']/.test(entry)) return null;
  return entry.replace(/\$([$&])/g, (_, sign: string) => (sign === '$' ? '$' : replaced));
}

function otherText({ keys: labels, words, cuts = {}, before, by, after }: OtherKeys, keys: Keys['keys']): string {
  const values = Object.entries(labels).flatMap(([key, label]) =>
    valuesIn(keys.get(key), words).map((value) => label + value.slice(0, cuts[key])),
  );
  return values.length > 0 ? before + values.join(by) + after : '';
}

/** Returns a value as JavaScript writes it, or its words, or the items of a list. */
function valuesIn(field: Field | undefined, words: boolean): readonly string[] {
  if (!field || field.value === null) return [];
  const { value } = field;
  if (words && !value) return [];
  const all = !words ? [String(value)] : Array.isArray(value) ? value.map(String) : String(value).split(/\s+/);
  return all.map((one) => one.trim()).filter((one) => one !== '');
}

/** Returns a text with the values of its placeholders. */
const fill = (
  template: string,
  values: Readonly<Record<string, string>>,
  change: (text: string, key: string) => string = (text) => text,
): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    return value === undefined ? whole : change(value, key);
  });
