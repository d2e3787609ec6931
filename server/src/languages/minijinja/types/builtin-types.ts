/**
 * The types that the filters, tests and operators of MiniJinja 2.11 accept and return, checked against the engine, and
 * the arguments that they accept.
 */

import { didYouMean, inWords, listed, nearestNames } from '../../../nearest.ts';
import { type Span, span, type TextEdit } from '../../../text.ts';
import type { Argument, Attribute, BinaryOperator, Call, Expression, Macro, Name } from '../ast.ts';
import { type Builtin, FILTERS, FUNCTIONS, LOOP_FIELDS, TESTS } from '../builtins.ts';
import { factsOfExtreme, factsOfFilter, factsOfOperator } from './facts.ts';
import type { TypeProblem } from './problems.ts';
import { OPERANDS, splitList } from './silent-results.ts';
import {
  ANY,
  BOOLEAN,
  CALLABLE,
  hasKind,
  isAny,
  isOnly,
  itemAt,
  itemOf,
  itemsOf,
  type Kind,
  LIST,
  leastSizeOf,
  listIn,
  listOf,
  mapOf,
  mayBeIterator,
  NULL,
  NUMBER,
  nounsOf,
  orUndefined,
  STRING,
  type TemplatePart,
  truthy,
  tupleOf,
  type UnsizedLoop,
  undefinedFor,
  unionOf,
  type ValueFacts,
  type ValueType,
  without,
} from './value-type.ts';

const kinds = (words: string): ReadonlySet<Kind> => new Set(words.split(' ') as Kind[]);
const table = (entries: { readonly [kinds: string]: string }): ReadonlyMap<string, ReadonlySet<Kind>> =>
  new Map(
    Object.entries(entries).flatMap(([words, names]) => names.split(' ').map((name) => [name, kinds(words)] as const)),
  );

/** The kinds that each filter refuses as its input. A filter that is not listed accepts every value. */
const REFUSED_BY_FILTER: ReadonlyMap<string, ReadonlySet<Kind>> = table({
  undefined: 'attr',
  'undefined null boolean string list map': 'abs filesizeformat round',
  'undefined null boolean number': 'count first length',
  'undefined null boolean number map': 'last',
  'undefined null boolean number string list': 'dictsort items',
  'undefined null boolean number list map': 'lines split',
  'undefined boolean number': 'batch list map max min reject rejectattr select selectattr slice sort sum unique',
  'boolean number': 'groupby join reverse',
  'list map': 'float int',
  'undefined null': 'pluralize',
  'boolean number list map': 'truncate',
});

/** The kinds that each test refuses as its input. All other tests are false for a value that does not fit. */
const REFUSED_BY_TEST: ReadonlyMap<string, ReadonlySet<Kind>> = table({
  'undefined null boolean number list map': 'filter lower test upper',
});

/** The kinds that each argument of a filter refuses. An argument that is not listed accepts every value. */
const REFUSED_BY_ARGUMENT: ReadonlyMap<string, ReadonlySet<Kind>> = table({
  'undefined null string list map': 'batch.count indent.width slice.count',
  'string list map': 'round.precision split.max_splits tojson.indent truncate.length',
  'boolean number list map': 'dictsort.by sort.attribute split.separator truncate.end',
  'number string list map': 'dictsort.reverse filesizeformat.binary sort.reverse truncate.killwords',
});

const NOTHING: ReadonlySet<Kind> = new Set();

/** Returns the name of each argument's parameter, and the kinds that it refuses. */
export function refusedByArguments(
  filter: string,
  args: readonly Argument[],
): readonly { readonly parameter: string; readonly refused: ReadonlySet<Kind> }[] {
  const positional = FILTERS.get(filter)?.parameters.filter(({ passed }) => passed !== 'name') ?? [];
  let position = 0;
  return args.map(({ kind, name }) => {
    const parameter = (kind === 'positional' ? positional[position++]?.name : name?.text) ?? '';
    return { parameter, refused: REFUSED_BY_ARGUMENT.get(`${filter}.${parameter}`) ?? NOTHING };
  });
}

