/** Composed skills: nested shapes, the order of `execution`, and the caller's capabilities at every depth. */
import { strict as assert } from 'node:assert';
import { describe, it, test } from 'node:test';
import type { GraphNode, Subgraph } from '../../../server/src/composer/composition.ts';
import { assertShape, type Files, requestFor, shapeFor, shapeOf, skill } from './shapes.ts';

const leaf = (name: string): string => skill(name, 'input_schema: {}');
const leaves = { 'a.skill.md': leaf('a'), 'b.skill.md': leaf('b'), 'c.skill.md': leaf('c') };
const contract = (rest: string): string =>
  `name: t\nversion: 1.0.0\ndescription: Composes.\nlevel: 2\ninput_schema: {seed: integer}\n${rest}`;

/** Returns the shape without nested shapes, which are the same in all these cases. */
function outline(text: string, files: Files = leaves, name = 't.skill.yaml'): string[] {
  const { shape, errors } = shapeFor(requestFor({ ...files, [name]: text }, name));
  assert.deepEqual(errors, []);
  return shape.edges.map(
    ({ from, to, condition, unless }) =>
      `${from} -> ${to}${condition === undefined ? '' : ` [${condition}]`}${unless === undefined ? '' : ` [cancel unless ${unless}]`}`,
  );
}

/** Returns the faults of the skill, and the errors of its shape, with the text at their spans. */
function errorsOf(files: Files, name: string, profile?: string) {
  const request = requestFor(files, name, profile === undefined ? {} : { profile });
  const { faults, uri: own } = request.skillPackage;
  return [...faults.map((fault) => ({ ...fault, uri: own })), ...shapeFor(request).errors].map((error) => ({
    ...error,
    at: (files[error.uri.slice('file:///w/'.length)] ?? '').slice(error.span.start, error.span.end),
  }));
}

const reasonsFor = (files: Files, name: string, subject: string): string[] =>
  shapeFor(requestFor(files, name))
    .decisions.filter((decision) => decision.subject === subject)
    .map((decision) => `${decision.name} ${decision.taken ? 'taken' : 'not taken'}: ${decision.reason}`);

test('composed skills run before the loop that uses their outputs, and independent skills run in parallel', () => {
  assertShape(
    { ...leaves, 't.skill.md': skill('t', 'level: 2\ninput_schema: {}\ncomposes: [a, {skill: b, as: second}]') },
    `
    validate_input -> parallel_1
    parallel_1 -> skill_a
    parallel_1 -> skill_second
    skill_a -> join_1
    skill_second -> join_1
    join_1 -> plan
    plan -> check_exit
    skill_a =
      validate_input -> plan
      plan -> check_exit
      tools: none
      exit: caller
    skill_second =
      validate_input -> plan
      plan -> check_exit
      tools: none
      exit: caller
    tools: none
    exit: caller`,
  );
});

test('a contract without a framing has no loop', () => {
  assert.deepEqual(outline(contract('composes: [a]\n')), ['validate_input -> skill_a', 'skill_a -> check_exit']);
});

const chain = {
  'make.skill.md': skill('make', 'input_schema: {}\noutput_schema: {x: string}'),
  'use.skill.md': skill('use', 'input_schema: {x: string}\noutput_schema: {y: string}'),
  'other.skill.md': skill('other', 'input_schema: {}\noutput_schema: {z: string}'),
};

test('a composed skill runs after the skills whose outputs it uses', () => {
  assert.deepEqual(outline(contract('composes: [make, use, other]\n'), chain), [
    'validate_input -> skill_make',
    'skill_make -> parallel_1',
    'parallel_1 -> skill_use',
    'parallel_1 -> skill_other',
    'skill_use -> join_1',
    'skill_other -> join_1',
    'join_1 -> check_exit',
  ]);
});

test('a composed skill that is listed before its data runs after them', () => {
  assert.deepEqual(outline(contract('composes: [use, other, make]\n'), chain), [
    'validate_input -> parallel_1',
    'parallel_1 -> skill_other',
    'parallel_1 -> skill_make',
    'skill_other -> join_1',
    'skill_make -> join_1',
    'join_1 -> skill_use',
    'skill_use -> check_exit',
  ]);
});

test('a stage that refers to a composed skill also waits for a later entry that provides its data', () => {
  const text = skill(
    't',
    'level: 2\ninput_schema: {}\ncomposes: [use, other, make]',
    '## Approach\n\n1. Take #skill:use.\n2. Take #skill:make and #skill:other.\n',
  );
  assert.deepEqual(outline(text, chain, 't.skill.md'), [
    'validate_input -> parallel_1',
    'parallel_1 -> skill_other',
    'parallel_1 -> skill_make',
    'skill_other -> join_1',
    'skill_make -> join_1',
    'join_1 -> skill_use',
    'skill_use -> plan_1',
    'plan_1 -> plan_2',
    'plan_2 -> check_exit',
  ]);
});

