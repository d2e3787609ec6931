/** The scopes of names, compared with the engine: the output of a small template shows whether a name is defined. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { type NameUse, resolveScopes, visibleAt } from '../../../server/src/languages/minijinja/scopes.ts';
import { withCursor } from '../with-cursor.ts';
import { render } from './engine.ts';

const scopesOf = (text: string) => resolveScopes(parseTemplate(text));

/** Templates for which analysis and engine must agree on whether `y` is defined at each `{{ y is defined }}`. */
const VISIBLE: readonly string[] = [
  '{% set y = 1 %}{{ y is defined }}',
  '{{ y is defined }}{% set y = 1 %}',
  '{% if true %}{% set y = 1 %}{% endif %}{{ y is defined }}',
  '{% for x in [1] %}{% set y = 1 %}{{ y is defined }}{% endfor %}',
  '{% for x in [1] %}{% set y = 1 %}{% endfor %}{{ y is defined }}',
  '{% for y in [1] %}{% endfor %}{{ y is defined }}',
  '{% for y, z in [[1, 2]] %}{{ y is defined }}{% endfor %}',
  '{% for x in [1] if y is defined %}{% else %}false{% endfor %}',
  '{% for x in [] %}{% else %}{% set y = 1 %}{% endfor %}{{ y is defined }}',
  '{% with y = 1 %}{{ y is defined }}{% endwith %}',
  '{% with y = 1 %}{% endwith %}{{ y is defined }}',
  '{% with x = 1 %}{% set y = 1 %}{% endwith %}{{ y is defined }}',
  '{% with y = 1, z = y is defined %}{{ z }}{% endwith %}',
  '{% set x %}{% set y = 1 %}{% endset %}{{ y is defined }}',
  '{% set y %}a{% endset %}{{ y is defined }}',
  '{% filter upper %}{% set y = 1 %}{% endfilter %}{{ y is defined }}',
  '{% autoescape false %}{% set y = 1 %}{% endautoescape %}{{ y is defined }}',
  '{% block b %}{% set y = 1 %}{% endblock %}{{ y is defined }}',
  '{% set y = 1 %}{% block b %}{{ y is defined }}{% endblock %}',
  '{% block b %}{{ y is defined }}{% endblock %}{% set y = 1 %}',
  '{% for y in [1] %}{% block b %}{{ y is defined }}{% endblock %}{% endfor %}',
  '{% macro m() %}{{ y is defined }}{% endmacro %}{% set y = 1 %}{{ m() }}',
  '{% macro m(y) %}{{ y is defined }}{% endmacro %}{{ m(1) }}',
  '{% macro m() %}{% set y = 1 %}{% endmacro %}{{ m() }}{{ y is defined }}',
  '{% macro m(x=y is defined, y=1) %}{{ x }}{% endmacro %}{{ m() }}',
  '{% macro m(y, x=y is defined) %}{{ x }}{% endmacro %}{{ m(1) }}',
  '{% for x in [1] %}{% macro m() %}{{ y is defined }}{% endmacro %}{% set y = 1 %}{{ m() }}{% endfor %}',
  '{% macro m() %}{{ caller(1) }}{% endmacro %}{% call(y) m() %}{{ y is defined }}{% endcall %}',
  '{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{% set y = 1 %}{% endcall %}{{ y is defined }}',
  '{% set (x, y) = [1, 2] %}{{ y is defined }}',
  '{% import "lib" as y %}{{ y is defined }}',
  '{% from "lib" import f as y %}{{ y is defined }}',
  '{% from "lib" import y as f %}{{ y is defined }}',
  '{% set y = y is defined %}{{ y }}',
];

test('a definition has the same scope as in the engine', () => {
  for (const text of VISIBLE) {
    const asked = scopesOf(text).uses.filter(({ name, guard }) => name === 'y' && guard === 'defined');
    assert.equal(asked.length, 1, text);
    const library = text.replace(/\{% (import|from) "lib"[^%]*%\}/, '{% set f = 1 %}{% set y = 1 %}');
    const source = text.includes(' as f ')
      ? text.replace(/\{% from[^%]*%\}/, '')
      : text.includes('"lib"')
        ? library
        : text;
    assert.equal(String(asked[0]?.variable !== undefined), render(source).trim(), text);
  }
});

test('in a template that extends another one, a block runs after the text outside of blocks', () => {
  const [use] = scopesOf('{% extends "base" %}{% block b %}{{ y }}{% endblock %}{% set y = 1 %}').uses.filter(
    ({ name }) => name === 'y',
  );
  assert.ok(use?.variable);
});