/** Returns the kinds that a filter or test refuses as its input. */
export const refusedBy = (what: 'filter' | 'test', name: string): ReadonlySet<Kind> =>
  (what === 'filter' ? REFUSED_BY_FILTER : REFUSED_BY_TEST).get(name) ?? NOTHING;

const namesOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const TO_STRING = namesOf(
  'capitalize e escape filesizeformat indent join lower pluralize pprint replace string striptags title tojson trim truncate upper',
);
const TO_NUMBER = namesOf('abs count float int length round sum');
const TO_LIST = namesOf('list reject rejectattr select selectattr sort unique');
const TO_LISTS = namesOf('batch slice');

/**
 * Returns the type of a filter's result for a defined input. The filters `attr`, `default` and `map` depend on their
 * arguments, and their result is unknown here.
 */
export function resultOfFilter(name: string, input: ValueType, args: readonly Argument[] = []): ValueType {
  const result = withoutLength(name, input, args);
  return KEEPS_ITEMS.has(name) && input.facts?.isTruthy && hasKind(result, 'list') ? truthy(result) : result;
}

/** The filters that return a list with items if their input has items. */
const KEEPS_ITEMS = namesOf('batch dictsort groupby items lines list map reverse slice sort unique');

function withoutLength(name: string, input: ValueType, args: readonly Argument[]): ValueType {
  if (TO_STRING.has(name)) return withFacts(STRING, factsOfFilter(name, input));
  if (TO_NUMBER.has(name)) return withFacts(NUMBER, factsOfFilter(name, input));
  if (name === 'bool') return BOOLEAN;
  if (name === 'safe') return isOnly(input, 'string') ? input : STRING;
  if (name === 'lines') return listOf(() => STRING);
  if (name === 'split') return { ...LIST, list: splitList(() => STRING, args.length > 0) };
  if (isAny(input)) return TO_LIST.has(name) || TO_LISTS.has(name) ? LIST : ANY;
  if (name === 'max' || name === 'min') return withFacts(itemOf(input), factsOfExtreme(name, input));
  if (name === 'first' || name === 'last') {
    const item = isOnly(input, 'list') ? itemAt(input.list, name === 'first' ? 0 : -1) : undefined;
    return item ?? itemOf(input);
  }
  if (TO_LIST.has(name)) return itemsOf(input);
  if (TO_LISTS.has(name)) return listOf(() => itemsOf(input));
  if (name === 'reverse' && hasKind(input, 'string')) return isOnly(input, 'string') ? STRING : ANY;
  if (name === 'reverse') return listIn('iterable', itemsOf(input));
  if (name === 'groupby') return listOf(() => groupOf(input, ANY));
  if (name === 'items')
    return listIn(
      'iterable',
      listOf(() => pairOf(input)),
    );
  if (name === 'dictsort') return listOf(() => pairOf(input));
  return ANY;
}

const withFacts = (type: ValueType, facts: ValueFacts | undefined): ValueType => (facts ? { ...type, facts } : type);

/** Returns the type of a group of `groupby`, which is a pair with the names `grouper` and `list`. */
export function groupOf(input: ValueType, grouper: ValueType): ValueType {
  const list = itemsOf(input);
  const pair = tupleOf([() => grouper, () => list]);
  const fields = new Map([
    ['grouper', grouper],
    ['list', list],
  ]);
  return {
    ...pair,
    label: 'group',
    map: { names: () => fields.keys(), field: (name) => fields.get(name), isOpen: false },
  };
}

const pairOf = ({ map }: ValueType): ValueType => tupleOf([() => STRING, () => valuesOf(map)]);

/** Returns the type of the values of all fields. */
export function valuesOf(map: ValueType['map']): ValueType {
  if (!map || (map.isOpen && !map.rest)) return ANY;
  const fields = [...map.names()].map((name) => without(map.field(name) ?? ANY, 'undefined'));
  return unionOf([...fields, ...(map.rest ? [map.rest()] : [])]);
}

const isNumeric = (kind: Kind): boolean => kind === 'number' || kind === 'boolean';