test('a stage that refers to a composed skill also waits for the skills before it', () => {
  const text = skill(
    't',
    'level: 2\ninput_schema: {}\ncomposes: [make, use, other]',
    '## Approach\n\n1. Take #skill:use.\n2. Take #skill:make and #skill:other.\n',
  );
  assert.deepEqual(outline(text, chain, 't.skill.md'), [
    'validate_input -> skill_make',
    'skill_make -> skill_use',
    'skill_use -> plan_1',
    'plan_1 -> skill_other',
    'skill_other -> plan_2',
    'plan_2 -> check_exit',
  ]);
  assert.deepEqual(reasonsFor({ ...chain, 't.skill.md': text }, 't.skill.md', 'skill'), [
    'make taken: runs in the order of the data, before stage 2, which refers to it',
    'use taken: runs in stage 1, which refers to it',
    'other taken: runs in stage 2, which refers to it',
  ]);
});

test('a composed skill runs in the first stage that refers to it', () => {
  const text = skill(
    't',
    'level: 2\ninput_schema: {}\ncomposes: [b, a, {skill: c, as: last}]',
    '## Approach\n\n1. Begin.\n2. Then #skill:a and #skill:last.\n3. Look at #skill:a again.\n',
  );
  assert.deepEqual(outline(text, leaves, 't.skill.md'), [
    'validate_input -> skill_b',
    'skill_b -> plan_1',
    'plan_1 -> parallel_1',
    'parallel_1 -> skill_a',
    'parallel_1 -> skill_last',
    'skill_a -> join_1',
    'skill_last -> join_1',
    'join_1 -> plan_2',
    'plan_2 -> plan_3',
    'plan_3 -> check_exit',
  ]);
  assert.deepEqual(reasonsFor({ ...leaves, 't.skill.md': text }, 't.skill.md', 'skill'), [
    'b taken: runs in the order of the data',
    'a taken: runs in stage 2, which refers to it',
    'c taken: runs in stage 2, which refers to it',
  ]);
});

test('`execution` defines the order, and a decision reports a composed skill that no step runs', () => {
  const text = contract('composes: [a, b, c]\nexecution:\n  - step: b\n  - step: a\n');
  assert.deepEqual(outline(text), ['validate_input -> skill_b', 'skill_b -> skill_a', 'skill_a -> check_exit']);
  assert.deepEqual(reasonsFor({ ...leaves, 't.skill.yaml': text }, 't.skill.yaml', 'skill'), [
    'a taken: a step runs it',
    'b taken: a step runs it',
    'c not taken: no step runs it',
  ]);
});

test('a parallel group has one start and one end node, even when it is nested', () => {
  const text = contract(
    'composes: [a, b, c]\nexecution:\n  - parallel:\n      - step: a\n      - parallel: [{step: b}, {step: c}]\n',
  );
  assert.deepEqual(outline(text), [
    'validate_input -> parallel_1',
    'parallel_1 -> skill_a',
    'parallel_1 -> parallel_2',
    'parallel_2 -> skill_b',
    'parallel_2 -> skill_c',
    'skill_b -> join_2',
    'skill_c -> join_2',
    'skill_a -> join_1',
    'join_2 -> join_1',
    'join_1 -> check_exit',
  ]);
  const { shape } = shapeFor(requestFor({ ...leaves, 't.skill.yaml': text }, 't.skill.yaml'));
  assert.deepEqual(
    shape.nodes.flatMap(({ id, join }) => (join ? [[id, join]] : [])),
    [
      ['parallel_1', 'join_1'],
      ['parallel_2', 'join_2'],
    ],
  );
});

test('leaves out empty groups', () => {
  const text = contract(
    'composes: [a]\nexecution:\n  - parallel: []\n  - parallel: [{step: a}, {when: [{condition: $input.seed > 1, steps: []}]}]\n',
  );
  const files = { ...leaves, 't.skill.yaml': text };
  const { shape } = shapeFor(requestFor(files, 't.skill.yaml'));
  assert.deepEqual(
    shape.edges.map(({ from, to }) => `${from} -> ${to}`),
    ['validate_input -> parallel_1', 'parallel_1 -> skill_a', 'skill_a -> join_1', 'join_1 -> check_exit'],
  );
  assert.deepEqual(
    errorsOf(files, 't.skill.yaml').map(({ message }) => message),
    ['`parallel` has no steps.', '`when` has no arm with steps.'],
  );
});

