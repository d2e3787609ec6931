/** Queries of the composition graph, with examples. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import { rollUp } from '../../../server/src/workspace/budgets.ts';
import { composersOf, dependentsOf } from '../../../server/src/workspace/composition-lookups.ts';
import { effectiveContract } from '../../../server/src/workspace/effective-contract.ts';
import { stagesOf, stepsByStage } from '../../../server/src/workspace/order.ts';
import type { IndexedSkill } from '../../../server/src/workspace/workspace-index.ts';
import { openSkills, skillOf, uriOf } from './skills.ts';

const graphOf = (workspace: Workspace) => workspace.analysis.graph;
const names = (skills: readonly IndexedSkill[]) => skills.map(({ summary }) => summary.name);
const closure = (workspace: Workspace, name: string) => graphOf(workspace).closureOf(skillOf(workspace, name));
const stages = (workspace: Workspace, name: string) => stepsByStage(graphOf(workspace), skillOf(workspace, name));

describe('a reference', () => {
  const versions = (requires: string) => {
    const workspace = openSkills({
      one: ['version: 1.4.0'],
      two: ['version: 2.0.0'],
      three: ['version: 3.0.0', 'deprecated: true'],
      four: ['composes: [part]', requires],
    });
    for (const name of ['one', 'two', 'three']) {
      const text = workspace.analysis.file(uriOf(name))?.text.replace(`name: ${name}`, 'name: part') ?? '';
      workspace.apply({ kind: 'text', uri: uriOf(name), text });
    }
    const from = workspace.analysis.file(uriOf('four'));
    assert.ok(from);
    return workspace.analysis.resolveSkill(from, 'part')?.summary.version;
  };

  for (const [range, version] of [
    ['^1.0.0', '1.4.0'],
    ['>=1.0.0', '3.0.0'],
    ['<3', '2.0.0'],
    ['no range', '2.0.0'],
    ['^9.0.0', '2.0.0'],
  ] as const) {
    it(`with the range \`${range}\` resolves to ${version}`, () => {
      assert.equal(versions(`requires: [{skill: part, version: "${range}"}]`), version);
    });
  }

  it('without a range resolves to the highest version that is not deprecated', () => {
    assert.equal(versions('tags: []'), '2.0.0');
  });
});

describe('edges', () => {
  const workspace = openSkills({
    'pr-review': ['composes: [fetch, analyze, post]'],
    fetch: ['composes: [git, api]'],
    analyze: ['composes: [ast, llm, gone]'],
    post: [],
    git: [],
    api: [],
    ast: [],
    llm: [],
  });

  it('lead to the composed skills that exist', () => {
    assert.deepEqual(
      graphOf(workspace)
        .composedSkillsOf(skillOf(workspace, 'analyze'))
        .map(({ step }) => step),
      ['ast', 'llm'],
    );
  });

  it('lead back to composites', () => {
    assert.deepEqual(names(composersOf(graphOf(workspace), skillOf(workspace, 'llm'))), ['analyze']);
    assert.deepEqual([...dependentsOf(graphOf(workspace), ['llm'])], [uriOf('analyze'), uriOf('pr-review')]);
  });

  it('give an order with composed skills before their composites', () => {
    assert.deepEqual(names(closure(workspace, 'pr-review')), ['git', 'api', 'fetch', 'ast', 'llm', 'analyze', 'post']);
  });

  it('lead back to composites only from the resolved version', () => {
    const versions = openSkills({
      a: ['composes: [b]', 'requires: [{skill: b, version: 1.x}]'],
      b: ['version: 1.0.0'],
    });
    const text = versions.analysis.file(uriOf('b'))?.text.replace('1.0.0', '2.0.0') ?? '';
    versions.apply({ kind: 'text', uri: uriOf('b2'), text });
    assert.deepEqual(names(composersOf(graphOf(versions), skillOf(versions, 'b'))), ['a']);
    assert.deepEqual(composersOf(graphOf(versions), skillOf(versions, 'b2')), []);
  });
});

describe('stages', () => {
  it('are those of the specification’s workflow with branching (A.2)', () => {
    const parts = ['fetch-pr-diff', 'analyze-security', 'analyze-performance', 'generate-review', 'post-comment'];
    const workspace = openSkills({
      'pr-review-workflow': [
        `composes: [${parts.join(', ')}]`,
        'execution:',
        '  - step: fetch-pr-diff',
        '  - parallel:',
        '      - step: analyze-security',
        '      - step: analyze-performance',
        '  - step: generate-review',
        '  - step: post-comment',
        '    condition: $input.auto_post == true',
      ],
    });
    assert.deepEqual(stages(workspace, 'pr-review-workflow'), [
      ['fetch-pr-diff'],
      ['analyze-security', 'analyze-performance'],
      ['generate-review'],
      ['post-comment'],
    ]);
  });

  it('follow the flow of data in the specification’s parallel execution (6.2)', () => {
    const workspace = openSkills({
      workflow: ['composes: [fetch-a, fetch-b, fetch-c, combine]'],
      'fetch-a': ['output_schema: {a: string}'],
      'fetch-b': ['output_schema: {b: string}'],
      'fetch-c': ['output_schema: {c: string}'],
      combine: ['input_schema: {a: string, b: string, c: string}'],
    });
    assert.deepEqual(stages(workspace, 'workflow'), [['fetch-a', 'fetch-b', 'fetch-c'], ['combine']]);
  });

  it('follow the input and output mappings', () => {
    const workspace = openSkills({
      workflow: [
        'composes:',
        '  - {skill: user-lookup, output_mapping: {user_id: id}}',
        '  - {skill: permission-check, input_mapping: {id: user}}',
        '  - other',
      ],
      'user-lookup': ['output_schema: {user_id: string}'],
      'permission-check': ['input_schema: {user: string}'],
      other: ['input_schema: {user_id: string}'],
    });
    assert.deepEqual(stages(workspace, 'workflow'), [['user-lookup'], ['permission-check', 'other']]);
  });

  it('keep the order of composed skills, even if these are independent', () => {
    const workspace = openSkills({
      workflow: ['composes: [make, use, other, more]'],
      make: ['output_schema: {x: string}'],
      use: ['input_schema: {x: string}', 'output_schema: {y: string}'],
      other: ['output_schema: {z: string}'],
      more: ['input_schema: {y: string}'],
    });
    assert.deepEqual(stages(workspace, 'workflow'), [['make'], ['use', 'other'], ['more']]);
  });

  it('distinguish two entries with the same name', () => {
    const workspace = openSkills({
      workflow: ['composes: [make, use, make]'],
      make: ['output_schema: {x: string}'],
      use: ['input_schema: {x: string}', 'output_schema: {y: string}'],
    });
    assert.deepEqual(stagesOf(graphOf(workspace), skillOf(workspace, 'workflow')), [[0], [1], [2]]);
  });

  it('keep the order if two steps write the same value or a step is unknown', () => {
    const workspace = openSkills({
      workflow: ['composes: [one, two, gone, three]'],
      one: ['output_schema: {x: string}'],
      two: ['output_schema: {x: string}'],
      three: ['output_schema: {y: string}'],
    });
    assert.deepEqual(stages(workspace, 'workflow'), [['one'], ['two'], ['gone'], ['three']]);
  });

  it('contain the arms of a branch and the steps of a speculation in parallel', () => {
    const workspace = openSkills({
      workflow: [
        'composes: [a, b, c, d]',
        'execution:',
        '  - when: [{condition: $input.x, steps: [{step: a}, {step: b}]}]',
        '    else: [{step: c}]',
        '  - speculate: [{step: a}]',
        '    until: d',
        '  - step: nowhere',
      ],
    });
    assert.deepEqual(stages(workspace, 'workflow'), [['a', 'c'], ['b'], ['a', 'd']]);
  });
});

describe('the effective contract', () => {
  it('merges effects in the order of composed skills (5.1), and takes the most severe operation (5.2)', () => {
    const workspace = openSkills({
      'data-pipeline': ['composes: [fetch-data, transform, save-results]'],
      'fetch-data': ['effects: [Query, Network, Fail]', 'operation: READ'],
      transform: ['operation: TRANSFORM'],
      'save-results': ['effects: [Mutate, Fail]', 'operation: WRITE'],
    });
    const { effects, operation } = effectiveContract(
      closure(workspace, 'data-pipeline'),
      workspace.analysis.operationOfTool,
    );
    assert.deepEqual([...effects.keys()], ['Query', 'Network', 'Fail', 'Mutate']);
    assert.equal(operation?.name, 'WRITE');
    assert.equal(operation?.by.summary.name, 'save-results');
  });

  it('merges scopes and interrupts, and keeps only the roles that every skill allows', () => {
    const workspace = openSkills({
      whole: ['composes: [one, two, three]', 'allowed_roles: [editor, author]', 'interrupts: [before_exit]'],
      one: ['required_scopes: [read:pages]', 'allowed_roles: [author, reader]'],
      two: ['required_scopes: [write:pages, read:pages]', 'interrupts: [{name: before_write}]'],
      three: [],
    });
    const { scopes, roles, interrupts } = effectiveContract(
      [skillOf(workspace, 'whole'), ...closure(workspace, 'whole')],
      workspace.analysis.operationOfTool,
    );
    assert.deepEqual([...scopes.keys()], ['read:pages', 'write:pages']);
    assert.deepEqual(roles, ['author']);
    assert.deepEqual([...interrupts.keys()], ['before_exit', 'before_write']);
    assert.equal(effectiveContract([skillOf(workspace, 'three')], workspace.analysis.operationOfTool).roles, undefined);
  });
});

describe('a budget', () => {
  const budget = (p95: number, cost: number) => [`policy: {budget: {p95_ms: ${p95}, cost_usd: ${cost}}}`];
  const parts = { a: budget(100, 0.1), b: budget(300, 0.2), c: budget(200, 0.4) };
  const rolled = (...lines: readonly string[]) => {
    const workspace = openSkills({ whole: ['composes: [a, b, c]', ...lines], ...parts });
    const of = (measure: 'p95_ms' | 'cost_usd') => rollUp(graphOf(workspace), skillOf(workspace, 'whole'), measure);
    return [
      of('p95_ms').total,
      of('cost_usd').total,
      of('p95_ms')
        .steps.map(({ composedSkill }) => composedSkill.step)
        .join(' '),
    ];
  };

  it('is the sum of sequential steps', () => {
    assert.deepEqual(rolled('execution: [{step: a}, {step: b}, {step: c}]'), [600, 0.7, 'a b c']);
  });

  it('counts the latency of the slowest independent step', () => {
    assert.deepEqual(rolled(), [300, 0.7, 'b']);
  });

  it('for p99 is computed like the budget for p95', () => {
    const workspace = openSkills({
      whole: ['composes: [a, b, c]', 'execution: [{step: a}, {parallel: [{step: b}, {step: c}]}]'],
      a: ['policy: {budget: {p99_ms: 10}}'],
      b: ['policy: {budget: {p99_ms: 30}}'],
      c: ['policy: {budget: {p99_ms: 20}}'],
    });
    const { total, steps } = rollUp(graphOf(workspace), skillOf(workspace, 'whole'), 'p99_ms');
    assert.deepEqual([total, steps.map(({ composedSkill }) => composedSkill.step)], [40, ['a', 'b']]);
  });

  it('for the timeout counts each attempt, of the step or else of the skill', () => {
    const policy = 'policy: {timeout_ms: 100, budget: {p95_ms: 10}}';
    const total = (own: string, retry: string, measure: 'timeout_ms' | 'p95_ms' = 'timeout_ms') => {
      const execution = `execution: [{step: a${retry}}, {step: b}]`;
      const workspace = openSkills({ whole: ['composes: [a, b]', execution], a: [policy, own], b: [policy] });
      return rollUp(graphOf(workspace), skillOf(workspace, 'whole'), measure).total;
    };
    const none = 'owner: us';
    assert.equal(total(none, ''), 200);
    assert.equal(total('retry: {max_attempts: 3}', ''), 400);
    assert.equal(total('retry: {attempts: 1}', ''), 300);
    assert.equal(total(none, ', retry: {max_attempts: 5}'), 600);
    assert.equal(total('retry: {max_attempts: 3}', ', retry: {max_attempts: 1}'), 200);
    assert.equal(total('retry: {max_attempts: 3}', '', 'p95_ms'), 20);
  });

  it('counts the latency of the slowest parallel step, and the cost of every step', () => {
    assert.deepEqual(rolled('execution: [{parallel: [{step: a}, {step: b}]}, {step: c}]'), [500, 0.7, 'b c']);
  });

  it('counts the arm of a branch with the highest value, separately for latency and cost', () => {
    const branch = 'execution: [{when: [{condition: x, steps: [{step: b}]}], else: [{step: c}]}]';
    assert.deepEqual(rolled(branch), [300, 0.4, 'b']);
  });

  it('counts a speculation in full, and its deciding step once', () => {
    assert.deepEqual(rolled('execution: [{speculate: [{step: a}, {step: c}], until: b}]'), [300, 0.7, 'b']);
    assert.deepEqual(rolled('execution: [{speculate: [{step: a}], until: {step: b}}]'), [300, 0.3, 'b']);
  });

  it('does not count skipped steps or steps that are not composed', () => {
    assert.deepEqual(rolled('execution: [{step: a}, {step: z}]'), [100, 0.1, 'a']);
  });
});
