// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Templates, and conditions in YAML. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const HEAD = `---
name: test
input_schema:
  tone: [grim, wry]
  cast: {type: array, items: {properties: {name: string, home: {place: string, side: [north, south]}}}}
  place: {title: string}
  note: string?
---
`;

const template = (text: string) =>
  complete(`${HEAD}\n## PromptTemplate: main\n\n${text}\n\n## PromptTemplate: cast list\n\nText.\n`);
const accepted = (text: string, label: string) => template(text).accept(label).split('\n\n')[2];

test('offers parameters, variables of the composer and functions in an expression', () => {
  const { labels, item } = template('{{ $0 }}');
  assert.deepEqual(labels.slice(0, 4), ['tone', 'cast', 'place', 'note']);
  assert.ok(labels.includes('user_request') && labels.includes('range'));
  assert.equal(item('note').detail, 'string, optional (parameter)');
  assert.equal(accepted('{{ to$0ne }}', 'note'), '{{ note }}');
  assert.ok(template('{{$0').labels.includes('tone'));
  assert.ok(template('{% if t$0').labels.includes('tone'));
});

test('offers variables of `for`, `set` and `macro` in their scope', () => {
  const { labels, item } = template('{% set n = 1 %}{% for one in cast %}{{ $0 }}{% endfor %}');
  assert.deepEqual(new Set(labels.slice(0, 3)), new Set(['loop', 'one', 'n']));
  assert.equal(item('one').detail, 'object (of the loop)');
  assert.ok(!template('{% for one in cast %}{% endfor %}{{ $0 }}').labels.includes('one'));
  assert.ok(template('{% macro m(a) %}{{ $0 }}{% endmacro %}').labels.includes('a'));
});

test('offers the fields of the schema after a dot', () => {
  assert.deepEqual(template('{{ place.$0 }}').labels, ['title']);
  assert.deepEqual(template('{% for one in cast %}{{ one.$0 }}{% endfor %}').labels, ['name', 'home']);
  assert.deepEqual(template('{% for one in cast %}{{ one.home.$0 }}{% endfor %}').labels, ['place', 'side']);
  assert.deepEqual(template('{{ cast[0].$0 }}').labels, ['name', 'home']);
  assert.deepEqual(template('{{ cast.$0 }}').labels, []);
  assert.deepEqual(template('{% set first = cast | first %}{{ first.$0 }}').labels, ['name', 'home']);
  assert.deepEqual(template('{{ parameters.$0 }}').labels, ['tone', 'cast', 'place', 'note']);
  assert.deepEqual(template('{% for m in memory %}{{ m.$0 }}{% endfor %}').labels, ['id', 'tier', 'text']);
  assert.deepEqual(template('{% for one in cast %}{{ loop.$0 }}{% endfor %}').labels.slice(0, 2), ['index', 'index0']);
});

test('offers the fields of every value whose type is known', () => {
  const fields = (text: string) => template(text).labels;
  assert.deepEqual(fields('{{ (cast | last).$0 }}'), ['name', 'home']);
  assert.deepEqual(fields('{% for key, all in cast | groupby("name") %}{{ all[0].$0 }}{% endfor %}'), ['name', 'home']);
  assert.deepEqual(fields('{% for group in cast | groupby("name") %}{{ group.$0 }}{% endfor %}'), ['grouper', 'list']);
  assert.deepEqual(fields('{% macro m(one) %}{{ one.$0 }}{% endmacro %}{{ m(cast[0]) }}'), ['name', 'home']);
  assert.deepEqual(fields('{% set ns = namespace(n=1) %}{% set ns.all = [] %}{{ ns.$0 }}'), ['n', 'all']);
  assert.deepEqual(fields('{% with one = cast[0].home %}{{ one.$0 }}{% endwith %}'), ['place', 'side']);
  assert.deepEqual(fields('{% for t in tools %}{{ t.$0 }}{% endfor %}'), ['name', 'description', 'operation']);
  assert.deepEqual(fields('{{ cast | map(attribute="$0") | join }}'), ['name', 'home']);
  assert.deepEqual(fields('{{ cast | selectattr("$0") | first }}'), ['name', 'home']);
  assert.deepEqual(fields('{{ note.$0 }}'), []);
});

test('offers the filters that fit the type first', () => {
  const first = (text: string) => template(text).labels[0];
  assert.equal(first('{{ cast | $0 }}'), 'join');
  assert.equal(first('{{ cast | first | $0 }}'), 'items');
  assert.equal(first('{{ (cast | map(attribute="name")) | first | $0 }}'), 'upper');
  assert.equal(first('{{ (cast | length) | $0 }}'), 'round');
});

test('offers filters and tests with their signatures', () => {
  const { item, labels } = template('{{ tone | $0 }}');
  assert.equal(item('replace').detail, 'replace(from, to)');
  assert.equal(accepted('{{ tone | re$0 }}', 'replace'), '{{ tone | replace(${1:from}, ${2:to}) }}');
  assert.ok(!labels.includes('defined'));
  assert.ok(template('{{ tone |$0').labels.includes('upper'));
  assert.ok(template('{% if tone is $0 %}').labels.includes('defined'));
  assert.ok(template('{% if tone is not d$0 %}').labels.includes('defined'));
});