/** Returns the result of an operator for two kinds, or undefined if the engine refuses them. */
function resultForKinds(operator: BinaryOperator, left: Kind, right: Kind): Kind | undefined {
  if (left === 'any' || right === 'any') return 'any';
  if (isNumeric(left) && isNumeric(right)) return 'number';
  if (operator === '+' && left === right && (left === 'string' || left === 'list')) return left;
  if (operator !== '*') return undefined;
  const [repeated, times] = isNumeric(left) ? [right, left] : [left, right];
  return isNumeric(times) && (repeated === 'string' || repeated === 'list') ? repeated : undefined;
}

/** The result of an operator, and the share of the kinds of its operands that the engine refuses. */
interface OperatorResult {
  readonly type: ValueType;
  readonly refused: 'never' | 'sometimes' | 'always';
}

const ARITHMETIC: readonly BinaryOperator[] = ['+', '-', '*', '/', '//', '%', '**'];

/** Returns the result of a binary operator, except `and` and `or`, for two defined operands. */
export function resultOfOperator(operator: BinaryOperator, left: ValueType, right: ValueType): OperatorResult {
  if (operator === '~') return { type: STRING, refused: 'never' };
  if (operator === 'in' || operator === 'not in') {
    const refused = [...right.kinds].filter((kind) => kind === 'null' || isNumeric(kind));
    return { type: BOOLEAN, refused: shareOf(refused.length, right.kinds.size) };
  }
  if (!ARITHMETIC.includes(operator)) return { type: BOOLEAN, refused: 'never' };
  const pairs = [...left.kinds].flatMap((one) => [...right.kinds].map((other) => resultForKinds(operator, one, other)));
  const results = new Set(pairs.filter((kind) => kind !== undefined));
  const refused = shareOf(pairs.filter((kind) => kind === undefined).length, pairs.length);
  if (results.size === 0 || results.has('any')) return { type: ANY, refused };
  const isJoined = operator === '+';
  const form = isJoined && (mayBeIterator(left) || mayBeIterator(right)) ? 'iterator' : 'iterable';
  const item = () => (isJoined ? unionOf([itemOf(left), itemOf(right)]) : itemOf(hasKind(left, 'list') ? left : right));
  const joined = listIn(form, listOf(item)).list;
  const list = form === 'iterator' && joined ? { ...joined, counted: countedIn(left) + countedIn(right) } : joined;
  const facts = factsOfOperator(operator, left, right);
  return { type: { kinds: results, ...(results.has('list') && list && { list }), ...(facts && { facts }) }, refused };
}

/** Returns the number of items that the engine counts in an operand of `+`, of which one is an iterator. */
const countedIn = (type: ValueType): number => (mayBeIterator(type) ? (type.list?.counted ?? 0) : leastSizeOf(type));

const shareOf = (part: number, whole: number): OperatorResult['refused'] =>
  part === 0 ? 'never' : part === whole ? 'always' : 'sometimes';

const TABLES = { filter: FILTERS, test: TESTS, function: FUNCTIONS } as const;

/** The builtins that accept a map for every argument, so that an argument by name does not make them fail. */
const TAKES_MAPS: readonly string[] = 'attr batch d debug default divisibleby eq equalto joiner slice'.split(' ');

/** Returns the first problem with the arguments of a call. `sourceOf` returns the text of a span. */
export function argumentProblem(
  what: 'filter' | 'test' | 'function',
  name: Name,
  args: readonly Argument[],
  sourceOf: (place: Span) => string,
): TypeProblem | undefined {
  const builtin = TABLES[what].get(name.text);
  if (!builtin || args.some(({ kind }) => kind === 'splat' || kind === 'keyword-splat')) return undefined;
  const { parameters } = builtin;
  if (parameters.some(({ passed }) => passed === 'rest')) return missingArgument(what, builtin, name, args);
  const known = parameters.filter(({ passed }) => passed === 'name' || passed === 'either').map((one) => one.name);
  const unknown = args.filter(({ kind, name: word }) => kind === 'keyword' && !known.includes(word?.text ?? ''));
  const [named] = unknown;
  if (named?.name && named.name.text !== '') {
    const kept = args.filter((one) => !unknown.includes(one));
    const isComplete = !argumentProblem(what, name, kept, sourceOf);
    const removal = isComplete ? removeArguments(what, name, args, unknown, sourceOf) : [];
    return unknownKeyword(what, builtin, unknown, named.name, { known, args, removal });
  }
  const most = parameters.filter(({ passed }) => passed !== 'name').length;
  const surplus = args.filter(({ kind }) => kind === 'positional')[most];
  if (surplus) return surplusArgument(what, builtin, surplus, most);
  return missingArgument(what, builtin, name, args);
}

