/**
 * The types that the filters, tests and operators of MiniJinja 2.11 accept and return, checked against the engine, and
 * the arguments that they accept.
 */

import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span } from '../../../text.ts';
import type { Argument, Attribute, BinaryOperator, Call, Macro, Name } from '../ast.ts';
import { type Builtin, FILTERS, FUNCTIONS, LOOP_FIELDS, TESTS } from '../builtins.ts';
import type { TypeProblem } from './problems.ts';
import {
  ANY,
  BOOLEAN,
  CALLABLE,
  hasKind,
  isAny,
  isOnly,
  itemOf,
  itemsOf,
  type Kind,
  LIST,
  listOf,
  mapOf,
  NULL,
  NUMBER,
  nounsOf,
  orUndefined,
  STRING,
  tupleOf,
  unionOf,
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
const TO_ITEM = namesOf('first last max min');
const TO_LIST = namesOf('list reject rejectattr select selectattr sort unique');
const TO_LISTS = namesOf('batch slice');

/**
 * Returns the type of a filter's result for a defined input. The filters `attr`, `default` and `map` depend on their
 * arguments, and their result is unknown here.
 */
export function resultOfFilter(name: string, input: ValueType): ValueType {
  if (TO_STRING.has(name)) return STRING;
  if (TO_NUMBER.has(name)) return NUMBER;
  if (name === 'bool') return BOOLEAN;
  if (name === 'safe') return isOnly(input, 'string') ? input : STRING;
  if (name === 'lines') return listOf(() => STRING);
  if (name === 'split') return { ...LIST, list: { item: () => STRING, isIterator: true } };
  if (isAny(input)) return TO_LIST.has(name) || TO_LISTS.has(name) ? LIST : ANY;
  if (TO_ITEM.has(name)) return itemOf(input);
  if (TO_LIST.has(name)) return itemsOf(input);
  if (TO_LISTS.has(name)) return listOf(() => itemsOf(input));
  if (name === 'reverse' && hasKind(input, 'string')) return isOnly(input, 'string') ? input : ANY;
  if (name === 'reverse') return itemsOf(input);
  if (name === 'groupby') return listOf(() => groupOf(input, ANY));
  if (name === 'items' || name === 'dictsort') return listOf(() => pairOf(input));
  return ANY;
}

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
  const isJoined = results.has('list') && operator === '+';
  const list = isJoined ? listOf(() => unionOf([itemOf(left), itemOf(right)])).list : (left.list ?? right.list);
  return { type: { kinds: results, ...(results.has('list') && list && { list }) }, refused };
}

const shareOf = (part: number, whole: number): OperatorResult['refused'] =>
  part === 0 ? 'never' : part === whole ? 'always' : 'sometimes';

const TABLES = { filter: FILTERS, test: TESTS, function: FUNCTIONS } as const;

/** The builtins that take a map as any argument, so that an argument by name does not make them fail. */
const TAKES_MAPS: readonly string[] = 'attr batch d debug default divisibleby eq equalto joiner slice'.split(' ');

/** Returns the first problem with the arguments of a call. `text` returns the source of a span. */
export function argumentProblem(
  what: 'filter' | 'test' | 'function',
  name: Name,
  args: readonly Argument[],
): TypeProblem | undefined {
  const builtin = TABLES[what].get(name.text);
  if (!builtin || args.some(({ kind }) => kind === 'splat' || kind === 'keyword-splat')) return undefined;
  const { parameters } = builtin;
  if (parameters.some(({ passed }) => passed === 'rest')) return missingArgument(what, builtin, name, args);
  const known = parameters.filter(({ passed }) => passed === 'name' || passed === 'either').map((one) => one.name);
  const named = args.find(({ kind, name: word }) => kind === 'keyword' && !known.includes(word?.text ?? ''));
  if (named?.name && named.name.text !== '') return unknownKeyword(what, builtin, named, named.name, known, args);
  const most = parameters.filter(({ passed }) => passed !== 'name').length;
  const surplus = args.filter(({ kind }) => kind === 'positional')[most];
  if (surplus) return surplusArgument(what, builtin, surplus, most);
  return missingArgument(what, builtin, name, args);
}

