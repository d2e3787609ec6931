/** The frontmatter keys of the `composer` and `contract` dialects (docs/format.md, sections 2, 4 and 6). */
import {
  amount,
  any,
  bool,
  condition,
  contexts,
  exitOn,
  newScope,
  positiveCount,
  prose,
  schema,
  text,
} from './common-shapes.ts';
import { compositionKeys, retry } from './composition-keys.ts';
import { policyKeys } from './policy-keys.ts';
import {
  either,
  type KeyTable,
  key,
  keysOf,
  listOf,
  mapOf,
  named,
  oneOf,
  recordOf,
  type Shape,
  withValues,
} from './shape.ts';
import { answers, expectation, routing, stubs } from './testing-keys.ts';

export const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const toolEntry: Shape = mapOf(
  '2',
  key('name', named('tool'), 'The name of the tool in the catalog.', { mandatory: true }),
  key('optional', bool, 'If true, the skill can be composed even if the caller does not have this tool.'),
  key('constraints', any, "A JSON Schema fragment that narrows the tool's input.", {
    offers: 'tool input',
    example: '{properties: {limit: {maximum: 20}}}',
  }),
);

const interruptEntry: Shape = mapOf(
  '5',
  key('name', named('interrupt'), 'A built-in interrupt, or an interrupt from the catalog.', { mandatory: true }),
  key(
    'when',
    condition,
    'The interrupt fires only if this is true. Inputs have their names, such as `tone`; references with `$` and outputs cannot be used.',
    {
      rule: 'invalid-condition',
      example: 'tone == "grim"',
      elsewhere: ['condition', 'if', 'only_if', 'only_when', 'include_when'],
    },
  ),
  key('message', prose, 'The question that the author is asked.', { section: '2' }),
);

const errorEntry: Shape = mapOf(
  '2',
  key('code', text, 'The error code that callers receive.', { mandatory: true, example: 'PAGE_NOT_FOUND' }),
  key('description', prose, 'The situation in which the error happens.'),
  key(
    'retry',
    oneOf({ never: 'A retry cannot help.', once: 'One retry.', backoff: 'Retries with growing pauses.' }),
    'Whether a caller may retry.',
  ),
  key('fallback', any, 'Replaces the result: a constant, a field, or a skill that runs instead.', {
    rule: 'invalid-policy',
    offers: 'fallback',
    example: 'en-US',
  }),
);

const usageExample: Shape = mapOf(
  '2',
  key('name', prose, 'The name of the example.', { mandatory: true }),
  key('input', any, 'The input; must match the input schema.', { rule: 'example-mismatch' }),
  key('output', any, 'The output; must match the output schema.', { rule: 'example-mismatch' }),
);

const surfaceEntry: Shape = mapOf(
  '2',
  key('name', named('surface'), 'The surface.', { mandatory: true }),
  key(
    'canary_percent',
    { kind: 'number', min: 0, max: 100 },
    'The percentage of calls that this version receives on this surface.',
  ),
);

const source = oneOf({
  system: 'Ships with the product.',
  user: 'Written in this workspace.',
  imported: 'Imported from another source.',
  marketplace: 'Reserved: marketplaces are not implemented.',
});

const invocationSource = oneOf({
  explicit: 'Invoked by name.',
  'agent-selected': 'Chosen by the planner.',
  scheduled: 'Started by a scheduled task.',
  authoring: 'Invoked in a conversation that edits skills.',
});

const memoryItem: Shape = withValues(
  mapOf(
    '2',
    key('id', text, 'The ID of the item.', { mandatory: true }),
    key('tier', text, 'The kind of memory, such as `thread` or `long-term`.', { mandatory: true }),
    key('text', prose, 'What is remembered.', { mandatory: true }),
  ),
);

