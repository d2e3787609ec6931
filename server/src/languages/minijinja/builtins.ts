/**
 * What templates may use without defining it: filters, tests, functions, and the fields of `loop`. The tables hold
 * what MiniJinja 2.11 knows as `minijinja-js` packages it, and `ELSEWHERE` what other versions and builds add.
 */

import type { NewerFeature } from './ast.ts';

// The shape of the tables of what the engine knows by name.

/** `position` takes no name in a call and `name` nothing else; `rest` takes any number of arguments. */
interface BuiltinParameter {
  readonly name: string;
  readonly passed: 'position' | 'name' | 'either' | 'rest';
  readonly optional: boolean;
}

export interface Builtin {
  readonly name: string;
  /** As it would be written: `replace(from, to)`; optional parameters are marked with `?`. */
  readonly signature: string;
  readonly parameters: readonly BuiltinParameter[];
  /** One line. */
  readonly docs: string;
  /** A template and what it renders to; the tests run them. */
  readonly example: readonly [source: string, output: string];
  /** Where newer versions or other builds differ from the packaged MiniJinja 2.11. */
  readonly notes: string | undefined;
}

/**
 * An entry from a compact form: parameters separated by commas, `x?` optional, `x=` by name only, `x?=` by name or
 * position, `*x` any number.
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

const JOIN = 'Jinja2 also takes an `attribute`; MiniJinja does not: use `map(attribute=…)` first.';
const POSITIONAL = 'Takes its arguments by position only, unlike Jinja2.';

/** Every filter that MiniJinja 2.11 knows as `minijinja-js` packages it, each tried there. */
export const FILTERS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('abs', '', 'The absolute value of a number.', ['{{ -7 | abs }}', '7']),
  builtin('attr', 'name', 'Looks up an attribute or item by its name.', ['{{ {"a": 1} | attr("a") }}', '1']),
  builtin(
    'batch',
    'count, fill_with?',
    'Cuts a list into lists of `count` items, the last one filled up with `fill_with`.',
    ['{{ [1, 2, 3] | batch(2, 0) }}', '[[1, 2], [3, 0]]'],
    POSITIONAL,
  ),
  builtin(
    'bool',
    '',
    'The value as true or false, as `if` sees it.',
    ['{{ "" | bool }}', 'false'],
    'Renders as `True` and `False` from 2.22 on.',
  ),
  builtin('capitalize', '', 'The first letter upper-case, the rest lower-case.', [
    '{{ "hELLO wORLD" | capitalize }}',
    'Hello world',
  ]),
  builtin('chain', '*others', 'Several lists or maps one after the other, as one.', [
    '{{ [1] | chain([2]) | list }}',
    '[1, 2]',
  ]),
  builtin('count', '', 'The number of items or characters; the same as `length`.', ['{{ "abc" | count }}', '3']),
  builtin('d', 'value?, lax?', 'The same as `default`.', ['{{ missing | d("none") }}', 'none'], POSITIONAL),
  builtin(
    'default',
    'value?, lax?',
    'The given value where the input is undefined; with `lax` true also where it is empty or false.',
    ['{{ "" | default("empty", true) }}', 'empty'],
    POSITIONAL,
  ),
  builtin(
    'dictsort',
    'by=, case_sensitive=, reverse=',
    'A map as pairs, sorted by key or, with `by="value"`, by value.',
    ['{{ {"b": 1, "a": 2} | dictsort }}', '[["a", 2], ["b", 1]]'],
  ),
  builtin('e', '', 'The same as `escape`.', ['{{ "<a>" | e }}', '&lt;a&gt;']),
  builtin('escape', '', 'Replaces `<`, `>`, `&` and quotes by HTML entities.', ['{{ "<a>" | escape }}', '&lt;a&gt;']),
  builtin(
    'filesizeformat',
    'binary?',
    'A number of bytes as people read it; with `binary` true in powers of 1024.',
    ['{{ 1500000 | filesizeformat }}', '1.5 MB'],
    POSITIONAL,
  ),
  builtin('first', '', 'The first item, or undefined.', ['{{ [1, 2] | first }}', '1']),
  builtin(
    'float',
    '',
    'The value as a number with decimals; fails where it is none.',
    ['{{ "1.5" | float }}', '1.5'],
    'Takes no default, unlike Jinja2.',
  ),
  builtin(
    'groupby',
    'attribute?=, default=, case_sensitive=',
    'Groups of items with the same attribute, as pairs of the value and the list.',
    [
      '{% for kind, items in [{"k": "a"}, {"k": "b"}] | groupby("k") %}{{ kind }}{{ items | length }}{% endfor %}',
      'a1b1',
    ],
  ),
  builtin(
    'indent',
    'width, first?, blank?',
    'Indents all lines but the first; `first` and `blank` include the first line and blank lines.',
    ['{{ "a\\nb" | indent(2) }}', 'a\n  b'],
    'Takes its arguments by name only from 2.18 on; the width is mandatory.',
  ),
  builtin(
    'int',
    '',
    'The value as a whole number; fails where it is none.',
    ['{{ "42" | int }}', '42'],
    'Takes no default, unlike Jinja2.',
  ),
  builtin('items', '', 'The keys and values of a map as pairs.', ['{{ {"a": 1} | items | list }}', '[["a", 1]]']),
  builtin(
    'join',
    'separator?',
    'One string of all items, with the separator between them.',
    ['{{ [1, 2] | join(", ") }}', '1, 2'],
    JOIN,
  ),
  builtin('last', '', 'The last item, or undefined.', ['{{ [1, 2] | last }}', '2']),
  builtin('length', '', 'The number of items or characters.', ['{{ "abc" | length }}', '3']),
  builtin('lines', '', 'The lines of a text, without their line breaks.', [
    '{{ "a\\nb" | lines | list }}',
    '["a", "b"]',
  ]),
  builtin('list', '', 'The value as a list: of keys for a map, of characters for a text.', [
    '{{ "ab" | list }}',
    '["a", "b"]',
  ]),
  builtin('lower', '', 'All letters lower-case.', ['{{ "AB" | lower }}', 'ab']),
  builtin(
    'map',
    'filter?, *args, attribute=, default=',
    'Applies a filter to each item, or takes an attribute of each.',
    ['{{ [{"a": 1}, {}] | map(attribute="a", default=0) | list }}', '[1, 0]'],
  ),
  builtin('max', '', 'The greatest item.', ['{{ [1, 3, 2] | max }}', '3']),
  builtin('min', '', 'The least item.', ['{{ [1, 3, 2] | min }}', '1']),
  builtin(
    'pluralize',
    'singular?, plural?',
    'A suffix for one or for many: nothing or `s`, or the two given.',
    ['{{ 2 | pluralize("y", "ies") }}', 'ies'],
    POSITIONAL,
  ),
  builtin('pprint', '', 'The value laid out for debugging.', ['{{ "a" | pprint }}', '"a"']),
  builtin('reject', 'test?, *args', 'The items that do not pass a test, or that are false.', [
    '{{ [1, 2] | reject("odd") | list }}',
    '[2]',
  ]),
  builtin(
    'rejectattr',
    'attribute, test?, *args',
    'The items of which an attribute does not pass a test, or is false.',
    ['{{ [{"a": 1}, {"a": 2}] | rejectattr("a", "odd") | length }}', '1'],
  ),
  builtin(
    'replace',
    'from, to',
    'Replaces every occurrence of a text by another.',
    ['{{ "abab" | replace("a", "c") }}', 'cbcb'],
    'Takes no count, unlike Jinja2.',
  ),
  builtin('reverse', '', 'The items or characters in reverse order.', ['{{ [1, 2] | reverse | list }}', '[2, 1]']),
  builtin(
    'round',
    'precision?',
    'Rounds to a number of decimals.',
    ['{{ 2.567 | round(2) }}', '2.57'],
    'Takes no method, unlike Jinja2.',
  ),
  builtin('safe', '', 'Marks a text as one that needs no escaping.', ['{{ "<b>" | safe }}', '<b>']),
  builtin('select', 'test?, *args', 'The items that pass a test, or that are true.', [
    '{{ [1, 2] | select("odd") | list }}',
    '[1]',
  ]),
  builtin('selectattr', 'attribute, test?, *args', 'The items of which an attribute passes a test, or is true.', [
    '{{ [{"a": 1}, {"a": 2}] | selectattr("a", "odd") | length }}',
    '1',
  ]),
  builtin(
    'slice',
    'count, fill_with?',
    'Cuts a list into `count` lists, the short ones filled up with `fill_with`.',
    ['{{ [1, 2, 3] | slice(2) }}', '[[1, 2], [3]]'],
    POSITIONAL,
  ),
  builtin(
    'sort',
    'attribute=, case_sensitive=, reverse=',
    'The items sorted, or sorted by an attribute.',
    ['{{ [2, 1, 3] | sort(reverse=true) }}', '[3, 2, 1]'],
    'Several attributes, separated by commas, from 2.13 on.',
  ),
  builtin(
    'split',
    'separator?, max_splits?',
    'The parts of a text between separators, or between spaces.',
    ['{{ "a,b,c" | split(",", 1) | list }}', '["a", "b,c"]'],
    POSITIONAL,
  ),
  builtin('string', '', 'The value as a text.', ['{{ 1 | string ~ "a" }}', '1a']),
  builtin('striptags', '', 'Removes HTML tags and resolves entities.', ['{{ "<b>a</b>" | striptags }}', 'a']),
  builtin('sum', '', 'The sum of the items.', ['{{ [1, 2] | sum }}', '3']),
  builtin('title', '', 'Every word with an upper-case letter first.', ['{{ "hello world" | title }}', 'Hello World']),
  builtin('tojson', 'indent?=', 'The value as JSON; `indent` lays it out.', ['{{ {"a": [1]} | tojson }}', '{"a":[1]}']),
  builtin('trim', 'characters?', 'Removes spaces, or the given characters, at both ends.', ['{{ " a " | trim }}', 'a']),
  builtin(
    'truncate',
    'length=, killwords=, end=, leeway=',
    'Shortens a text to a length (255), by whole words unless `killwords`.',
    ['{{ "Hello World" | truncate(length=8, leeway=0) }}', 'Hello...'],
    'Takes its arguments by name only, unlike Jinja2.',
  ),
  builtin('unique', 'attribute=, case_sensitive=', 'The items without repetitions.', [
    '{{ [1, 1, 2] | unique | list }}',
    '[1, 2]',
  ]),
  builtin('upper', '', 'All letters upper-case.', ['{{ "a" | upper }}', 'A']),
]);