test('each edge of a branch has a condition, and the last edge is `else` or skips the branch', () => {
  const arms =
    '      - {condition: $input.seed > 5, steps: [{step: a}]}\n      - {condition: $input.seed > 1, steps: [{step: b}]}\n';
  assert.deepEqual(outline(contract(`composes: [a, b, c]\nexecution:\n  - when:\n${arms}    else: [{step: c}]\n`)), [
    'validate_input -> branch_1',
    'branch_1 -> skill_a [$input.seed > 5]',
    'branch_1 -> skill_b [$input.seed > 1]',
    'branch_1 -> skill_c',
    'skill_a -> check_exit',
    'skill_b -> check_exit',
    'skill_c -> check_exit',
  ]);
  assert.deepEqual(outline(contract(`composes: [a, b]\nexecution:\n  - when:\n${arms}`)), [
    'validate_input -> branch_1',
    'branch_1 -> skill_a [$input.seed > 5]',
    'branch_1 -> skill_b [$input.seed > 1]',
    'skill_a -> check_exit',
    'skill_b -> check_exit',
    'branch_1 -> check_exit',
  ]);
});

test('the edges of a branch are in the order of its arms, also if arms are empty', () => {
  const ordered = (when: string, steps = 'a, b, c') => {
    const files = { ...leaves, 't.skill.yaml': contract(`composes: [${steps}]\nexecution:\n${when}`) };
    const { edges } = shapeFor(requestFor(files, 't.skill.yaml')).shape;
    return edges
      .filter(({ kind }) => kind === 'branch')
      .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
      .map(({ from, to, condition }) => `${from} -> ${to} ${condition ?? 'else'}`);
  };
  const arm = (seed: number, steps: string) => `{condition: $input.seed > ${seed}, steps: [${steps}]}`;
  const branch = (arms: readonly string[], other?: string) =>
    `{when: [${arms.join(', ')}]${other === undefined ? '' : `, else: [${other}]`}}`;
  const empty = branch([arm(7, 'parallel: []')]);
  const many = ['', '{parallel: []}', empty];
  for (const none of many) {
    assert.deepEqual(ordered(`  - ${branch([arm(5, none), arm(1, '{step: a}')])}\n  - step: b\n`), [
      'branch_1 -> skill_b $input.seed > 5',
      'branch_1 -> skill_a $input.seed > 1',
      'branch_1 -> skill_b else',
    ]);
    assert.deepEqual(ordered(`  - ${branch([arm(5, none), arm(3, '{step: a}'), arm(1, none)], '{step: b}')}\n`), [
      'branch_1 -> check_exit $input.seed > 5',
      'branch_1 -> skill_a $input.seed > 3',
      'branch_1 -> check_exit $input.seed > 1',
      'branch_1 -> skill_b else',
    ]);
    assert.deepEqual(ordered(`  - ${branch([arm(5, none), arm(1, '{step: a}')], none)}\n`), [
      'branch_1 -> check_exit $input.seed > 5',
      'branch_1 -> skill_a $input.seed > 1',
      'branch_1 -> check_exit else',
    ]);
    assert.deepEqual(ordered(`  - ${branch([arm(5, none), arm(1, none)], none)}\n  - step: a\n`), []);
  }
  const nested = branch([arm(8, ''), arm(6, '{step: b}')], '{step: c, condition: $input.seed > 4}');
  assert.deepEqual(ordered(`  - ${branch([arm(9, ''), arm(2, nested)], '{step: a}')}\n`), [
    'branch_1 -> check_exit $input.seed > 9',
    'branch_1 -> branch_2 $input.seed > 2',
    'branch_1 -> skill_a else',
    'branch_2 -> check_exit $input.seed > 8',
    'branch_2 -> skill_b $input.seed > 6',
    'branch_2 -> branch_3 else',
    'branch_3 -> skill_c $input.seed > 4',
    'branch_3 -> check_exit else',
  ]);
});