const sample: Shape = withValues(
  mapOf(
    '2',
    key('request', prose, "The user's request.", { elsewhere: ['message', 'query', 'prompt', 'user_request'] }),
    key('parameters', recordOf(any), 'Values for the input schema.', {
      rule: 'invalid-sample',
      offers: 'sample values',
      elsewhere: ['params', 'arguments', 'args', 'input', 'inputs', 'values'],
    }),
    key('source', invocationSource, 'The origin of the invocation.'),
    key(
      'channel',
      named('channel'),
      'The conversation in which the skill is invoked, by its ID. Default: none; the skill is invoked in the workspace.',
    ),
    key('profile', named('profile'), 'The caller: a profile from the catalog.', { elsewhere: ['caller', 'user'] }),
    key('model', named('model'), 'The model family, which selects template variants.'),
    key('thread_id', text, 'The thread of the invocation; part of the invocation record.'),
    key('memory', listOf(memoryItem), 'What the caller remembers; templates read it as `memory`.', {
      example: '[{id: m1, tier: thread, text: The gate held.}]',
    }),
    key('expect', expectation, 'The expectations that tests check.', { elsewhere: ['expectations', 'assertions'] }),
    key('stubs', stubs, 'The results of tools and services when the sample is run.', {
      example: '{read_page: {returns: {text: The gate held.}}}',
    }),
    key('answers', answers, 'The answers to interrupts when the sample is run.', {
      offers: 'answers',
      example: '{before_write: true}',
    }),
  ),
);

const exit: Shape = mapOf(
  '2',
  key('on', exitOn, 'The condition that ends a run.', { mandatory: true }),
  key('max_tool_calls', positiveCount, 'The maximum number of tool calls, with `on: tool_budget`.', {
    with: ['on', 'tool_budget'],
  }),
  key('name', named('interrupt'), 'The interrupt that ends the run, with `on: interrupt`; one of `interrupts`.', {
    with: ['on', 'interrupt'],
  }),
);

const identity: KeyTable = keysOf(
  '2',
  key(
    'name',
    {
      kind: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: NAME_PATTERN,
      expected: 'lower-case words joined by single hyphens',
      offers: 'file name',
    },
    'The name by which other skills, people and planners refer to the skill. Unique in its scope, and equal to the file name without its suffix.',
    { mandatory: true, example: 'draft-scene-outline', rule: 'invalid-name' },
  ),
  key('id', text, 'A stable id; the default is the name. Without a `name`, it is also the name.'),
  key(
    'description',
    { kind: 'string', prose: true, minLength: 1, maxLength: 1024 },
    'The purpose of the skill, and when to use it.',
    {
      mandatory: true,
      example: 'Outlines a scene beat by beat. Use it before drafting.',
    },
  ),
  key('version', { kind: 'string', format: 'semver' }, "The skill's semantic version.", {
    mandatory: true,
    example: '1.0.0',
  }),
  key('title', prose, 'A display name, if it differs from the words in `name`.', { elsewhere: ['display_name'] }),
  key('author', text, 'The author of the skill.'),
  key('owner', text, 'The team or contact that is responsible for the skill.', {
    elsewhere: ['maintainer', 'maintainers'],
  }),
  key('license', { kind: 'string', format: 'spdx' }, 'An SPDX licence expression.', { example: 'MIT' }),
  key('tags', listOf(text), 'Search words.', { elsewhere: ['keywords'] }),
  key('source', source, 'The origin of the skill.'),
);

const matching: KeyTable = keysOf(
  '7',
  key('intent_patterns', listOf(prose), 'Requests that select the skill, for phase-1 matching.', {
    elsewhere: ['intents'],
  }),
  key('trigger_phrases', listOf(prose), 'Phrases that select the skill, for phase-1 matching.', {
    elsewhere: ['triggers'],
  }),
);