const yes = (test: string): readonly [string, string] => [`{{ ${test} }}`, 'true'];
/** Only a string can name these: `select("==", 1)`. */
const BY_STRING = 'Only where a string names it, as in `select`.';
const symbol = (name: string, same: string, items: string) =>
  builtin(name, 'other', `The same as \`${same}\`.`, [`{{ [1, 2] | select("${name}", 2) | list }}`, items], BY_STRING);

/** Every test that MiniJinja 2.11 knows as `minijinja-js` packages it, each tried there. */
export const TESTS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('boolean', '', 'True or false, and nothing else.', yes('true is boolean')),
  builtin(
    'defined',
    '',
    'The value is defined. Never fails, not even with strict undefined values.',
    yes('1 is defined'),
  ),
  builtin('divisibleby', 'divisor', 'A number that another divides without remainder.', yes('4 is divisibleby 2')),
  builtin('endingwith', 'text', 'A text that ends with another.', yes('"abc" is endingwith("c")')),
  builtin('eq', 'other', 'Equal, as `==`.', yes('1 is eq 1')),
  builtin('equalto', 'other', 'The same as `eq`.', yes('1 is equalto 1')),
  builtin('escaped', '', 'The same as `safe`.', yes('"a" | safe is escaped')),
  builtin('even', '', 'An even whole number.', yes('2 is even')),
  builtin('false', '', 'Exactly `false`.', yes('false is false')),
  builtin('filter', '', 'A text that names a filter.', yes('"upper" is filter')),
  builtin('float', '', 'A number with decimals.', yes('1.0 is float')),
  builtin('ge', 'other', 'Greater or equal, as `>=`.', yes('2 is ge 2')),
  builtin('greaterthan', 'other', 'The same as `gt`.', yes('2 is greaterthan 1')),
  builtin('gt', 'other', 'Greater, as `>`.', yes('2 is gt 1')),
  builtin('in', 'container', 'Contained in a list, a map or a text, as the operator `in`.', yes('1 is in [1]')),
  builtin('int', '', 'The same as `integer`.', yes('1 is int')),
  builtin('integer', '', 'A whole number.', yes('1 is integer')),
  builtin('iterable', '', 'What a loop can go through: a list, a map or a text.', yes('[1] is iterable')),
  builtin('le', 'other', 'Less or equal, as `<=`.', yes('1 is le 1')),
  builtin('lessthan', 'other', 'The same as `lt`.', yes('1 is lessthan 2')),
  builtin('lower', '', 'A text in lower-case letters.', yes('"a" is lower')),
  builtin('lt', 'other', 'Less, as `<`.', yes('1 is lt 2')),
  builtin('mapping', '', 'A map.', yes('{} is mapping')),
  builtin('ne', 'other', 'Not equal, as `!=`.', yes('1 is ne 2')),
  builtin('none', '', 'Exactly `none`; an undefined value is not.', yes('none is none')),
  builtin('number', '', 'A number.', yes('1 is number')),
  builtin('odd', '', 'An odd whole number.', yes('1 is odd')),
  builtin('safe', '', 'A text that is marked as needing no escaping.', yes('"a" | safe is safe')),
  builtin('sameas', 'other', 'The very same value; two lists that are equal are not the same.', yes('1 is sameas 1')),
  builtin('sequence', '', 'A list.', yes('[1] is sequence')),
  builtin('startingwith', 'text', 'A text that starts with another.', yes('"abc" is startingwith("a")')),
  builtin('string', '', 'A text.', yes('"a" is string')),
  builtin('test', '', 'A text that names a test.', yes('"odd" is test')),
  builtin('true', '', 'Exactly `true`.', yes('true is true')),
  builtin(
    'undefined',
    '',
    'The value is not defined. Never fails, not even with strict undefined values.',
    yes('missing is undefined'),
  ),
  builtin('upper', '', 'A text in upper-case letters.', yes('"A" is upper')),
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
    'An object whose `next()` gives the items of a list in turn.',
    ['{% set c = cycler(["a", "b"]) %}{{ c.next() }}{{ c.next() }}{{ c.next() }}', 'aba'],
    'Takes one list; Jinja2 takes the items themselves.',
  ),
  builtin('debug', '*values', 'The state of the engine, or the values, for debugging.', ['{{ debug(1) }}', '1']),
  builtin('dict', 'base?, *entries', 'A map from keyword arguments, on top of another map.', [
    '{{ dict({"b": 2}, a=1) }}',
    '{"a": 1, "b": 2}',
  ]),
  builtin('joiner', 'separator?', 'A function that gives the separator (`, `) each time but the first.', [
    '{% set j = joiner() %}{{ j() }}a{{ j() }}b',
    'a, b',
  ]),
  builtin(
    'namespace',
    'defaults?, *entries',
    'A map whose attributes `{% set ns.x = … %}` can change, in loops also.',
    ['{% set ns = namespace(n=0) %}{% for x in [1, 2] %}{% set ns.n = ns.n + x %}{% endfor %}{{ ns.n }}', '3'],
  ),
  builtin('range', 'lower, upper?, step?', 'Whole numbers up to but without `upper`; at most 100,000.', [
    '{{ range(1, 4) | list }}',
    '[1, 2, 3]',
  ]),
]);