test('a branch marks the edges that the inputs rule out, and no edge that waits for an output', () => {
  const arms = (...conditions: string[]): string =>
    contract(
      `composes: [a, b, c]\nexecution:\n  - when:\n${conditions
        .map((condition, at) => `      - {condition: ${condition}, steps: [{step: ${'ab'[at]}}]}\n`)
        .join('')}    else: [{step: c}]\n`,
    );
  const untaken = (text: string, seed: number, files: Files = leaves) =>
    shapeOf({ ...files, 't.skill.yaml': text }, 't.skill.yaml', { parameters: { seed } })
      .edges.filter((edge) => edge.untaken)
      .map(({ to }) => to);
  const both = arms('$input.seed > 5', 'seed > 1');
  assert.deepEqual(
    [9, 3, 0].map((seed) => untaken(both, seed)),
    [
      ['skill_b', 'skill_c'],
      ['skill_a', 'skill_c'],
      ['skill_a', 'skill_b'],
    ],
  );
  const first = contract('composes: [make, a]\nexecution:\n  - step: make\n  - {step: a, condition: COND}\n');
  const files = { ...leaves, ...chain };
  assert.deepEqual(untaken(first.replace('COND', '$make.output.x == "1"'), 3, files), []);
  assert.deepEqual(untaken(first.replace('COND', '$input.seed > 5'), 3, files), ['skill_a']);
  assert.deepEqual(untaken(first.replace('COND', '$input.seed > 1'), 3, files), ['check_exit']);
});

test('a branch of a composed skill marks an edge only if its input is known before the run', () => {
  const inner = contract('composes: [a]\nexecution:\n  - {step: a, condition: $input.seed > 5}\n');
  const make = skill('make', 'input_schema: {}\noutput_schema: {x: integer}');
  const untaken = (inputs: string) =>
    shapeOf(
      {
        ...leaves,
        'make.skill.md': make,
        'inner.skill.yaml': inner.replace('name: t', 'name: inner'),
        't.skill.yaml': contract(
          `composes: [make, inner]\nexecution:\n  - step: make\n  - {step: inner, inputs: {seed: ${inputs}}}\n`,
        ).replace('level: 2', 'level: 3'),
      },
      't.skill.yaml',
      { parameters: { seed: 3 } },
    )
      .nodes.flatMap(({ subgraph }) => subgraph?.edges ?? [])
      .filter((edge) => edge.untaken)
      .map(({ to }) => to);
  assert.deepEqual(untaken('$input.seed'), ['skill_a']);
  assert.deepEqual(untaken('7'), ['check_exit']);
  assert.deepEqual(untaken('$make.output.x'), []);
});

test('a condition on a step puts the step into a branch', () => {
  const text = contract('composes: [a, b]\nexecution:\n  - {step: a, condition: $input.seed > 1}\n  - step: b\n');
  assert.deepEqual(outline(text), [
    'validate_input -> branch_1',
    'branch_1 -> skill_a [$input.seed > 1]',
    'skill_a -> skill_b',
    'branch_1 -> skill_b',
    'skill_b -> check_exit',
  ]);
});

test('the deciding step of a speculation starts with the other steps, and cancels unneeded steps', () => {
  const text = contract(
    'composes: [a, b, c]\nexecution:\n  - speculate: [{step: a, keep_when: $c.output.x == 1}, {step: b}]\n    until: {step: c, retry: {max_attempts: 2}}\n',
  );
  assert.deepEqual(outline(text), [
    'validate_input -> speculate_1',
    'speculate_1 -> skill_a',
    'speculate_1 -> skill_b',
    'speculate_1 -> skill_c',
    'skill_a -> join_1',
    'skill_b -> join_1',
    'skill_c -> join_1',
    'skill_c -> skill_a [cancel unless $c.output.x == 1]',
    'join_1 -> check_exit',
  ]);
  const { shape } = shapeFor(requestFor({ ...leaves, 't.skill.yaml': text }, 't.skill.yaml'));
  const group = shape.nodes.find(({ kind }) => kind === 'speculate');
  assert.deepEqual([group?.until, group?.join], ['skill_c', 'join_1']);
  assert.equal(shape.nodes.find(({ id }) => id === 'skill_c')?.retry?.maxAttempts, 2);
});

test('reports an invalid execution at its position with the message from `check`', () => {
  const text = contract('composes: [a, b]\nexecution:\n  - step: a\n  - speculate: [{step: b}]\n    until: a\n');
  const [error, ...others] = errorsOf({ ...leaves, 't.skill.yaml': text }, 't.skill.yaml');
  assert.deepEqual(others, []);
  assert.deepEqual([error?.kind, error?.at], ['InvalidComposition', 'a']);
  assert.match(error?.message ?? '', /^`a` has already run before the speculation begins/);
});

