/** Compares the types of filters, tests and operators with the engine, and checks the problems that types show. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { FILTERS, TESTS } from '../../../server/src/languages/minijinja/builtins.ts';
import {
  refusedBy,
  resultOfFilter,
  resultOfOperator,
} from '../../../server/src/languages/minijinja/types/builtin-types.ts';
import type { TypeProblem } from '../../../server/src/languages/minijinja/types/problems.ts';
import type { Kind } from '../../../server/src/languages/minijinja/types/value-type.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { templateProblems } from '../../../server/src/skill/template-types.ts';
import { render } from './engine.ts';

/** Values of each kind. A filter refuses a kind if it fails for all of them. */
const VALUES: ReadonlyMap<Kind, readonly unknown[]> = new Map<Kind, readonly unknown[]>([
  ['undefined', [undefined]],
  ['null', [null]],
  ['boolean', [true, false]],
  ['number', [0, 3, -1, 2.5]],
  ['string', ['text', '42', '']],
  ['list', [[], [1], ['a'], [{ a: 1 }], [[1, 2]]]],
  ['map', [{}, { a: 1 }, { a: { b: 1 } }]],
]);

const ARGUMENTS: Readonly<Record<string, string>> = {
  attr: '"a"',
  batch: '2',
  chain: '[1]',
  groupby: '"a"',
  indent: '2',
  map: 'attribute="a"',
  rejectattr: '"a"',
  replace: '"a", "b"',
  selectattr: '"a"',
  slice: '2',
  divisibleby: '2',
  endingwith: '"a"',
  in: '[1]',
  startingwith: '"a"',
};

const call = (name: string, parameters: readonly unknown[]): string =>
  `${name}${ARGUMENTS[name] ? `(${ARGUMENTS[name]})` : parameters.length > 0 && TESTS.has(name) && !FILTERS.has(name) ? '(1)' : ''}`;

const outputs = (expression: string, kind: Kind): readonly string[] =>
  (VALUES.get(kind) ?? []).map((x) => render(`{{ ${expression} }}`, x === undefined ? {} : { x }, 'strict'));

const refusedKinds = (expression: string): readonly Kind[] =>
  [...VALUES.keys()].filter((kind) => outputs(expression, kind).every((output) => output.startsWith('! ')));

test('the table of filters has the kinds that the engine refuses', () => {
  for (const { name, parameters } of FILTERS.values()) {
    const refused = refusedKinds(`(x | ${call(name, parameters)}) is defined`);
    assert.deepEqual([...refusedBy('filter', name)].sort(), [...refused].sort(), name);
  }
});

test('the table of tests has the kinds that the engine refuses', () => {
  for (const { name, parameters } of TESTS.values()) {
    if (!/^\w+$/.test(name)) continue;
    const refused = refusedKinds(`x is ${call(name, parameters)}`);
    assert.deepEqual([...refusedBy('test', name)].sort(), [...refused].sort(), name);
  }
});

test('the result of a filter has the kind that the engine returns', () => {
  const tests = {
    number: 'number',
    string: 'string',
    boolean: 'boolean',
    list: 'iterable',
    map: 'mapping',
    null: 'none',
  };
  for (const { name, parameters } of FILTERS.values()) {
    for (const [kind, values] of VALUES) {
      if (kind === 'undefined' || kind === 'null') continue;
      const { kinds } = resultOfFilter(name, { kinds: new Set([kind]) });
      const [result] = kinds;
      if (kinds.size !== 1 || result === undefined || !(result in tests)) continue;
      for (const x of values) {
        // The first item of an empty list is undefined.
        if (values.length > 1 && JSON.stringify(x).length === 2) continue;
        const expression = `(x | ${call(name, parameters)}) is ${tests[result as keyof typeof tests]}`;
        assert.match(
          render(`{{ ${expression} }}`, { x }, 'strict'),
          /^true$|^! /,
          `${name} of ${JSON.stringify(x)}: ${result}`,
        );
      }
    }
  }
});

