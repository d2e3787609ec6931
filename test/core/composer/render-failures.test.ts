/** Messages and spans of failing templates. After a failure, the next template still renders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundMemory, ENGINE } from '../../../server/src/composer/render/engine.ts';
import { evaluateCondition } from '../../../server/src/composer/render/explain.ts';
import { renderTemplate } from '../../../server/src/composer/render.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { engine, type RenderOptions, renderText, show, textOf } from './rendering.ts';

const user = { name: 'Ada' };
const failures: readonly (readonly [string, string, RenderOptions?])[] = [
  ['{{ x }}', '! undefined <x>'],
  ['a\r\n💡 é{{ x }}', '! undefined <x>'],
  ['{{\n  x\n  .y }}', '! undefined <x>'],
  ['{{ user.nam }}', '! undefined <user.nam>', { context: { user } }],
  ['{{ user.a.b.c }}', '! undefined <user.a>', { context: { user } }],
  ['{{ x and user }}', '! undefined <x>', { context: { user } }],
  ['{{ x or y }}', '! undefined <y>'],
  ['{{ x if x else y }}', '! undefined <y>'],
  ['{% for a in x or y %}{% endfor %}', '! undefined <y>'],
  ['{{ x + 1 }}', '! undefined <x>'],
  ['{{ x.f() }}', '! undefined <x>'],
  ['{{ f(1) }}', '! unknown-function <f>'],
  ['{{ 1 | nosuch }}', '! unknown-filter <nosuch>'],
  ['{{ [1] | map("nosuch") | list }}', '! unknown-filter <nosuch>'],
  ['{{ 1 is nosuch }}', '! unknown-test <nosuch>'],
  ['{% include "nosuch" %}', '! missing-template <nosuch>'],
  ['{{ 1 + "a" }}', '! invalid-operation <1 + "a">'],
  ['{{ "a".strip() }}', '! invalid-operation <.strip()>'],
  ['{{ x ', '! syntax <{{ x>'],
  ['{% for x in [] %}{% break %}{% endfor %}', '! syntax <{% break %}>'],
  ['{% include "t" %}', '! undefined t<y>', { others: { t: 'a\n💡{{ y }}' } }],
  ['{% include "t" %}', '! undefined u<y>', { others: { t: '-{% include "u" %}', u: '{{ y }}' } }],
  ['{% include "t" %}', '! syntax t<{{ y>', { others: { t: '{{ y' } }],
  ['{% from "t" import m %}{{ m() }}', '! undefined t<y>', { others: { t: '{% macro m() %}{{ y }}{% endmacro %}' } }],
  ['{% include "main" %}', '! recursion <include "main">'],
  ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', '! recursion <m()>'],
  ['{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}', '! fuel <range(99999)>'],
];

for (const [template, expected, given] of failures) {
  test(`${template.replace(/\s+/g, ' ')} fails: ${expected}`, () =>
    assert.deepEqual(show(template, given), [expected]));
}

// A failure names the expression that prints the most text, summed over all iterations of a loop.
const large: typeof failures = [
  ['{{ "\\n" * 8000000 }}', '! output <{{ "\\n" * 8000000 }}>'],
  ['ab{% for i in range(900) %}{{ "a" * 2000 }}{{ i }}{{ "b" * 400 }}{% endfor %}', '! output <{{ "a" * 2000 }}>'],
  ['{% include "t" %}', '! output t<{{ "x" * 3000000 }}>', { others: { t: '{{ "x" * 3000000 }}' } }],
];

for (const [template, expected, given] of large) {
  test(`${template.slice(0, 40)} exceeds the output limit: ${expected}`, () =>
    assert.deepEqual(show(template, given), [expected]));
}

let deep: Json = [];
for (let i = 0; i < 100_000; i++) deep = [deep];
const doubling = '{% set n = namespace(s="ab") %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}';
const deadly: readonly (readonly [string, string, RenderOptions?])[] = [
  ['{% import x as 1 %}', 'panic'],
  ['{% for x in [1] %}{{ loop.cycle() }}{% endfor %}', 'panic'],
  [doubling, 'memory'],
  ['{{ "a" * 1000000000 }}', 'memory'],
  ['{{ "aaaa" * 1000000000 }}', 'memory'],
  ['{{ deep }}', 'recursion', { context: { deep } }],
];

test('reports a template that crashes the engine, and renders the next template', () => {
  for (const [template, reason, given] of deadly) {
    const result = renderText(template, given);
    assert.equal(result.ok ? result.text : result.failure.reason, reason, template.slice(0, 60));
    assert.equal(textOf('{% include "t" %}', { others: { t: 'ok {{ 1 }}' } }), 'ok 1');
    assert.deepEqual(evaluateCondition(engine, 'x > 1', { x: 2 }), { ok: true, value: true });
  }
});

const chains: Readonly<Record<string, (links: number) => string>> = {
  operators: (links) => `{{ 1${' + 1'.repeat(links)} }}`,
  filters: (links) => `{{ 1${' | int'.repeat(links)} }}`,
  attributes: (links) => `{{ 1 if false else x${'.a'.repeat(links)} | default(1) }}`,
  'prefixes in a block': (links) => `{% for i in [1] %}{% set y = ${'not '.repeat(links)}1 %}{% endfor %}`,
  'arguments of a test': (links) => `{% if 1 is eq(1${' + 1'.repeat(links)}) %}{% endif %}`,
  branches: (links) => `{% if 0 %}${'{% elif 0 %}'.repeat(links)}{% endif %}`,
};

for (const [what, chain] of Object.entries(chains)) {
  test(`renders a chain of ${what} up to the limit, and reports a longer chain at its tag`, () => {
    const short = renderText(chain(990));
    assert.ok(short.ok || short.failure.reason === 'undefined', short.ok ? '' : short.failure.message);
    for (const links of [1_001, 5_000, 20_000]) {
      const text = chain(links);
      const result = renderText(text);
      assert.ok(!result.ok, `${links}`);
      assert.match(result.failure.message, /^This chain has more than 1000 links/);
      assert.equal(result.failure.reason, 'recursion');
      assert.ok(show(text)[0]?.startsWith('! recursion <{'), 'at its tag');
    }
  });
}

test('renders a long list and a long string', () => {
  const items = '1, '.repeat(5_000);
  assert.equal(textOf(`{{ [${items}] | length }}{{ "${'a'.repeat(5_000)}" | length }}`), '50005000');
});

test('reports a chain above the limit only in conditions and included templates', () => {
  const others = { t: chains.operators?.(5_000) ?? '' };
  assert.deepEqual(show('{% if c %}{% include "t" %}{% endif %}ok', { others, context: { c: false } }), ['ok<ok>']);
  assert.match(show('{% include "t" %}', { others })[0] ?? '', /^! recursion t<\{\{ 1 \+ 1/);
  const judged = evaluateCondition(engine, `1${' and 1'.repeat(5_000)}`, {});
  assert.match(judged.ok ? '' : judged.failure.message, /^This chain has more than 1000 links/);
});

test('reports a defective template only if it is included', () => {
  const others = { t: '{{ oops' };
  assert.deepEqual(show('{% if c %}{% include "t" %}{% endif %}ok', { others, context: { c: false } }), ['ok<ok>']);
});

test('a failure contains the fault, the fix and the nearest name', () => {
  const result = renderText('{{ usr }}', { context: { user } });
  assert.ok(!result.ok);
  assert.equal(result.failure.suggestion, 'user');
  assert.match(result.failure.message, /^`usr` is undefined\. .*`usr \| default\(""\)`\.$/);
});

test('a failure names a path as the template writes it', () => {
  const context = { l: [{ a: 'x' }], s: 'ab', o: { 'a b': {} } };
  const messageOf = (text: string): string => {
    const result = renderText(text, { context });
    return result.ok ? '' : result.failure.message;
  };
  assert.match(messageOf('{{ l[5].a }}'), /^`l\[5\]` is undefined: `l` has no item `5`\. .*`l\[5\] \| default/);
  assert.match(messageOf('{{ s[0].b }}'), /^`s\[0\]\.b` is undefined: `s\[0\]` has no field `b`/);
  assert.match(messageOf('{{ o["a b"].c }}'), /^`o\["a b"\]\.c` is undefined: `o\["a b"\]` has no field `c`/);
});

test('a message about an unsupported engine feature contains the version of this engine', () => {
  const result = renderText('{% for x in [] %}{% break %}{% endfor %}');
  assert.match(result.ok ? '' : result.failure.message, new RegExp(`^MiniJinja ${ENGINE.version} .*loop_controls`));
});

test('evaluates a condition in the same way as `if`', () => {
  const truth = (source: string) => {
    const result = evaluateCondition(engine, source, { xs: [], n: 1, user });
    return result.ok
      ? result.value
      : `${result.failure.reason} ${source.slice(result.failure.span.start, result.failure.span.end)}`;
  };
  assert.equal(truth('n == 1 and user.name'), true);
  assert.equal(truth('xs'), false);
  assert.equal(truth('not x'), true);
  assert.equal(truth('x is defined'), false);
  assert.equal(truth('"%}" == "%}"'), true);
  assert.equal(truth('x or user.nam'), false);
  assert.equal(truth('x | length'), 'undefined x');
  assert.equal(truth('"💡" ~ user.nam.x'), 'undefined user.nam');
  assert.equal(truth('n | nosuch'), 'unknown-filter nosuch');
  assert.equal(truth(''), 'syntax ');
  assert.equal(truth('1 %}{% if 1'), 'syntax %}');
});

test('a test may read an undefined value, except in strict mode', () => {
  const templates: Readonly<Record<string, string>> = {
    '{% if x %}{% endif %}': '',
    '{% if user.nam and x %}{% else %}no{% endif %}': 'no',
    '{{ x or "none" }}': 'none',
    '{{ "a" if x else "b" }}': 'b',
  };
  const modes = [engine, engine.inMode(true), engine];
  for (const [text, output] of Object.entries(templates)) {
    const source = { name: 'main', uri: '', span: { start: 0, end: text.length }, text, artifact: '' };
    const results = modes.map((mode) => renderTemplate(mode, { main: 'main', templates: [source], context: { user } }));
    assert.deepEqual(
      results.map((result) => (result.ok ? result.text : result.failure.reason)),
      [output, 'undefined', output],
      text,
    );
  }
});

test('adds a memory limit to a WebAssembly module, and changes nothing else', () => {
  const header = [0, 97, 115, 109, 1, 0, 0, 0];
  const custom = [0, 2, 1, 120];
  const unbounded = Uint8Array.from([...header, 5, 3, 1, 0, 18, ...custom]);
  assert.deepEqual([...boundMemory(unbounded, 1024)], [...header, 5, 5, 1, 1, 18, 128, 8, ...custom]);
  assert.deepEqual([...boundMemory(unbounded, 2)], [...header, 5, 4, 1, 1, 18, 18, ...custom]);
  const bounded = Uint8Array.from([...header, 5, 4, 1, 1, 18, 20]);
  assert.equal(boundMemory(bounded, 1024), bounded);
  const without = Uint8Array.from([...header, ...custom]);
  assert.equal(boundMemory(without, 1024), without);
});
