/**
 * The built-in filters, tests, functions and `loop` fields in MiniJinja 2.11 as packaged in `minijinja-js`.
 * `UNSUPPORTED_BUILTINS` lists the additions of other versions and builds.
 */

import type { NewerFeature } from './ast.ts';

// The form of the tables.

/**
 * A parameter, and how a call passes its argument: by position only, by name only, or either way. A `rest` parameter
 * takes any number of arguments.
 */
interface BuiltinParameter {
  readonly name: string;
  readonly passed: 'position' | 'name' | 'either' | 'rest';
  readonly optional: boolean;
}

export interface Builtin {
  readonly name: string;
  /** The form of a call, such as `replace(from, to)`. Optional parameters end with `?`. */
  readonly signature: string;
  readonly parameters: readonly BuiltinParameter[];
  /** A one-line description. */
  readonly docs: string;
  /** A template and its rendered output. The tests render each template. */
  readonly example: readonly [source: string, output: string];
  /** The differences in newer versions, other builds or Jinja2. */
  readonly notes: string | undefined;
}

/**
 * Returns an entry. `parameters` is a comma-separated list: `x?` is optional, `x=` is passed by name only, `x?=` is
 * passed by name or position, and `*x` stands for any number of arguments.
 */
function builtin(
  name: string,
  parameters: string,
  docs: string,
  example: readonly [string, string],
  notes?: string,
): Builtin {
  const list = parameters === '' ? [] : parameters.split(', ').map(parameterOf);
  const written = list.map(({ name: word, passed, optional }) => {
    if (passed === 'rest') return `*${word}`;
    return passed === 'name' ? `${word}=…` : word + (optional ? '?' : '');
  });
  const signature = list.length === 0 ? name : `${name}(${written.join(', ')})`;
  return { name, signature, parameters: list, docs, example, notes };
}

function parameterOf(written: string): BuiltinParameter {
  const name = written.replace(/[*?=]/g, '');
  if (written.startsWith('*')) return { name, passed: 'rest', optional: true };
  const optional = written.includes('?');
  if (!written.endsWith('=')) return { name, passed: 'position', optional };
  return { name, passed: optional ? 'either' : 'name', optional: true };
}

const tableOf = (entries: readonly Builtin[]): ReadonlyMap<string, Builtin> =>
  new Map(entries.map((entry) => [entry.name, entry]));

const JOIN = 'Has no parameter `attribute`, unlike Jinja2. Use `map(attribute=…)` before this filter.';
const POSITIONAL = 'Accepts arguments only by position, unlike Jinja2.';

