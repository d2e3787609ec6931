/**
 * Laws of the subgraph over random workspaces: tools that a caller may not use appear at no depth, and every node is on
 * a path from the input to the exit.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Subgraph } from '../../../server/src/composer/composition.ts';
import { namedTool } from '../../../server/src/skill/package.ts';
import { compose } from '../../core/composer/composing.ts';
import { requestFor, shapeFor } from '../../core/composer/shapes.ts';
import { assertSubgraph } from '../../core/exchange/validators.ts';
import { cases, SCALE } from '../../random.ts';
import { execution, filesOf as filesOfExecution } from './random-executions.ts';
import { filesOf, type RandomWorkspace, request, SKILLS, TOOLS, workspace } from './random-skills.ts';

/** The tools of a skill that the caller may use, computed from the random data without the server's code. */
function allowedIn({ catalog, caller, skills, source }: RandomWorkspace, name: string): ReadonlySet<string> {
  const surface = skills[SKILLS.indexOf(name)]?.tools ?? [];
  const allowed = surface.filter((tool) => {
    const authoring = tool.name === 'create_skill';
    const known = catalog.find((one) => one.name === tool.name);
    if (!known && !authoring) return false;
    if (authoring && source !== 'authoring') return false;
    if (caller.tools && !caller.tools.includes(tool.name)) return false;
    return (known?.scopes ?? []).every((scope) => caller.scopes.includes(scope));
  });
  return new Set(allowed.map((tool) => tool.name));
}

/** Every shape with the name of the skill that it belongs to. */
const shapesIn = (shape: Subgraph, name: string): readonly (readonly [string, Subgraph])[] => [
  [name, shape],
  ...shape.nodes.flatMap(({ subgraph, skill: called }) => (subgraph && called ? shapesIn(subgraph, called.name) : [])),
];

const runs = cases(200);

/** Runs in which every kind of node and nested tools occur. */
const manyRuns = cases(400);

test('a shape contains only tools that both the skill and the caller allow, at any depth', () => {
  let seen = 0;
  let nested = 0;
  fc.assert(
    fc.property(workspace, fc.boolean(), (random, greedy) => {
      const asked = request(random);
      const wider = [...asked.availableTools, ...TOOLS.map(namedTool)];
      const { shape } = shapeFor(greedy ? { ...asked, availableTools: wider } : asked);
      for (const [name, one] of shapesIn(shape, 's4')) {
        const allowed = allowedIn(random, name);
        const named = [
          ...one.toolAvailability,
          ...one.nodes.flatMap(({ tools = [] }) => tools),
          ...one.interrupts.flatMap(({ tools = [] }) => tools),
        ];
        for (const tool of named) assert.ok(allowed.has(tool), `${tool} in ${name}`);
        for (const { tools = [] } of one.nodes) assert.ok(tools.every((tool) => one.toolAvailability.includes(tool)));
        seen += named.length;
        if (one !== shape) nested += named.length;
      }
    }),
    manyRuns,
  );
  // The law needs some shapes with tools.
  assert.ok(seen > 100 * SCALE && nested > 20 * SCALE, `${seen} tools, ${nested} of them nested`);
});

test('no other field of a composition names a tool that the caller may not use', () => {
  let taken = 0;
  fc.assert(
    fc.property(workspace, (random) => {
      const result = compose(request(random));
      if (!result.ok) return;
      const allowed = allowedIn(random, 's4');
      const { expectedToolCalls, decisions, invocationRecord } = result.composition;
      for (const tool of [...expectedToolCalls, ...invocationRecord.expectedToolCalls]) {
        assert.ok(allowed.has(tool), tool);
      }
      for (const decision of decisions) {
        if (decision.subject !== 'tool' || !decision.taken) continue;
        const skillName = /([^/]+)\.skill\.\w+$/.exec(decision.uri)?.[1] ?? '';
        assert.ok(allowedIn(random, skillName).has(decision.name), `${decision.name} of ${skillName}`);
        taken++;
      }
    }),
    // Few random skills compose without an error.
    cases(1500),
  );
  assert.ok(taken > 20 * SCALE, `${taken} tools`);
});

test('a shape matches the published schema', () => {
  fc.assert(
    fc.property(workspace, (random) => assertSubgraph(shapeFor(request(random)).shape)),
    cases(150),
  );
  fc.assert(
    fc.property(execution, (trees) => {
      assertSubgraph(shapeFor(requestFor(filesOfExecution(trees), 'whole.skill.yaml', { parameters: { n: 1 } })).shape);
    }),
    cases(100),
  );
});

test('every node of a shape is on a path from the input to the exit', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(workspace, (random) => {
      for (const [, one] of shapesIn(shapeFor(request(random)).shape, 's4')) {
        const ids = one.nodes.map(({ id }) => id);
        for (const { kind } of one.nodes) kinds.add(kind);
        assert.equal(new Set(ids).size, ids.length, 'ids are unique');
        assert.ok(ids.every((id) => /^[A-Za-z0-9_]+$/.test(id)));
        for (const kind of ['validate_input', 'check_exit'])
          assert.equal(one.nodes.filter((node) => node.kind === kind).length, 1);
        for (const { from, to } of one.edges) assert.ok(ids.includes(from) && ids.includes(to), `${from} -> ${to}`);
        const ahead = reach(one, 'validate_input', ({ from, to }) => [from, to]);
        const back = reach(one, 'check_exit', ({ from, to }) => [to, from]);
        for (const id of ids) assert.ok(ahead.has(id) && back.has(id), `${id} lies on no way`);
        for (const { node, name } of one.interrupts)
          assert.ok(one.nodes.find(({ id }) => id === node)?.interrupts.includes(name));
        for (const { join, until } of one.nodes)
          for (const id of [join, until]) assert.ok(id === undefined || ids.includes(id));
      }
    }),
    manyRuns,
  );
  assert.deepEqual([...kinds].sort(), [
    'branch',
    'call_service',
    'call_tools',
    'check_exit',
    'join',
    'parallel',
    'plan',
    'skill',
    'speculate',
    'validate_input',
  ]);
});

function reach(
  { edges }: Subgraph,
  start: string,
  direct: (edge: Subgraph['edges'][number]) => readonly [string, string],
): ReadonlySet<string> {
  const found = new Set([start]);
  for (const at of found) {
    for (const edge of edges) {
      const [from, to] = direct(edge);
      if (from === at) found.add(to);
    }
  }
  return found;
}

test('equal requests return equal shapes for any order of files', () => {
  fc.assert(
    fc.property(workspace, (random) => {
      const files = filesOf(random);
      const reversed = Object.fromEntries(Object.entries(files).reverse());
      const said = { profile: 'someone', source: random.source, parameters: { n: 1 } };
      const [one, other] = [files, reversed].map((texts) =>
        JSON.stringify(shapeFor(requestFor(texts, 's4.skill.md', said))),
      );
      assert.equal(one, other);
    }),
    cases(50),
  );
});

test('an error of a composed skill has a location in the top-level file', () => {
  let errors = 0;
  fc.assert(
    fc.property(workspace, (random) => {
      const asked = request(random);
      for (const { uri } of shapeFor(asked).errors) {
        assert.equal(uri, asked.skillPackage.uri);
        errors++;
      }
    }),
    runs,
  );
  assert.ok(errors > 50 * SCALE);
});