const NEEDS_ARGUMENT: readonly string[] = ['groupby', 'map'];

const wordFor = { filter: 'The filter', test: 'The test', function: 'The function' } as const;

function unknownKeyword(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  argument: Argument,
  word: Name,
  known: readonly string[],
  args: readonly Argument[],
): TypeProblem {
  const near = nearestNames(word.text, known);
  const label = `${wordFor[what]} \`${name}\` has no argument \`${word.text}\`.`;
  const index = args.filter(({ kind }) => kind === 'positional').length;
  const isByPosition = index < parameters.filter(({ passed }) => passed !== 'name').length;
  const advice = isByPosition && known.length === 0 ? ' Pass it by position.' : ` Use \`${signature}\`.`;
  return {
    kind: 'argument',
    span: word.span,
    isCertain: !TAKES_MAPS.includes(name) || (index > 0 && parameters.some((one) => one.name === 'lax')),
    message: label + (near.length > 0 ? didYouMean(near) : advice),
    fixes: [
      ...near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: word.span, newText: other }] })),
      ...(near.length === 0 && isByPosition && args.at(index) === argument
        ? [
            {
              title: `Remove \`${word.text}=\``,
              edits: [{ span: span(word.span.start, argument.value.span.start), newText: '' }],
            },
          ]
        : []),
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
    message: `${wordFor[what]} \`${name}\` takes ${most === 0 ? 'no' : `at most ${most}`} argument${most === 1 ? '' : 's'} by position.${advice}`,
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
    message: `${wordFor[what]} \`${name}\` needs the argument \`${missing.name}\`. Use \`${signature}\`.`,
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
    const near = kind === 'keyword' && !isDuplicate ? nearestNames(name ?? '', names) : [];
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

/** The filters for methods of Python with another name. */
const FILTER_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['strip', 'trim'],
  ['keys', 'list'],
  ['splitlines', 'lines'],
]);

/** Returns the problem with a call of a method that the value does not have. `text` is the source of the receiver. */
export function methodProblem(
  call: Call,
  { receiver, name }: Attribute,
  { kinds, map }: ValueType,
  text: string,
): TypeProblem {
  const filter = FILTER_FOR_METHOD.get(name.text) ?? (FILTERS.has(name.text) ? name.text : undefined);
  const near = map && !map.isOpen ? nearestNames(name.text, map.names()) : [];
  const until = span(receiver.span.end, call.args.length === 0 ? call.span.end : name.span.end);
  const advice = filter ? ` Use the filter \`${filter}\`.` : '';
  const replacements = near.map((other) => ({
    title: `Replace with \`${other}\``,
    edits: [{ span: name.span, newText: other }],
  }));
  const filters = filter
    ? [{ title: `Use the filter \`${filter}\``, edits: [{ span: until, newText: ` | ${filter}` }] }]
    : [];
  return {
    kind: 'refused-value',
    span: name.span,
    isCertain: true,
    message: `\`${text}\` is ${nounsOf(kinds)} and has no method \`${name.text}\`.${near.length > 0 ? didYouMean(near) : advice}`,
    fixes: near.length > 0 ? replacements : filters,
  };
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

/** Returns the type of `loop`. A recursive loop is called as a function. */
export function loopOf(item: ValueType, isRecursive: boolean): ValueType {
  const fields = [...LOOP_FIELDS.keys()].map((name) => {
    const type = (): ValueType => {
      if (CALLS.includes(name)) return CALLABLE;
      if (TRUTHS.includes(name)) return BOOLEAN;
      if (name !== 'previtem' && name !== 'nextitem') return NUMBER;
      return orUndefined(item, { reason: 'edge' });
    };
    return [name, type] as const;
  });
  const type = mapOf(new Map(fields));
  return { ...type, label: 'the loop', kinds: isRecursive ? new Set<Kind>(['map', 'callable']) : type.kinds };
}
