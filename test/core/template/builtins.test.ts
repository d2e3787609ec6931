/** Compares the tables of builtins with the engine: names, parameters and the output of the examples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FILTERS,
  FUNCTIONS,
  LOOP_FIELDS,
  TESTS,
  UNSUPPORTED_BUILTINS,
} from '../../../server/src/languages/minijinja/builtins.ts';
import { render } from './engine.ts';

/** The names that the engine lists. */
function known(section: string): string[] {
  const dump = render('{{ debug() }}');
  const [open, close] = section === 'globals' ? ['{', '}'] : ['[', ']'];
  const start = dump.indexOf(`${section}: ${open}`);
  const list = dump.slice(start, dump.indexOf(`\n        ${close}`, start));
  return [...list.matchAll(/^\s+"([^"]+)"/gm)].map(([, name]) => name as string).sort();
}

test('the tables contain exactly the filters, tests and functions of the engine', () => {
  assert.deepEqual([...FILTERS.keys()].sort(), known('filters'));
  assert.deepEqual([...TESTS.keys()].sort(), known('tests'));
  assert.deepEqual([...FUNCTIONS.keys()].sort(), known('globals'));
});

test('the table of `loop` contains exactly the fields of the engine', () => {
  const fields = render('{% for x in [1] %}{% for f in loop %}{{ f }} {% endfor %}{% endfor %}').trim().split(' ');
  const methods = ['cycle', 'changed'];
  assert.deepEqual([...LOOP_FIELDS.keys()].filter((name) => !methods.includes(name)).sort(), fields.sort());
  assert.match(render('{% for x in [1] %}{{ loop.nosuch() }}{% endfor %}'), /^! unknown method/);
});

for (const [what, table] of Object.entries({
  filter: FILTERS,
  test: TESTS,
  function: FUNCTIONS,
  'loop field': LOOP_FIELDS,
})) {
  test(`every example of a ${what} renders as documented`, () => {
    for (const { name, docs, example } of table.values()) {
      assert.equal(render(example[0]), example[1], `${name}: ${example[0]}`);
      assert.match(docs, /^[^\n]+\.$/, name);
    }
  });
}

test('the engine accepts as many positional arguments as the signature declares', () => {
  const inputs: Record<string, string> = {
    attr: '{}',
    dictsort: '{}',
    items: '{}',
    filesizeformat: '1',
    round: '1.5',
    pluralize: '1',
    int: '1',
    float: '1',
  };
  for (const { name, parameters } of FILTERS.values()) {
    if (parameters.some(({ passed }) => passed === 'rest')) continue;
    const most = parameters.filter(({ passed }) => passed !== 'name').length;
    const least = parameters.filter(({ optional }) => !optional).length;
    const call = (count: number) =>
      render(`{{ (${inputs[name] ?? '"1"'} | ${name}(${Array(count).fill('1').join(', ')})) is defined }}`);
    // The engine checks types before it counts arguments.
    assert.match(call(most + 1), /^! (too many arguments|invalid operation)/, `${name} takes more`);
    assert.doesNotMatch(call(most), /too many arguments/, `${name} takes fewer`);
    if (least > 0) assert.match(call(least - 1), /^! missing argument/, `${name} needs fewer`);
  }
  for (const { name, parameters } of TESTS.values()) {
    if (!/^\w+$/.test(name)) continue;
    const most = parameters.length;
    const call = (count: number) => render(`{{ "1" is ${name}(${Array(count).fill('"1"').join(', ')}) }}`);
    assert.match(call(most + 1), /^! too many arguments/, name);
    if (most > 0) assert.match(call(most - 1), /^! missing argument/, name);
  }
});

test('the engine accepts exactly the names of keyword parameters', () => {
  for (const { name, parameters } of FILTERS.values()) {
    const named = parameters.filter(({ passed }) => passed === 'name' || passed === 'either');
    if (named.length === 0) continue;
    const input = name === 'dictsort' ? '{"a": 1}' : name === 'truncate' || name === 'tojson' ? '"a"' : '[{"a": 1}]';
    const value = (parameter: string) =>
      ({ attribute: '"a"', by: '"key"', end: '"…"', length: '9', leeway: '1', indent: '1' })[parameter] ?? 'true';
    const needed = name === 'groupby' || name === 'map' ? ['attribute'] : [];
    const call = (...extra: string[]) => {
      const args = [...new Set([...needed, ...extra])].map((word) => `${word}=${value(word)}`);
      return render(`{{ (${input} | ${name}(${args.join(', ')})) is defined }}`);
    };
    for (const parameter of named) assert.equal(call(parameter.name), 'true', `${name}(${parameter.name}=)`);
    assert.match(call('nosuch'), /^! (too many arguments|unknown)/, `${name}(nosuch=)`);
  }
});

test('the engine does not support the filters and functions of other builds', () => {
  for (const { kind, name } of UNSUPPORTED_BUILTINS) {
    assert.match(render(kind === 'filter' ? `{{ "1" | ${name} }}` : `{{ ${name}() }}`), /^! unknown/, name);
  }
});