/** Every filter of the packaged MiniJinja 2.11, checked against it. */
export const FILTERS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('abs', '', 'The absolute value of a number.', ['{{ -7 | abs }}', '7']),
  builtin('attr', 'name', 'Looks up an attribute or item by its name.', ['{{ {"a": 1} | attr("a") }}', '1']),
  builtin(
    'batch',
    'count, fill_with?',
    'Splits a list into lists of `count` items and fills the last one with `fill_with`.',
    ['{{ [1, 2, 3] | batch(2, 0) }}', '[[1, 2], [3, 0]]'],
    POSITIONAL,
  ),
  builtin(
    'bool',
    '',
    'True if the value counts as true in `if`, otherwise false.',
    ['{{ "" | bool }}', 'false'],
    'From MiniJinja 2.22, renders as `True` and `False`.',
  ),
  builtin('capitalize', '', 'The string with its first letter in upper case and all other letters in lower case.', [
    '{{ "hELLO wORLD" | capitalize }}',
    'Hello world',
  ]),
  builtin('chain', '*others', 'Joins several lists or maps into one.', ['{{ [1] | chain([2]) | list }}', '[1, 2]']),
  builtin('count', '', 'The number of items or characters; the same as `length`.', ['{{ "abc" | count }}', '3']),
  builtin('d', 'value?, lax?', 'The same as `default`.', ['{{ missing | d("none") }}', 'none'], POSITIONAL),
  builtin(
    'default',
    'value?, lax?',
    'The given value if the input is undefined. If `lax` is true, also if the input is empty or false.',
    ['{{ "" | default("empty", true) }}', 'empty'],
    `${POSITIONAL} The default \`none\` becomes an empty string.`,
  ),
  builtin(
    'dictsort',
    'by=, case_sensitive=, reverse=',
    'The pairs of a map, sorted by key or, with `by="value"`, by value.',
    ['{{ {"b": 1, "a": 2} | dictsort }}', '[["a", 2], ["b", 1]]'],
  ),
  builtin('e', '', 'The same as `escape`.', ['{{ "<a>" | e }}', '&lt;a&gt;']),
  builtin('escape', '', 'Replaces `<`, `>`, `&` and quotes with HTML entities.', ['{{ "<a>" | escape }}', '&lt;a&gt;']),
  builtin(
    'filesizeformat',
    'binary?',
    'A number of bytes in a readable unit. If `binary` is true, units are powers of 1024.',
    ['{{ 1500000 | filesizeformat }}', '1.5 MB'],
    POSITIONAL,
  ),
  builtin('first', '', 'The first item, or undefined.', ['{{ [1, 2] | first }}', '1']),
  builtin(
    'float',
    '',
    'The value as a floating-point number. Fails if it is not a number.',
    ['{{ "1.5" | float }}', '1.5'],
    'Has no parameter `default`, unlike Jinja2.',
  ),
  builtin(
    'groupby',
    'attribute?=, default=, case_sensitive=',
    'Groups items by an attribute. Returns pairs of an attribute value and the list of its items.',
    [
      '{% for kind, items in [{"k": "a"}, {"k": "b"}] | groupby("k") %}{{ kind }}{{ items | length }}{% endfor %}',
      'a1b1',
    ],
    'Ignores case by default. The value of a group is then that of its last item; in Jinja2, that of its first item.',
  ),
  builtin(
    'indent',
    'width, first?, blank?',
    'Indents all lines except the first line and blank lines. `first` and `blank` indent these lines, too.',
    ['{{ "a\\nb" | indent(2) }}', 'a\n  b'],
    'The width is required, and a last line break is removed. From MiniJinja 2.18, arguments are accepted only by name.',
  ),
  builtin(
    'int',
    '',
    'The value as a whole number. Fails if it is not a number.',
    ['{{ "42" | int }}', '42'],
    'Has no parameter `default`, unlike Jinja2.',
  ),
  builtin('items', '', 'The keys and values of a map as pairs.', ['{{ {"a": 1} | items | list }}', '[["a", 1]]']),
  builtin(
    'join',
    'separator?',
    'Joins all items into one string, with the separator between them.',
    ['{{ [1, 2] | join(", ") }}', '1, 2'],
    JOIN,
  ),
  builtin('last', '', 'The last item, or undefined.', ['{{ [1, 2] | last }}', '2']),
  builtin('length', '', 'The number of items or characters.', ['{{ "abc" | length }}', '3']),
  builtin('lines', '', 'The lines of a string, without their line breaks.', [
    '{{ "a\\nb" | lines | list }}',
    '["a", "b"]',
  ]),
  builtin('list', '', 'The value as a list. A map becomes its keys, a string its characters.', [
    '{{ "ab" | list }}',
    '["a", "b"]',
  ]),
  builtin('lower', '', 'The string in lower-case letters.', ['{{ "AB" | lower }}', 'ab']),
  builtin(
    'map',
    'filter?, *args, attribute=, default=',
    'Applies a filter to each item, or returns an attribute of each item.',
    ['{{ [{"a": 1}, {}] | map(attribute="a", default=0) | list }}', '[1, 0]'],
  ),
  builtin('max', '', 'The largest item.', ['{{ [1, 3, 2] | max }}', '3']),
  builtin('min', '', 'The smallest item.', ['{{ [1, 3, 2] | min }}', '1']),
  builtin(
    'pluralize',
    'singular?, plural?',
    'The singular or the plural suffix for a count. By default, the singular has none and the plural has `s`.',
    ['{{ 2 | pluralize("y", "ies") }}', 'ies'],
    POSITIONAL,
  ),
  builtin('pprint', '', 'The value formatted for debugging.', ['{{ "a" | pprint }}', '"a"']),
  builtin('reject', 'test?, *args', 'The items that do not pass a test. Without a test: the items that are false.', [
    '{{ [1, 2] | reject("odd") | list }}',
    '[2]',
  ]),
  builtin(
    'rejectattr',
    'attribute, test?, *args',
    'The items whose attribute does not pass a test. Without a test: the items whose attribute is false.',
    ['{{ [{"a": 1}, {"a": 2}] | rejectattr("a", "odd") | length }}', '1'],
  ),
  builtin(
    'replace',
    'from, to',
    'Replaces every occurrence of a string with another.',
    ['{{ "abab" | replace("a", "c") }}', 'cbcb'],
    'Has no parameter `count`, unlike Jinja2.',
  ),
  builtin('reverse', '', 'The items or characters in reverse order.', ['{{ [1, 2] | reverse | list }}', '[2, 1]']),
  builtin(
    'round',
    'precision?',
    'Rounds to a number of decimals.',
    ['{{ 2.567 | round(2) }}', '2.57'],
    'Does not change whole numbers, also with a negative precision. Has no parameter `method`, unlike Jinja2.',
  ),
  builtin('safe', '', 'Marks a string as safe, so that it is not escaped.', ['{{ "<b>" | safe }}', '<b>']),
  builtin('select', 'test?, *args', 'The items that pass a test. Without a test: the items that are true.', [
    '{{ [1, 2] | select("odd") | list }}',
    '[1]',
  ]),
  builtin(
    'selectattr',
    'attribute, test?, *args',
    'The items whose attribute passes a test. Without a test: the items whose attribute is true.',
    ['{{ [{"a": 1}, {"a": 2}] | selectattr("a", "odd") | length }}', '1'],
  ),
  builtin(
    'slice',
    'count, fill_with?',
    'Splits a list into `count` lists and fills the short ones with `fill_with`.',
    ['{{ [1, 2, 3] | slice(2) }}', '[[1, 2], [3]]'],
    POSITIONAL,
  ),
  builtin(
    'sort',
    'attribute=, case_sensitive=, reverse=',
    'Sorts the items, optionally by an attribute.',
    ['{{ [2, 1, 3] | sort(reverse=true) }}', '[3, 2, 1]'],
    'From MiniJinja 2.13, accepts several attributes, separated by commas.',
  ),
  builtin(
    'split',
    'separator?, max_splits?',
    'Splits a string at a separator. Without a separator, splits at whitespace.',
    ['{{ "a,b,c" | split(",", 1) | list }}', '["a", "b,c"]'],
    `${POSITIONAL} Returns an iterator, which has no length; add \`| list\` for a list.`,
  ),
  builtin('string', '', 'The value as a string.', ['{{ 1 | string ~ "a" }}', '1a']),
  builtin('striptags', '', 'Removes HTML tags and resolves entities.', ['{{ "<b>a</b>" | striptags }}', 'a']),
  builtin('sum', '', 'The sum of the items.', ['{{ [1, 2] | sum }}', '3']),
  builtin(
    'title',
    '',
    'The string with an upper-case letter at the start of every word.',
    ['{{ "hello world" | title }}', 'Hello World'],
    'A word also starts after an apostrophe, unlike in Jinja2.',
  ),
  builtin('tojson', 'indent?=', 'The value as JSON, optionally indented.', ['{{ {"a": [1]} | tojson }}', '{"a":[1]}']),
  builtin('trim', 'characters?', 'Removes whitespace, or the given characters, at both ends.', [
    '{{ " a " | trim }}',
    'a',
  ]),
  builtin(
    'truncate',
    'length=, killwords=, end=, leeway=',
    'Shortens a string to a length (default 255). Keeps whole words unless `killwords` is true.',
    ['{{ "Hello World" | truncate(length=8, leeway=0) }}', 'Hello...'],
    'Accepts arguments only by name, unlike Jinja2.',
  ),
  builtin('unique', 'attribute=, case_sensitive=', 'The items without duplicates.', [
    '{{ [1, 1, 2] | unique | list }}',
    '[1, 2]',
  ]),
  builtin('upper', '', 'The string in upper-case letters.', ['{{ "a" | upper }}', 'A']),
]);