test('adds spaces around a name that touches the delimiters', () => {
  assert.equal(accepted('{{n$0}}', 'note'), '{{ note$0 }}');
  assert.equal(accepted('{{$0}}', 'tone'), '{{ tone$0 }}');
  assert.equal(accepted('{{-n$0-}}', 'note'), '{{- note$0 -}}');
  assert.equal(accepted('{{ n$0}}', 'note'), '{{ note$0 }}');
  assert.equal(accepted('{{n$0 }}', 'note'), '{{ note }}');
  assert.equal(accepted('{{ n$0 }}', 'note'), '{{ note }}');
  assert.equal(accepted('{{ cast | jo$0}}', 'join'), '{{ cast | join$0 }}');
  assert.equal(accepted('{{ tone | re$0}}', 'replace'), '{{ tone | replace(${1:from}, ${2:to})$0 }}');
  assert.equal(accepted('{% if n$0%}', 'note'), '{% if note$0 %}');
  assert.equal(accepted('{% if tone == "g$0" %}', 'grim'), '{% if tone == "grim" %}');
});

test('puts filters for the type of the value first', () => {
  const first = (text: string) => template(text).labels.slice(0, 3);
  assert.deepEqual(first('{{ cast | $0 }}'), ['join', 'length', 'first']);
  assert.deepEqual(first('{{ note | $0 }}'), ['upper', 'lower', 'title']);
  assert.deepEqual(first('{{ tone | $0 }}'), ['upper', 'lower', 'title']);
  assert.deepEqual(first('{{ place | $0 }}'), ['items', 'dictsort', 'length']);
  assert.deepEqual(first('{{ cast | length | $0 }}'), ['round', 'abs', 'int']);
  assert.deepEqual(first('{{ cast | map(attribute="name") | $0 }}'), ['join', 'length', 'first']);
  assert.deepEqual(first('{{ cast | join(", ") | $0 }}'), ['upper', 'lower', 'title']);
  assert.deepEqual(first('{{ cast | first | $0 }}'), ['items', 'dictsort', 'length']);
  assert.deepEqual(first('{% for one in cast %}{{ one.name | $0 }}{% endfor %}'), ['upper', 'lower', 'title']);
  assert.deepEqual(first('{{ unheard_of | $0 }}'), ['abs', 'attr', 'batch']);
  const { labels } = template('{{ cast | $0 }}');
  assert.ok(labels.includes('upper') && labels.length === new Set(labels).size);
});

const TYPED = `---
name: test
input_schema:
  title: string
  count: integer
  draft: boolean
  cast: string[]
  place: {name: string}
  note: string?
  limit: {type: integer, enum: [1, 2]}
---

## PromptTemplate: main

`;

const typed = (text: string) => complete(`${TYPED}${text}\n`).labels;

test('puts values with items first after `in`, and values without items last', () => {
  assert.deepEqual(typed('{% for one in $0 %}').slice(0, 4), ['cast', 'memory', 'tools', 'range']);
  assert.deepEqual(typed('{% for one in $0').slice(0, 3), ['cast', 'memory', 'tools']);
  assert.deepEqual(typed('{% for one in c$0 %}').slice(0, 1), ['cast']);
  assert.deepEqual(typed('{% set all = cast | sort %}{% for one in $0 %}').slice(0, 2), ['all', 'cast']);
  const labels = typed('{% for one in $0 %}');
  const order = ['cast', 'place', 'title', 'count'].map((label) => labels.indexOf(label));
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    order,
  );
  const withMacro = typed('{% macro m() %}{% endmacro %}{% for one in $0 %}');
  assert.ok(withMacro.indexOf('m') > withMacro.indexOf('title'));
});

test('puts booleans and values that may be missing first in a condition', () => {
  for (const text of ['{% if $0 %}', '{% if draft %}{% elif $0 %}', '{% if title and $0 %}', '{{ title if $0 }}'])
    assert.equal(typed(text)[0], 'draft', text);
  assert.deepEqual(typed('{% if $0 %}').slice(1, 4), ['cast', 'note', 'title']);
});

test('puts values of the other side of a comparison first, then values of its type', () => {
  assert.deepEqual(typed('{% if limit == $0 %}').slice(0, 4), ['1', '2', 'count', 'limit']);
  assert.deepEqual(typed('{% if draft == $0 %}').slice(0, 3), ['true', 'false', 'draft']);
  assert.deepEqual(typed('{% if cast | length > $0 %}').slice(0, 2), ['count', 'limit']);
  assert.deepEqual(typed('{% if title != $0 %}').slice(0, 2), ['title', 'note']);
  assert.equal(typed('{% if unheard_of == $0 %}')[0], 'title');
});

