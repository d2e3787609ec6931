import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nearTheirParts } from '../../../server/src/hosts/cli/order.ts';
import { openSkills, uriOf } from '../workspace/skills.ts';

const orderOf = (
  skills: Readonly<Record<string, readonly string[]>>,
  names = Object.keys(skills),
): readonly string[] => {
  const order = nearTheirParts(openSkills(skills).index().graph, names.map(uriOf));
  return order.map((uri) => names.find((name) => uriOf(name) === uri) ?? uri);
};

it('files are checked near those that they compose, each once', () => {
  const skills = { a: [], b: [], c: ['composes: [a]'], d: [], e: ['composes: [d, b]'] };
  assert.deepEqual(orderOf(skills), ['d', 'e', 'b', 'c', 'a']);
});

it('what is not asked for leads to what is, and is not checked', () => {
  const skills = { a: [], b: [], c: [], whole: ['composes: [a, c]'] };
  assert.deepEqual(orderOf(skills, ['a', 'b', 'c']), ['b', 'c', 'a']);
});

it('a cycle ends', () => {
  assert.deepEqual(orderOf({ a: ['composes: [b]'], b: ['composes: [c]'], c: ['composes: [a, c]'] }), ['c', 'b', 'a']);
});

it('a file that is no skill is there, too', () => {
  const { graph } = openSkills({ a: [] }).index();
  assert.deepEqual(nearTheirParts(graph, ['file:///w/skills.config.yaml', uriOf('a')]), [
    uriOf('a'),
    'file:///w/skills.config.yaml',
  ]);
});