const access: KeyTable = keysOf(
  '2',
  key(
    'required_scopes',
    listOf({ ...newScope, domain: 'scope' }),
    'The permissions that a caller needs, each as `verb:resource`. A catalog lists the scopes of each role.',
    {
      example: '[read:pages, write:candidates]',
      elsewhere: ['scopes'],
    },
  ),
  key('allowed_roles', listOf(named('role')), 'The roles that may invoke the skill.', { elsewhere: ['roles'] }),
  key('allowed_contexts', listOf(contexts), 'The contexts in which the skill may be invoked.', {
    elsewhere: ['contexts'],
  }),
  key('tools', listOf(either(named('tool'), toolEntry)), 'The tools that the skill may call, if the caller has them.', {
    example: '[read_page]',
    elsewhere: ['allowed_tools', 'tool_surface'],
  }),
  key(
    'requires_tools',
    bool,
    'If true, composing fails if no tool is available. Default: true if `tools` has a required entry.',
  ),
);

const contract: KeyTable = keysOf(
  '2',
  key('input_schema', schema, 'The parameters, in shorthand or JSON Schema; `{}` for none.', {
    aliases: ['parameter_schema', 'input'],
    elsewhere: ['inputs', 'parameters', 'params', 'parameters_schema'],
    mandatory: true,
    example: '{scene_context: string, tone: [grim, wry]}',
    rule: 'invalid-schema',
    section: '3',
  }),
  key('output_schema', schema, 'The output, in shorthand or JSON Schema.', {
    aliases: ['output'],
    elsewhere: ['outputs', 'returns', 'result_schema'],
    example: '{outline: string}',
    rule: 'invalid-schema',
    section: '3',
  }),
  key('errors', listOf(errorEntry), 'The errors that a caller may see.'),
  key(
    'interrupts',
    listOf(either(named('interrupt'), interruptEntry)),
    'Points where the skill may pause and ask the author.',
    { example: '[on_ambiguous_input]', section: '5' },
  ),
  key(
    'progress',
    mapOf(
      '2',
      key('steps', listOf(prose), 'The names of the steps.'),
      key('unit', text, 'The unit that is counted.'),
      key('total', either(amount, text), 'The total number of units.'),
    ),
    'The progress that the skill reports while it runs: `steps`, or `unit` and `total`.',
  ),
  key(
    'exit',
    exit,
    'The condition that ends a run. Default: `output_schema` if the skill declares one, otherwise `caller`.',
    {
      example: '{on: output_schema}',
    },
  ),
  key(
    'framing',
    named('template'),
    'The PromptTemplate that renders the framing, the text at the start of the prompt. Without it, the framing is the prose of the body, unchanged.',
    { elsewhere: ['template', 'prompt_template'] },
  ),
  key(
    'model_preference',
    either(named('model'), listOf(named('model'))),
    'The model that the skill is written for, or several in order of preference; also selects template variants.',
    { example: '[anthropic, openai]', elsewhere: ['models', 'preferred_model'] },
  ),
  key('planner_delegates_shape', bool, 'Allows a model to choose the shape of the subgraph.'),
  key('samples', recordOf(sample), 'Named sample invocations for the preview, the command line and tests.', {
    elsewhere: ['sample_invocations', 'invocations'],
  }),
  key('routing', routing, 'Requests that should, or should not, select the skill.'),
  key('retry', retry, 'How often and when a failed run is retried. The `retry` of a step takes precedence.', {
    example: '{max_attempts: 3, backoff: exponential, retry_on: [BUSY]}',
    rule: 'invalid-policy',
  }),
  key('examples', listOf(usageExample), 'Usage examples for the planner, validated with the schemas.', {
    example: '[{name: one door, input: {building: mill}, output: {doors: [front]}}]',
  }),
  key(
    'surfaces',
    listOf(either(named('surface'), surfaceEntry)),
    'The products or interfaces that offer this version of the skill. Default: all.',
    {
      example: '[voice, {name: web, canary_percent: 5}]',
    },
  ),
);

/** Every key of a skill's frontmatter, in the order in which the formatter writes them. */
export const skillKeys: KeyTable = [
  ...identity,
  ...matching,
  ...access,
  ...contract,
  ...compositionKeys,
  ...policyKeys,
];
