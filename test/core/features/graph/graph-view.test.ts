/** The composition graph as plain data. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Analysis } from '../../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { toDot, toMermaid } from '../../../../server/src/features/graph/drawing.ts';
import {
  countSeverities,
  graphSteps,
  graphView,
  NO_FINDINGS,
} from '../../../../server/src/features/graph/graph-view.ts';
import { shortestCycle, stronglyConnected } from '../../../../server/src/features/graph/roll-up.ts';
import { CAPABILITY_LISTS, type Capabilities } from '../../../../server/src/packing/capabilities.ts';
import { mayWrite } from '../../../../server/src/packing/difference.ts';
import type { GraphView, GraphViewSkill } from '../../../../server/src/protocol.ts';
import { compositionFindings } from '../../../../server/src/rules/engine/composition-findings.ts';
import { sliceOf } from '../../../../server/src/text.ts';
import { contract, openSkills, skillOf, uriOf } from '../../workspace/skills.ts';

function view(workspace: Workspace, ...roots: readonly string[]): GraphView {
  const analysis = workspace.analysis;
  return graphView(analysis, {
    ...(roots.length > 0 ? { roots: roots.map(uriOf) } : {}),
    countFindings: (uri) => countFindings(analysis, uri),
  });
}

const countFindings = (analysis: Analysis, uri: string) =>
  countSeverities(compositionFindings(analysis, uri).map(({ severity }) => severity));

const short = (id: string): string => id.replace('file:///w/', '').replace('.skill.yaml', '');

function skillIn({ nodes }: GraphView, name: string): GraphViewSkill {
  const node = nodes.find((one) => one.name === name);
  assert.ok(node?.kind === 'skill', name);
  return node;
}

const budget = (p95: number, cost: number) => `policy: {budget: {p95_ms: ${p95}, cost_usd: ${cost}}}`;

/** A workflow with three levels, which also composes a missing skill. */
const REVIEW: Parameters<typeof openSkills>[0] = {
  'pr-review': [
    'level: 3',
    'composes: [fetch, {skill: analyze, as: look}, post]',
    'execution: [{step: fetch}, {step: look}, {step: post}]',
    'requires: [{skill: post, version: ^1}]',
  ],
  fetch: ['level: 2', 'composes: [git, api]', 'execution: [{parallel: [{step: git}, {step: api}]}]'],
  analyze: ['level: 2', 'composes: [ast, gone]'],
  post: ['level: 1', 'operation: WRITE', 'effects: [Mutate]', budget(50, 0.1)],
  git: ['level: 1', 'operation: READ', 'effects: [Query, Network]', budget(300, 0.01)],
  api: ['level: 1', budget(900, 0.02)],
  ast: ['level: 1'],
  other: ['level: 1'],
};

