/** Compares the types of filters, tests and operators with the engine, and checks the problems that types show. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { Argument, Expression } from '../../../server/src/languages/minijinja/ast.ts';
import { FILTERS, TESTS } from '../../../server/src/languages/minijinja/builtins.ts';
import { conditionParts, exclusionsOf } from '../../../server/src/languages/minijinja/defined-names.ts';
import { parseExpression } from '../../../server/src/languages/minijinja/parser.ts';
import {
  refusedBy,
  refusedByArguments,
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
  (VALUES.get(kind) ?? []).map((x) => render(`{{ ${expression} }}`, x === undefined ? {} : { x }, 'semi_strct'));

const refusedKinds = (expression: string): readonly Kind[] =>
  [...VALUES.keys()].filter((kind) => outputs(expression, kind).every((output) => output.startsWith('! ')));

test('the table of filters has the kinds that the engine refuses', () => {
  for (const { name, parameters } of FILTERS.values()) {
    const refused = refusedKinds(`(x | ${call(name, parameters)}) is defined`);
    assert.deepEqual([...refusedBy('filter', name)].sort(), [...refused].sort(), name);
  }
});

test('the table of arguments has the kinds that the engine refuses', () => {
  const calls = {
    'batch.count': '[1] | batch(x) | list',
    'slice.count': '[1] | slice(x) | list',
    'indent.width': '"a" | indent(x)',
    'round.precision': '1.5 | round(x)',
    'split.separator': '"a" | split(x) | list',
    'split.max_splits': '"a" | split(",", x) | list',
    'tojson.indent': '1 | tojson(indent=x)',
    'truncate.length': '"a" | truncate(length=x)',
    'truncate.end': '"abcdefghi" | truncate(length=4, leeway=0, end=x)',
    'truncate.killwords': '"a" | truncate(killwords=x)',
    'dictsort.by': '{"a": 1} | dictsort(by=x)',
    'dictsort.reverse': '{"a": 1} | dictsort(reverse=x)',
    'sort.attribute': '[1] | sort(attribute=x)',
    'sort.reverse': '[1] | sort(reverse=x)',
    'filesizeformat.binary': '1 | filesizeformat(x)',
  };
  for (const [argument, expression] of Object.entries(calls)) {
    const [filter = '', name = ''] = argument.split('.');
    const value: Expression = { kind: 'missing', span: { start: 0, end: 0 } };
    const args: readonly Argument[] = [
      { kind: 'keyword', name: { text: name, span: value.span }, value, span: value.span },
    ];
    const [found] = refusedByArguments(filter, args);
    for (const kind of found?.refused ?? []) {
      const outputsOfKind = outputs(expression, kind);
      assert.ok(
        outputsOfKind.every((output) => output.startsWith('! ')),
        `${argument} ${kind}: ${outputsOfKind}`,
      );
    }
    assert.ok(found && found.refused.size > 0, argument);
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
          render(`{{ ${expression} }}`, { x }, 'semi_strct'),
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
        const all = lefts.flatMap((a) => rights.map((b) => render(`{{ a ${operator} b }}`, { a, b }, 'semi_strct')));
        const isRefused = all.every((output) => output.startsWith('! '));
        assert.equal(refused === 'always', isRefused, `${left} ${operator} ${right}`);
      }
    }
  }
});

const SCHEMA = `{s: string, n: integer, b: "string?", d: {type: string, default: x}, l: "string[]", o: object, any: any,
  p: {author: {name: string, nick: "string?"}}, cast: {type: array, items: {name: string, age: "integer?", home: {city: string}}},
  nul: {type: [object, "null"], properties: {x: string}}, either: {anyOf: [{type: object, properties: {a: {type: string}}},
  {type: object, properties: {c: {type: string}}}]}, numbers: "number[]", o1: "integer?", ns: {type: [string, "null"]},
  count: {type: integer, minimum: 1}, code: {type: string, pattern: "^[A-Z]{2,4}$"}, kind: {type: string, enum: [AB, CD]},
  digits: {type: string, pattern: "^-?[0-9]+$"}, some: {type: array, minItems: 1, items: {type: string}}}`;

test('a condition excludes only values for which the engine decides otherwise', () => {
  const inputs = [
    'x',
    'x.y',
    'x | default("")',
    'x | default("a", true)',
    'x | default(none)',
    'not x',
    'x or s',
    'x and s',
  ];
  const filters = [...FILTERS.values()].map(({ name, parameters }) => `x | ${call(name, parameters)}`);
  const sides = [
    ...inputs,
    ...filters,
    'x | default("") | trim | length',
    'x ~ ""',
    'x if x is defined else ""',
    'x + 1',
    '-x',
  ];
  const comparisons = [
    '== "a"',
    '!= "a"',
    '== none',
    '!= none',
    '> 1',
    '>= 1',
    '< 1',
    '<= 1',
    'in ["a"]',
    'in [none, x]',
  ].flatMap((end) => sides.map((side) => `(${side}) ${end}`));
  const tests = [...TESTS.values()].flatMap(({ name, parameters }) =>
    /^\w+$/.test(name) ? [`x is ${call(name, parameters)}`, `x is not ${call(name, parameters)}`] : [],
  );
  const others = [
    '"y" in x',
    '"y" not in x',
    'x in s',
    'x == s',
    's < x',
    '[x]',
    '{"a": x}',
    '(x or s) and x',
    'x if s else x',
  ];
  let excluded = 0;
  for (const condition of [...sides, ...comparisons, ...tests, ...others]) {
    const { expression, problems } = parseExpression(condition);
    assert.deepEqual(problems, [], condition);
    for (const truth of [true, false]) {
      for (const part of conditionParts(expression, truth)) {
        for (const { key, excluded: value } of exclusionsOf(part, ({ base }) =>
          base.kind === 'name' && base.name === 's' ? 'text' : 'unknown',
        )) {
          if (key !== 'x') continue;
          excluded++;
          const context = value === 'null' ? { x: null, s: 'a' } : { s: 'a' };
          const output = render(`{{ "true" if ${condition} else "false" }}`, context, 'semi_strct');
          assert.notEqual(output, String(truth), `${condition} with ${value}`);
        }
      }
    }
  }
  assert.ok(excluded > 300, `${excluded}`);
});

/** Schemas that the shorthand cannot express. */
const JSON_SCHEMA = JSON.stringify({
  type: 'object',
  required: ['counts', 'patterned', 'needs', 'mixed', 'pairs', 'starts'],
  properties: {
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    patterned: { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    needs: { type: 'object', properties: { a: { type: 'string' }, b: {} }, dependentRequired: { a: ['b'] } },
    mixed: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: {} }, required: ['a'] }] },
    },
    pairs: {
      type: 'array',
      items: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        prefixItems: [{ type: 'string' }, { type: 'object', properties: { q: {} }, required: ['q'] }],
      },
    },
    starts: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  },
});

