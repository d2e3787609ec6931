/**
 * What templates may use without defining it: filters, tests, functions, and the fields of `loop`. The tables hold
 * what MiniJinja 2.11 knows as `minijinja-js` packages it, and `ELSEWHERE` what other versions and builds add.
 */

import type { NewerFeature } from '../ast.ts';
import { FILTERS } from './filters.ts';
import { TESTS } from './tests.ts';

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
export function builtin(
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

export const tableOf = (entries: readonly Builtin[]): ReadonlyMap<string, Builtin> =>
  new Map(entries.map((entry) => [entry.name, entry]));

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