describe('a graph', () => {
  const workspace = openSkills(REVIEW);

  it('contains the whole workspace, or one skill with its closure', () => {
    const names = (shown: GraphView) => shown.nodes.map(({ name, rank }) => `${rank} ${name}`);
    assert.deepEqual(names(view(workspace)), [
      '0 other',
      '0 pr-review',
      '1 analyze',
      '1 fetch',
      '1 post',
      '2 api',
      '2 ast',
      '2 git',
      '2 gone',
    ]);
    assert.deepEqual(names(view(workspace, 'analyze')), ['0 analyze', '1 ast', '1 gone']);
  });

  it('contains an edge for each entry, with its location, its range and the resolved version', () => {
    const text = workspace.analysis.file(uriOf('pr-review'))?.text ?? '';
    const edges = view(workspace, 'pr-review').edges.filter(({ from }) => from === uriOf('pr-review'));
    assert.deepEqual(
      edges.map(({ to, as, step, requires, version, isAllowed, span }) => [
        short(to),
        as,
        step,
        requires,
        version,
        isAllowed,
        sliceOf(text, span),
      ]),
      [
        ['fetch', null, 'fetch', null, '1.0.0', true, 'fetch'],
        ['analyze', 'look', 'look', null, '1.0.0', true, 'analyze'],
        ['post', null, 'post', '^1', '1.0.0', true, 'post'],
      ],
    );
  });

  it('distinguishes unknown names from skills', () => {
    const { nodes, edges } = view(workspace);
    assert.deepEqual(
      nodes.filter(({ kind }) => kind === 'unknown'),
      [{ kind: 'unknown', id: 'unknown:gone', name: 'gone', rank: 2 }],
    );
    assert.equal(edges.find(({ to }) => to === 'unknown:gone')?.version, null);
  });

  it('infers effects and operations from composed skills', () => {
    const { effects, operation, isInferred } = skillIn(view(workspace), 'pr-review');
    assert.deepEqual(effects, ['Query', 'Network', 'Mutate']);
    assert.equal(operation, 'WRITE');
    assert.deepEqual(isInferred, { effects: true, operation: true });
    assert.deepEqual(skillIn(view(workspace), 'fetch').operation, 'READ');
  });

  it('counts the tools of the catalog for the operation, and so do installations', () => {
    const tools = openSkills({
      whole: ['level: 2', 'composes: [saves]', 'operation: READ'],
      saves: ['tools: [save]'],
      reads: ['tools: [look]'],
      unknown: ['tools: [gone]'],
      mutates: ['effects: [Mutate]'],
    });
    const catalog = 'tools: [{name: save, operation: WRITE}, {name: look, operation: READ}]\n';
    tools.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: catalog });
    const names = ['whole', 'saves', 'reads', 'unknown', 'mutates'];
    assert.deepEqual(
      names.map((name) => skillIn(view(tools), name).operation),
      ['WRITE', 'WRITE', 'READ', null, null],
    );
    const { analysis } = tools;
    const noCapabilities = Object.fromEntries(CAPABILITY_LISTS.map((list) => [list, []])) as unknown as Capabilities;
    const writes = names.map((name) => {
      const skill = skillOf(tools, name);
      const closure = [skill, ...analysis.graph.closureOf(skill)].map(({ summary }) => summary);
      const capabilities = {
        ...noCapabilities,
        tools: closure.flatMap((summary) => summary.tools),
        effects: closure.flatMap((summary) => summary.effects),
      };
      return mayWrite(analysis, skill.uri, capabilities);
    });
    assert.deepEqual(writes, [true, true, false, false, true]);
  });

  it('puts consecutive independent skills in one stage, with the latency of the slowest skill', () => {
    const shown = view(
      openSkills({
        whole: ['level: 2', 'composes: [slow, fast, last]'],
        slow: ['level: 1', 'output_schema: {a: string}', budget(300, 0.01)],
        fast: ['level: 1', budget(100, 0.01)],
        last: ['level: 1', 'input_schema: {a: string}', budget(50, 0.01)],
      }),
    );
    assert.deepEqual(skillIn(shown, 'whole').stages, [['slow', 'fast'], ['last']]);
    assert.deepEqual(
      shown.edges.map(({ step, stage, isCritical }) => [step, stage, isCritical]),
      [
        ['slow', 1, true],
        ['fast', 1, false],
        ['last', 2, true],
      ],
    );
    assert.equal(skillIn(shown, 'whole').p95?.ofParts, 350);
  });

  it('infers the level of a composite, but not of an atomic skill', () => {
    const shown = view(openSkills({ top: ['composes: [middle]'], middle: ['composes: [low]'], low: [] }));
    assert.deepEqual(
      ['top', 'middle', 'low'].map((name) => skillIn(shown, name).level),
      [3, 2, null],
    );
  });

  it('does not infer effects if a skill declares an empty list', () => {
    const shown = view(openSkills({ pure: ['effects: []'] }));
    assert.equal(skillIn(shown, 'pure').isInferred.effects, false);
  });

  it('sums the latency along the slowest path and the cost of all skills', () => {
    const shown = view(workspace);
    assert.deepEqual(skillIn(shown, 'fetch').p95, { declared: null, ofParts: 900 });
    assert.deepEqual(skillIn(shown, 'pr-review').p95, { declared: null, ofParts: 950 });
    assert.deepEqual(skillIn(shown, 'pr-review').cost, { declared: null, ofParts: 0.13 });
    assert.deepEqual(skillIn(shown, 'post').p95, { declared: 50, ofParts: null });
    assert.equal(skillIn(shown, 'analyze').p95, null);
    const critical = shown.edges
      .filter(({ isCritical }) => isCritical)
      .map(({ from, to }) => `${short(from)} ${short(to)}`);
    assert.deepEqual(critical, ['pr-review fetch', 'pr-review post', 'fetch api']);
  });

  it('contains the stage of each composed skill', () => {
    const shown = view(workspace);
    assert.deepEqual(skillIn(shown, 'fetch').stages, [['git', 'api']]);
    assert.deepEqual(
      shown.edges.filter(({ from }) => from === uriOf('fetch')).map(({ stage }) => stage),
      [1, 1],
    );
  });

  it('counts only findings from composition rules', () => {
    const counted = openSkills({ broken: ['level: 2', 'composes: [gone]', 'no_such_key: 1'], calm: [] });
    assert.deepEqual(skillIn(view(counted), 'broken').findings, { errors: 1, warnings: 0, infos: 0, hints: 0 });
    assert.deepEqual(skillIn(view(counted), 'calm').findings, { errors: 0, warnings: 0, infos: 0, hints: 0 });
  });

  it('does not depend on the order in which files are read', () => {
    const backward = openSkills(Object.fromEntries(Object.entries(REVIEW).reverse()));
    assert.deepEqual(view(backward), view(workspace));
  });
});