const yes = (test: string): readonly [string, string] => [`{{ ${test} }}`, 'true'];
const ONLY_LETTERS = 'False for a string with a space, a digit or punctuation, unlike in Jinja2.';
/** The note for tests that only a string can name, as in `select("==", 1)`. */
const BY_STRING = 'Available only as a string, as in `select`.';
const symbol = (name: string, same: string, items: string) =>
  builtin(name, 'other', `The same as \`${same}\`.`, [`{{ [1, 2] | select("${name}", 2) | list }}`, items], BY_STRING);

/** Every test of the packaged MiniJinja 2.11, checked against it. */
export const TESTS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('boolean', '', '`true` or `false`.', yes('true is boolean')),
  builtin('defined', '', 'A defined value. Never fails, not even in strict mode.', yes('1 is defined')),
  builtin('divisibleby', 'divisor', 'A multiple of the divisor.', yes('4 is divisibleby 2')),
  builtin('endingwith', 'text', 'A string that ends with another.', yes('"abc" is endingwith("c")')),
  builtin('eq', 'other', 'Equal, like `==`.', yes('1 is eq 1')),
  builtin('equalto', 'other', 'The same as `eq`.', yes('1 is equalto 1')),
  builtin('escaped', '', 'The same as `safe`.', yes('"a" | safe is escaped')),
  builtin('even', '', 'An even whole number.', yes('2 is even')),
  builtin('false', '', 'Exactly `false`.', yes('false is false')),
  builtin('filter', '', 'A string that names a filter.', yes('"upper" is filter')),
  builtin('float', '', 'A floating-point number.', yes('1.0 is float')),
  builtin('ge', 'other', 'Greater than or equal to, like `>=`.', yes('2 is ge 2')),
  builtin('greaterthan', 'other', 'The same as `gt`.', yes('2 is greaterthan 1')),
  builtin('gt', 'other', 'Greater than, like `>`.', yes('2 is gt 1')),
  builtin(
    'in',
    'container',
    'True for an element of a list, a key of a map or a part of a string. The same as the operator `in`.',
    yes('1 is in [1]'),
  ),
  builtin('int', '', 'The same as `integer`.', yes('1 is int')),
  builtin('integer', '', 'A whole number.', yes('1 is integer')),
  builtin('iterable', '', 'A value for a `for` loop: a list, a map or a string.', yes('[1] is iterable')),
  builtin('le', 'other', 'Less than or equal to, like `<=`.', yes('1 is le 1')),
  builtin('lessthan', 'other', 'The same as `lt`.', yes('1 is lessthan 2')),
  builtin('lower', '', 'A string in lower-case letters.', yes('"a" is lower'), ONLY_LETTERS),
  builtin('lt', 'other', 'Less than, like `<`.', yes('1 is lt 2')),
  builtin('mapping', '', 'A map.', yes('{} is mapping')),
  builtin('ne', 'other', 'Not equal, like `!=`.', yes('1 is ne 2')),
  builtin('none', '', 'Exactly `none`, not an undefined value.', yes('none is none')),
  builtin('number', '', 'A number.', yes('1 is number')),
  builtin('odd', '', 'An odd whole number.', yes('1 is odd')),
  builtin('safe', '', 'A string that is marked as safe.', yes('"a" | safe is safe')),
  builtin('sameas', 'other', 'The same value. Two equal lists are not the same value.', yes('1 is sameas 1')),
  builtin(
    'sequence',
    '',
    'A list.',
    yes('[1] is sequence'),
    'False for strings, slices, and the results of `split`, `range`, `reverse` and `items`.',
  ),
  builtin('startingwith', 'text', 'A string that starts with another.', yes('"abc" is startingwith("a")')),
  builtin('string', '', 'A string.', yes('"a" is string')),
  builtin('test', '', 'A string that names a test.', yes('"odd" is test')),
  builtin('true', '', 'Exactly `true`.', yes('true is true')),
  builtin(
    'undefined',
    '',
    'A value that is not defined. Never fails, not even in strict mode.',
    yes('missing is undefined'),
  ),
  builtin('upper', '', 'A string in upper-case letters.', yes('"A" is upper'), ONLY_LETTERS),
  symbol('==', 'eq', '[2]'),
  symbol('!=', 'ne', '[1]'),
  symbol('<', 'lt', '[1]'),
  symbol('<=', 'le', '[1, 2]'),
  symbol('>', 'gt', '[]'),
  symbol('>=', 'ge', '[2]'),
]);