const NEEDS_ARGUMENT: readonly string[] = ['groupby', 'map'];

const SUBJECTS = { filter: 'The filter', test: 'The test', function: 'The function' } as const;

/** Returns the fix that removes arguments, and the parentheses of a filter or a test without other arguments. */
function removeArguments(
  what: keyof typeof TABLES,
  { span: { end: start } }: Name,
  args: readonly Argument[],
  removed: readonly Argument[],
  sourceOf: (place: Span) => string,
): TypeProblem['fixes'] {
  const title = `Remove ${inWords([...new Set(removed.map((one) => one.name?.text ?? ''))], 'and')}`;
  const last = args.at(-1);
  if (last && removed.length === args.length) {
    const rest = /^\s*,?\s*\)/.exec(sourceOf(span(last.span.end, last.span.end + 100)))?.[0];
    const open = /^\s*\(/.exec(sourceOf(span(start, last.span.end)))?.[0];
    if (rest === undefined || open === undefined) return [];
    const whole = span(start, last.span.end + rest.length);
    return [{ title, edits: [{ span: whole, newText: what === 'function' ? '()' : '' }] }];
  }
  const firstKept = args.findIndex((one) => !removed.includes(one));
  const edits = args.flatMap((one, at) => {
    if (!removed.includes(one)) return [];
    const [before, after] = [args[at - 1], args[at + 1]];
    if (at < firstKept && after) return [{ span: span(one.span.start, after.span.start), newText: '' }];
    return before ? [{ span: span(before.span.end, one.span.end), newText: '' }] : [];
  });
  return [{ title, edits }];
}

/** Returns the fix that passes arguments by position. */
const withoutNames = (args: readonly Argument[]): TypeProblem['fixes'] => [
  {
    title: `Remove ${listed(args.map(({ name }) => `\`${name?.text}=\``))}`,
    edits: args.flatMap(({ name, value }) =>
      name ? [{ span: span(name.span.start, value.span.start), newText: '' }] : [],
    ),
  },
];

function unknownKeyword(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  unknown: readonly Argument[],
  word: Name,
  {
    known,
    args,
    removal,
  }: { readonly known: readonly string[]; readonly args: readonly Argument[]; readonly removal: TypeProblem['fixes'] },
): TypeProblem {
  const taken = args.map((one) => one.name?.text);
  const near = nearestNames(word.text, known).filter((other) => !taken.includes(other));
  const names = near.length > 0 ? [word.text] : unknown.map((one) => one.name?.text ?? '');
  const quoted = inWords([...new Set(names)], 'or');
  const label = `${SUBJECTS[what]} \`${name}\` has no argument ${quoted}.`;
  const index = args.filter(({ kind }) => kind === 'positional').length;
  const slots = parameters.filter(({ passed }) => passed !== 'name').length;
  const isByPosition = known.length === 0 && index + unknown.length <= slots && index + unknown.length === args.length;
  const advice = isByPosition ? ` Pass ${unknown.length === 1 ? 'it' : 'them'} by position.` : ` Use \`${signature}\`.`;
  return {
    kind: 'argument',
    span: word.span,
    isCertain: !TAKES_MAPS.includes(name) || (index > 0 && parameters.some((one) => one.name === 'lax')),
    message: label + (near.length > 0 ? didYouMean(near) : advice),
    fixes: [
      ...near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: word.span, newText: other }] })),
      ...(near.length > 0 ? [] : isByPosition ? withoutNames(unknown) : slots > 0 && known.length === 0 ? [] : removal),
    ],
  };
}