test('reports a duplicate or invalid step name at its entry, with and without an execution', () => {
  const cases = {
    'composes: [a, a]': ['a', 'Duplicate step name `a`.'],
    'composes: [{skill: a, as: z}, {skill: b, as: z}]\nexecution: [{step: z}]': ['z', 'Duplicate step name `z`.'],
    'composes: [{skill: a, as: b}, b]': ['b', 'Duplicate step name `b`.'],
    'composes: [b, {skill: a, as: b}]': ['b', 'Duplicate step name `b`.'],
    'composes: [{skill: a, as: input}]': ['input', '`input` is not a valid step name.'],
    'composes: [{skill: a, as: Ä b}]': ['Ä b', '`Ä b` is not a valid step name.'],
    'composes: [{skill: a, as: ""}]': ['""', '`as` is empty.'],
  };
  for (const [text, expected] of Object.entries(cases)) {
    const errors = errorsOf({ ...leaves, 't.skill.yaml': contract(`${text}\n`) }, 't.skill.yaml');
    assert.deepEqual(
      errors.map(({ kind, at, message }) => [kind, at, message]),
      [['InvalidComposition', ...expected]],
      text,
    );
  }
});

test('a step overrides the retry of its skill, but not the timeout', () => {
  const policy = 'input_schema: {}\npolicy: {idempotent: true, timeout_ms: 70, retry: {attempts: 1}}';
  const files = {
    'a.skill.md': skill('a', policy),
    't.skill.yaml': contract(
      'composes: [a, {skill: a, as: again}]\nexecution:\n  - step: a\n  - {step: again, retry: {max_attempts: 5}}\n',
    ),
  };
  const { shape } = shapeFor(requestFor(files, 't.skill.yaml'));
  assert.deepEqual(
    shape.nodes
      .filter(({ kind }) => kind === 'skill')
      .map(({ id, retry, timeoutMs }) => [id, retry?.maxAttempts, timeoutMs]),
    [
      ['skill_a', 2, 70],
      ['skill_again', 5, 70],
    ],
  );
  // Only the outer node retries: retries of the inner nodes would multiply the attempts.
  const inside = shape.nodes.find(({ id }) => id === 'skill_a')?.subgraph?.nodes ?? [];
  assert.ok(inside.every(({ retry, timeoutMs }) => retry === undefined && timeoutMs === undefined));
});

test('a node uses the retry of its skill, unless the step declares a retry', () => {
  const retry =
    'input_schema: {}\nretry: {max_attempts: 3, backoff: linear, retry_on: [BUSY]}\npolicy: {idempotent: true}';
  const files = {
    'a.skill.md': skill('a', retry),
    't.skill.yaml': contract(
      'composes: [a, {skill: a, as: again}]\nexecution:\n  - step: a\n  - {step: again, retry: {max_attempts: 5}}\n',
    ),
  };
  const retries = (name: string) =>
    shapeFor(requestFor(files, name)).shape.nodes.flatMap((node) => (node.retry ? [[node.id, node.retry]] : []));
  const own = { maxAttempts: 3, backoff: 'linear', retryOn: ['BUSY'] };
  assert.deepEqual(retries('a.skill.md'), [['plan', own]]);
  assert.deepEqual(retries('t.skill.yaml'), [
    ['skill_a', own],
    ['skill_again', { maxAttempts: 5, backoff: undefined, retryOn: [] }],
  ]);
});

test('the caller limits the tools of a composed skill, but the parent skill does not', () => {
  const files = {
    'inner.skill.md': skill('inner', 'input_schema: {}\ntools: [read_page, {name: write_candidate, optional: true}]'),
    't.skill.md': skill('t', 'level: 2\ninput_schema: {}\ntools: [search_pages]\ncomposes: [inner]'),
  };
  const toolsFor = (profile: string): unknown => {
    const { shape, errors } = shapeFor(requestFor(files, 't.skill.md', { profile }));
    assert.deepEqual(errors, []);
    return [shape.toolAvailability, shape.nodes.find(({ kind }) => kind === 'skill')?.subgraph?.toolAvailability];
  };
  assert.deepEqual(toolsFor('writer'), [['search_pages'], ['read_page', 'write_candidate']]);
  assert.deepEqual(toolsFor('reader'), [['search_pages'], ['read_page']]);
});

const deep = {
  'writes.skill.md': skill('writes', 'input_schema: {}\ntools: [read_page, write_candidate]'),
  'middle.skill.md': skill('middle', 'level: 2\ninput_schema: {}\ncomposes: [writes]'),
  't.skill.md': skill('t', 'level: 2\ninput_schema: {}\ncomposes: [middle, {skill: middle, as: again}]'),
};