test('`loop`, `caller`, `self` and `super` are defined as in the engine', () => {
  const free = (text: string) => scopesOf(text).undefinedUses.map(({ name }) => name);
  assert.deepEqual(free('{% for x in loop %}{{ loop.index }}{% else %}{{ loop }}{% endfor %}'), ['loop', 'loop']);
  assert.deepEqual(free('{% for x in [1] if loop %}{% endfor %}'), ['loop']);
  assert.deepEqual(free('{% macro m() %}{{ caller() }}{% endmacro %}{{ caller() }}'), ['caller']);
  assert.deepEqual(free('{{ self.b() }}{% block b %}{{ super() }}{% endblock %}{{ super() }}'), ['super']);
});

test('a use is certain only if a definition runs on every path to it', () => {
  const certain = (text: string) =>
    scopesOf(text)
      .uses.filter(({ name }) => name === 'y')
      .map((use) => use.variable !== undefined && use.certain);
  assert.deepEqual(certain('{% if a %}{% set y = 1 %}{% endif %}{{ y }}'), [false]);
  assert.deepEqual(certain('{% if a %}{% set y = 1 %}{% else %}{% set y = 2 %}{% endif %}{{ y }}'), [true]);
  assert.deepEqual(certain('{% set y = 0 %}{% if a %}{% set y = 1 %}{% endif %}{{ y }}'), [true]);
  assert.deepEqual(certain('{% if a %}{% set y = 1 %}{{ y }}{% endif %}'), [true]);
  const [inElse] = scopesOf('{% if a %}{% set y = 1 %}{% else %}{{ y }}{% endif %}').undefinedUses.filter(
    ({ name }) => name === 'y',
  );
  assert.ok(inElse, 'the other branch has not run');
});

test('collects all definitions and uses of a variable in its scope', () => {
  const text = '{% set n = 1 %}{{ n }}{% set n = n + 1 %}{% for n in [n] %}{{ n }}{% endfor %}{{ n }}';
  const [outer, inner] = scopesOf(text).variables.filter(({ name }) => name === 'n');
  assert.deepEqual([outer?.scope.kind, outer?.definitions.length, outer?.uses.length], ['root', 2, 4]);
  assert.deepEqual([inner?.scope.kind, inner?.definitions.length, inner?.uses.length], ['for', 1, 1]);
});

/** Templates with an undefined `x`: a strict engine must fail exactly where the analysis finds no guard. */
const GUARDED: readonly string[] = [
  '{{ x }}',
  '{{ x is defined }}',
  '{{ x is not defined }}',
  '{{ x is undefined }}',
  '{{ x | default(1) }}',
  '{{ (x) | d(1) }}',
  '{% if x is defined %}{{ x }}{% endif %}',
  '{% if x is undefined %}a{% else %}{{ x }}{% endif %}',
  '{% if x is undefined %}a{% elif true %}{{ x }}{% endif %}',
  '{% if x is defined %}{% else %}{{ x }}{% endif %}',
  '{{ x if x is defined }}',
  '{{ 1 if x is undefined else x }}',
  '{% if x is defined and x %}{% endif %}',
  '{% if x is undefined or x %}{% endif %}',
  '{% if x is defined and x.y and x.y.z %}{% endif %}',
  '{% if not (x is undefined) %}{{ x }}{% endif %}',
  '{% if not x %}{% endif %}',
  '{% if x is defined or true %}{{ x }}{% endif %}',
  '{% if x is string %}{{ x }}{% endif %}',
  '{% if x is defined %}{% for i in [1] %}{{ x }}{% endfor %}{% endif %}',
  '{% macro m() %}{{ x }}{% endmacro %}{% if x is defined %}{{ m() }}{% endif %}{{ m() }}',
  '{% if x == "a" %}{{ x }}{% endif %}',
];

test('guards prevent failures in strict rendering', () => {
  for (const text of GUARDED) {
    const uses = scopesOf(text).undefinedUses.filter(
      ({ name, guard }) => name === 'x' && !(guard === undefined && text.includes('x ==')),
    );
    // In MiniJinja 2.11, type tests and comparisons of an undefined value do not fail, although they are not guards.
    const unguarded = uses.filter((use) => !use.guarded && !/^ is (string)/.test(text.slice(use.span.end)));
    assert.equal(unguarded.length > 0, render(text, {}, 'strict') === '! undefined value (in <string>:1)', text);
  }
});

