/** The types of values in templates. A type is a set of kinds, with the fields of its maps and the items of its lists. */
import type { Expression, Macro } from '../ast.ts';

/** `any` is a value of unknown kind, which may also be undefined. */
export type Kind = 'undefined' | 'null' | 'boolean' | 'number' | 'string' | 'list' | 'map' | 'callable' | 'any';

export interface ValueType {
  readonly kinds: ReadonlySet<Kind>;
  /** The fields of the maps, and of the groups of `groupby`. Fields are unknown without it. */
  readonly map?: MapType;
  /** The items, if `kinds` has `list`. Items are unknown without it. */
  readonly list?: ListType;
  /** The macro, if `kinds` has `callable`. */
  readonly macro?: Macro;
  /** The cause, if `kinds` has `undefined`. */
  readonly absence?: Absence;
  /**
   * The cause why the value may be empty, or stand for a missing value, although the engine reports no error: the
   * result of a filter for an undefined value, or of a conditional without `else`.
   */
  readonly emptied?: Absence;
  /** The known facts about the numbers, the strings and the truth of the values. */
  readonly facts?: ValueFacts;
  /** The call of `default(none)` that makes an empty string of a missing value. */
  readonly noneDefault?: TemplatePart<Expression>;
  /** The loop whose number of iterations is unknown, for `loop.last`. */
  readonly unsized?: TemplatePart<UnsizedLoop>;
  /** The condition that a variable is set to, whose truth is the truth of the value. */
  readonly condition?: Expression;
  /** The type in words, if it has a name of its own, such as `grim | wry`. */
  readonly label?: string;
  readonly docs?: string | undefined;
  /** The values that are allowed, if only some are. */
  readonly constants?: readonly (string | number | boolean | null | object)[];
  /** The declaration that describes the value, for features. */
  readonly source?: unknown;
  /** True if the value has one of several declarations. */
  readonly hasSeveralSources?: true;
}

/** The facts that hold for every value of a type, beyond its kind. */
export interface ValueFacts {
  /** True if no number is 0, and no string, list or map is empty. */
  readonly isTruthy?: true;
  /** The smallest number. */
  readonly least?: number;
  /** The smallest length of the strings, lists and maps, if it is more than 1. */
  readonly leastSize?: number;
  /** True if every number is a floating-point number in the engine. */
  readonly isFloat?: true;
  /** The form of every string: one character, only letters, or a number. */
  readonly text?: 'character' | 'letters' | 'number';
}

/** A part of a template, and the template. Its spans are offsets in that template. */
export interface TemplatePart<Part> {
  readonly part: Part;
  readonly home: unknown;
}

/** A loop over a value without a length: `loop.last` is false, and `loop.length` and `loop.revindex` are undefined. */
export interface UnsizedLoop {
  readonly iterable: Expression;
  /** The call of `split` that returns the iterator. */
  readonly origin: TemplatePart<Expression> | undefined;
  /** True if the value never has a length. */
  readonly isAlways: boolean;
  /** True if the filter `list` accepts every value and keeps its items. */
  readonly isListable: boolean;
  /** True if the value may be a string, so that the loop runs over its characters. */
  readonly isText: boolean;
}

export interface MapType {
  readonly names: () => Iterable<string>;
  readonly field: (name: string) => ValueType | undefined;
  /** True if the map may have fields that it does not declare. */
  readonly isOpen: boolean;
  /** The type of the fields that are not declared, if `isOpen` and the type is known. */
  readonly rest?: () => ValueType;
  readonly isNamespace?: true;
  /** True if no schema declares the fields, because a template or the composer makes the map. */
  readonly isMade?: true;
  /** The number of unions that this type is made of. */
  readonly depth?: number;
}