test('operators refuse the kinds that the engine refuses', () => {
  for (const operator of ['+', '-', '*', '/', '//', '%', '**', '~', 'in', '<', '=='] as const) {
    for (const [left, lefts] of VALUES) {
      for (const [right, rights] of VALUES) {
        if (left === 'undefined' || right === 'undefined') continue;
        const { refused } = resultOfOperator(operator, { kinds: new Set([left]) }, { kinds: new Set([right]) });
        const all = lefts.flatMap((a) => rights.map((b) => render(`{{ a ${operator} b }}`, { a, b }, 'strict')));
        const isRefused = all.every((output) => output.startsWith('! '));
        assert.equal(refused === 'always', isRefused, `${left} ${operator} ${right}`);
      }
    }
  }
});

const SCHEMA = `{s: string, n: integer, b: "string?", d: {type: string, default: x}, l: "string[]", o: object, any: any,
  p: {author: {name: string, nick: "string?"}}, cast: {type: array, items: {name: string, age: "integer?"}},
  nul: {type: [object, "null"], properties: {x: string}}, either: {anyOf: [{type: object, properties: {a: {type: string}}},
  {type: object, properties: {c: {type: string}}}]}, numbers: "number[]"}`;

/** Returns the problems with a template, as `! word` if they are certain and `? word` if they are possible. */
function problemsOf(template: string, ...others: readonly string[]): readonly string[] {
  const sections = others.map((text, at) => `## PromptTemplate: other${at + 1}\n\n${text}\n`).join('\n');
  const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${SCHEMA}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n\n${sections}`;
  const file = new SkillFile('file:///w/skills/t.skill.md', text);
  return file.templates.flatMap(({ source }, at) => {
    assert.deepEqual(source.template.problems, []);
    const told = ({ span, isCertain }: TypeProblem) =>
      `${isCertain ? '!' : '?'} ${source.template.text.slice(span.start, span.end)}`;
    return (templateProblems(file).templates[at]?.problems ?? []).map(told);
  });
}

/** Templates and their problems. */
const CASES: Readonly<Record<string, readonly (readonly [template: string, ...problems: readonly string[]])[]>> = {
  'a field': [
    ['{{ p.author.name }}'],
    ['{{ p.author.nmae }}', '! nmae'],
    ['{{ p.athor.name }}', '! athor'],
    ['{{ p["author"]["nmae"] }}', '! nmae'],
    ['{{ parameters.p.author.nmae }}{{ parameters.x1 }}', '! nmae', '! x1'],
    ['{{ o.anything.at.all }}{{ any.x }}'],
    ['{{ s.length }}{{ l.first }}', '! length', '! first'],
    ['{{ either.a }}{{ either.c }}{{ either.e }}', '! e'],
    ['{{ p.author.nmae | default("") }}{% if p.author.nmae is defined %}{% endif %}'],
    ['{{ p.author.nmae ~ "a" }}{{ p.author.nmae | upper }}', '? nmae', '? nmae'],
    ['{{ memory[0].txt }}{% for t in tools %}{{ t.nam }}{% endfor %}', '! txt', '! nam'],
  ],
  'an item': [
    ['{% for c in cast %}{{ c.name }}{{ c.nmae }}{% endfor %}', '! nmae'],
    ['{% for c in l %}{{ c.name }}{% endfor %}', '! name'],
    ['{% for k in p.author %}{{ k.x }}{% endfor %}', '! x'],
    ['{% for k, v in p.author | items %}{{ k.x }}{{ v.y }}{% endfor %}', '! x', '! y'],
    ['{% for k, v in p %}{{ k }}{% endfor %}', '! p'],
    ['{{ (cast | first).nmae }}{{ (cast | sort(attribute="name") | last).nmae }}', '! nmae', '! nmae'],
    ['{{ cast[0].nmae }}{{ cast[1:][0].nmae }}', '! nmae', '! nmae'],
    ['{{ cast | map(attribute="name") | join }}{{ cast | map(attribute="nmae") | join }}', '? nmae'],
    ['{{ (cast | selectattr("name") | first).nmae }}', '! nmae'],
    ['{% for key, items in cast | groupby("name") %}{{ items[0].nmae }}{% endfor %}', '! nmae'],
    ['{% for g in cast | groupby("name") %}{{ g.grouper }}{{ g.list | length }}{{ g.lst }}{% endfor %}', '! lst'],
    ['{% for c in cast %}{{ loop.index }}{{ loop.indx }}{% endfor %}', '! indx'],
    ['{% for c in cast %}{{ loop.previtem.name }}{% endfor %}', '? loop.previtem'],
    ['{% for c in cast recursive %}{{ c.name }}{% if loop.first %}{{ loop(cast) }}{% endif %}{% endfor %}'],
    ['{% for c in cast recursive %}{% set up = loop %}{{ up(cast) ~ up.index }}{% endfor %}'],
    ['{% for c in cast %}{{ loop(cast) }}{% endfor %}', '? loop'],
    ['{% for c in cast %}{% if not loop.first %}{{ loop.previtem.nmae }}{% endif %}{% endfor %}', '! nmae'],
    ['{% for a, c in [[1, p.author]] %}{{ a }}{{ c.nmae }}{% endfor %}', '! nmae'],
    ['{% for a, b in [[1, 2, 3]] %}{% endfor %}', '? a, b'],
  ],
  'a variable of the template': [
    ['{% set a = p.author %}{{ a.nmae }}', '! nmae'],
    ['{% with a = p.author %}{{ a.nmae }}{% endwith %}', '! nmae'],
    ['{% set p = {"x": 1} %}{{ p.x }}{{ p.author }}', '! author'],
    ['{% if s %}{% set a = p.author %}{% else %}{% set a = cast[0] %}{% endif %}{{ a.name }}{{ a.foo }}', '! foo'],
    ['{% if s %}{% set a = p.author %}{% endif %}{{ a.nmae }}'],
    ['{% set x = 1 %}{% for c in l %}{{ x.y }}{% set x = p %}{% endfor %}'],
    ['{% set ns = namespace(a=1) %}{% set ns.b = 1 %}{{ ns.a }}{{ ns.b }}{{ ns.c }}', '! c'],
    ['{% set x = {} %}{% set x.a = 1 %}', '! x'],
    ['{{ dict(a=1).b }}', '! b'],
    ['{% set a %}text{% endset %}{{ a.b }}', '! b'],
  ],
  'a macro': [
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m(p.author) }}', '! nmae'],
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m(p.author) }}{{ m(o) }}'],
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m }}{{ m(p.author) }}'],
    ['{% macro m(x, y) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}', '? y'],
    ['{% macro m(x, y=1) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1, 2) }}{{ m(1, z=2) }}', '! 2', '! z'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1).y }}', '! y'],
    ['{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ p.x }}{% endcall %}', '! x'],
  ],
  'an optional value': [
    ['{{ b }}', '? b'],
    ['{{ parameters.b }}', '? parameters.b'],
    ['{{ p.author.nick }}', '? p.author.nick'],
    ['{{ d }}{{ s }}'],
    ['{{ b | default("x") }}{{ b | d }}{{ b is defined }}{{ not b }}'],
    ['{{ b | upper }}{{ b ~ "x" }}{{ b == "x" }}{{ b in l }}'],
    ['{% if b %}{{ b }}{% endif %}', '? b'],
    ['{% if b is defined %}{{ b }}{% else %}{{ s }}{% endif %}'],
    ['{% if b is undefined %}{{ s }}{% else %}{{ b }}{% endif %}'],
    ['{% if not b %}x{% elif b == "a" %}{{ b }}{% else %}{{ b }}{% endif %}'],
    ['{% if not b %}{% set b = "x" %}{% endif %}{{ b }}'],
    ['{% if b is defined and b %}{{ b }}{% endif %}{{ b is defined and b }}{{ b is not defined or b }}'],
    ['{% if b | default("") %}{{ b }}{% endif %}'],
    ['{{ b if b is defined else "x" }}{{ b if b is defined }}'],
    ['{% if b == "x" %}{{ b }}{% endif %}{% if b is string %}{{ b }}{% endif %}'],
    ['{{ b or "x" }}', '? b'],
    ['{% set x = b %}{{ s }}'],
    ['{% set x = b %}{{ x }}', '? b'],
    ['{% for c in b %}{{ c }}{% endfor %}{{ b | length }}', '? b', '? b'],
    ['{% if parameters.b is defined %}{{ parameters.b }}{% endif %}'],
    ['{% for c in cast if c.age is defined %}{{ c.age }}{% endfor %}'],
    ['{% if b is defined %}{% set b = p.author.nick %}{{ b }}{% endif %}', '? p.author.nick'],
  ],
  'a value that may be null': [
    ['{{ nul.x }}', '? x'],
    ['{{ nul }}{% for k in nul %}{{ k }}{% endfor %}'],
    ['{% if nul %}{{ nul.x | d }}{% endif %}{% if nul is not none %}{{ nul.x | d }}{% endif %}'],
    ['{{ (nul or {"x": 1}).x | d }}'],
    ['{{ model | length }}{{ model | upper }}', '? length'],
  ],
  'a value that is refused': [
    ['{% for c in n %}{{ c }}{% endfor %}', '! n'],
    ['{% if s %}{% for c in n %}{{ c }}{% endfor %}{% endif %}', '? n'],
    ['{{ n | length }}{{ s | abs }}{{ l | items }}{{ p | last }}', '! length', '! abs', '! items', '! last'],
    ['{{ n is upper }}', '! upper'],
    ['{{ s + n }}{{ s * n }}{{ -s }}{{ s in n }}{{ n[1:] }}', '! s + n', '! s', '! n', '! n'],
    ['{{ s.upper() }}{{ p.items() }}{{ n() }}', '! upper', '! items', '! n'],
    ['{{ l | sum }}{{ numbers | sum }}', '? sum'],
    ['{% set (a, c) = s %}', '! a, c'],
    ['{{ range(s) }}', '! s'],
    ['{% include n %}', '! n'],
    ['{% if any is number %}{{ any | length }}{% endif %}', '? length'],
    ['{% if n is string %}{{ n.x }}{{ n | length }}{% endif %}'],
  ],
  'an argument': [
    ['{{ s | truncate(8) }}', '! 8'],
    ['{{ s | truncate(lenght=8) }}', '! lenght'],
    ['{{ l | join(separator=", ") }}', '! separator'],
    ['{{ s | replace("a") }}{{ s | upper(1) }}{{ s | indent }}', '! replace', '! 1', '! indent'],
    ['{{ b | default(value="x") }}', '? value'],
    ['{{ n is divisibleby }}{{ n is odd(1) }}', '! divisibleby', '! 1'],
    ['{{ l | map("replace", "a", "b") | list }}{{ cast | selectattr("name", "eq", "x") | list }}'],
  ],
};

describe('the types of a template report', () => {
  for (const [what, rows] of Object.entries(CASES)) {
    it(what, () => {
      for (const [template, ...problems] of rows) assert.deepEqual(problemsOf(template), problems, template);
    });
  }
});

describe('the types of included templates', () => {
  it('are those of the variables at the include', () => {
    const include = '{% for c in cast %}{% include "other1" %}{% endfor %}';
    assert.deepEqual(problemsOf(include, '{{ c.nmae }}'), ['! nmae']);
    assert.deepEqual(problemsOf('{% set s = p %}{% include "other1" %}', '{{ s.author.name }}{{ s.x }}'), ['! x']);
  });

  it('are possible problems if only some of the includes cause them', () => {
    const twice = '{% set c = p.author %}{% include "other1" %}{% set c = cast[0] %}{% include "other1" %}';
    assert.deepEqual(problemsOf(twice, '{{ c.name }}{{ c.age | default(1) }}{{ c.age }}'), ['? c.age', '? age']);
  });

  it('include the variables that an included template sets', () => {
    assert.deepEqual(problemsOf('{% include "other1" %}{{ a.nmae }}', '{% set a = p.author %}'), ['! nmae']);
  });

  it('end for templates that include themselves', () => {
    assert.deepEqual(problemsOf('{% include "other1" %}', '{{ p.x }}{% include "other1" %}'), ['? x']);
  });

  it('are unknown for a computed name', () => {
    assert.deepEqual(problemsOf('{% set s = p %}{% include s.author.name %}', '{{ s.x }}'), []);
  });

  it('follow the macros of imported templates', () => {
    const macros = '{% macro card(x) %}{{ x.nmae }}{% endmacro %}';
    assert.deepEqual(problemsOf('{% import "other1" as m %}{{ m.card(p.author) }}{{ m.crad(1) }}', macros), [
      '! crad',
      '! nmae',
    ]);
    assert.deepEqual(problemsOf('{% from "other1" import card, crad %}{{ card(p.author, 1) }}', macros), [
      '! 1',
      '! nmae',
    ]);
  });
});