test('testing the truth of an undefined name fails, except with `not`', () => {
  const guards = (text: string) =>
    scopesOf(text).undefinedUses.map(({ name, guard, guarded }) => `${name} ${guard} ${guarded}`);
  assert.deepEqual(guards('{% if x %}{{ x }}{% endif %}'), ['x truth true', 'x proven true']);
  assert.deepEqual(guards('{{ x or "none" }}{{ y if z else w }}'), [
    'x truth true',
    'y undefined false',
    'z truth true',
    'w undefined false',
  ]);
  assert.match(render('{% if x %}{% endif %}', {}, 'strict'), /undefined/);
});

test('a guard on a path protects the path, but not its root', () => {
  const shown = ({ name, path, guarded, pathGuarded }: NameUse) => [
    name,
    path.map((segment) => segment.name).join('.'),
    guarded,
    pathGuarded,
  ];
  const uses = (text: string) => scopesOf(text).undefinedUses.map(shown);
  assert.deepEqual(uses('{{ user.name is defined }}'), [['user', 'name', false, true]]);
  assert.deepEqual(uses('{{ user["name"][0].x | default(1) }}'), [['user', 'name.0.x', false, true]]);
  assert.deepEqual(uses('{% if user.name %}{{ user }}{{ user.name.first }}{% endif %}').slice(1), [
    ['user', '', true, true],
    ['user', 'name.first', true, false],
  ]);
  assert.match(render('{{ user.name is defined }}', {}, 'strict'), /undefined/);
});

test('collects filters, tests, functions and templates with their spans', () => {
  const text =
    '{{ xs | map("upper") | select("odd") | f(1) }}{{ a is not odd }}{{ range(3) }}{{ a.b.upper() }}{% include ["p", "q" if z else r] ignore missing %}{% extends \'base\' %}';
  const { filters, tests, functions, references, uses } = scopesOf(text);
  const at = ({ name, span }: { name: string; span: { start: number; end: number } }) =>
    `${name}@${text.slice(span.start, span.end)}`;
  assert.deepEqual(filters.map(at), ['map@map', 'upper@upper', 'select@select', 'f@f']);
  assert.deepEqual(tests.map(at), ['odd@odd', 'odd@odd']);
  assert.deepEqual(functions.map(at), ['range@range']);
  assert.deepEqual(
    references.map(({ statement, names, dynamic, ignoreMissing }) => [
      statement,
      ...names.map(({ name }) => name),
      dynamic,
      ignoreMissing,
    ]),
    [
      ['include', 'p', 'q', true, true],
      ['extends', 'base', false, false],
    ],
  );
  assert.deepEqual(
    uses.find(({ name, path }) => name === 'a' && path.length > 0)?.path.map(({ name, called }) => [name, called]),
    [
      ['b', false],
      ['upper', true],
    ],
  );
});

test('finds the variables that an include defines', () => {
  assert.deepEqual(
    scopesOf('{% set a = 1 %}{% for b in [] %}{% set c = 1 %}{% endfor %}{% macro d() %}{% endmacro %}').exports.map(
      ({ name }) => name,
    ),
    ['a', 'd'],
  );
});

test('finds the undefined names of a condition', () => {
  const { undefinedUses } = resolveScopes(parseExpression('tone == "grim" and model', 10));
  assert.deepEqual(
    undefinedUses.map(({ name, span }) => [name, span.start]),
    [
      ['tone', 10],
      ['model', 29],
    ],
  );
});

test('returns the variables in scope at an offset', () => {
  const visible = (source: string) => {
    const { text, offset } = withCursor(source);
    return visibleAt(scopesOf(text), offset)
      .filter(({ name }) => name !== 'self')
      .map(({ name }) => name)
      .sort();
  };
  assert.deepEqual(visible('{% set a = 1 %}{% for b in a %}{{ $0 }}{% endfor %}{% set c = 1 %}'), ['a', 'b', 'loop']);
  assert.deepEqual(visible('{% for b in xs if $0 %}{% endfor %}'), ['b']);
  assert.deepEqual(visible('{% set a = 1 %}{% macro m(p) %}{{ $0 }}{% endmacro %}{% set c = 1 %}'), [
    'a',
    'c',
    'caller',
    'm',
    'p',
  ]);
  assert.deepEqual(visible('{% with a = 1, b = $0 %}{% endwith %}'), ['a']);
});