test('puts filters that return a list first in a loop, and filters that refuse the type last', () => {
  assert.deepEqual(typed('{% for one in cast | $0 %}').slice(0, 3), ['sort', 'map', 'select']);
  assert.deepEqual(typed('{% for one in title | $0 %}').slice(0, 2), ['split', 'lines']);
  const refused = (text: string, name: string) => typed(text).slice(-20).includes(name);
  assert.ok(refused('{{ cast | $0 }}', 'round') && refused('{{ cast | $0 }}', 'dictsort'));
  assert.ok(refused('{{ title | $0 }}', 'items') && !refused('{{ title | $0 }}', 'length'));
  assert.equal(typed('{{ draft | $0 }}').indexOf('join') > typed('{{ draft | $0 }}').indexOf('default'), true);
});

test('puts the end of the innermost block first', () => {
  assert.deepEqual(template('{% if tone %}{% for one in cast %}x{% $0 %}').labels.slice(0, 3), [
    'endfor',
    'else',
    'if',
  ]);
  assert.deepEqual(template('{% if tone %}x{% $0 %}').labels.slice(0, 3), ['endif', 'else', 'elif']);
  assert.equal(accepted('{% if tone %}x{% en$0 %}', 'endif'), '{% if tone %}x{% endif %}');
  assert.equal(accepted('{% if tone %}x{%$0', 'endif'), '{% if tone %}x{% endif %}');
  assert.equal(accepted('{%$0%}', 'include'), '{% include "$1" %}');
  assert.equal(accepted('{% $0 %}', 'if'), '{% if ${1:condition} %}\n$0\n{% endif %}');
  assert.equal(accepted('{% $0', 'set'), '{% set ${1:name} = ${2:value} %}');
  assert.equal(accepted('{% i$0 tone %}', 'if'), '{% if tone %}');
});

test('offers the other templates of the skill for an include', () => {
  assert.deepEqual(template('{% include "$0" %}').labels, ['cast list']);
  assert.equal(accepted('{% include "ca$0', 'cast list'), '{% include "cast list');
});

test('offers the values of an enumeration, and adds quotes unless they are already typed', () => {
  assert.deepEqual(template('{% if tone == "$0" %}').labels, ['grim', 'wry']);
  assert.deepEqual(template('{% if tone == "$0').labels, ['grim', 'wry']);
  assert.deepEqual(template('{% if tone in ["grim", "$0"] %}').labels, ['grim', 'wry']);
  assert.deepEqual(template('{% if tone == $0 %}').labels.slice(0, 2), ['"grim"', '"wry"']);
  assert.deepEqual(template('{% for one in cast %}{% if one.home.side == "$0" %}').labels, ['north', 'south']);
  assert.deepEqual(template('{% if scope == "$0" %}').labels, ['channel', 'workspace']);
});

test('offers nothing in comments, in raw blocks, in strings or after an operand', () => {
  for (const text of [
    '{# to$0 #}',
    '{% raw %}{{ $0 }}{% endraw %}',
    '{{ "to$0" }}',
    '{{ tone $0 }}',
    '{{ 12$0 }}',
    '{% set na$0 %}',
  ]) {
    assert.deepEqual(template(text).labels, [], text);
  }
});

test('offers `in` after the variable of a loop', () => {
  assert.deepEqual(template('{% for one $0 %}').labels, ['in']);
});

const condition = (when: string) =>
  complete(`${HEAD.replace(/---\n$/, '')}interrupts:\n  - name: before_exit\n    when: ${when}\n---\n`);

test('completes conditions in every kind of YAML scalar', () => {
  assert.deepEqual(condition('tone == "$0').labels, ['grim', 'wry']);
  assert.deepEqual(condition('\'tone == "$0"\'').labels, ['grim', 'wry']);
  assert.match(condition("'tone == ''gr$0'''").accept('grim'), /when: 'tone == ''grim'''\n/);
  assert.match(condition('"tone == \\"gr$0\\""').accept('grim'), /when: "tone == \\"grim\\""\n/);
  assert.ok(condition('$0').labels.includes('tone'));
  assert.equal(condition('$0').labels.includes('user_request'), false);
  assert.ok(condition('cast | le$0 > 3').labels.includes('length'));
  assert.ok(condition('>-\n      tone == "grim"\n      and no$0').labels.includes('note'));
  assert.match(condition('>-\n      tone == "grim"\n      and no$0').accept('note'), /\n {6}and note\n/);
  assert.match(condition('no$0').accept('note'), /when: note\n/);
});

test('proposes the fields of `loop` that the loop has', () => {
  const fields = (loop: string) => typed(`{% for x in ${loop} %}{{ loop.$0 }}{% endfor %}`);
  assert.ok(fields('title | split | list').includes('length'));
  assert.ok(fields('title | split if x').includes('revindex'));
  assert.ok(!fields('title | split').includes('length'));
  assert.ok(fields('title | split').includes('nextitem'));
});