describe('cycles', () => {
  const workspace = openSkills({
    above: ['composes: [b]', budget(1, 1)],
    a: ['composes: [b]', 'effects: [Query]', budget(10, 1)],
    b: ['composes: [c, leaf]', 'effects: [Fail]'],
    c: ['composes: [a, b]'],
    self: ['composes: [self]'],
    leaf: [budget(5, 1)],
  });
  const shown = view(workspace);

  it('are reported as the shortest cycle of each strongly connected component', () => {
    assert.deepEqual(
      shown.cycles.map((cycle) => cycle.map(short)),
      [['a', 'b', 'c'], ['self']],
    );
  });

  it('include exactly the edges inside the component', () => {
    const marked = shown.edges
      .filter(({ isInCycle }) => isInCycle)
      .map(({ from, to }) => `${short(from)} ${short(to)}`);
    assert.deepEqual(marked, ['self self', 'a b', 'b c', 'c a', 'c b']);
    assert.deepEqual(
      shown.nodes.filter((node) => node.kind === 'skill' && node.isInCycle).map(({ name }) => name),
      ['self', 'a', 'b', 'c'],
    );
  });

  it('give their skills the same effects, but no budget total', () => {
    assert.deepEqual(skillIn(shown, 'a').effects, ['Query', 'Fail']);
    assert.deepEqual(skillIn(shown, 'c').effects, ['Query', 'Fail']);
    assert.deepEqual(skillIn(shown, 'a').p95, { declared: 10, ofParts: null });
    assert.deepEqual(skillIn(shown, 'above').p95, { declared: 1, ofParts: null });
  });

  it('may be long, because the search is not recursive', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `${at}`);
    const next = (id: string) => [`${(Number(id) + 1) % ids.length}`];
    const steps = stronglyConnected(ids, next);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const [component, ...others] = step.value;
    assert.ok(component);
    assert.equal(others.length, 0);
    assert.equal(shortestCycle(component, next).length, ids.length);
  });
});

