/** The subgraph of one skill: loops, stages, tools, interrupts, exit. Each case shows the printed shape. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { assertShape, printShape, requestFor, shapeFor, shapeOf, skill } from './shapes.ts';

const reasonsFor = (text: string, subject: string, said: Parameters<typeof requestFor>[2] = {}): string[] =>
  shapeFor(requestFor({ 't.skill.md': text }, 't.skill.md', said))
    .decisions.filter((decision) => decision.subject === subject)
    .map(({ name, taken, reason }) => `${name} ${taken ? 'taken' : 'not taken'}: ${reason}`);

const two = 'input_schema: {}\ntools: [read_page, write_candidate]';

test('a skill without stages has one loop of `plan` and `call_tools`', () => {
  assertShape(
    skill('t', two),
    `
    validate_input -> plan
    plan -> call_tools
    call_tools -> plan [loop]
    plan -> check_exit
    tools: read_page, write_candidate
    exit: caller`,
  );
});

test('a skill without tools has only a `plan`', () => {
  assertShape(
    skill('t', 'input_schema: {}'),
    `
    validate_input -> plan
    plan -> check_exit
    tools: none
    exit: caller`,
  );
});

test('an approach without stages becomes the guidance of the plan, not part of the prompt', () => {
  assertShape(
    skill('t', 'input_schema: {}', '## Approach\n\nSlowly does it.\n'),
    `
    validate_input -> plan
    plan -> check_exit
    plan: guided by "Slowly does it."
    tools: none
    exit: caller`,
  );
});

const stages = '## Approach\n\n1. **Read** with #tool:read_page.\n2. **Think** at length.\n';

test('each item of an ordered list becomes a stage with a loop, instructions and the referenced tools', () => {
  assertShape(
    skill('t', two, stages),
    `
    validate_input -> plan_1
    plan_1 -> call_tools_1
    call_tools_1 -> plan_1 [loop]
    plan_1 -> plan_2
    plan_2 -> call_tools_2
    call_tools_2 -> plan_2 [loop]
    plan_2 -> check_exit
    plan_1: says "**Read** with #tool:read_page."
    call_tools_1: calls read_page
    plan_2: says "**Think** at length."
    tools: read_page, write_candidate
    exit: caller`,
  );
});

test('prose around a list belongs to the first stage or the exit, and prose in a list to the stage above', () => {
  const around =
    '## Approach\n\nGo slowly.\n\n1. Read.\n\nMark what you doubt.\n\n2. Think.\n\nLeave no question open.\n';
  assertShape(
    skill('t', 'input_schema: {}', around),
    `
    validate_input -> plan_1
    plan_1 -> plan_2
    plan_2 -> check_exit
    plan_1: says "Go slowly.\n\nRead.\n\nMark what you doubt."
    plan_2: says "Think."
    check_exit: says "Leave no question open."
    tools: none
    exit: caller`.replaceAll('\n\n', '\n    \n    '),
  );
});

test('every node that may call a tool contains the constraints of the tool', () => {
  const head =
    'input_schema: {}\ntools: [{name: read_page, constraints: {properties: {slug: {maxLength: 9}}}}, {name: write_candidate, constraints: {required: [body]}}, search_pages]';
  const { nodes } = shapeOf({ 't.skill.md': skill('t', head, stages) }, 't.skill.md');
  const reading = { read_page: { properties: { slug: { maxLength: 9 } } } };
  assert.deepEqual(
    nodes.filter(({ kind }) => kind === 'call_tools').map(({ constraints }) => constraints),
    [reading, { ...reading, write_candidate: { required: ['body'] } }],
  );
  const plain = shapeOf({ 't.skill.md': skill('t', two) }, 't.skill.md');
  assert.ok(plain.nodes.every((node) => !('constraints' in node)));
});

test('a plan has the name of its stage and the location of the list item', () => {
  const text = skill('t', two, stages);
  const { shape } = shapeFor(requestFor({ 't.skill.md': text }, 't.skill.md'));
  const plans = shape.nodes.filter(({ kind }) => kind === 'plan');
  assert.deepEqual(
    plans.map(({ label, stage }) => [label, stage]),
    [
      ['Read', { index: 1, name: 'Read' }],
      ['Think', { index: 2, name: 'Think' }],
    ],
  );
  const [first] = plans;
  assert.equal(text.slice(first?.span.start, first?.span.end), '1. **Read** with #tool:read_page.');
});

test('a shape that is delegated to the planner uses the default loop', () => {
  assertShape(
    skill('t', 'input_schema: {}\nplanner_delegates_shape: true', '## Approach\n\n1. Read.\n2. Think.\n'),
    `
    validate_input -> plan
    plan -> check_exit
    plan: guided by "1. Read.\n    2. Think."
    tools: none
    exit: caller, delegated`,
  );
});

test('the caller limits the tools of the skill', () => {
  const text = skill(
    't',
    'input_schema: {}\ntools: [read_page, {name: write_candidate, optional: true}]',
    '## Approach\n\n1. Write with #tool:write_candidate.\n',
  );
  assertShape(
    text,
    `
    validate_input -> plan
    plan -> check_exit
    tools: read_page
    exit: caller`,
    { profile: 'reader' },
  );
});

test('the skill and the caller limit the tools of a request', () => {
  const request = requestFor({ 't.skill.md': skill('t', 'input_schema: {}\ntools: [read_page]') }, 't.skill.md', {
    profile: 'reader',
  });
  const wider = [
    ...request.availableTools,
    ...request.availableTools.map((tool) => ({ ...tool, name: 'write_candidate' })),
  ];
  assert.deepEqual(shapeFor({ ...request, availableTools: wider }).shape.toolAvailability, ['read_page']);
  const blind = { ...request.callerCapabilities, tools: [] };
  assert.deepEqual(shapeFor({ ...request, callerCapabilities: blind }).shape.toolAvailability, []);
});

const choosing = (tools: string): string =>
  skill(
    't',
    'input_schema: {deep: boolean}\ntools: [read_page, search_pages, {name: write_candidate, optional: true}]',
    `## Approach: shallow\n\`\`\`yaml artifact\ninclude_when: not deep\ntools: ${tools}\n\`\`\`\n\nSkim.\n\n## Approach: deep\n\nDive.\n`,
  );

test('uses the tools of the first approach whose condition is true', () => {
  assertShape(
    choosing('[search_pages]'),
    `
    validate_input -> plan
    plan -> call_tools
    call_tools -> plan [loop]
    plan -> check_exit
    plan: guided by "Skim."
    tools: search_pages
    exit: caller`,
    { parameters: { deep: false } },
  );
  assert.deepEqual(reasonsFor(choosing('[search_pages]'), 'tool', { parameters: { deep: false } }), [
    'read_page not taken: the approach shallow does not need it',
    'write_candidate not taken: the approach shallow does not need it',
  ]);
  const { shape } = shapeFor(
    requestFor({ 't.skill.md': choosing('[search_pages]') }, 't.skill.md', { parameters: { deep: true } }),
  );
  assert.deepEqual(shape.toolAvailability, ['read_page', 'search_pages', 'write_candidate']);
});

test('reports a missing tool of an approach as `UnknownTool`, unless the tool is optional', () => {
  const text = choosing('[search_pages, read_pages]');
  const { errors } = shapeFor(requestFor({ 't.skill.md': text }, 't.skill.md', { parameters: { deep: false } }));
  assert.deepEqual(
    errors.map(({ kind, message, span }) => [kind, message, text.slice(span.start, span.end)]),
    [['UnknownTool', 'The approach `shallow` needs the tool `read_pages`, which is not available here.', 'read_pages']],
  );
  const optional = requestFor({ 't.skill.md': choosing('[write_candidate]') }, 't.skill.md', {
    profile: 'reader',
    parameters: { deep: false },
  });
  assert.deepEqual(shapeFor(optional).errors, []);
});

test('attaches interrupts with their conditions to the nodes that fire them', () => {
  const text = skill(
    't',
    `${two}\ninterrupts:\n  - {name: on_ambiguous_input, when: scope == "channel"}\n  - before_stage\n  - before_write\n  - before_exit`,
    '## Approach\n\n1. Read with #tool:read_page.\n2. Write with #tool:write_candidate.\n',
  );
  const { shape } = shapeFor(requestFor({ 't.skill.md': text }, 't.skill.md'));
  assert.deepEqual(
    printShape(shape)
      .split('\n')
      .filter((line) => line.includes('!')),
    [
      'validate_input ! on_ambiguous_input when scope == "channel"',
      'plan_1 ! before_stage',
      'plan_2 ! before_stage',
      'call_tools_2 ! before_write (write_candidate)',
      'check_exit ! before_exit',
    ],
  );
  assert.deepEqual(shape.nodes.find(({ id }) => id === 'plan_2')?.interrupts, ['before_stage']);
});

test('a decision reports why no node fires an interrupt', () => {
  const text = skill(
    't',
    'input_schema: {}\ntools: [read_page]\ninterrupts: [before_stage, before_write, on_full_moon]',
  );
  assert.deepEqual(reasonsFor(text, 'interrupt'), [
    'before_stage not taken: the chosen approach has no stages',
    'before_write not taken: no tool with the operation WRITE may be called',
    'on_full_moon not taken: neither the format nor the catalog defines it',
  ]);
  assert.deepEqual(reasonsFor(skill('t', 'input_schema: {}\ninterrupts: [on_tool_error]'), 'interrupt'), [
    'on_tool_error not taken: no tool may be called here',
  ]);
});

test('the contract defines the exit, and the invocation may limit it', () => {
  const exitOf = (frontmatter: string, maxToolCalls?: number): string | undefined =>
    printShape(
      shapeFor(
        requestFor(
          { 't.skill.md': skill('t', frontmatter) },
          't.skill.md',
          maxToolCalls === undefined ? {} : { maxToolCalls },
        ),
      ).shape,
    )
      .split('\n')
      .at(-1);
  const budget = 'input_schema: {}\nexit: {on: tool_budget, max_tool_calls: 5}';
  assert.equal(exitOf(budget), 'exit: tool_budget, at most 5 calls');
  assert.equal(exitOf(budget, 3), 'exit: tool_budget, at most 3 calls');
  assert.equal(exitOf(budget, 9), 'exit: tool_budget, at most 5 calls');
  assert.equal(exitOf('input_schema: {}\noutput_schema: {n: integer}', 4), 'exit: output_schema, at most 4 calls');
  assert.equal(exitOf('input_schema: {}\nexit: {on: output_schema}'), 'exit: caller');
});

test("`plan` and `call_tools` use the retry and the timeout of the skill's policy", () => {
  assertShape(
    skill(
      't',
      'input_schema: {}\ntools: [read_page]\npolicy: {idempotent: true, timeout_ms: 900, retry: {attempts: 2}}',
    ),
    `
    validate_input -> plan
    plan -> call_tools
    call_tools -> plan [loop]
    plan -> check_exit
    plan: tries 3 times; within 900 ms
    call_tools: tries 3 times; within 900 ms
    tools: read_page
    exit: caller`,
  );
});

test('a contract with a backing service calls the service without a model', () => {
  assertShape(
    'name: t\nversion: 1.0.0\ndescription: Serves.\ninput_schema: {}\nbacking_service: {endpoint: "x:1"}\npolicy: {timeout_ms: 50}\n',
    `
    validate_input -> call_service
    call_service -> check_exit
    call_service: within 50 ms
    tools: none
    exit: caller`,
    {},
    't.skill.yaml',
  );
});

test('the node of a service contains the scope of its idempotency key', () => {
  const scope = '{chat: [user_id, session_id], alerts: [user_id, day]}';
  const text = `name: t\nversion: 1.0.0\ndescription: Serves.\ninput_schema: {}\nbacking_service: {endpoint: "x:1"}\npolicy: {idempotency_scope: ${scope}}\n`;
  const { shape } = shapeFor(requestFor({ 't.skill.yaml': text }, 't.skill.yaml'));
  assert.deepEqual(shape.nodes.find(({ kind }) => kind === 'call_service')?.service?.idempotencyScope, {
    chat: ['user_id', 'session_id'],
    alerts: ['user_id', 'day'],
  });
});

test('`validate_input` contains the input schema', () => {
  const { shape } = shapeFor(requestFor({ 't.skill.md': skill('t', 'input_schema: {n: integer}') }, 't.skill.md'));
  const [node] = shape.nodes;
  assert.deepEqual(node?.schema, { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
});