const inLoop = (field: string): string => `{% for x in ["a", "b", "c"] %}{{ loop.${field} }},{% endfor %}`;

export const LOOP_FIELDS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('index', '', 'The number of the iteration, from 1.', [inLoop('index'), '1,2,3,']),
  builtin('index0', '', 'The number of the iteration, from 0.', [inLoop('index0'), '0,1,2,']),
  builtin('revindex', '', 'The number of the iteration from the end, to 1.', [inLoop('revindex'), '3,2,1,']),
  builtin('revindex0', '', 'The number of the iteration from the end, to 0.', [inLoop('revindex0'), '2,1,0,']),
  builtin('first', '', 'True in the first iteration.', [inLoop('first'), 'true,false,false,']),
  builtin('last', '', 'True in the last iteration.', [inLoop('last'), 'false,false,true,']),
  builtin('length', '', 'How many items there are, where that is known.', [inLoop('length'), '3,3,3,']),
  builtin('depth', '', 'How deep a recursive loop is, from 1.', [inLoop('depth'), '1,1,1,']),
  builtin('depth0', '', 'How deep a recursive loop is, from 0.', [inLoop('depth0'), '0,0,0,']),
  builtin('previtem', '', 'The item before; undefined in the first iteration.', [inLoop('previtem'), ',a,b,']),
  builtin('nextitem', '', 'The item after; undefined in the last iteration.', [inLoop('nextitem'), 'b,c,,']),
  builtin('cycle', '*values', 'One of the values, in turn.', [inLoop('cycle("x", "y")'), 'x,y,x,']),
  builtin('changed', '*values', 'True where the values differ from those of the call before.', [
    inLoop('changed(1)'),
    'true,false,false,',
  ]),
]);