export const FUNCTIONS: ReadonlyMap<string, Builtin> = tableOf([
  builtin(
    'cycler',
    'items',
    'An object whose `next()` returns the items of a list in turn.',
    ['{% set c = cycler(["a", "b"]) %}{{ c.next() }}{{ c.next() }}{{ c.next() }}', 'aba'],
    'Accepts one list. Jinja2 accepts the items as arguments.',
  ),
  builtin('debug', '*values', 'The values, or the state of the engine, for debugging.', ['{{ debug(1) }}', '1']),
  builtin('dict', 'base?, *entries', 'A map of the keyword arguments, added to another map.', [
    '{{ dict({"b": 2}, a=1) }}',
    '{"a": 1, "b": 2}',
  ]),
  builtin('joiner', 'separator?', 'A function that returns the separator (`, `), except on the first call.', [
    '{% set j = joiner() %}{{ j() }}a{{ j() }}b',
    'a, b',
  ]),
  builtin(
    'namespace',
    'defaults?, *entries',
    'A map whose attributes `{% set ns.x = … %}` can change, even in loops.',
    ['{% set ns = namespace(n=0) %}{% for x in [1, 2] %}{% set ns.n = ns.n + x %}{% endfor %}{{ ns.n }}', '3'],
  ),
  builtin('range', 'lower, upper?, step?', 'The whole numbers below `upper`; at most 100,000 numbers.', [
    '{{ range(1, 4) | list }}',
    '[1, 2, 3]',
  ]),
]);

