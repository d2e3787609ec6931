import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsFirst } from '../../../server/src/workspace/order.ts';
import { ResolvedGraph } from '../../../server/src/workspace/resolved-graph.ts';
import { type IndexedSkill, type SkillGraph, withSummary } from '../../../server/src/workspace/workspace-index.ts';
import { openSkills, uriOf } from './skills.ts';

const orderOf = (
  skills: Readonly<Record<string, readonly string[]>>,
  names = Object.keys(skills),
): readonly string[] => {
  const order = partsFirst(openSkills(skills).analysis.graph, names.map(uriOf));
  const nameOf = new Map(names.map((name) => [uriOf(name), name]));
  return [...order].map((uri) => nameOf.get(uri) ?? uri);
};

describe('files that are checked', () => {
  it('come directly after their composed skills, without duplicates', () => {
    const skills = { a: [], b: [], whole: ['composes: [c, part]'], part: ['composes: [d, b]'], c: [], d: [] };
    assert.deepEqual(orderOf(skills), ['a', 'b', 'd', 'part', 'c', 'whole']);
  });

  it('are followed by the files that compose or mention them, before all other files', () => {
    const skills = { a: [], b: [], c: ['composes: [a]'], d: [], e: ['composes: [d, a]'] };
    assert.deepEqual(orderOf(skills), ['a', 'c', 'd', 'e', 'b']);
  });

  it('do not include files that need no check', () => {
    const skills = { a: [], b: [], c: [], whole: ['composes: [a, c]'] };
    assert.deepEqual(orderOf(skills, ['a', 'b', 'c']), ['a', 'b', 'c']);
  });

  it('may form a cycle', () => {
    assert.deepEqual(orderOf({ a: ['composes: [b]'], b: ['composes: [c]'], c: ['composes: [a, c]'] }), ['c', 'b', 'a']);
  });

  it('may form a chain that is too long for recursion', () => {
    // Many copies of one summary, because reading this many files would take much longer.
    const { graph: small } = openSkills({ first: [], other: ['composes: [first]'] }).analysis;
    const { summary } = small.skills.get(uriOf('other')) as IndexedSkill;
    const names = ['first', ...Array.from({ length: 20_000 }, (_, i) => `s${i}`)];
    let graph: SkillGraph = small;
    for (const [i, name] of names.entries()) {
      const composes = summary.composes.map((part) => ({ ...part, skill: names[i - 1] as string }));
      if (i > 0) graph = withSummary(graph, uriOf(name), { ...summary, name, composes });
    }
    const uris = names.map(uriOf);
    assert.deepEqual([...partsFirst(new ResolvedGraph(graph), uris.toReversed())].slice(0, 3), uris.slice(0, 3));
  });

  it('need not be skills', () => {
    const { graph } = openSkills({ a: [] }).analysis;
    const uris = ['file:///w/skills.config.yaml', uriOf('a')];
    assert.deepEqual([...partsFirst(graph, uris)], uris);
  });
});