test('reports a missing tool of a nested skill at the entry in the top-level file', () => {
  const errors = errorsOf(deep, 't.skill.md', 'reader');
  assert.deepEqual(
    errors.map(({ kind, at, subject }) => [kind, at, subject]),
    [
      ['UnknownTool', 'middle', 'write_candidate'],
      ['UnknownTool', 'middle', 'write_candidate'],
    ],
  );
  assert.equal(
    errors[0]?.message,
    'The composed skill `writes` requires the tool `write_candidate`, which is not available: reader lacks write:candidates. It is reached through `middle`.',
  );
  assert.deepEqual(errorsOf(deep, 't.skill.md', 'writer'), []);
});

test('reports `CapabilityNarrowing` for a composed skill if none of the required tools is available', () => {
  const files = {
    'writes.skill.md': skill('writes', 'input_schema: {}\ntools: [write_candidate]'),
    't.skill.md': skill('t', 'level: 2\ninput_schema: {}\ncomposes: [writes]'),
  };
  assert.deepEqual(
    errorsOf(files, 't.skill.md', 'reader').map(({ kind, at, message }) => [kind, at, message]),
    [
      [
        'CapabilityNarrowing',
        'writes',
        'The composed skill `writes` requires tools, but none is available (`write_candidate`: reader lacks write:candidates).',
      ],
    ],
  );
});

test('reports a missing or cyclic skill as `InvalidComposition` at its entry', () => {
  const files = {
    'ring.skill.md': skill('ring', 'level: 2\ninput_schema: {}\ncomposes: [t]'),
    't.skill.md': skill('t', 'level: 2\ninput_schema: {}\ncomposes: [gone, ring]'),
  };
  assert.deepEqual(
    errorsOf(files, 't.skill.md').map(({ kind, at, message }) => [kind, at, message]),
    [
      ['InvalidComposition', 'ring', 'Circular dependency: `t` → `ring` → `t`.'],
      ['InvalidComposition', 'gone', 'Unknown skill `gone`.'],
      [
        'InvalidComposition',
        'ring',
        'The composed skill `ring` cannot be composed: Circular dependency: `ring` → `t` → `ring`.',
      ],
    ],
  );
});

test('reports a step whose skill is not in `composes`', () => {
  const files = { ...leaves, 't.skill.yaml': contract('composes: [a]\nexecution:\n  - step: a\n  - step: z\n') };
  assert.deepEqual(
    errorsOf(files, 't.skill.yaml').map(({ kind, at }) => [kind, at]),
    [['InvalidComposition', 'z']],
  );
});