const WITHOUT_LENGTH = 'A loop over the result of `split` or over a string does not know its length; add `| list`.';
const inLoop = (field: string): string => `{% for x in ["a", "b", "c"] %}{{ loop.${field} }},{% endfor %}`;

export const LOOP_FIELDS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('index', '', 'The number of the iteration, from 1.', [inLoop('index'), '1,2,3,']),
  builtin('index0', '', 'The number of the iteration, from 0.', [inLoop('index0'), '0,1,2,']),
  builtin('revindex', '', 'The number of the iteration from the end, down to 1.', [inLoop('revindex'), '3,2,1,']),
  builtin('revindex0', '', 'The number of the iteration from the end, down to 0.', [inLoop('revindex0'), '2,1,0,']),
  builtin('first', '', 'True in the first iteration.', [inLoop('first'), 'true,false,false,']),
  builtin('last', '', 'True in the last iteration.', [inLoop('last'), 'false,false,true,'], WITHOUT_LENGTH),
  builtin('length', '', 'The number of items, if it is known.', [inLoop('length'), '3,3,3,'], WITHOUT_LENGTH),
  builtin('depth', '', 'The depth of a recursive loop, from 1.', [inLoop('depth'), '1,1,1,']),
  builtin('depth0', '', 'The depth of a recursive loop, from 0.', [inLoop('depth0'), '0,0,0,']),
  builtin('previtem', '', 'The previous item. Undefined in the first iteration.', [inLoop('previtem'), ',a,b,']),
  builtin('nextitem', '', 'The next item. Undefined in the last iteration.', [inLoop('nextitem'), 'b,c,,']),
  builtin('cycle', '*values', 'One of the values, in turn.', [inLoop('cycle("x", "y")'), 'x,y,x,']),
  builtin('changed', '*values', 'True if the values differ from those of the previous call.', [
    inLoop('changed(1)'),
    'true,false,false,',
  ]),
]);

