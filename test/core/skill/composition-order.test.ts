/** The order of composed skills by their data (docs/format.md, section 4, "Execution"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { fieldNamesOf, flowNames, orderByData } from '../../../server/src/skill/composition-order.ts';

/**
 * A skill as `takes -> gives`; `?` marks an optional input, `*` an output with any other fields, and `unknown` a skill
 * that does not exist.
 */
function part(text: string) {
  if (text === 'unknown') return undefined;
  const [takes = '', gives = ''] = text.split('->').map((side) => side.trim());
  const names = takes.split(' ').filter((name) => name !== '');
  return {
    takes: names.map((name) => name.replace('?', '')),
    requires: names.filter((name) => !name.endsWith('?')),
    gives: gives.split(' ').filter((name) => name !== '' && name !== '*'),
    ...(gives.includes('*') && { isOpen: true as const }),
  };
}

/** Returns the groups as text such as `0,2 1`, after a list of the cycles such as `(0 y 1, 1 z 0)`. */
function orderOf(inputs: string | undefined, ...parts: readonly string[]): string {
  const { groups, cycles } = orderByData(parts.map(part), inputs?.split(' '));
  const needs = cycles.map(
    (cycle) => `(${cycle.map(({ entry, name, from }) => `${entry} ${name} ${from}`).join(', ')})`,
  );
  return [...needs, ...groups.map((group) => group.join())].join(' ');
}

describe('composed skills run', () => {
  const cases: Readonly<Record<string, readonly [expected: string, inputs: string | undefined, ...parts: string[]]>> = {
    'in the order of the list if each value is provided in time': ['0 1 2', 'q', 'q -> a', 'a -> b', 'b ->'],
    'after a later skill that provides their input': ['1 0', 'q', 'y -> z', 'q -> y'],
    'in the reverse order of the list if the data require it': ['2 1 0', 'q', 'b -> c', 'a -> b', 'q -> a'],
    'in the order of the list, among those whose data are ready': ['1,2 0', 'q', 'y ->', 'q -> x', 'q -> y'],
    'before a later skill that provides the same name as the inputs': ['0 1', 'q y', 'y ->', 'q -> y'],
    'before a later skill that provides the same name as an earlier one': ['0 1 2', 'q', 'q -> y', 'y ->', 'q -> y'],
    'after any one of the skills that provide a value': ['2 0 1', 'q', 'y -> x', 'x -> y', 'q -> y'],
    'after the skill that provides an optional input': ['1 0', 'q', 'y? -> z', 'q -> y'],
    'without an optional input that would close a cycle': ['0 1', 'q', 'y? -> z', 'z -> y'],
    'in the order of the list if an optional input closes a cycle elsewhere': [
      '0 1,2',
      'q',
      'y? -> z',
      'z -> y',
      'z ->',
    ],
    'before a skill that overwrites a value that they read': ['1 0 2', 'q m', 'm y ->', 'q -> y', 'q -> m'],
    'after their data even if that overwrites another value': ['1 0', 'q m', 'm y ->', 'q -> y m'],
    'after a skill that provides a value which they change': ['1 0', 'q', 'y -> y', 'q -> y'],
    'in the order of the list around a skill that does not exist': ['0 1 2', 'q', 'q -> a', 'unknown', 'q -> b'],
    'in the order of the list if a skill that does not exist may provide the value': [
      '0 1 2',
      'q',
      'unknown',
      'y ->',
      'q -> y',
    ],
    'after their data even if a skill that does not exist is between them': ['1 2 0', 'q', 'y ->', 'unknown', 'q -> y'],
    'after an earlier skill that may provide any value': ['0 1,2', 'q', 'q -> *', 'y ->', 'q -> x'],
    'before a later skill that may provide any value': ['0,1', 'q', 'y ->', 'q -> *'],
    'in the order of the list if the inputs are not known': ['0 1', undefined, 'y ->', 'q -> y'],
    'in the order of the list if no skill provides a value': ['0,1', 'q', 'y ->', 'q -> x'],
  };
  for (const [title, [expected, inputs, ...parts]] of Object.entries(cases)) {
    it(title, () => assert.equal(orderOf(inputs, ...parts), expected));
  }
});

describe('a cycle of data', () => {
  it('begins with the first entry of the list, which runs without the value', () => {
    assert.equal(orderOf('q', 'y -> z', 'z -> y'), '(0 y 1, 1 z 0) 0 1');
    assert.equal(orderOf('q', 'w ->', 'y -> z', 'z -> y w'), '(1 y 2, 2 z 1) 1 2 0');
    assert.equal(orderOf('q', 'b -> a', 'c -> b', 'a -> c'), '(0 b 1, 1 c 2, 2 a 0) 0 2 1');
  });

  it('is found for each group of skills', () => {
    assert.equal(orderOf('q', 'a -> b', 'b -> a', 'c -> d', 'd -> c'), '(0 a 1, 1 b 0) (2 c 3, 3 d 2) 0 1,2 3');
  });

  it('is not reported for a skill that provides its own input', () => {
    assert.equal(orderOf('q', 'y -> y'), '0');
  });
});

it('orders thousands of skills in the reverse order of their data', () => {
  const parts = Array.from({ length: 2000 }, (_, at) => part(`v${at + 1} -> v${at}`));
  const { groups, cycles } = orderByData(parts, ['v2000']);
  assert.deepEqual([groups.length, groups[0], cycles], [2000, [1999], []]);
});

it('uses the names after the mappings, and requires no field with a default', () => {
  const input = fieldNamesOf({
    type: 'object',
    properties: { a: {}, b: { default: 1 }, c: {} },
    required: ['a', 'b'],
  });
  const output = { fields: ['x', 'y'], required: [] };
  assert.deepEqual(flowNames({ ...input, mapping: [['flow', 'a']] }, { ...output, mapping: [['x', 'out']] }), {
    takes: ['flow', 'b', 'c'],
    requires: ['flow'],
    gives: ['out', 'y'],
  });
  assert.equal(flowNames({ ...fieldNamesOf({ allOf: [] }), mapping: [] }, { ...output, mapping: [] }), undefined);
  const open = fieldNamesOf({ type: 'object', properties: { x: {} }, additionalProperties: true });
  assert.equal(flowNames({ ...input, mapping: [] }, { ...open, mapping: [] })?.isOpen, true);
});