function surplusArgument(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  surplus: Argument,
  most: number,
): TypeProblem {
  const [first] = parameters;
  const isNamed = most === 0 && first !== undefined;
  const advice = isNamed ? ` Pass it by name: \`${first.name}=\`.` : ` Use \`${signature}\`.`;
  const start: Span = span(surplus.span.start, surplus.span.start);
  return {
    kind: 'argument',
    span: surplus.span,
    isCertain: true,
    message: `${SUBJECTS[what]} \`${name}\` takes ${most === 0 ? 'no' : `at most ${most}`} argument${most === 1 ? '' : 's'} by position.${advice}`,
    fixes: isNamed ? [{ title: `Add \`${first.name}=\``, edits: [{ span: start, newText: `${first.name}=` }] }] : [],
  };
}

function missingArgument(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  { span: place }: Name,
  args: readonly Argument[],
): TypeProblem | undefined {
  const given = args.filter(({ kind }) => kind === 'positional').length;
  const needed = parameters.filter(({ passed, optional }) => passed === 'position' && !optional);
  // One of several arguments is required.
  const missing = NEEDS_ARGUMENT.includes(name) ? parameters.slice(0, 1)[given] : needed[given];
  if (!missing || args.some(({ kind }) => kind === 'keyword')) return undefined;
  return {
    kind: 'argument',
    span: place,
    isCertain: true,
    message: `${SUBJECTS[what]} \`${name}\` needs the argument \`${missing.name}\`. Use \`${signature}\`.`,
    fixes: [],
  };
}

/** Returns the parameter that each argument of a macro call is for, and the first argument that is for none. */
export function macroArguments(
  { name: { text: macro }, parameters }: Macro,
  args: readonly Argument[],
): { readonly parameters: readonly (string | undefined)[]; readonly problem?: TypeProblem } {
  const names = parameters.map(({ name }) => name.text);
  const found: (string | undefined)[] = [];
  let position = 0;
  for (const { kind, name: word, span: place } of args) {
    const name = kind === 'keyword' ? (word?.text ?? '') : names[position++];
    const isDuplicate = name !== undefined && found.includes(name);
    const isKnown = name !== undefined && names.includes(name) && !isDuplicate;
    found.push(isKnown ? name : undefined);
    if (isKnown || name === 'caller') continue;
    const taken = args.map((one) => one.name?.text);
    const free = names.filter((one) => !found.includes(one) && !taken.includes(one));
    const near = kind === 'keyword' && !isDuplicate ? nearestNames(name ?? '', free) : [];
    const span = word?.span ?? place;
    const count = `${names.length} argument${names.length === 1 ? '' : 's'}`;
    const message = isDuplicate
      ? `The argument \`${name}\` is passed twice.`
      : kind === 'keyword'
        ? `The macro \`${macro}\` has no parameter \`${name}\`.${didYouMean(near)}`
        : `The macro \`${macro}\` takes at most ${count}.`;
    const fixes = near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span, newText: other }] }));
    return { parameters: found, problem: { kind: 'argument', span, isCertain: true, message, fixes } };
  }
  return { parameters: found };
}

/** The filters for methods of Python and JavaScript with another name. */
const FILTER_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['toUpperCase', 'upper'],
  ['toLowerCase', 'lower'],
  ['upcase', 'upper'],
  ['downcase', 'lower'],
  ['toString', 'string'],
  ['replaceAll', 'replace'],
  ['toSorted', 'sort'],
  ['sorted', 'sort'],
  ['toReversed', 'reverse'],
  ['toFixed', 'round'],
  ['len', 'length'],
  ['size', 'length'],
  ['strip', 'trim'],
  ['keys', 'list'],
  ['splitlines', 'lines'],
  ['casefold', 'lower'],
  ['values', 'items'],
]);

/** The tests that have the result of a method of Python or JavaScript. */
const TEST_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['startsWith', 'startingwith'],
  ['endsWith', 'endingwith'],
  ['startswith', 'startingwith'],
  ['endswith', 'endingwith'],
]);