export interface ListType {
  /** The type of every item. */
  readonly item: () => ValueType;
  /** The type of each item of a list with a fixed length. */
  readonly tuple?: readonly (() => ValueType)[];
  /** The types of the first items of a list whose length is not fixed, and of the other items. */
  readonly first?: readonly (() => ValueType)[];
  readonly others?: () => ValueType;
  /**
   * `iterator`: the list has no length and is printed as `<iterator>`, such as the result of `split`. `iterable`: the
   * test `sequence` is false, such as for the result of `range`.
   */
  readonly form?: 'iterator' | 'iterable';
  /** True if only some of the lists are iterators. */
  readonly isPartly?: true;
  /** The number of the items of an iterator that come from lists added to it, which the engine counts. */
  readonly counted?: number;
  /** True if the list has items for every value. */
  readonly isNeverEmpty?: true;
  /** The call of `split` that returns the iterator. */
  readonly origin?: TemplatePart<Expression>;
  /** The number of unions that this type is made of. */
  readonly depth?: number;
}

/** The largest depth of unions whose fields and items are known, because they are read recursively. */
const MAX_DEPTH = 50;

/**
 * Why a value is undefined. `optional`: it may be left out. `skipped`: its step may not run. `missing`: no such field. `no-fields`: the receiver is not
 * a map. `null`: the receiver is null. `edge`: the first or last iteration. `argument`: a call leaves it out. `caller`:
 * a call has no `{% call %}` block. `closure`: the engine does not pass the variable to the macro. `unsized`: the loop
 * does not know its length.
 */
export interface Absence {
  readonly reason:
    | ('optional' | 'skipped' | 'missing' | 'no-fields' | 'null' | 'edge')
    | ('argument' | 'caller' | 'closure' | 'unsized');
  /** True for a field that no value of the receiver has. */
  readonly isNever?: true;
  /** The expression that is undefined. A field does not know the expression that reads it. */
  readonly expression?: Expression;
  /** The receiver's type, for `missing`, `no-fields` and `null`. */
  readonly receiver?: ValueType;
  /** The name of the field; for `edge`, of the field of `loop`; for `skipped`, of the step; for `closure`, of the macro. */
  readonly name?: string;
  /** The type that the value has if it is defined, for a fix. */
  readonly otherwise?: ValueType;
  /** The conditional without `else` that has no value then. */
  readonly conditional?: Expression;
  /** The loop, for `unsized`. */
  readonly unsized?: TemplatePart<UnsizedLoop>;
}

const of = (...kinds: readonly Kind[]): ValueType => ({ kinds: new Set(kinds) });

export const ANY: ValueType = of('any');
export const NULL: ValueType = of('null');
export const BOOLEAN: ValueType = of('boolean');
export const NUMBER: ValueType = of('number');
export const STRING: ValueType = of('string');
/** A string of one character. */
const CHARACTER: ValueType = { ...STRING, facts: { text: 'character', isTruthy: true } };
export const LIST: ValueType = of('list');
const MAP: ValueType = of('map');
export const CALLABLE: ValueType = of('callable');

export const undefinedFor = (absence: Absence): ValueType => ({ kinds: new Set<Kind>(['undefined']), absence });

/** Returns the type of a list. `item` is called at most once. */
export function listOf(item: () => ValueType): ValueType {
  let known: ValueType | undefined;
  const once = (): ValueType => {
    known ??= item();
    return known;
  };
  return { ...LIST, list: { item: once } };
}

export const tupleOf = (items: readonly (() => ValueType)[]): ValueType => ({
  ...LIST,
  ...(items.length > 0 && { facts: { isTruthy: true, ...(items.length > 1 && { leastSize: items.length }) } }),
  list: { item: () => unionOf(items.map((item) => item())), tuple: items },
});

/** Returns the type of a map with these fields. The map may have other fields if `isOpen`. */
export const mapOf = (fields: ReadonlyMap<string, () => ValueType>, isOpen = false): ValueType => ({
  ...MAP,
  map: { names: () => fields.keys(), field: (name) => fields.get(name)?.(), isOpen, isMade: true },
});

export const hasKind = ({ kinds }: ValueType, ...wanted: readonly Kind[]): boolean =>
  wanted.some((kind) => kinds.has(kind));

/** Returns true if nothing is known about a value. */
export const isAny = ({ kinds }: ValueType): boolean => kinds.has('any');

