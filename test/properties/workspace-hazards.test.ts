/** Composition graphs that are too deep for recursion, or have too many paths to visit each path. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Workspace } from '../../server/src/analysis/workspace.ts';
import { rollUp } from '../../server/src/workspace/budgets.ts';
import { dependentsOf } from '../../server/src/workspace/composition-lookups.ts';
import { diamondsOf, rangeConflictsOf } from '../../server/src/workspace/shared-skills.ts';
import { findingsOf, openSkills, skillOf, uriOf } from '../core/workspace/skills.ts';
import { extended } from '../extended.ts';

const graphOf = (workspace: Workspace) => workspace.analysis.graph;

describe('hostile graphs', () => {
  const chain = (length: number, lines: (n: number) => readonly string[] = () => []) =>
    openSkills(
      Object.fromEntries(
        Array.from({ length }, (_, n) => [
          `s${n}`,
          [...(n + 1 < length ? [`composes: [s${n + 1}]`] : []), ...lines(n)],
        ]),
      ),
    );

  it('with a chain of 10,000 skills are traversed in both directions', extended, () => {
    const length = 10_000;
    const workspace = chain(length, (n) =>
      n === length - 1 ? ['policy: {budget: {p95_ms: 7}}', 'effects: [Query]'] : [],
    );
    const graph = graphOf(workspace);
    const root = skillOf(workspace, 's0');
    assert.equal(graph.closureOf(root).length, length - 1);
    assert.equal(rollUp(graph, root, 'p95_ms').total, 7);
    assert.equal(dependentsOf(graph, [`s${length - 1}`]).size, length - 1);
    assert.deepEqual(diamondsOf(graph, root), []);
    assert.deepEqual(rangeConflictsOf(graph, root), []);
    assert.deepEqual(findingsOf(workspace, 's0'), []);
    workspace.apply({
      kind: 'text',
      uri: uriOf(`s${length - 1}`),
      text: `name: s${length - 1}\nversion: 1.0.0\ncomposes: [s0]\n`,
    });
    const cyclic = graphOf(workspace);
    assert.equal(cyclic.waysBackOf(skillOf(workspace, 's0'))(uriOf('s1'))?.length, length);
    const [cycle] = findingsOf(workspace, 's0').filter(({ code }) => code === 'E003');
    assert.ok(cycle && cycle.message.length < 300 && cycle.related.length <= 30, cycle?.message);
  });

  it('with nested diamonds are traversed only once', () => {
    const depth = 1_100;
    const skills: Record<string, string[]> = { [`top${depth}`]: ['policy: {budget: {cost_usd: 1}}'] };
    for (let n = 0; n < depth; n++) {
      skills[`top${n}`] = [`composes: [left${n}, right${n}]`, 'policy: {budget: {p95_ms: 1}}'];
      for (const side of ['left', 'right']) skills[`${side}${n}`] = [`composes: [top${n + 1}]`];
    }
    const workspace = openSkills(skills);
    const root = skillOf(workspace, 'top0');
    assert.equal(graphOf(workspace).closureOf(root).length, 3 * depth);
    assert.deepEqual(
      diamondsOf(graphOf(workspace), root).map(({ shared }) => shared.summary.name),
      ['top1'],
    );
    assert.equal(rollUp(graphOf(workspace), root, 'cost_usd').total, Number.POSITIVE_INFINITY);
    assert.ok(findingsOf(workspace, 'top0').every(({ message }) => !message.includes('Infinity')));
  });
});