/** The filters whose result equals a string for which a method of Python is true. */
const COMPARED_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['isupper', 'upper'],
  ['islower', 'lower'],
]);

/** Advice for methods of Python and JavaScript that no filter and no test replaces. */
const ADVICE_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['append', 'Lists do not change. Write `{% set items = items + [item] %}`.'],
  ['extend', 'Lists do not change. Write `{% set items = items + others %}`.'],
  ['insert', 'Lists do not change. Write `{% set items = [item] + items %}`.'],
  ['update', 'Maps do not change. Write a new map.'],
  ['format', 'Write the parts with `~`, for example `"See " ~ title`.'],
  ['get', 'Write the key in brackets, for example `d["key"] | default("")`.'],
  ['lstrip', 'The filter `trim` removes white space at both ends.'],
  ['rstrip', 'The filter `trim` removes white space at both ends.'],
  ['find', 'Write `"part" in text`.'],
  ['indexOf', 'Write `"part" in text`.'],
  ['includes', 'Write `"part" in text`.'],
  ['contains', 'Write `"part" in text`.'],
  ['push', 'Lists do not change. Write `{% set items = items + [item] %}`.'],
  ['concat', 'Write the parts with `~`, or `a + b` for lists.'],
  ['slice', 'Write `value[0:5]`.'],
  ['substring', 'Write `text[0:5]`.'],
  ['substr', 'Write `text[0:5]`.'],
  ['charAt', 'Write `text[0]`.'],
  ['at', 'Write `items[0]`.'],
  ['trimStart', 'The filter `trim` removes white space at both ends.'],
  ['trimEnd', 'The filter `trim` removes white space at both ends.'],
  ['isEmpty', 'Write `not value`.'],
]);

const ADVICE_FOR_LIST_METHOD: ReadonlyMap<string, string> = new Map([
  ['index', 'Write `item in items`.'],
  ['count', 'Write `items | select("eq", item) | length`.'],
  ['remove', 'Lists do not change. Write `{% set items = items | reject("eq", item) %}`.'],
  ['pop', 'Lists do not change. Write `{% set items = items[:-1] %}`.'],
]);

/**
 * Returns the problem with a call of a method that the value does not have. `text` is the receiver, shortened; `sourceOf`
 * returns the text of a span.
 */
export function methodProblem(
  call: Call,
  { receiver, name }: Attribute,
  { kinds, map }: ValueType,
  text: string,
  sourceOf: (place: Span) => string,
): TypeProblem {
  const filter = filterFor(name, kinds, call.args);
  const near = map && !map.isOpen ? nearestNames(name.text, map.names()) : [];
  const test = !filter && isOnlyText(kinds) ? TEST_FOR_METHOD.get(name.text) : undefined;
  const ofList = [...kinds].every((kind) => kind === 'list') ? ADVICE_FOR_LIST_METHOD.get(name.text) : undefined;
  const other = test ? `Use the test \`is ${test}\`.` : (ofList ?? ADVICE_FOR_METHOD.get(name.text));
  const use = name.text === 'values' ? 'Use `items | map("last")`' : `Use the filter \`${filter}\``;
  const written = COMPARED_FOR_METHOD.get(name.text);
  const advice = filter
    ? ` ${use}.`
    : written !== undefined && isOnlyText(kinds)
      ? ` Compare it with \`${text} | ${written}\`.`
      : other === undefined
        ? ''
        : ` ${other}`;
  const replacements = near.map((other) => ({
    title: `Replace with \`${other}\``,
    edits: [{ span: name.span, newText: other }],
  }));
  const edits = filter
    ? filterEdits(call, receiver, name, { filter, isSwapped: isTextJoin(name, kinds) }, sourceOf)
    : [];
  const [first] = call.args;
  const tested = test && !(call.args.length > 1) ? testEdit(call, receiver, test, first, sourceOf) : [];
  const compared = comparisonEdits(call, receiver, name, kinds, sourceOf);
  const filters = [
    ...(edits.length > 0 ? [{ title: use, edits }] : []),
    ...(tested.length > 0 ? [{ title: `Use the test \`is ${test}\``, edits: tested }] : []),
    ...compared.map((edit) => ({ title: `Replace with \`${edit.newText}\``, edits: [edit] })),
  ];
  return {
    kind: 'refused-value',
    span: name.span,
    isCertain: true,
    message: `\`${text}\` is ${nounsOf(kinds)} and has no method \`${name.text}\`.${near.length > 0 ? didYouMean(near) : advice}`,
    fixes: near.length > 0 ? replacements : filters,
  };
}