/** Returns the type without some kinds. A type without any kind left is unknown, because its code does not run. */
export function without(given: ValueType, ...removed: readonly Kind[]): ValueType {
  const { emptied, ...full } = given;
  const type = emptied && removed.includes('undefined') ? full : given;
  if (!hasKind(type, ...removed)) return type;
  const kinds = new Set([...type.kinds].filter((kind) => !removed.includes(kind)));
  if (kinds.size === 0) return ANY;
  if (kinds.has('undefined')) return { ...type, kinds };
  const { absence: _, ...rest } = type;
  return { ...rest, kinds };
}

/** Returns the type that is restricted to some kinds. */
export function only(type: ValueType, ...kept: readonly Kind[]): ValueType {
  if (isAny(type)) return of(...kept);
  return without(type, ...[...type.kinds].filter((kind) => !kept.includes(kind)));
}

/** Returns the type that may also be undefined. */
export const orUndefined = (type: ValueType, absence: Absence): ValueType => ({
  ...type,
  kinds: new Set<Kind>([...type.kinds, 'undefined']),
  absence: { otherwise: type, ...absence },
});

/** Returns the type of a variable or field, whose value may be undefined, at the expression that reads it. */
export const readAt = (type: ValueType, expression: Expression): ValueType =>
  type.absence && !type.absence.expression ? { ...type, absence: { ...type.absence, expression } } : type;

/** Returns the type of a value that has one of several types. */
export function unionOf(all: readonly ValueType[]): ValueType {
  const types = [...new Set(all)];
  const [first, ...others] = types;
  if (!first) return ANY;
  if (others.length === 0) return first;
  const emptied = types.find((type) => type.emptied)?.emptied;
  if (types.some(isAny)) return emptied ? { ...ANY, emptied } : ANY;
  const maps = types.flatMap((type) => (hasKind(type, 'map') ? [type.map] : []));
  const lists = types.flatMap((type) => (hasKind(type, 'list') ? [type.list] : []));
  const absence = types.find((type) => type.absence)?.absence;
  const noneDefault = types.find((type) => type.noneDefault)?.noneDefault;
  const facts = commonFacts(types);
  const { label } = first;
  return {
    kinds: new Set(types.flatMap((type) => [...type.kinds])),
    ...(facts && { facts }),
    ...(noneDefault && { noneDefault }),
    ...(maps.length > 0 && unionOfMaps(maps)),
    ...(lists.length > 0 && unionOfLists(lists)),
    ...(absence && { absence }),
    ...(emptied && { emptied }),
    ...commonOf(types),
    ...(label !== undefined && types.every((type) => type.label === label) && { label }),
  };
}

/** Returns what is known about the values of all types; undefined if nothing is known. */
function commonFacts(types: readonly ValueType[]): ValueFacts | undefined {
  const present = types.filter((type) => !isOnly(type, 'undefined', 'null'));
  const numbers = present.filter((type) => hasKind(type, 'number')).map(({ facts }) => facts);
  const [first, ...strings] = present.filter((type) => hasKind(type, 'string')).map(({ facts }) => facts?.text);
  const isTruthy = present.length > 0 && present.every(({ facts }) => facts?.isTruthy);
  const least = Math.min(...numbers.map((facts) => facts?.least ?? Number.NEGATIVE_INFINITY));
  const isFloat = numbers.length > 0 && numbers.every((facts) => facts?.isFloat);
  const text = strings.every((one) => one === first) ? first : undefined;
  const leastSize = Math.min(...present.map(({ facts }) => facts?.leastSize ?? 0));
  const hasSize = Number.isFinite(leastSize) && leastSize > 1;
  if (!isTruthy && !Number.isFinite(least) && !isFloat && text === undefined && !hasSize) return undefined;
  return {
    ...(isTruthy && { isTruthy }),
    ...(Number.isFinite(least) && { least }),
    ...(hasSize && { leastSize }),
    ...(isFloat && { isFloat }),
    ...(text !== undefined && { text }),
  };
}

/** The number of levels, and of fields, that are compared. */
const MAX_LEVELS = 4;
const MAX_FIELDS = 200;

/** Returns whether two types are certainly equal. A recursive type is equal only to itself. */
export function isSameType(one: ValueType, other: ValueType, levels = MAX_LEVELS): boolean {
  if (one === other) return true;
  if (levels === 0 || one.kinds.size !== other.kinds.size || one.macro !== other.macro) return false;
  if (![...one.kinds].every((kind) => other.kinds.has(kind)) || !isSameFacts(one.facts, other.facts)) return false;
  return isSameList(one.list, other.list, levels) && isSameMap(one.map, other.map, levels);
}

