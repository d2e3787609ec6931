/** A template has no problems for us exactly where the engine loads it. `differential.slow.ts` compares many more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEWER_SYNTAX } from '../../../server/src/skill/template/newer.ts';
import { parseTemplate } from '../../../server/src/skill/template/parser.ts';
import { compareExpressions, compareTemplate, compareTemplates } from './differential.ts';
import { refusal } from './engine.ts';

test('3,000 random templates, most of them damaged', () => {
  const { accepted, refused, newer } = compareTemplates(3000, 1);
  assert.ok(accepted > 700 && refused > 1500, `${accepted} accepted, ${refused} refused: too few of one kind`);
  assert.ok(newer < 20, `${newer} explained by newer syntax: too many`);
});

test('2,000 random conditions', () => {
  const { accepted, refused } = compareExpressions(2000, 2);
  assert.ok(accepted > 200 && refused > 200);
});

test('nesting up to the engine’s limit and no further', () => {
  const nested = (open: string, inside: string, close: string) => (depth: number) =>
    open.repeat(depth) + inside + close.repeat(depth);
  const shapes = [
    nested('{% if a %}', '', '{% endif %}'),
    nested('{% if a %}', '{{ x }}', '{% endif %}'),
    nested('{% for a in b %}', '{% include "a" %}', '{% endfor %}'),
    nested('{% call f() %}', '{% set y = (x) %}', '{% endcall %}'),
    (depth: number) => `{{ ${nested('(', 'a', ')')(depth)} }}`,
    (depth: number) => `{{ ${nested('[', '', ']')(depth)} }}`,
    (depth: number) => `{% if ${nested('{1: ', '1', '}')(depth)} %}{% endif %}`,
    (depth: number) => `{{ ${nested('a[:', '1', ']')(depth)} }}`,
    (depth: number) => `{{ ${nested('a is f [', '1', ']')(depth)} }}`,
    (depth: number) => `{{ ${nested('f(a=', '1', ')')(depth)} }}`,
  ];
  for (const shape of shapes) {
    for (const depth of [73, 74, 75, 76, 77, 146, 147, 148, 149, 150, 151]) {
      compareTemplate(shape(depth), { accepted: 0, refused: 0, newer: 0 });
    }
  }
});

const EDGES = [
  // Every word may be a variable where an operand is expected.
  '{{ if }}',
  '{{ and }}',
  '{{ not }}',
  '{{ in }}',
  '{{ a is defined if b else c }}',
  '{% for x in y if x is odd recursive %}{% endfor %}',
  // Delimiters, whitespace marks, raw blocks and comments.
  '{{- a -}}',
  '{{+ a +}}',
  '{{ a-}}',
  '{{--1}}',
  '{%raw%}{{{%endraw%}',
  '{% raw-%}{%-endraw+%}',
  '{% raw %}{% end raw %}',
  '{#}',
  '{#-#}',
  '{# #',
  '{{ "}}" }}',
  '{{ {1: {2: 3}} }}',
  '{{{1: {2: 3}}}}',
  '{{ {{1: 2}: 3} }}',
  '{% set x = {1: {2: 3}}%}',
  // Numbers and strings as the engine's lexer reads them.
  '{{ 1. }}',
  '{{ 1.e5 }}',
  '{{ 1e }}',
  '{{ 1__0 }}',
  '{{ 1_ }}',
  '{{ 0x }}',
  '{{ 0x_1 }}',
  '{{ 0b2 }}',
  '{{ 0XfF }}',
  '{{ 1.a }}',
  '{{ 1..2 }}',
  '{{ 340282366920938463463374607431768211455 }}',
  '{{ 340282366920938463463374607431768211456 }}',
  `{{ ${'0'.repeat(500)}1 }}`,
  '{{ "\\u+123" }}',
  '{{ "\\x+1" }}',
  '{{ "\\x1" }}',
  '{{ "\\400" }}',
  '{{ "\\377" }}',
  '{{ "\\ud83d" }}',
  '{{ "\\ud83d\\ude00" }}',
  '{{ "\\ude00\\ud83d" }}',
  '{{ "\\ud83d" "\\ude00" }}',
  '{{ "a\nb" }}',
  '{{ "\\',
  // Statements.
  '{% for in x %}{% endfor %}',
  '{% for a, in x %}{% endfor %}',
  '{% for (a) in x %}{% endfor %}',
  '{% set () = x %}',
  '{% set a.b.c %}{% endset %}',
  '{% set (a) %}{% endset %}',
  '{% with %}{% endwith %}',
  '{% with a = 1, %}{% endwith %}',
  '{% from x import %}',
  '{% from x import a, with context %}',
  '{% import x as (a, b.c) %}',
  '{% import x as [] %}',
  '{% import x as 1 %}',
  '{% import x as loop %}',
  '{% include x ignore missing with context %}',
  '{% include x with context ignore missing with context %}',
  '{% call (f)() %}{% endcall %}',
  '{% call (f()) %}{% endcall %}',
  '{% call -f() %}{% endcall %}',
  '{% do f | g %}',
  '{% endfor x %}',
  '{% block a %}{% endblock a %}',
  '{% block a %}{% endblock b %}',
  '{% macro true() %}{% endmacro %}',
  '{% macro f(a, a) %}{% endmacro %}',
  '{% filter %}{% endfilter %}',
  '{% filter a(1)|b %}{% endfilter %}',
  '{%',
  '{%-',
  '{% if',
  '{{ f((a)=1) }}',
  '{{ f(a=1, 2) }}',
  '{{ f(**a, 2) }}',
  '{{ f(**a, *b) }}',
  '{{ f(,) }}',
  '{{ [,] }}',
  '{{ (1,) }}',
  '{{ () }}',
  '{{ x[] }}',
  '{{ x[::] }}',
  '{{ x[1, 2] }}',
  `{{ f(${'1,'.repeat(2000)}) }}`,
  `{{ f(${'1,'.repeat(2001)}) }}`,
  // Unknown filters, tests and functions are no matter of the syntax.
  '{{ a | nosuch }}{{ a is nosuch }}{{ nosuch() }}',
  'a\r\n',
  '\0',
  '{{ a\u00a0}}',
  '{{ a\u000b}}',
  '\ud800{{ a }}',
  '\ufeff{{ a }}',
];

test('edges of the grammar', () => {
  for (const text of EDGES) compareTemplate(text, { accepted: 0, refused: 0, newer: 0 });
});

test('newer syntax is what the table says', () => {
  for (const [feature, { example, accepted }] of Object.entries(NEWER_SYNTAX)) {
    const { problems, newer } = parseTemplate(example);
    assert.notEqual(refusal(example), undefined, `${feature}: the engine of the tests accepts it by now`);
    assert.equal(problems.length === 0, accepted, feature);
    assert.deepEqual(
      newer.map((use) => use.feature),
      accepted ? [feature] : [],
      feature,
    );
  }
});