/** Returns the problems with a template, as `! word` if they are certain and `? word` if they are possible. */
function problemsOf(template: string, ...others: readonly string[]): readonly string[] {
  return problemsWith(SCHEMA, template, ...others);
}

function problemsWith(schema: string, template: string, ...others: readonly string[]): readonly string[] {
  const sections = others.map((text, at) => `## PromptTemplate: other${at + 1}\n\n${text}\n`).join('\n');
  const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${schema}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n\n${sections}`;
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
    ['{% if s and p.x %}{% endif %}{{ (p.x if s else 1) + 1 }}', '? x', '! x'],
    ['{% if p.x %}{% endif %}{% if p.x or s %}{% endif %}{% if not p.x %}{% endif %}', '? x', '? x'],
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
    ['{% for c in cast recursive %}{{ c.name }}{{ loop(cast) }}{% endfor %}'],
    ['{{ cast | map(attribute="home.cty") | list }}', '? cty'],
    ['{% for k, all in cast | groupby("age") %}{{ k }}{% endfor %}', '? k'],
    ['{% for k, all in cast | groupby("age", default=0) %}{{ k }}{{ k.x }}{% endfor %}', '! x'],
    ['{% for a in cast | map(attribute="age") %}{{ a }}{{ a | default(0) }}{% endfor %}', '? a'],
    ['{% for c in cast | selectattr("age") %}{{ c.age }}{% endfor %}'],
    ['{% for c in cast | selectattr("age", "defined") | list %}{{ c.age }}{% endfor %}'],
    ['{% for c in cast | rejectattr("age", "undefined") %}{{ c.age }}{% endfor %}'],
    ['{% for c in cast | selectattr("age", "gt", 3) %}{{ c.age }}{% endfor %}'],
    ['{% for c in cast | rejectattr("age") %}{{ c.age }}{% endfor %}', '? c.age'],
    ['{% for x in cast | map(attribute="age") | select("defined") %}{{ x + 1 }}{% endfor %}'],
    ['{% for row in cast | batch(2, none) %}{{ row[0].name }}{% endfor %}', '? name'],
    ['{% for x in l + l %}{{ x.y }}{% endfor %}', '! y'],
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
    ['{% set p.x = 1 %}{{ p.x }}', '! p'],
  ],
  'a macro': [
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m(p.author) }}', '! nmae'],
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m(p.author) }}{{ m(o) }}'],
    ['{% macro m(x) %}{{ x.nmae }}{% endmacro %}{{ m }}{{ m(p.author) }}'],
    ['{% macro m(x, y) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}', '! y'],
    ['{% macro m(x, y) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}{{ m(1, 2) }}', '? y'],
    ['{% macro m(x, y=1) %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }}'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1, 2) }}{{ m(1, z=2) }}', '! 2', '! z'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1).y }}', '! y'],
    ['{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ p.x }}{% endcall %}', '! x'],
    ['{% macro m(x, y=none) %}{{ y.nmae }}{% endmacro %}{{ m(1, p.author) }}', '! nmae'],
    ['{% macro m(x, y="a") %}{{ y | length }}{% endmacro %}{{ m(1, y=2) }}', '! length'],
    ['{% macro m(x) %}{{ x | length }}{% endmacro %}{{ m(n) }}', '! length'],
    ['{% macro m(x) %}{{ x | length }}{% endmacro %}{% if s %}{{ m(n) }}{% endif %}', '? length'],
    ['{% macro a(x) %}{{ x.nmae }}{% endmacro %}{% macro m(x) %}{{ a(x.author) }}{% endmacro %}{{ m(p) }}', '! nmae'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1, x=2) }}{{ m(1, 2, 3) }}', '! x', '! 2'],
    ['{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(c) m(p.author) %}{{ c.nmae }}{% endcall %}', '! nmae'],
    ['{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(c, d) m(1) %}{{ c }}{{ d }}{% endcall %}', '! d'],
    ['{% macro m(x) %}{{ caller(x, x) }}{% endmacro %}{% call(c) m(1) %}{{ c }}{% endcall %}', '! x'],
    ['{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}', '! caller'],
    ['{% macro m() %}{% if caller is defined %}{{ caller() }}{% endif %}{% endmacro %}{{ m() }}'],
    ['{% macro m() %}{{ s }}{% endmacro %}{% call m() %}{{ s }}{% endcall %}', '! m'],
  ],
  'an optional value that the engine renders as empty or wrong': [
    ['{{ b | upper }}', '? b'],
    ['{{ b ~ "x" }}{{ "x" ~ b }}', '? b', '? b'],
    ['{% set v = "x" ~ b %}', '? b'],
    ['{{ o1 | int }}{{ b | tojson }}{{ b | join(", ") }}', '? o1', '? b', '? b'],
    ['{% if b | trim %}{{ b | trim }}{% endif %}{{ b | trim or "x" }}{% if b | lower == "x" %}{% endif %}'],
    ['{% set v = b | trim %}{% if v %}{{ v }}{% endif %}'],
    ['{% set v = b | trim %}{{ v }}', '? b'],
    ['{{ b | default("") | upper }}{{ b | upper | default("x", true) }}'],
    ['{{ b | upper | default("x") }}', '? b'],
    ['{{ [b, s] | join(", ") }}', '? b'],
    ['{{ [b] }}{{ {"k": b} }}{{ {"k": b} | tojson }}', '? b', '? b', '? b'],
    ['{{ [b, s] | select | join(", ") }}{% for x in [b, s] if x %}{{ x }}{% endfor %}'],
    ['{% for x in [b, s] %}{{ x }}{% endfor %}', '? b'],
    ['{{ "a" if b }}', '? b'],
    ['{{ ("a" if b) ~ "x" }}{% set v = "a" if b %}{{ v }}', '? b', '? b'],
    ['{% for x in (l if b) %}{% endfor %}', '? b'],
    ['{{ "a" if b is defined }}{{ "a" if b else "" }}{{ "a" if s }}{{ "a" if b > 1 }}{{ ("a" if b) or "x" }}'],
    ['{{ o1 < 1 }}{{ 1 >= o1 }}', '? o1', '? o1'],
    ['{% if o1 and o1 < 3 %}{% endif %}{% if not b or b ~ "x" == s %}{% endif %}'],
  ],
  'an optional value': [
    ['{{ b }}', '? b'],
    ['{{ parameters.b }}', '? parameters.b'],
    ['{{ p.author.nick }}', '? p.author.nick'],
    ['{{ d }}{{ s }}'],
    ['{{ b | default("x") }}{{ b | d }}{{ b is defined }}{{ not b }}'],
    ['{{ b == "x" }}{{ b != "x" }}{{ b in l }}{{ b is string }}{{ o1 > 1 }}{{ 1 < o1 }}'],
    ['{% if b %}{{ b }}{% endif %}{% if not b %}x{% else %}{{ b }}{% endif %}'],
    ['{% if b and s %}{{ b }}{% endif %}{% if s and b %}{{ b }}{% endif %}{% if b or s %}{{ b }}{% endif %}', '? b'],
    ['{{ b if b else "x" }}{{ "x" if b else "y" }}{{ "x" if not b else b }}'],
    ['{{ b if s }}{{ b if b }}{{ (b if s) or "x" }}', '? b', '? b'],
    ['{% for x in l if b %}{{ x }}{{ b }}{% endfor %}{% set v = b %}{% if v %}{{ v }}{% endif %}'],
    ['{% if p.author.nick %}{{ p.author.nick }}{% endif %}{% if parameters.b %}{{ b }}{% endif %}'],
    ['{{ b and s }}', '? b'],
    ['{{ s and b }}', '? b'],
    ['{{ b or parameters.b }}', '? parameters.b'],
    ['{{ (b and s) or "x" }}{{ (b or o1) | default("x") }}'],
    ['{% for x in b or l %}{% endfor %}{% for x in b %}{% endfor %}', '? b'],
    ['{% if b | length > 1 %}{% endif %}{% if "a" in b %}{% endif %}{% if b[0] %}{% endif %}', '? b', '? b', '? b'],
    ['{% macro m(x) %}{% if x %}{{ x }}{% endif %}{% endmacro %}{{ m() }}{{ m(b) }}'],
    ['{% if b is defined %}{{ b }}{% else %}{{ s }}{% endif %}'],
    ['{% if b is undefined %}{{ s }}{% else %}{{ b }}{% endif %}'],
    ['{% if not b %}x{% elif b == "a" %}{{ b }}{% else %}{{ b }}{% endif %}'],
    ['{% if not b %}{% set b = "x" %}{% endif %}{{ b }}'],
    ['{% if b is defined and b %}{{ b }}{% endif %}{{ b is defined and b }}{{ b is not defined or b }}'],
    ['{% if b | default("") %}{{ b }}{% endif %}'],
    ['{{ b if b is defined else "x" }}{{ b if b is defined }}'],
    ['{% if b == "x" %}{{ b }}{% endif %}{% if b is string %}{{ b }}{% endif %}'],
    ['{{ b or "x" }}'],
    [
      '{% if o1 > 1 %}{{ o1 }}{% endif %}{% if 1 <= o1 %}{{ o1 }}{% endif %}{% if o1 < 9 %}{{ o1 }}{% endif %}',
      '? o1',
      '? o1',
    ],
    ['{% if b == s %}{{ b }}{% endif %}{% if b != s %}{{ b }}{% endif %}', '? b'],
    ['{% if b == "x" or b == "y" %}{{ b }}{% endif %}{% if b in ["x", "y"] %}{{ b }}{% endif %}'],
    ['{% if b in "xy" %}{{ b }}{% endif %}', '? b', '? b'],
    [
      '{% if b | default("") | trim | length > 2 %}{{ b }}{% endif %}{% if b | default("x") == "y" %}{{ b }}{% endif %}',
    ],
    ['{% if b | default("x") == "x" %}{{ b }}{% endif %}', '? b'],
    ['{% if b | upper == "X" %}{{ b }}{% endif %}{% if b | string %}{{ b }}{% endif %}'],
    ['{% if b ~ "" %}{{ b }}{% endif %}', '? b'],
    ['{% if (b is defined) == true %}{{ b }}{% endif %}{% if (b if b is defined else "") %}{{ b }}{% endif %}'],
    ['{% set has = b is defined %}{% if has %}{{ b }}{% endif %}{% if not has %}{{ s }}{% else %}{{ b }}{% endif %}'],
    ['{% with has = b | default("") %}{% if has %}{{ b }}{% endif %}{% endwith %}'],
    ['{% if parameters.b is defined %}{{ b }}{% endif %}{% if b is defined %}{{ parameters.b }}{% endif %}'],
    ['{% if "b" in parameters %}{{ b }}{% endif %}{% if "nick" in p.author %}{{ p.author.nick }}{% endif %}'],
    ['{% if "nick" not in p.author %}{{ p.author.nick }}{% endif %}', '? p.author.nick'],
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
    ['{% if ns in ["a"] %}{{ ns | length }}{% endif %}{% if ns == s %}{{ ns | length }}{% endif %}'],
    ['{{ ns | default(none) | length }}', '? length'],
    ['{{ (b | default(none)) | length }}'],
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
    ['{% set (a,) = cast[0] %}{% for a, c in cast %}{% endfor %}', '! a,'],
    ['{{ range(s) }}', '! s'],
    ['{% include n %}', '! n'],
    ['{% if any is number %}{{ any | length }}{% endif %}', '? length'],
    ['{% if n is string %}{{ n.x }}{{ n | length }}{% endif %}'],
  ],
  'an iterator': [
    ['{{ s | split(",") }}{{ s | split(",") | list }}{{ s | split | join }}', '? s | split(",")'],
    ['{{ "a" ~ s | split }}{{ s | split | upper }}{{ s | split | tojson }}', '? s | split', '? s | split'],
    ['{% set x = s | split %}{{ x }}{{ x[0] }}{{ x | first }}', '? x'],
    ['{% macro m(x) %}{{ x }}{% endmacro %}{{ m(s | split) }}', '? x'],
    ['{{ [s | split] }}{{ {"a": s | split} }}{{ [s | split] | tojson }}', '? [s | split]', '? {"a": s | split}'],
    ['{{ l | map("split", ",") | list }}', '? l | map("split", ",") | list'],
    ['{{ (s | split(",") if s else "") }}{{ l + (s | split) }}', '? s | split(",") if s else ""', '? l + (s | split)'],
    ['{{ l | chain(s | split) }}{{ l | chain(l) }}', '? l | chain(s | split)'],
    ['{% filter split(",") %}a,b{% endfilter %}{% set x | split(",") %}a,b{% endset %}{{ x }}', '? split(",")', '? x'],
    [
      '{% if s | split %}{% endif %}{{ not (s | split) }}{% if s | split | list %}{% endif %}',
      '? s | split',
      '? s | split',
    ],
    [
      '{{ (s | split)[:2] | join }}{{ (s | split)[1:] | join }}{{ (s | split)[:-1] | join }}',
      '? s | split',
      '? s | split',
    ],
    ['{{ (s | split)[0] }}{{ (s | split)[-1] }}{{ (s | split | list)[-1] }}', '? s | split'],
    ['{{ s | split is sequence }}{{ range(3) is sequence }}{{ l is sequence }}', '? s | split', '? range(3)'],
    ['{{ l | reverse is sequence }}{{ l[1:] is sequence }}{{ l | sort is sequence }}', '? l | reverse', '? l[1:]'],
    ['{% for x in s | split %}{{ x }}{{ loop.index }}{{ loop.first }}{{ loop.nextitem is defined }}{% endfor %}'],
    ['{% for x in s | split %}{{ loop.last }}{{ loop.length }}{% endfor %}', '? loop.last', '? loop.length'],
    ['{% for x in s %}{{ loop.last }}{% endfor %}{% for x in s | list %}{{ loop.last }}{% endfor %}', '? loop.last'],
    [
      '{% for x in s | split %}{% if loop.length > 1 %}{% endif %}{{ loop.length | default(1) }}{% endfor %}',
      '? loop.length',
    ],
    ['{% for x in s | split if x %}{{ loop.last }}{{ loop.length }}{% endfor %}'],
    ['{% for x in s | split | map("trim") %}{{ loop.last }}{{ loop.length }}{% endfor %}'],
    ['{% for x in range(3) %}{{ loop.last }}{{ loop.length }}{% endfor %}{% for k in p %}{{ loop.last }}{% endfor %}'],
    [
      '{% macro m(x) %}{% for y in x %}{{ loop.last }}{% endfor %}{% endmacro %}{{ m(l) }}{{ m(s | split) }}',
      '? loop.last',
    ],
    ['{{ (l + (s | split)) | length }}{{ s | split | pluralize }}', '! length', '! pluralize'],
  ],
  'a result that differs from Jinja2': [
    ['{{ n | round(-2) }}{{ n | round(2) }}{{ n | float | round(-2) }}{{ (n / 2) | round(-1) }}', '? round(-2)'],
    ['{{ s is upper }}{{ code is upper }}{{ kind is lower }}{{ s[0] is upper }}{{ "AB" is upper }}', '? s is upper'],
    ['{% for c in s %}{{ c is upper }}{% endfor %}{{ s | first is lower }}'],
    ['{{ b | default(none) is none }}{{ s | default(none) is none }}', '? default(none)'],
    ['{% set v = b | default(none) %}{{ v == none }}{{ v | tojson }}{{ v }}', '? default(none)'],
    ['{% set v = b | default(none) %}{% if v %}{{ v }}{% endif %}'],
    ['{{ cast | sort(attribute="name,age") | length }}{{ cast | sort(attribute="name") | length }}', '? name,age'],
    ['{{ 1 / n }}{{ 1 / count }}{{ 1 / (n or 1) }}{{ 1 / ([n, 1] | max) }}{{ 1 / (n | abs + 1) }}', '? 1 / n'],
    [
      '{% if n %}{{ 1 / n }}{% endif %}{% if n > 0 %}{{ 1 // n }}{% endif %}{% if n == 0 %}{% else %}{{ 1 % n }}{% endif %}',
    ],
    ['{{ 1 / n if n != 0 else 0 }}{{ n and 1 / n }}{{ 1 / n if n >= 0 else 0 }}', '? 1 / n'],
    [
      '{% if l %}{{ 1 / (l | length) }}{% endif %}{{ 1 / (some | length) }}{{ 1 / (l | length) }}',
      '? 1 / (l | length)',
    ],
    ['{% for x in l %}{{ 1 / loop.index }}{{ 1 / loop.index0 }}{% endfor %}', '? 1 / loop.index0'],
    ['{% if l %}{{ 1 / (l | sort | length) }}{{ 1 / (l[1:] | length) }}{% endif %}', '? 1 / (l[1:] | length)'],
    ['{% if l %}{{ 1 / (l | select | list | length) }}{% endif %}', '? 1 / (l | select | list | length)'],
  ],
  'a number that is refused': [
    ['{{ 1 // n }}{{ 1 % n }}{{ 1 // 0 }}{{ 1 // count }}', '? 1 // n', '? 1 % n', '! 1 // 0'],
    ['{{ l | batch(n) }}{{ l | batch(count) }}{{ n is divisibleby(n) }}{{ range(0, 3, n) }}', '? n', '? n', '? n'],
    [
      '{{ s | int }}{{ digits | int }}{{ "a" | int }}{{ " 1" | float }}{{ n | string | int }}',
      '? int',
      '! int',
      '! float',
    ],
    ['{{ s | split(",") | map("int") | sum }}', '? int'],
  ],
  'an argument': [
    ['{{ s | truncate(8) }}', '! 8'],
    ['{{ s | truncate(length="a") }}{{ s | indent("a") }}{{ l | batch(s) }}', '! "a"', '! "a"', '! s'],
    ['{{ s | indent(o1) }}{{ l | sort(reverse=1) }}{{ s | split(1) | list }}', '? o1', '! 1', '! 1'],
    ['{{ s | split(",") | length }}{{ s | split(",") | list | length }}', '! length'],
    ['{{ numbers | map("length") | list }}{{ cast | groupby }}{{ l | map }}', '? length', '! groupby', '! map'],
    ['{{ b | default("x", boolean=true) }}', '! boolean'],
    ['{{ s | truncate(lenght=8) }}', '! lenght'],
    ['{{ l | join(separator=", ") }}', '! separator'],
    ['{{ s | replace("a") }}{{ s | upper(1) }}{{ s | indent }}', '! replace', '! 1', '! indent'],
    ['{{ b | default(value="x") }}', '? value'],
    ['{{ n is divisibleby }}{{ n is odd(1) }}', '! divisibleby', '! 1'],
    ['{{ l | map("replace", "a", "b") | list }}{{ cast | selectattr("name", "eq", "x") | list }}'],
  ],
};

/** The modes, and forms of an undefined `n`; `strict` is true if the form fails only in strict mode. */
const FORMS: readonly (readonly [form: string, output: string, strict?: true])[] = [
  ['{% if n %}T{% else %}F{% endif %}', 'F', true],
  ['{{ "a" if n else "b" }}', 'b', true],
  ['{{ n or "b" }}', 'b', true],
  ['{% if n and n > 3 %}T{% else %}F{% endif %}', 'F', true],
  ['{% if s and n %}T{% else %}F{% endif %}', 'F', true],
  ['{% for x in [1] if n %}x{% endfor %}', '', true],
  ['[{{ "a" if n }}]', '[]', true],
  ['{{ not n }}', 'true'],
  ['{{ n is defined }}', 'false'],
  ['{{ n == 1 }}', 'false'],
  ['{{ n < 1 }}', 'true'],
  ['{{ n in "xy" }}', 'true'],
  ['{{ n in ["x"] }}', 'false'],
  ['[{{ n ~ "a" }}]', '[a]'],
  ['{{ [n] }}', '[undefined]'],
  ['[{{ n | upper }}]', '[]'],
  ['[{{ n | int }}]', '[0]'],
  ['{{ n | tojson }}', 'null'],
  ['{{ n }}', '! undefined value (in <string>:1)'],
  ['{{ n and s }}', '! undefined value (in <string>:1)'],
  ['{% for x in n %}{% endfor %}', '! undefined value (in <string>:1)'],
  ['{{ n.a }}', '! undefined value (in <string>:1)'],
  ['{{ "a" in n }}', '! undefined value (in <string>:1)'],
];

test('semi-strict mode reads an undefined value only in tests', () => {
  const context = { s: 'x' };
  for (const [form, output, isStrict] of FORMS) {
    assert.equal(render(form, context, 'semi_strct'), output, form);
    const strict = render(form, context, 'strict');
    assert.equal(strict, isStrict ? '! undefined value (in <string>:1)' : output, form);
  }
});

test('a recursive loop ends at items that lack the field for their children, also through another name of `loop`', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: { nav: { type: 'array', items: { $ref: '#/$defs/item' } } },
    required: ['nav'],
    $defs: {
      item: {
        type: 'object',
        properties: { title: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/item' } } },
        required: ['title'],
      },
    },
  });
  const nav = [{ title: 'a', children: [{ title: 'b' }, { title: 'c', children: [] }] }, { title: 'd' }];
  const rest = '{% if item.children %}<{{ loop(item.children) }}>{% endif %}{% endfor %}';
  const alias =
    '{% set parent = loop %}{% for mark in ["*"] %}{{ mark }}{% if item.children %}<{{ parent(item.children) }}>{% endif %}{% endfor %}{% endfor %}';
  for (const [template, output] of [
    [`{% for item in nav recursive %}{{ item.title }}${rest}`, 'a<bc>d'],
    [`{% for item in nav recursive %}{{ item.title }}${alias}`, 'a*<b*c*>d*'],
  ] as const) {
    assert.equal(render(template, { nav }, 'semi_strct'), output);
    assert.equal(render(template, { nav }, 'strict'), '! undefined value (in <string>:1)');
    assert.deepEqual(problemsWith(schema, template), [], template);
  }
  const unguarded = '{% for item in nav recursive %}{{ item.title }}{{ loop(item.children) }}{% endfor %}';
  assert.match(render(unguarded, { nav }, 'semi_strct'), /cannot recurse because of non-iterable value/);
  assert.deepEqual(problemsWith(schema, unguarded), ['? item.children']);
});

test('strict mode also reports a test of an undefined value', () => {
  const strict = (template: string) => {
    const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${SCHEMA}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n`;
    return (templateProblems(new SkillFile('file:///w/t.skill.md', text), true).templates[0]?.problems ?? []).length;
  };
  for (const test of [
    '{% if b %}{% endif %}',
    '{{ b or "x" }}',
    '{{ "a" if b else "c" }}',
    '{% if b and s %}{% endif %}',
  ]) {
    assert.equal(strict(test), 1, test);
    assert.deepEqual(problemsOf(test), [], test);
  }
  assert.equal(strict('{% if not b %}{% endif %}{% if b is defined and b %}{{ b }}{% endif %}'), 0);
});