const isSameFacts = (one: ValueFacts = {}, other: ValueFacts = {}): boolean =>
  one.isTruthy === other.isTruthy &&
  one.least === other.least &&
  one.leastSize === other.leastSize &&
  one.isFloat === other.isFloat &&
  one.text === other.text;

function isSameList(one: ListType | undefined, other: ListType | undefined, levels: number): boolean {
  if (one === other) return true;
  if (!one || !other || one.form !== other.form || one.isPartly !== other.isPartly) return false;
  if (one.tuple?.length !== other.tuple?.length) return false;
  const [parts, others] = [one, other].map(({ item, tuple, first = [], others: rest }) => [
    ...(tuple ?? [item]),
    ...first,
    ...(rest ? [rest] : []),
  ]);
  return (
    parts?.length === others?.length &&
    parts?.every((part, at) => isSameType(part(), others?.[at]?.() ?? ANY, levels - 1)) === true
  );
}

function isSameMap(one: MapType | undefined, other: MapType | undefined, levels: number): boolean {
  if (one === other) return true;
  if (!one || !other || one.isOpen !== other.isOpen || one.isNamespace !== other.isNamespace) return false;
  const [names, others] = [[...one.names()], new Set(other.names())];
  if (names.length !== others.size || names.length > MAX_FIELDS || one.rest || other.rest) return false;
  return names.every(
    (name) => others.has(name) && isSameType(one.field(name) ?? ANY, other.field(name) ?? ANY, levels - 1),
  );
}

/** Returns the declaration of types that have the same declaration. */
function commonOf(types: readonly ValueType[]): Partial<ValueType> {
  const present = types.filter((type) => !isOnly(type, 'undefined', 'null'));
  const [{ source, docs, constants } = ANY] = present;
  if (present.some((type) => type.source !== source || type.hasSeveralSources)) return { hasSeveralSources: true };
  return source === undefined ? {} : { source, docs, ...(constants && { constants }) };
}

function unionOfMaps(maps: readonly (MapType | undefined)[]): { map: MapType } | undefined {
  const [first] = maps;
  if (first && maps.every((map) => map === first)) return { map: first };
  const known = maps.filter((map) => map !== undefined);
  const depth = depthOf(known);
  if (known.length < maps.length || depth > MAX_DEPTH) return undefined;
  return {
    map: {
      depth,
      names: () => new Set(known.flatMap((map) => [...map.names()])),
      // A field that only some of the maps have is not reported, because a condition may test which map it is.
      field: (name) => {
        const found = known.map((map) => map.field(name));
        const types = found.filter((type) => type !== undefined);
        if (types.length === 0) return undefined;
        if (types.length < found.length) return ANY;
        const isOptional = types.every((type) => hasKind(type, 'undefined'));
        return unionOf(isOptional ? types : types.map((type) => without(type, 'undefined')));
      },
      isOpen: known.some(({ isOpen }) => isOpen),
    },
  };
}

function unionOfLists(lists: readonly (ListType | undefined)[]): { list: ListType } | undefined {
  const [first] = lists;
  if (first && lists.every((list) => list === first)) return { list: first };
  const known = lists.filter((list) => list !== undefined);
  const depth = depthOf(known);
  const isKnown = known.length === lists.length && depth <= MAX_DEPTH;
  const isIterator = known.some(({ form }) => form === 'iterator');
  const form = isIterator ? 'iterator' : known.every((list) => list.form) ? 'iterable' : undefined;
  const isPartly = isIterator && !lists.every((list) => list?.form === 'iterator' && !list.isPartly);
  const partly = isPartly ? { isPartly } : {};
  if (!isKnown) return isIterator ? { list: { depth, item: () => ANY, form: 'iterator', ...partly } } : undefined;
  // The literal `[]` has no items, as in `items or []`.
  const filled = known.filter(({ tuple }) => tuple?.length !== 0);
  return { list: { depth, item: () => unionOf(filled.map(({ item }) => item())), ...(form && { form }), ...partly } };
}