describe('a composed skill that can never be composed', () => {
  const parents = {
    't.skill.md': skill('t', 'level: 2\ninput_schema: {a: string}\ncomposes: [part]'),
    'top.skill.md': skill('top', 'level: 3\ninput_schema: {a: string}\ncomposes: [t]'),
  };
  const head = (rest: string) => `---\nname: part\ndescription: Does one thing.\nversion: 1.0.0\n${rest}---\n\n`;
  const templated = (text: string, rest = '') =>
    `${head(`input_schema: {a: string, b: string?}\nframing: t\n${rest}`)}## PromptTemplate: t\n\n${text}\n`;
  const first = (part: string, name: string) => errorsOf({ ...leaves, ...parents, 'part.skill.md': part }, name)[0];
  const broken: Readonly<Record<string, readonly [part: string, expected: string]>> = {
    'an unknown name in its template': [templated('{{ zz }}'), 'MalformedTemplate: Undefined variable `zz`.'],
    'an unknown name in the condition of its template': [
      templated('{% if zz %}x{% endif %}'),
      'MalformedTemplate: Undefined variable `zz`.',
    ],
    'an unknown filter': [templated('{{ a | uper }}'), 'MalformedTemplate: MiniJinja 2.11 has no filter `uper`.'],
    'a syntax error in a template': [templated('{% if a %}'), 'MalformedTemplate: `{% if %}` is not closed.'],
    'an error in a template that it includes': [
      `${templated('{% include "u" %}')}\n## PromptTemplate: u\n\n{{ zz }}\n`,
      'MalformedTemplate: Undefined variable `zz`.',
    ],
    'an include of an unknown template': [
      templated('{% include "u" %}'),
      'MalformedTemplate: Unknown PromptTemplate `u`.',
    ],
    'an invalid condition': [
      `${head('input_schema: {a: string}\n')}Do it.\n\n## Description: d\n\n\`\`\`yaml artifact\ninclude_when: a ==\n\`\`\`\n\nText.\n`,
      'MalformedTemplate: Expected an expression, but the expression ends.',
    ],
    'no framing': [
      head('input_schema: {a: string}\n'),
      'MissingRequiredField: The skill has no framing: its body has neither text outside of artifacts nor a PromptTemplate.',
    ],
    'an unknown framing': [
      `${head('input_schema: {a: string}\nframing: u\n')}Do it.\n`,
      'MissingRequiredField: `framing` names an unknown PromptTemplate `u`.',
    ],
    'no input schema': [`${head('')}Do it.\n`, 'MissingRequiredField: Missing key `input_schema`.'],
    'an invalid input schema': [
      `${head('input_schema: {a: strnig}\n')}Do it.\n`,
      'MissingRequiredField: `input_schema` is invalid: Unknown type `strnig`.',
    ],
    'an incomplete exit': [
      `${head('input_schema: {a: string}\nexit: {on: tool_budget}\n')}Do it.\n`,
      'MissingRequiredField: Missing key `max_tool_calls`.',
    ],
    'an error in its execution': [
      `${head('level: 2\ninput_schema: {a: string}\noutput_schema: {}\ncomposes: [a]\nexecution: [{step: y}]\n')}Do it.\n`,
      'InvalidComposition: Unknown step `y`.',
    ],
    'a tool in its text that it does not declare': [
      `${head('input_schema: {a: string}\n')}Call #tool:read_page.\n`,
      'UnknownTool: The body refers to the tool `read_page`, which is not in `tools`.',
    ],
  };
  for (const [title, [part, expected]] of Object.entries(broken)) {
    it(`fails its composites because of ${title}`, () => {
      const error = first(part, 't.skill.md');
      const [kind = '', message = ''] = expected.split(/: (.*)/s);
      assert.deepEqual(
        [
          error?.kind,
          error?.at,
          error?.message.startsWith(`The composed skill \`part\` cannot be composed: ${message}`),
        ],
        [kind, 'part', true],
        error?.message,
      );
      const deep = first(part, 'top.skill.md');
      assert.deepEqual([deep?.kind, deep?.at], [kind, 't']);
      assert.match(deep?.message ?? '', /It is reached through `t`\.$/);
    });
  }

  const sound: Readonly<Record<string, string>> = {
    'an unknown name in a branch': templated('{% if b %}{{ zz }}{% endif %}'),
    'an unknown name after `or`': templated('{{ a or zz }}'),
    'an unknown name in another template': `${templated('{{ a }}')}\n## PromptTemplate: u\n\n{{ zz }}\n`,
    'an unknown name in one of two variants': `${templated('{{ a }}')}\n## PromptTemplate: t\n\n\`\`\`yaml artifact\nmodel_variant: openai\n\`\`\`\n\n{{ zz }}\n`,
    'a syntax error in a template that the prose does not use': `${head('input_schema: {a: string}\n')}Do it.\n\n## PromptTemplate: u\n\n{% if a %}\n`,
    'an invalid key that composing does not read': `${head('level: 7\ninput_schema: {a: string}\n')}Do it.\n`,
  };
  for (const [title, part] of Object.entries(sound)) {
    it(`is not assumed because of ${title}`, () => assert.equal(first(part, 't.skill.md'), undefined));
  }
});

const choosy = skill(
  'choosy',
  'input_schema: {tone: string, length: {type: integer, default: 3}}\noutput_schema: {tone: string}',
  '## Approach: grim\n```yaml artifact\ninclude_when: tone == "grim" and length == 3\n```\n\nGrimly.\n\n## Approach: any\n\nAnyhow.\n',
);

test('selects the approach of a composed skill with the inputs that are known before the run', () => {
  const guidance = (composes: string, rest = ''): string | undefined => {
    const text = `name: t\nversion: 1.0.0\ndescription: d\nlevel: 2\ninput_schema: {mood: string, tone: string}\ncomposes:\n${composes}${rest}`;
    const files = { 'choosy.skill.md': choosy, 't.skill.yaml': text };
    const parameters = { mood: 'grim', tone: 'wry' };
    const { shape } = shapeFor(requestFor(files, 't.skill.yaml', { parameters }));
    const last = shape.nodes.filter(({ kind }) => kind === 'skill').at(-1);
    return last?.subgraph?.nodes.find(({ kind }) => kind === 'plan')?.guidance;
  };
  // Arguments are passed by equal names, by the mapping, or by a step's inputs. Without an argument, the default value
  // of `length` is used.
  assert.equal(guidance('  - choosy\n'), 'Anyhow.');
  assert.equal(guidance('  - {skill: choosy, input_mapping: {mood: tone}}\n'), 'Grimly.');
  assert.equal(guidance('  - choosy\n', 'execution:\n  - {step: choosy, inputs: {tone: $input.mood}}\n'), 'Grimly.');
  assert.equal(
    guidance('  - choosy\n', 'execution:\n  - {step: choosy, inputs: {tone: grim, length: 4}}\n'),
    'Anyhow.',
  );
  // If two names are mapped to one field, the name that equals the field takes precedence, in either order.
  assert.equal(guidance('  - {skill: choosy, input_mapping: {mood: tone, tone: tone}}\n'), 'Grimly.');
  assert.equal(guidance('  - {skill: choosy, input_mapping: {tone: tone, mood: tone}}\n'), 'Grimly.');
  // The output of an earlier step replaces `mood`, so its value is unknown.
  const earlier = '  - {skill: choosy, as: first, output_mapping: {tone: mood}}\n';
  assert.equal(guidance(`${earlier}  - {skill: choosy, input_mapping: {mood: tone}}\n`), 'Anyhow.');
});