describe('the types of a template report', () => {
  for (const [what, rows] of Object.entries(CASES)) {
    it(what, () => {
      for (const [template, ...problems] of rows) assert.deepEqual(problemsOf(template), problems, template);
    });
  }
});

test('the items of `list or []` are those of the list', () => {
  assert.deepEqual(problemsOf('{% for x in l or [] %}{{ x.z }}{% endfor %}'), ['! z']);
  assert.deepEqual(problemsOf('{% for x in (l if f else []) %}{{ x | round }}{% endfor %}'), ['? round']);
  assert.deepEqual(problemsOf('{% for x in [] %}{{ x.z }}{% endfor %}'), []);
});

test('a default of one of several alternatives is not filled in, so its field may be missing', () => {
  const map = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string', default: 'x' } } });
  const schema = JSON.stringify({
    type: 'object',
    properties: {
      one: { anyOf: [map('a'), { type: 'null' }] },
      two: { anyOf: [map('a'), { ...map('a'), required: ['b'] }], properties: { c: { default: 'y' } } },
      values: { type: 'object', additionalProperties: map('a') },
    },
    required: ['one', 'two', 'values'],
  });
  assert.deepEqual(problemsWith(schema, '{% if one %}{{ one.a }}{% endif %}{{ two.c }}'), []);
  assert.deepEqual(problemsWith(schema, '{% for k, v in values | items %}{{ v.a }}{% endfor %}'), []);
  assert.deepEqual(problemsWith(schema, '{{ two.a }}'), ['? two.a']);
});