const depthOf = (parts: readonly { readonly depth?: number }[]): number =>
  1 + parts.reduce((most, { depth = 0 }) => Math.max(most, depth), 0);

export const isOnly = ({ kinds }: ValueType, ...allowed: readonly Kind[]): boolean =>
  [...kinds].every((kind) => allowed.includes(kind));

/** Returns the type of the items that a loop over the value yields. */
export function itemOf(type: ValueType): ValueType {
  if (isAny(type)) return ANY;
  const items: ValueType[] = [];
  if (hasKind(type, 'list')) items.push(type.list?.item() ?? ANY);
  if (hasKind(type, 'map')) items.push(STRING);
  if (hasKind(type, 'string')) items.push(CHARACTER);
  return unionOf(items);
}

/** Returns the type of the item at an index, if it has a type of its own. */
export function itemAt(list: ListType | undefined, index: number): ValueType | undefined {
  if (list?.tuple) return list.tuple.at(index)?.();
  return list?.first && index >= 0 ? (list.first[index] ?? list.others)?.() : undefined;
}

/** Returns the type without the expression that is undefined, so that a later use reports the value at its own place. */
export function unplaced(type: ValueType): ValueType {
  if (!type.absence) return type;
  const { expression: _, ...absence } = type.absence;
  return { ...type, absence };
}

/** Returns the type of a list with some of the items that a loop over the value yields. */
export function itemsOf(type: ValueType): ValueType {
  const { list, facts, ...rest } = type;
  if (!isOnly(type, 'list') || list?.tuple || list?.first || list?.form) return listOf(() => itemOf(type));
  return facts ? { ...rest, ...(list && { list }) } : type;
}

/** Returns whether the value may be an iterator, which has no length and no text. */
export const mayBeIterator = (type: ValueType): boolean => hasKind(type, 'list') && type.list?.form === 'iterator';

/** Returns whether the value certainly is an iterator. */
export const isIterator = (type: ValueType): boolean =>
  isOnly(type, 'list') && type.list?.form === 'iterator' && !type.list.isPartly;

/** Returns the smallest number of items or characters that the type proves. */
export const leastSizeOf = ({ facts }: ValueType): number => facts?.leastSize ?? (facts?.isTruthy ? 1 : 0);

/** Returns the type of a value that counts as true. */
export const truthy = (type: ValueType): ValueType =>
  isAny(type) ? type : { ...type, facts: { ...type.facts, isTruthy: true } };

/** Returns the type of a list with a form. */
export const listIn = (form: 'iterator' | 'iterable', type: ValueType): ValueType => ({
  ...type,
  list: { ...(type.list ?? { item: () => ANY }), form },
});

const WORDS: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['null', 'null'],
  ['boolean', 'boolean'],
  ['number', 'number'],
  ['string', 'string'],
  ['list', 'array'],
  ['map', 'object'],
  ['callable', 'macro'],
  ['any', 'any'],
]);

/** Returns the type in a few words, in the notation of schemas: `string[]`, `number | null`; or `iterator of string`. */
export function labelOf(type: ValueType, depth = 0): string {
  if (type.label !== undefined) return type.label;
  const words = [...type.kinds].flatMap((kind) => {
    const item = kind === 'list' && type.list && depth < 3 ? labelOf(type.list.item(), depth + 1) : 'any';
    if (kind === 'list' && type.list?.form === 'iterator') return `iterator of ${item}`;
    if (kind === 'list' && item !== 'any') return [/[ |]/.test(item) ? `(${item})[]` : `${item}[]`];
    return WORDS.get(kind) ?? [];
  });
  return words.join(' | ') || 'any';
}

const NOUNS: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['undefined', 'undefined'],
  ['null', 'null'],
  ['boolean', 'a boolean'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['list', 'a list'],
  ['map', 'an object'],
  ['callable', 'a macro'],
  ['any', 'any value'],
]);

/** Returns the kinds of a type in words: `a number`, `a string or null`. */
export function nounsOf(kinds: Iterable<Kind>): string {
  const words = [...kinds].map((kind) => NOUNS.get(kind) ?? kind);
  return words.length < 2 ? (words[0] ?? 'any value') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
