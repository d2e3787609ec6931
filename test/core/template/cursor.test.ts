/** The kind of name that a cursor expects, mostly in unfinished tags. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TemplateCursor, templateCursorAt } from '../../../server/src/languages/minijinja/cursor.ts';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { withCursor } from '../with-cursor.ts';

function cursorIn(source: string): TemplateCursor | undefined {
  const { text, offset } = withCursor(source);
  return templateCursorAt(parseTemplate(text, 50), offset + 50);
}

/** Returns the kind of place at the cursor, and the prefix before the cursor if the prefix is not empty. */
function expected(source: string): string {
  const cursor = cursorIn(source);
  if (cursor === undefined) return 'nothing';
  return 'word' in cursor && cursor.word.prefix !== '' ? `${cursor.kind} ${cursor.word.prefix}` : cursor.kind;
}

function check(cases: Readonly<Record<string, string>>): void {
  for (const [source, what] of Object.entries(cases)) assert.equal(expected(source), what, source);
}

test('finds text between tags, and nothing in delimiters and comments', () => {
  check({
    $0: 'text',
    a$0b: 'text',
    '$0{{ x }}': 'text',
    '{{ x }}$0': 'text',
    '{$0{ x }}': 'nothing',
    '{{ x }$0}': 'nothing',
    '{# a $0 #}': 'nothing',
    '{% raw %}{{ $0 }}{% endraw %}': 'text',
    '{{ x\n$0more': 'text',
  });
});

test('finds operands, operators, filters, tests and attributes', () => {
  check({
    '{{ $0 }}': 'expression',
    '{{$0}}': 'expression',
    '{{ us$0er }}': 'expression us',
    '{{ a + $0': 'expression',
    '{{ a $0 }}': 'operator',
    '{{ a an$0': 'operator an',
    '{{ a and $0': 'expression',
    '{{ not $0': 'expression',
    '{{ a if $0': 'expression',
    '{{ (a, $0) }}': 'expression',
    '{{ a | $0 }}': 'filter',
    '{{ a|up$0': 'filter up',
    '{{ a is $0': 'test',
    '{{ a is not de$0': 'test de',
    '{{ a.$0': 'attribute',
    '{{ a.b.c$0 }}': 'attribute c',
    '{{ f(x).$0 }}': 'attribute',
    '{{ 12$0 }}': 'nothing',
    '{{ "te$0xt" }}': 'string te',
    '{{ "a" $0 }}': 'operator',
    '{{ ? $0': 'expression',
  });
});

test('finds statements, and positions that require a new name', () => {
  check({
    '{% $0': 'statement',
    '{%- i$0f x %}': 'statement i',
    '{% if $0 %}': 'expression',
    '{% if a $0 %}': 'operator',
    '{% elif $0 %}': 'expression',
    '{% for $0 %}': 'name',
    '{% for x $0': 'operator',
    '{% for x, $0 in xs %}': 'name',
    '{% for x in $0': 'expression',
    '{% for x in xs if $0': 'expression',
    '{% set $0 %}': 'name',
    '{% set x = $0 %}': 'expression',
    '{% set x | $0 %}': 'filter',
    '{% set ns.$0 %}': 'attribute',
    '{% with a = b, $0': 'name',
    '{% with a = $0': 'expression',
    '{% filter $0 %}': 'filter',
    '{% filter upper | $0 %}': 'filter',
    '{% macro $0': 'name',
    '{% macro m($0': 'name',
    '{% macro m(a=$0': 'expression',
    '{% block $0': 'name',
    '{% from "x" import $0': 'name',
    '{% import "x" as $0': 'name',
    '{% include $0': 'expression',
    '{% include "na$0me" %}': 'include-name na',
    "{% include ['a', '$0": 'include-name',
    '{% extends "$0': 'include-name',
    '{% from "$0" import x %}': 'include-name',
    '{% set x = "$0" %}': 'string',
  });
});

test('returns the object of an attribute', () => {
  const receiver = (source: string) => {
    const cursor = cursorIn(source);
    assert.ok(cursor?.kind === 'attribute');
    const { name, segments, variable } = cursor.receiver ?? {};
    return [name, segments?.map((segment) => segment.name).join('.'), variable?.definitions[0]?.kind];
  };
  assert.deepEqual(receiver('{% for m in memory %}{{ loop.$0 }}{% endfor %}'), ['loop', '', 'loop']);
  assert.deepEqual(receiver('{% for m in memory %}{{ m.$0\n{% endfor %}'), ['m', '', 'for']);
  assert.deepEqual(receiver('{{ user.home["city"].$0 }}'), ['user', 'home.city', undefined]);
  assert.deepEqual(receiver('{{ f(x).$0 }}'), [undefined, undefined, undefined]);
});