test('the first and the last item of a pair have their own types', () => {
  for (const template of [
    '{{ counts | items | map("last") | sum }}',
    '{{ (pairs[0] | last).q | default("") }}',
    '{{ pairs[0] | first | upper }}',
  ]) {
    assert.deepEqual(problemsWith(JSON_SCHEMA, template), [], template);
  }
  assert.deepEqual(problemsWith(JSON_SCHEMA, '{{ counts | items | map("first") | sum }}'), ['? sum']);
});

describe('the types of a template', () => {
  it('follow the keywords of JSON Schema', () => {
    const rows: readonly (readonly [template: string, ...problems: readonly string[]])[] = [
      ['{% for a, b in pairs %}{{ a | length }}{{ b.q }}{{ b.z }}{% endfor %}', '! z'],
      ['{% for a, b, c in pairs %}{% endfor %}', '? a, b, c'],
      ['{{ pairs[0][1].z }}{{ pairs[0][2] }}', '! z', '! 2'],
      ['{{ patterned.x1 }}{{ patterned.y }}'],
      ['{% if needs.a is defined %}{{ needs.b }}{% endif %}'],
      [
        '{% for x in mixed | select("mapping") %}{{ x.a }}{% endfor %}{% for x in mixed | reject("string") %}{{ x.a }}{% endfor %}',
      ],
      [
        '{% for k, v in counts | items %}{{ v.z }}{{ v + 1 }}{% endfor %}{% for k in counts %}{{ counts[k].z }}{% endfor %}',
        '! z',
        '! z',
      ],
      ['{{ starts[0] | length }}{{ starts[1] | length }}', '! length'],
    ];
    for (const [template, ...problems] of rows) {
      assert.deepEqual(problemsWith(JSON_SCHEMA, template), problems, template);
    }
  });
});