const isOnlyText = (kinds: ReadonlySet<Kind>): boolean => [...kinds].every((kind) => kind === 'string');

/** The methods that `in` replaces. */
const MEMBERSHIP: readonly string[] = ['includes', 'contains'];

/** Returns the edit that replaces `isupper()`, `includes(…)` or `get(…)` by an expression in parentheses. */
function comparisonEdits(
  { args, span: whole }: Call,
  receiver: Expression,
  name: Name,
  kinds: ReadonlySet<Kind>,
  sourceOf: (place: Span) => string,
): readonly TextEdit[] {
  if (!OPERANDS.includes(receiver.kind) || whole.start !== receiver.span.start) return [];
  const text = sourceOf(receiver.span);
  const filter = COMPARED_FOR_METHOD.get(name.text);
  if (filter && args.length === 0 && isOnlyText(kinds)) {
    return [{ span: whole, newText: `(${text} == ${text} | ${filter})` }];
  }
  const [only] = args;
  if (MEMBERSHIP.includes(name.text) && args.length === 1 && only?.kind === 'positional') {
    const isSearched = [...kinds].every((kind) => kind === 'string' || kind === 'list');
    return isSearched ? [{ span: whole, newText: `(${sourceOf(only.value.span)} in ${text})` }] : [];
  }
  const [key, fallback] = args.map(({ value }) => sourceOf(value.span));
  const isGet = name.text === 'get' && [...kinds].every((kind) => kind === 'map') && args.length <= 2;
  if (!isGet || key === undefined || args.some(({ kind }) => kind !== 'positional')) return [];
  return [{ span: whole, newText: `(${text}[${key}] | default(${fallback ?? '""'}))` }];
}

/** Returns the edit that replaces a method call by a test in parentheses. */
function testEdit(
  { span: whole }: Call,
  receiver: Expression,
  test: string,
  first: Argument | undefined,
  sourceOf: (place: Span) => string,
): readonly TextEdit[] {
  if (
    !OPERANDS.includes(receiver.kind) ||
    (first && first.kind !== 'positional') ||
    whole.start !== receiver.span.start
  )
    return [];
  const argument = first ? `(${sourceOf(first.value.span)})` : '';
  return [{ span: whole, newText: `(${sourceOf(receiver.span)} is ${test}${argument})` }];
}

/** Returns the filter that does what a method of Python does; undefined if the filter refuses the value or an argument. */
function filterFor(name: Name, kinds: ReadonlySet<Kind>, args: readonly Argument[]): string | undefined {
  const filter = FILTER_FOR_METHOD.get(name.text) ?? name.text;
  if (isTextJoin(name, kinds)) {
    return kinds.size === 1 && args.length === 1 && args[0]?.kind === 'positional' ? filter : undefined;
  }
  const refused = refusedBy('filter', filter);
  if (!FILTERS.has(filter) || [...kinds].some((kind) => refused.has(kind))) return undefined;
  return argumentProblem('filter', { ...name, text: filter }, args, () => '') ? undefined : filter;
}

/** Returns whether a method is `join` of a string, which takes the list as its argument. */
const isTextJoin = (name: Name, kinds: ReadonlySet<Kind>): boolean => name.text === 'join' && kinds.has('string');

/** The text after an iterator that has the result of a list: an index from the front, and filters. */
const READS_ITERATORS =
  /^\s*(?:\[\s*\d+\s*\]|\|\s*(?:batch|first|join|last|list|map|max|min|reject|reverse|select|slice|sort|tojson|unique)\b)/;