test('returns the other side of a comparison with a string', () => {
  const compared = (source: string) => {
    const cursor = cursorIn(source);
    assert.ok(cursor?.kind === 'string');
    const { receiver, filters = [] } = cursor.comparedWith ?? {};
    return receiver && [receiver.name, ...receiver.segments.map(({ name }) => name), ...filters];
  };
  assert.deepEqual(compared('{% if tone == "$0" %}'), ['tone']);
  assert.deepEqual(compared('{% if a and scene.tone != "gr$0'), ['scene', 'tone']);
  assert.deepEqual(compared('{% if tone not in ["grim", "$0"] %}'), ['tone']);
  assert.deepEqual(compared('{% if tone | lower == "$0" %}'), ['tone', 'lower']);
  assert.deepEqual(compared('{{ f("$0") }}'), undefined);
});

test('returns the kind of value that an operand must have', () => {
  const expected = (source: string) => {
    const cursor = cursorIn(source);
    assert.ok(cursor?.kind === 'expression', source);
    const { expected: value } = cursor;
    return value?.kind === 'compared' ? [value.input.receiver.name, ...value.input.filters] : value?.kind;
  };
  for (const source of ['{% for a in $0 %}', '{% for a in x$0', '{% if b in $0 %}', '{{ b not in $0 }}'])
    assert.equal(expected(source), 'items', source);
  for (const source of [
    '{% if $0 %}',
    '{% if a %}{% elif $0 %}',
    '{{ 1 if $0 }}',
    '{% for a in b if $0 %}',
    '{% if a and not $0',
  ])
    assert.equal(expected(source), 'condition', source);
  for (const source of ['{{ $0 }}', '{{ "in" ~ $0 }}', '{% set a = $0 %}', '{{ f($0) }}', '{% for a in f($0) %}'])
    assert.equal(expected(source), undefined, source);
  assert.deepEqual(expected('{% if a and tone == $0 %}'), ['tone']);
  assert.deepEqual(expected('{{ cast | length >= $0 }}'), ['cast', 'length']);
});

test('replaces the whole word at the cursor', () => {
  const cursor = cursorIn('{{ us$0er.name }}');
  assert.ok(cursor?.kind === 'expression');
  assert.deepEqual(cursor.word, { span: { start: 53, end: 57 }, prefix: 'us' });
});

test('offers variables in scope, even in a broken tag', () => {
  const cursor = cursorIn('{% set a = 1 %}{% for b in xs %}{{ b + $0\n{% endfor %}');
  assert.ok(cursor?.kind === 'expression');
  assert.deepEqual(cursor.visible.map(({ name }) => name).sort(), ['a', 'b', 'loop', 'self']);
});

test('returns the blocks that enclose a statement', () => {
  const open = (source: string) => {
    const cursor = cursorIn(source);
    assert.ok(cursor?.kind === 'statement', source);
    return cursor.open.map(({ kind, name, allowsElse, allowsElif }) =>
      [kind, name, allowsElse && 'else', allowsElif && 'elif'].filter(Boolean).join(' '),
    );
  };
  assert.deepEqual(open('{% if a %}{% for x in xs %}{% $0'), ['if else elif', 'for else']);
  assert.deepEqual(open('{% if a %}{% for x in xs %}{% $0 %}{% endfor %}{% endif %}'), ['if else elif', 'for else']);
  assert.deepEqual(open('{% if a %}{% else %}{% e$0 %}{% endif %}'), ['if']);
  assert.deepEqual(open('{% block b %}{% macro m() %}{% end$0'), ['block b', 'macro m']);
  assert.deepEqual(open('{% if a %}{% endif %}{% $0'), []);
  assert.deepEqual(open('{% if a %}x{% endif$0 %}'), ['if else elif']);
});

test('finds the call at the cursor, for signature help', () => {
  const call = (source: string) => {
    const cursor = cursorIn(source);
    if (cursor === undefined || !('call' in cursor) || cursor.call === undefined) return undefined;
    const { kind, path, index, keyword } = cursor.call;
    return `${kind} ${path.join('.')} ${keyword ?? index}`;
  };
  assert.equal(call('{{ range($0) }}'), 'function range 0');
  assert.equal(call('{{ a.b(1, [2, 3], $0'), 'function a.b 2');
  assert.equal(call('{{ f(1, [2, $0'), 'function f 1');
  assert.equal(call('{{ a | replace("x", $0) }}'), 'filter replace 1');
  assert.equal(call('{% filter truncate(length=$0) %}'), 'filter truncate length');
  assert.equal(call('{{ a is divisibleby($0) }}'), 'test divisibleby 0');
  assert.equal(call('{{ f(a=1, b=x.$0) }}'), 'function f b');
  assert.equal(call('{{ f(1) + $0 }}'), undefined);
  assert.equal(call('{{ (1, $0) }}'), undefined);
});

test('finds an expression in a condition, which has no delimiters', () => {
  const { text, offset } = withCursor('tone == "grim" and $0');
  const cursor = templateCursorAt(parseExpression(text, 9), offset + 9);
  assert.equal(cursor?.kind, 'expression');
});