it('versions of a skill are separate nodes, and an edge leads to the allowed version', () => {
  const workspace = openSkills({ user: ['composes: [part]', 'requires: [{skill: part, version: ^1.0.0}]'] });
  for (const version of ['1.4.0', '2.0.0']) {
    workspace.apply({ kind: 'text', uri: uriOf(version), text: contract('part', `version: ${version}`) });
  }
  const { nodes, edges } = view(workspace);
  assert.deepEqual(
    nodes.map((node) => node.kind === 'skill' && `${node.name} ${node.version}`),
    ['part 2.0.0', 'user 1.0.0', 'part 1.4.0'],
  );
  assert.deepEqual(
    edges.map(({ to, version }) => [to, version]),
    [[uriOf('1.4.0'), '1.4.0']],
  );
});

it('a skill with invalid frontmatter takes the name of its file', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'file:///w/a%20b.skill.yaml', text: 'name: [' });
  const [node] = view(workspace).nodes;
  assert.deepEqual(node?.kind === 'skill' && [node.name, node.isBroken, node.span], [
    'a b',
    true,
    { start: 0, end: 0 },
  ]);
});

describe('mentions in text', () => {
  const uri = (name: string) => `file:///w/${name}/SKILL.md`;
  const workspace = new Workspace();
  const put = (name: string, body: string) =>
    workspace.apply({
      kind: 'text',
      uri: uri(name),
      text: `---\nname: ${name}\ndescription: Does it. Use it when asked.\n---\n\n${body}\n`,
    });
  put('release', 'Run /deploy, and /deploy again. See [how](../notes/SKILL.md). Not /release, nor /tmp.');
  put('deploy', 'After it the `release` skill.');
  put('notes', 'Takes notes.');
  put('other', '```\ncp a /notes\n```');
  const of = (...roots: readonly string[]) =>
    graphView(workspace.analysis, {
      ...(roots.length > 0 ? { roots: roots.map(uri) } : {}),
      countFindings: (one) => countFindings(workspace.analysis, one),
    });
  const lines = ({ edges }: GraphView) =>
    edges.map(({ kind, from, to, span }) => {
      const text = workspace.analysis.file(from)?.text ?? '';
      return `${kind} ${from.split('/').at(-2)} → ${to.split('/').at(-2)} at ${sliceOf(text, span)}`;
    });

  it('are separate edges, one for each mentioned skill, and are not part of cycles', () => {
    const view = of();
    assert.deepEqual(lines(view), [
      'mentions deploy → release at release',
      'mentions release → deploy at deploy',
      'mentions release → notes at notes',
    ]);
    assert.deepEqual(view.cycles, []);
    assert.deepEqual([...new Set(view.nodes.map(({ rank }) => rank))], [0]);
  });

  it('are shown for the mentioning skill and for the mentioned skill', () => {
    assert.deepEqual(
      of('release').nodes.map(({ name }) => name),
      ['deploy', 'notes', 'release'],
    );
    assert.match(toMermaid(of('deploy')), /s_deploy --> s_release[\s\S]*linkStyle 0,1 stroke:gray,stroke-width:1px/);
    assert.match(toDot(of('deploy')), /s_deploy -> s_release \[color="gray", penwidth="0.5"\];/);
  });
});

describe('a large graph', () => {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  const parts = names('part-', 60);
  const { analysis } = openSkills({
    ...Object.fromEntries(parts.map((name) => [name, []])),
    ...Object.fromEntries(names('whole-', 30).map((name) => [name, [`composes: [${parts.join(', ')}]`]])),
  });

  it('pauses after each skill', () => {
    const pauses = [...graphSteps(analysis, { countFindings: () => NO_FINDINGS })].length;
    assert.ok(pauses >= 90, `${pauses}`);
  });

  it('parses each composed skill a few times, however many skills compose it', () => {
    let parsed = 0;
    const { file } = analysis;
    analysis.file = (uri) => {
      parsed++;
      return file.call(analysis, uri);
    };
    graphView(analysis, { countFindings: (uri) => countFindings(analysis, uri) });
    assert.ok(parsed < 10 * 90, `${parsed}`);
  });
});