/** What other versions and builds know; the packaged 2.11 refuses it when it renders. */
interface Elsewhere {
  readonly kind: 'filter' | 'function';
  readonly name: string;
  readonly since: string;
  readonly docs: string;
}

export const ELSEWHERE: readonly Elsewhere[] = [
  { kind: 'filter', name: 'zip', since: '2.12', docs: 'Pairs of the items of several lists.' },
  { kind: 'filter', name: 'format', since: '2.13', docs: 'Fills a `%` format with values.' },
  { kind: 'filter', name: 'urlencode', since: 'the build feature `urlencode`', docs: 'Encodes a value for a URL.' },
  { kind: 'filter', name: 'wordcount', since: 'the build feature `wordcount`', docs: 'The number of words.' },
  { kind: 'filter', name: 'wordwrap', since: 'the build feature `wordwrap`', docs: 'Breaks a text into lines.' },
  { kind: 'filter', name: 'datetimeformat', since: 'the build feature `datetime`', docs: 'Formats a date and time.' },
  { kind: 'filter', name: 'dateformat', since: 'the build feature `datetime`', docs: 'Formats a date.' },
  { kind: 'filter', name: 'timeformat', since: 'the build feature `datetime`', docs: 'Formats a time.' },
  { kind: 'filter', name: 'random', since: 'the build feature `rand`', docs: 'A random item.' },
  { kind: 'function', name: 'now', since: 'the build feature `datetime`', docs: 'The time now.' },
  { kind: 'function', name: 'lipsum', since: 'the build feature `rand`', docs: 'A filler text.' },
  { kind: 'function', name: 'randrange', since: 'the build feature `rand`', docs: 'A random whole number.' },
];

export const findFilter = (name: string): Builtin | undefined => FILTERS.get(name);
export const findTest = (name: string): Builtin | undefined => TESTS.get(name);
export const findFunction = (name: string): Builtin | undefined => FUNCTIONS.get(name);
export const findLoopField = (name: string): Builtin | undefined => LOOP_FIELDS.get(name);
export const findElsewhere = (kind: Elsewhere['kind'], name: string): Elsewhere | undefined =>
  ELSEWHERE.find((entry) => entry.kind === kind && entry.name === name);

// Syntax that the parser accepts, and that MiniJinja 2.11, which the tables of builtins describe, does not.

interface NewerSyntax {
  /** The version, or the build feature, from which on it is accepted. */
  readonly since: string;
  readonly docs: string;
}

export const NEWER_SYNTAX: Readonly<Record<NewerFeature, NewerSyntax>> = {
  'loop-controls': { since: 'the build feature `loop_controls`', docs: '`{% break %}` and `{% continue %}` in loops.' },
  'required-block': { since: '2.20', docs: 'Blocks marked `scoped`, `required` or both.' },
  'conditional-keyword-argument': {
    since: '2.24',
    docs: 'A conditional as a keyword argument, without parentheses.',
  },
};