/** Returns the edits that replace a method call by a filter; none if the method itself is in parentheses. */
function filterEdits(
  { args, span: whole }: Call,
  receiver: Expression,
  name: Name,
  { filter, isSwapped }: { readonly filter: string; readonly isSwapped: boolean },
  sourceOf: (place: Span) => string,
): readonly TextEdit[] {
  const dot = /\s*\.\s*$/.exec(sourceOf(span(receiver.span.end, name.span.start)))?.[0];
  if (dot === undefined || !/^\s*\(/.test(sourceOf(span(name.span.end, whole.end)))) return [];
  const end = name.span.start - dot.length;
  const after = sourceOf(span(whole.end, whole.end + 100));
  const before = sourceOf(span(Math.max(0, whole.start - 100), whole.start));
  const isRead = /^\s*[.[(]/.test(after);
  // An attribute, an item or a call would belong to the filter, and a filter would follow a test and its argument.
  const [open, close] = isRead || /\bis\s+(?:not\s+)?\w+\s*$/.test(before) ? ['(', ')'] : ['', ''];
  // The result of `split` is an iterator, which has no length, no last item and no text.
  const list =
    filter === 'split' && !READS_ITERATORS.test(after) ? ' | list' : name.text === 'values' ? ' | map("last")' : '';
  const [first] = args;
  if (isSwapped && first) {
    const [from, to] = OPERANDS.includes(first.value.kind) ? ['', ''] : ['(', ')'];
    const joined = `${from}${sourceOf(first.value.span)}${to} | join(${sourceOf(span(whole.start, end))})`;
    return [{ span: whole, newText: open + joined + close }];
  }
  const tail = list + close;
  const start = open === '' ? [] : [{ span: span(whole.start, whole.start), newText: open }];
  if (args.length === 0) return [...start, { span: span(end, whole.end), newText: ` | ${filter}${tail}` }];
  return [
    ...start,
    { span: span(end, name.span.end), newText: ` | ${filter}` },
    ...(tail === '' ? [] : [{ span: span(whole.end, whole.end), newText: tail }]),
  ];
}

/** Returns the type after `default`: `lax` also replaces values that count as false. */
export function defaulted(operand: ValueType, args: readonly Argument[], types: readonly ValueType[]): ValueType {
  const isLax = args.length > 1;
  const [given = NULL] = types;
  // A fallback that is null counts as missing.
  const fallback = isOnly(given, 'null') ? STRING : given;
  if (!hasKind(operand, 'undefined') && !isLax) return operand;
  const kept = isLax ? without(operand, 'undefined', 'null') : without(operand, 'undefined');
  return isOnly(operand, 'undefined', ...(isLax ? (['null'] as const) : [])) ? fallback : unionOf([kept, fallback]);
}

const TRUTHS: readonly string[] = ['first', 'last'];
const CALLS: readonly string[] = ['cycle', 'changed'];

const SIZES: readonly string[] = ['length', 'revindex', 'revindex0'];

/** Returns the type of `loop`. A recursive loop is called as a function. `unsized` is set if the loop has no length. */
export function loopOf(item: ValueType, isRecursive: boolean, unsized?: TemplatePart<UnsizedLoop>): ValueType {
  const fields = [...LOOP_FIELDS.keys()].map((name) => {
    const type = (): ValueType => {
      if (CALLS.includes(name)) return CALLABLE;
      if (name === 'last' && unsized) return { ...BOOLEAN, unsized };
      if (TRUTHS.includes(name)) return BOOLEAN;
      if (name === 'previtem' || name === 'nextitem') return orUndefined(item, { reason: 'edge', name });
      const least = name.endsWith('0') ? 0 : 1;
      const number: ValueType = { ...NUMBER, facts: { least, ...(least > 0 && { isTruthy: true }) } };
      if (!unsized || !SIZES.includes(name)) return number;
      const absence = { reason: 'unsized', name, unsized } as const;
      return unsized.part.isAlways ? undefinedFor(absence) : orUndefined(number, absence);
    };
    return [name, type] as const;
  });
  const type = mapOf(new Map(fields));
  return { ...type, label: 'the loop', kinds: isRecursive ? new Set<Kind>(['map', 'callable']) : type.kinds };
}