/**
 * A filter or function that only other versions or builds have. A template that uses it fails to render with the
 * packaged MiniJinja 2.11.
 */
interface UnsupportedBuiltin {
  readonly kind: 'filter' | 'function';
  readonly name: string;
  readonly since: string;
  readonly docs: string;
  /** The words to write instead, as the end of a sentence. */
  readonly instead?: string;
}

export const UNSUPPORTED_BUILTINS: readonly UnsupportedBuiltin[] = [
  { kind: 'filter', name: 'zip', since: '2.12', docs: 'Combines the items of several lists into tuples.' },
  {
    kind: 'filter',
    name: 'format',
    since: '2.13',
    docs: 'Replaces `%` placeholders with values.',
    instead: 'Join the parts with `~`.',
  },
  { kind: 'filter', name: 'urlencode', since: 'the build feature `urlencode`', docs: 'Encodes a value for a URL.' },
  {
    kind: 'filter',
    name: 'wordcount',
    since: 'the build feature `wordcount`',
    docs: 'The number of words.',
    instead: 'Write `split | list | length`.',
  },
  { kind: 'filter', name: 'wordwrap', since: 'the build feature `wordwrap`', docs: 'Wraps a string into lines.' },
  { kind: 'filter', name: 'datetimeformat', since: 'the build feature `datetime`', docs: 'Formats a date and time.' },
  { kind: 'filter', name: 'dateformat', since: 'the build feature `datetime`', docs: 'Formats a date.' },
  { kind: 'filter', name: 'timeformat', since: 'the build feature `datetime`', docs: 'Formats a time.' },
  {
    kind: 'filter',
    name: 'random',
    since: 'the build feature `rand`',
    docs: 'A random item.',
    instead: 'Prompts have no random values; write `first`.',
  },
  { kind: 'function', name: 'now', since: 'the build feature `datetime`', docs: 'The current time.' },
  { kind: 'function', name: 'lipsum', since: 'the build feature `rand`', docs: 'Placeholder text.' },
  { kind: 'function', name: 'randrange', since: 'the build feature `rand`', docs: 'A random whole number.' },
];

/** Returns the built-in with a case-sensitive name, or undefined if there is no such built-in. */
export const findFilter = (name: string): Builtin | undefined => FILTERS.get(name);
export const findTest = (name: string): Builtin | undefined => TESTS.get(name);
export const findFunction = (name: string): Builtin | undefined => FUNCTIONS.get(name);
export const findLoopField = (name: string): Builtin | undefined => LOOP_FIELDS.get(name);
/** Returns the entry of a filter or function that only other versions or builds have. */
export const findUnsupportedBuiltin = (
  kind: UnsupportedBuiltin['kind'],
  name: string,
): UnsupportedBuiltin | undefined => UNSUPPORTED_BUILTINS.find((entry) => entry.kind === kind && entry.name === name);

// Syntax that the parser accepts and MiniJinja 2.11 does not.

interface NewerSyntax {
  /** The first version, or the build feature, that accepts it. */
  readonly since: string;
  readonly docs: string;
}

export const NEWER_SYNTAX: Readonly<Record<NewerFeature, NewerSyntax>> = {
  'loop-controls': { since: 'the build feature `loop_controls`', docs: '`{% break %}` and `{% continue %}` in loops.' },
  'required-block': { since: '2.20', docs: 'Blocks with `scoped`, `required` or both.' },
  'conditional-keyword-argument': {
    since: '2.24',
    docs: 'A conditional expression without parentheses as a keyword argument.',
  },
};