/** A schema of a tree, whose nodes have the type of the tree. */
const TREE_SCHEMA = JSON.stringify({
  type: 'object',
  required: ['tree'],
  properties: { tree: { $ref: '#/$defs/node' } },
  $defs: {
    node: {
      type: 'object',
      required: ['name', 'children'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    },
  },
});

describe('the types of a recursive macro', () => {
  const rows: readonly (readonly [what: string, template: string, ...problems: readonly string[]])[] = [
    [
      'are those of a recursive schema',
      '{% macro m(t) %}{{ t.name }}{{ t.nmae }}{% for c in t.children %}{{ m(c) }}{{ c.x }}{% endfor %}{% endmacro %}{{ m(tree) }}',
      '! nmae',
      '! x',
    ],
    [
      'are known for macros that call each other',
      '{% macro a(t) %}{{ b(t) }}{% endmacro %}{% macro b(t) %}{% for c in t.children %}{{ a(c) }}{{ c.x }}{% endfor %}{% endmacro %}{{ a(tree) }}',
      '! x',
    ],
    [
      'follow the block of a call',
      '{% macro f(x) %}{{ caller(x) }}{% endmacro %}{% macro g(t) %}{% call(c) f(t) %}{% for k in c.children %}{{ g(k) }}{{ k.x }}{% endfor %}{% endcall %}{% endmacro %}{{ g(tree) }}',
      '! x',
    ],
    [
      'include the arguments of the inner calls',
      '{% macro m(t, path=[]) %}{{ path | join("/") }}{{ path | upper }}{{ t | length }}{% for c in t.children %}{{ m(c, path + [c.name]) }}{% endfor %}{{ m(1) }}{% endmacro %}{{ m(tree) }}',
      '? length',
      '? children',
    ],
    [
      'are unknown for values that grow with each call',
      '{% macro m(t, up={}) %}{{ up.name }}{{ up.up.up.name }}{% for c in t.children %}{{ m(c, {"up": up, "name": c.name}) }}{% endfor %}{% endmacro %}{{ m(tree) }}',
    ],
    [
      'are known in a recursive loop',
      '{% for c in tree.children recursive %}{{ c.x }}{{ loop.length }}{{ loop.last }}{{ loop(c.children) }}{% endfor %}',
      '! x',
    ],
  ];
  for (const [what, template, ...problems] of rows) {
    it(what, () => assert.deepEqual(problemsWith(TREE_SCHEMA, template), problems));
  }

  it('end for many macros that call each other', () => {
    const names = Array.from({ length: 200 }, (_, at) => `m${at}`);
    const macros = names.map(
      (name, at) => `{% macro ${name}(x) %}{{ x.a }}{{ ${names[(at + 1) % 200]}([x]) }}{% endmacro %}`,
    );
    assert.deepEqual(problemsOf(`${macros.join('')}{{ m0(any) }}`), []);
  });
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
    assert.deepEqual(problemsOf('{% import "other1" as m %}{{ m.v.nmae }}', '{% set v = p.author %}'), ['! nmae']);
    assert.deepEqual(problemsOf('{% from "other1" import card, crad %}{{ card(p.author, 1) }}', macros), [
      '! 1',
      '! nmae',
    ]);
  });
});
