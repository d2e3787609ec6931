/** The source span of each piece of rendered text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { show, textOf } from './rendering.ts';

const pieces: Readonly<Record<string, readonly [string, Parameters<typeof show>[1], readonly string[]]>> = {
  'a string without tags is one piece, less its last line break': ['hello\n\n', {}, ['hello\n<hello\n\n>']],
  'nothing is no piece': ['', {}, []],
  'a value is printed by its tag': ['a {{ x }}!', { context: { x: 1 } }, ['a <a >', '1<{{ x }}>', '!<!>']],
  'an empty value is left out': ['a{{ "" }}b', {}, ['a<a>', 'b<b>']],
  '`-` trims what the engine calls white space': [
    'a\u00a0\u2028{{- 1 -}}\u0085\ufeffb',
    {},
    ['a<a>', '1<{{- 1 -}}>', '\ufeffb<\ufeffb>'],
  ],
  '`+` trims nothing': ['a {{+ 1 +}} b', {}, ['a <a >', '1<{{+ 1 +}}>', ' b< b>']],
  'a comment trims too': ['a {#- c -#} b', {}, ['a<a>', 'b<b>']],
  'white space between two tags': ['{{ 1 -}} {{ 2 }} {{- 3 }}', {}, ['1<{{ 1 -}}>', '2<{{ 2 }}>', '3<{{- 3 }}>']],
  'a raw block has four places to trim': [
    'a {%- raw -%} {{ x }} {%- endraw -%} b',
    {},
    ['a<a>', '{{ x }}<{{ x }}>', 'b<b>'],
  ],
  'a last line break of two characters': ['{{ 1 }}\r\n', {}, ['1<{{ 1 }}>']],
  'a lone carriage return at the end is dropped as well': ['{{ 1 }}\r', {}, ['1<{{ 1 }}>']],
  'line breaks stay as they are': ['a\r\n{{ "漢" }}\r\n💡', {}, ['a\r\n<a\r\n>', '漢<{{ "漢" }}>', '\r\n💡<\r\n💡>']],
  'a loop prints a piece several times': [
    '{% for x in [1, 2] %}-{{ x }}{% else %}none{% endfor %}',
    {},
    ['-<->', '1<{{ x }}>', '-<->', '2<{{ x }}>'],
  ],
  'an include prints with its own places': [
    'a{% if true %}{% include "t" %}{% endif %}b',
    { others: { t: 'in {{ 1 }}\n' } },
    ['a<a>', 'in t<in >', '1t<{{ 1 }}>', 'b<b>'],
  ],
  'an include by a computed name': ['{% include ["nosuch", "t" ~ ""] %}', { others: { t: 'in' } }, ['int<in>']],
  'blocks print with the places of who wrote them': [
    '{% extends "t" %}{% block b %}mine {{ super() }}{% endblock %}',
    { others: { t: 'T{% block b %}base{% endblock %}E' } },
    ['Tt<T>', 'mine <mine >', 'base<{{ super() }}>', 'Et<E>'],
  ],
  'a macro is printed by its call': ['{% macro m(a) %}<b> {{ a }}{% endmacro %}{{ m(1) }}', {}, ['<b> 1<{{ m(1) }}>']],
  'an imported macro as well': [
    '{% from "t" import m %}{{ m(1) }}',
    { others: { t: '{% macro m(a) %}<{{ a }}>{% endmacro %}' } },
    ['<1><{{ m(1) }}>'],
  ],
  'what `set` captures is printed later': [
    '{% set x %}a{{ 1 }}{% endset %}-{{ x }}{{ x | length }}',
    {},
    ['-<->', 'a1<{{ x }}>', '2<{{ x | length }}>'],
  ],
  'a filter block is one piece': [
    'a{% filter upper %}b{{ "c" }}{% endfilter %}',
    {},
    ['a<a>', 'BC<{% filter upper %}b{{ "c" }}{% endfilter %}>'],
  ],
  'a call block is one piece': [
    '{% macro m(caller) %}[{{ caller() }}]{% endmacro %}{% call m() %}x{% endcall %}',
    {},
    ['[x]<{% call m() %}x{% endcall %}>'],
  ],
  'a recursive loop is printed by its call': [
    '{% for x in t recursive %}[{{ loop(x.c) }}]{% endfor %}',
    { context: { t: [{ c: [{ c: [] }] }] } },
    ['[<[>', '[]<{{ loop(x.c) }}>', ']<]>'],
  ],
  'characters for private use in the text are no marks': [
    '\ue0000\ue002{{ x }}',
    { context: { x: '\ue001' } },
    ['\ue0000\ue002<\ue0000\ue002>', '\ue001<{{ x }}>'],
  ],
  'what measures a captured include cannot be marked': [
    '{% set x %}{% include "t" %}{% endset %}{{ x | length }}!',
    { others: { t: 'ab' } },
    ['2!<{% set x %}{% include "t" %}{% endset %}{{ x | length }}!>', 'not exact'],
  ],
};

for (const [name, [template, given, expected]] of Object.entries(pieces)) {
  test(name, () => assert.deepEqual(show(template, given), expected));
}

test('prints values as the engine does', () => {
  const context = { i: 3, f: 3.5, t: true, n: null, m: { b: [1, 'x'], a: {} }, big: 1e21 };
  assert.equal(
    textOf('{{ i }} {{ f }} {{ t }} {{ n }} {{ m }} {{ big }} {{ 4 / 2 }}', { context }),
    '3 3.5 true none {"a": {}, "b": [1, "x"]} 1000000000000000000000.0 2.0',
  );
});

test('renders values with any content', () => {
  const x = JSON.parse('{"__proto__": {"constructor": 1}, "\\u0000": "\\ud800"}');
  assert.equal(
    textOf('{{ x }}\0\ud800', { context: { x } }),
    '{"\\0": "\ufffd", "__proto__": {"constructor": 1}}\0\ufffd',
  );
});
