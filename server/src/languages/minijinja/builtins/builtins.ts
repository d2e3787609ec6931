/**
 * What templates may use without defining it: filters, tests, functions, and the fields of `loop`. The tables hold
 * what MiniJinja 2.11 knows as `minijinja-js` packages it, and `ELSEWHERE` what other versions and builds add.
 */
import { type Builtin, builtin, tableOf } from './builtin.ts';
import { FILTERS } from './filters.ts';
import { TESTS } from './tests.ts';

export type { Builtin } from './builtin.ts';
export { FILTERS, TESTS };

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
