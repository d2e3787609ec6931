/** The frontmatter keys of the `composer` and `contract` dialects (docs/format.md, sections 2, 4 and 6). */
import {
  amount,
  any,
  bool,
  condition,
  contexts,
  newScope,
  positiveCount,
  prose,
  schema,
  text,
} from './common-shapes.ts';
import { compositionKeys, retry } from './composition-keys.ts';
import { policyKeys } from './policy-keys.ts';
import { either, type KeyTable, key, keysOf, listOf, mapOf, named, oneOf, recordOf, type Shape } from './shape.ts';
import { expectation, routing, stubs } from './testing-keys.ts';

export const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const toolEntry: Shape = mapOf(
  '2',
  key('name', named('tool'), 'The tool, as the catalog calls it.', { mandatory: true }),
  key('optional', bool, 'Composing goes on without this tool when the caller does not hold it.'),
  key('constraints', any, "A JSON Schema fragment that narrows the tool's input.", {
    offers: 'tool input',
    example: '{properties: {limit: {maximum: 20}}}',
  }),
);

const interruptEntry: Shape = mapOf(
  '5',
  key('name', named('interrupt'), 'An interrupt that the composer or the catalog knows.', { mandatory: true }),
  key('when', condition, 'An expression that narrows when the interrupt fires.', {
    rule: 'invalid-condition',
    example: 'tone == "grim"',
  }),
  key('message', prose, 'What the author is asked.', { section: '2' }),
);

const errorEntry: Shape = mapOf(
  '2',
  key('code', text, 'The name that callers handle the error by.', { mandatory: true, example: 'PAGE_NOT_FOUND' }),
  key('description', prose, 'When the error happens.'),
  key(
    'retry',
    oneOf({ never: 'A retry cannot help.', once: 'One more try.', backoff: 'Try again with growing pauses.' }),
    'Whether a caller may try again.',
  ),
  key('fallback', any, 'What takes the place of the result: a constant, a field, or a skill that is asked instead.', {
    rule: 'invalid-policy',
    example: 'en-US',
  }),
);

const usageExample: Shape = mapOf(
  '2',
  key('name', prose, 'What the example shows.', { mandatory: true }),
  key('input', any, 'What is passed; fits the input schema.', { rule: 'example-mismatch' }),
  key('output', any, 'What comes back; fits the output schema.', { rule: 'example-mismatch' }),
);

const surfaceEntry: Shape = mapOf(
  '2',
  key('name', named('surface'), 'The surface.', { mandatory: true }),
  key('canary_percent', { kind: 'number', min: 0, max: 100 }, 'The share of calls that this version gets there.'),
);

const source = oneOf({
  system: 'Ships with the product.',
  user: 'Written in this workspace.',
  imported: 'Taken over from elsewhere.',
  marketplace: 'Reserved: marketplaces are not implemented.',
});

const invocationSource = oneOf({
  explicit: 'Asked for by name.',
  'agent-selected': 'Chosen by the planner.',
  scheduled: 'Started by a scheduled task.',
  authoring: 'A conversation that edits skills.',
});

const sample: Shape = mapOf(
  '2',
  key('request', prose, "The user's words."),
  key('parameters', recordOf(any), 'Values for the input schema.', { rule: 'invalid-sample', offers: 'sample values' }),
  key('source', invocationSource, 'Where the invocation comes from.'),
  key('channel', named('channel'), 'The channel; without it the workspace.'),
  key('profile', named('profile'), 'The caller, a profile of the catalog.'),
  key('model', named('model'), 'The model family, which chooses template variants.'),
  key('thread_id', text, 'The thread that the invocation belongs to; the invocation record carries it.'),
  key('expect', expectation, 'What the sample is tested for.'),
  key('stubs', stubs, 'What tools give back when the sample is run with a model.', {
    example: '{read_page: {returns: {text: The gate held.}}}',
  }),
);