test('skips an approach whose condition needs a value that is known only at run time', () => {
  const files = {
    'choosy.skill.md': choosy,
    't.skill.yaml': contract('composes: [{skill: choosy, as: first}, choosy]\n').replace(
      'seed: integer',
      'tone: string',
    ),
  };
  const { errors } = shapeFor(requestFor(files, 't.skill.yaml', { parameters: { tone: 'grim' } }));
  assert.deepEqual(errors, []);
  assert.ok(
    shapeFor(requestFor(files, 't.skill.yaml', { parameters: { tone: 'grim' } })).decisions.some(
      ({ name, taken, reason }) =>
        name === 'grim' && !taken && reason === 'its include_when reads tone, which is known only at run time',
    ),
  );
});

test('every node has a unique id, even if names are similar or not valid in an id', () => {
  const names = ['a-b', 'a_b_2', 'a_b', 'ä.b'];
  const files = {
    'a.skill.md': leaf('a'),
    't.skill.yaml': contract(`composes:\n${names.map((name) => `  - {skill: a, as: "${name}"}\n`).join('')}`),
  };
  const { shape } = shapeFor(requestFor(files, 't.skill.yaml'));
  assert.deepEqual(
    shape.nodes.filter(({ kind }) => kind === 'skill').map(({ id, label }) => [id, label]),
    [
      ['skill_a_b', 'a-b'],
      ['skill_a_b_2', 'a_b_2'],
      ['skill_a_b_3', 'a_b'],
      ['skill___b', 'ä.b'],
    ],
  );
});

/** Each level composes the level below it twice, so 12 levels have 2¹² paths. */
function diamonds(levels: number): Files {
  const files: Record<string, string> = { 'l0.skill.md': leaf('l0') };
  for (let level = 1; level <= levels; level++) {
    const below = `l${level - 1}`;
    files[`l${level}.skill.md`] = skill(
      `l${level}`,
      `level: 3\ninput_schema: {}\ncomposes: [${below}, {skill: ${below}, as: again}]`,
    );
  }
  return files;
}

const countNodes = ({ nodes }: Subgraph): number =>
  nodes.reduce((sum, { subgraph }: GraphNode) => sum + 1 + (subgraph ? countNodes(subgraph) : 0), 0);

test('draws nested composed skills up to a limit, and reports the omitted skills', () => {
  const { shape, decisions, errors } = shapeFor(requestFor(diamonds(12), 'l12.skill.md'));
  assert.deepEqual(errors, []);
  assert.ok(countNodes(shape) < 3000);
  assert.ok(decisions.some(({ reason }) => reason === 'not drawn: the graph already has 300 composed skills'));
});

test('the order of keys and files does not change the shape', () => {
  const steps = (inputs: string, mapping: string): string =>
    contract(
      `composes:\n  - {skill: choosy, input_mapping: ${mapping}}\nexecution:\n  - {step: choosy, inputs: ${inputs}}\n`,
    );
  const bytes = (text: string, reversed: boolean): string => {
    const files = Object.entries({ ...leaves, 'choosy.skill.md': choosy, 't.skill.yaml': text });
    const { shape, decisions } = shapeFor(
      requestFor(Object.fromEntries(reversed ? files.reverse() : files), 't.skill.yaml'),
    );
    return JSON.stringify([shape, decisions]);
  };
  const [one, other] = [
    bytes(steps('{tone: x, length: 4}', '{a: tone, b: tone}'), false),
    bytes(steps('{length: 4, tone: x}', '{b: tone, a: tone}'), true),
  ];
  assert.equal(one, other);
});