const exit: Shape = mapOf(
  '2',
  key(
    'on',
    oneOf({
      output_schema: 'An output that the output schema accepts.',
      tool_budget: 'The number of tool calls is used up.',
      interrupt: 'An interrupt has fired.',
      caller: 'The caller decides.',
    }),
    'What "done" means.',
    { mandatory: true },
  ),
  key('max_tool_calls', positiveCount, 'The bound for `tool_budget`.', { with: ['on', 'tool_budget'] }),
  key('name', named('interrupt'), 'The interrupt for `interrupt`, one of `interrupts`.', { with: ['on', 'interrupt'] }),
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
    },
    "What other skills, people and planners call the skill. Unique in its scope; equals the file's name without its suffix.",
    { mandatory: true, example: 'draft-scene-outline', rule: 'invalid-name' },
  ),
  key('id', text, 'A stable id; the name where absent.'),
  key(
    'description',
    { kind: 'string', prose: true, minLength: 1, maxLength: 1024 },
    'What the skill does and when to use it.',
    {
      mandatory: true,
      example: 'Outlines a scene beat by beat. Use it before drafting.',
    },
  ),
  key('version', { kind: 'string', format: 'semver' }, "The skill's semantic version.", {
    mandatory: true,
    example: '1.0.0',
  }),
  key('title', prose, 'A name for people, where it is not the name in words.'),
  key('author', text, 'Who wrote the skill.'),
  key('owner', text, 'The team or address that answers for the skill.'),
  key('license', { kind: 'string', format: 'spdx' }, 'An SPDX licence expression.', { example: 'MIT' }),
  key('tags', listOf(text), 'Words to find the skill by.'),
  key('source', source, 'Where the skill comes from.'),
);

const matching: KeyTable = keysOf(
  '7',
  key('intent_patterns', listOf(prose), 'Requests that the skill answers, for phase-1 matching.'),
  key('trigger_phrases', listOf(prose), 'Phrases that call the skill, for phase-1 matching.'),
);

const access: KeyTable = keysOf(
  '2',
  key('required_scopes', listOf({ ...newScope, domain: 'scope' }), 'The capability set that the skill needs.', {
    example: '[read:pages, write:candidates]',
  }),
  key('allowed_roles', listOf(named('role')), 'Who may invoke the skill.'),
  key('allowed_contexts', listOf(contexts), 'Where the skill may be invoked.'),
  key(
    'tools',
    listOf(either(named('tool'), toolEntry)),
    'The tool surface. The composer never goes beyond it, nor beyond what the caller holds.',
    { example: '[read_page]', elsewhere: ['allowed-tools'] },
  ),
  key(
    'requires_tools',
    bool,
    'When true, composing fails where no tool is available. Default: true if `tools` is not empty.',
  ),
);

const contract: KeyTable = keysOf(
  '2',
  key('input_schema', schema, 'The parameters, in shorthand or JSON Schema; `{}` where there is nothing to pass.', {
    aliases: ['parameter_schema', 'input'],
    mandatory: true,
    example: '{scene_context: string, tone: [grim, wry]}',
    rule: 'invalid-schema',
    section: '3',
  }),
  key('output_schema', schema, 'What comes back.', {
    aliases: ['output'],
    example: '{outline: string}',
    rule: 'invalid-schema',
    section: '3',
  }),
  key('errors', listOf(errorEntry), 'The error envelope.'),
  key(
    'interrupts',
    listOf(either(named('interrupt'), interruptEntry)),
    'Points where the skill may pause for its author.',
    { example: '[on_ambiguous_input]', section: '5' },
  ),
  key(
    'progress',
    mapOf(
      '2',
      key('steps', listOf(prose), 'The steps by name.'),
      key('unit', text, 'What is counted.'),
      key('total', either(amount, text), 'How many there are.'),
    ),
    'What the skill reports while it runs: `steps`, or `unit` and `total`.',
  ),
  key('exit', exit, 'What "done" means. Default: `output_schema` where one is declared, else `caller`.', {
    example: '{on: output_schema}',
  }),
  key(
    'framing',
    named('template'),
    "The PromptTemplate that renders the framing; without it the body's prose is taken literally.",
  ),
  key(
    'model_preference',
    either(named('model'), listOf(named('model'))),
    'The model that the skill was written for, or several in order of preference; chooses template variants, too.',
    { example: '[anthropic, openai]' },
  ),
  key('planner_delegates_shape', bool, "The one opt-in to letting a model choose the subgraph's shape."),
  key('samples', recordOf(sample), 'Named sample invocations for the preview, the command line and tests.'),
  key('routing', routing, 'Requests that the skill is, or is not, to be chosen for.'),
  key('retry', retry, 'How often and when a failed run is tried again. The `retry` of a step goes before it.', {
    example: '{max_attempts: 3, backoff: exponential, retry_on: [BUSY]}',
    rule: 'invalid-policy',
  }),
  key('examples', listOf(usageExample), 'How the skill is used, for the planner; held against the schemas.', {
    example: '[{name: one door, input: {building: mill}, output: {doors: [front]}}]',
  }),
  key('surfaces', listOf(either(named('surface'), surfaceEntry)), 'Where the skill is offered.', {
    example: '[voice, {name: web, canary_percent: 5}]',
  }),
);

/** Every key of a skill's frontmatter, mandatory ones first among their kind, in the order that the formatter writes. */
export const skillKeys: KeyTable = [
  ...identity,
  ...matching,
  ...access,
  ...contract,
  ...compositionKeys,
  ...policyKeys,
];
