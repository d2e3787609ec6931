/** The frontmatter keys of the `composer` and `contract` dialects (skill-format.md, sections 2, 4 and 6). */
import { policyKeys } from './policy-keys.ts';
import {
  any,
  bool,
  condition,
  count,
  either,
  type KeySpec,
  type KeyTable,
  listOf,
  mapOf,
  named,
  oneOf,
  recordOf,
  type Shape,
  schema,
  text,
} from './shape.ts';

export const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const toolEntry: Shape = mapOf(
  { name: 'name', shape: named('tool'), mandatory: true, docs: 'The tool, as the catalog calls it.', section: '2' },
  {
    name: 'optional',
    shape: bool,
    docs: 'Composing goes on without this tool when the caller does not hold it.',
    section: '2',
  },
  {
    name: 'constraints',
    shape: any,
    docs: "A JSON Schema fragment that narrows the tool's input.",
    section: '2',
    example: '{properties: {limit: {maximum: 20}}}',
  },
);

const interruptEntry: Shape = mapOf(
  {
    name: 'name',
    shape: named('interrupt'),
    mandatory: true,
    docs: 'An interrupt that the composer or the catalog knows.',
    section: '5',
  },
  {
    name: 'when',
    shape: condition,
    docs: 'An expression that narrows when the interrupt fires.',
    section: '5',
    rule: 'invalid-condition',
    example: 'tone == "grim"',
  },
  { name: 'message', shape: text, docs: 'What the author is asked.', section: '2' },
);

const errorEntry: Shape = mapOf(
  {
    name: 'code',
    shape: text,
    mandatory: true,
    docs: 'The name that callers handle the error by.',
    section: '2',
    example: 'PAGE_NOT_FOUND',
  },
  { name: 'description', shape: text, docs: 'When the error happens.', section: '2' },
  {
    name: 'retry',
    shape: oneOf({ never: 'A retry cannot help.', once: 'One more try.', backoff: 'Try again with growing pauses.' }),
    docs: 'Whether a caller may try again.',
    section: '2',
  },
);

const composesEntry: Shape = mapOf(
  { name: 'skill', shape: named('skill'), mandatory: true, docs: 'The composed skill.', section: '4' },
  { name: 'as', shape: text, docs: "The step's name, where one skill is composed twice.", section: '4' },
  {
    name: 'input_mapping',
    shape: recordOf(text),
    docs: "Where the step's inputs come from: the flow's name to its own name.",
    section: '4',
    example: '{id: user_id}',
  },
  {
    name: 'output_mapping',
    shape: recordOf(text),
    docs: "How the step's outputs enter the flow: its own name to the flow's name.",
    section: '4',
    example: '{user_id: id}',
  },
);

const requiresEntry: Shape = mapOf(
  { name: 'skill', shape: named('skill'), mandatory: true, docs: 'The skill that the range is about.', section: '4' },
  {
    name: 'version',
    shape: { kind: 'string', format: 'semver-range' },
    mandatory: true,
    docs: 'An npm-style version range.',
    section: '4',
    example: '^1.2.0',
  },
);

const retry: Shape = mapOf(
  { name: 'max_attempts', shape: count, docs: 'How often the step is tried in all.', section: '4' },
  { name: 'attempts', shape: count, docs: 'How often the step is tried again.', section: '4' },
  {
    name: 'backoff',
    shape: oneOf({
      none: 'No pause.',
      fixed: 'The same pause each time.',
      linear: 'A pause that grows evenly.',
      exponential: 'A pause that doubles.',
    }),
    docs: 'How the pause between tries grows.',
    section: '4',
  },
  { name: 'retry_on', shape: listOf(text), docs: 'The errors that a retry may mend.', section: '4' },
);

const stepKeys: readonly KeySpec[] = [
  {
    name: 'step',
    shape: named('step'),
    docs: 'An entry of `composes`, by its name or its `as`.',
    section: '4',
    rule: 'unknown-step',
  },
  {
    name: 'inputs',
    shape: recordOf(any),
    docs: 'Inputs by name; `$input.x` and `$step.output.x` are references.',
    section: '4',
    example: '{security: $analyze-security.output}',
  },
  {
    name: 'condition',
    shape: condition,
    docs: 'The step runs only where this holds.',
    section: '4',
    rule: 'invalid-condition',
    example: '$input.auto_post == true',
  },
  { name: 'retry', shape: retry, docs: 'How often and when the step is tried again.', section: '4' },
];

/** Steps hold steps; the table is a getter so that it may refer to itself. */
const steps: Shape = {
  kind: 'list',
  get items() {
    return executionStep;
  },
};

const branch: Shape = mapOf(
  {
    name: 'condition',
    shape: condition,
    mandatory: true,
    docs: 'The arm runs where this holds.',
    section: '4',
    rule: 'invalid-condition',
  },
  { name: 'steps', shape: steps, mandatory: true, docs: "The arm's steps, in order.", section: '4' },
);

const executionStep: Shape = mapOf(
  ...stepKeys,
  { name: 'parallel', shape: steps, docs: 'Steps that run side by side.', section: '4' },
  { name: 'when', shape: listOf(branch), docs: 'Arms, of which the first whose condition holds runs.', section: '4' },
  { name: 'else', shape: steps, docs: 'What runs when no arm of `when` does.', section: '4' },
  { name: 'speculate', shape: steps, docs: 'Steps that start early and are cancelled if not needed.', section: '4' },
  {
    name: 'until',
    shape: named('step'),
    docs: 'The step whose end decides the speculation.',
    section: '4',
    rule: 'unknown-step',
  },
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
  { name: 'request', shape: text, docs: "The user's words.", section: '2' },
  {
    name: 'parameters',
    shape: recordOf(any),
    docs: 'Values for the input schema.',
    section: '2',
    rule: 'invalid-sample',
  },
  { name: 'source', shape: invocationSource, docs: 'Where the invocation comes from.', section: '2' },
  { name: 'channel', shape: text, docs: 'The channel; without it the workspace.', section: '2' },
  { name: 'profile', shape: named('profile'), docs: 'The caller, a profile of the catalog.', section: '2' },
  { name: 'model', shape: named('model'), docs: 'The model family, which chooses template variants.', section: '2' },
);

const exit: Shape = mapOf(
  {
    name: 'on',
    shape: oneOf({
      output_schema: 'An output that the output schema accepts.',
      tool_budget: 'The number of tool calls is used up.',
      caller: 'The caller decides.',
    }),
    mandatory: true,
    docs: 'What "done" means.',
    section: '2',
  },
  {
    name: 'max_tool_calls',
    shape: { kind: 'number', integer: true, min: 1 },
    docs: 'The bound for `tool_budget`.',
    section: '2',
  },
);

const identity: KeyTable = [
  {
    name: 'name',
    shape: {
      kind: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: NAME_PATTERN,
      expected: 'lower-case words joined by single hyphens',
    },
    mandatory: true,
    docs: "What other skills, people and planners call the skill. Unique in its scope; equals the file's name without its suffix.",
    section: '2',
    example: 'draft-scene-outline',
    rule: 'invalid-name',
  },
  { name: 'id', shape: text, docs: 'A stable id; the name where absent.', section: '2' },
  {
    name: 'description',
    shape: { kind: 'string', minLength: 1, maxLength: 1024 },
    mandatory: true,
    docs: 'What the skill does and when to use it.',
    section: '2',
    example: 'Outlines a scene beat by beat. Use it before drafting.',
  },
  {
    name: 'version',
    shape: { kind: 'string', format: 'semver' },
    mandatory: true,
    docs: "The skill's semantic version.",
    section: '2',
    example: '1.0.0',
  },
  { name: 'author', shape: text, docs: 'Who wrote the skill.', section: '2' },
  { name: 'owner', shape: text, docs: 'The team or address that answers for the skill.', section: '2' },
  {
    name: 'license',
    shape: { kind: 'string', format: 'spdx' },
    docs: 'An SPDX licence expression.',
    section: '2',
    example: 'MIT',
  },
  { name: 'tags', shape: listOf(text), docs: 'Words to find the skill by.', section: '2' },
  { name: 'source', shape: source, docs: 'Where the skill comes from.', section: '2' },
];

const matching: KeyTable = [
  {
    name: 'intent_patterns',
    shape: listOf(text),
    docs: 'Requests that the skill answers, for phase-1 matching.',
    section: '7',
  },
  {
    name: 'trigger_phrases',
    shape: listOf(text),
    docs: 'Phrases that call the skill, for phase-1 matching.',
    section: '7',
  },
];

const access: KeyTable = [
  {
    name: 'required_scopes',
    shape: listOf({
      kind: 'string',
      domain: 'scope',
      pattern: /^[^\s:]+:[^\s:]+(:[^\s:]+)*$/,
      expected: '`verb:resource`, such as `read:pages`',
    }),
    docs: 'The capability set that the skill needs.',
    section: '2',
    example: '[read:pages, write:candidates]',
  },
  { name: 'allowed_roles', shape: listOf(named('role')), docs: 'Who may invoke the skill.', section: '2' },
  {
    name: 'allowed_contexts',
    shape: listOf(
      oneOf({
        channel: 'A conversation.',
        workspace: 'No channel.',
        scheduled: 'A scheduled task.',
        autonomous: 'An agent on its own.',
      }),
    ),
    docs: 'Where the skill may be invoked.',
    section: '2',
  },
  {
    name: 'tools',
    shape: listOf(either(named('tool'), toolEntry)),
    docs: 'The tool surface. The composer never goes beyond it, nor beyond what the caller holds.',
    section: '2',
    example: '[read_page]',
  },
  {
    name: 'requires_tools',
    shape: bool,
    docs: 'When true, composing fails where no tool is available. Default: true if `tools` is not empty.',
    section: '2',
  },
];

const contract: KeyTable = [
  {
    name: 'input_schema',
    aliases: ['parameter_schema', 'input'],
    shape: schema,
    mandatory: true,
    docs: 'The parameters, in shorthand or JSON Schema; `{}` where there is nothing to pass.',
    section: '3',
    example: '{scene_context: string, tone: [grim, wry]}',
    rule: 'invalid-schema',
  },
  {
    name: 'output_schema',
    aliases: ['output'],
    shape: schema,
    docs: 'What comes back.',
    section: '3',
    example: '{outline: string}',
    rule: 'invalid-schema',
  },
  { name: 'errors', shape: listOf(errorEntry), docs: 'The error envelope.', section: '2' },
  {
    name: 'interrupts',
    shape: listOf(either(named('interrupt'), interruptEntry)),
    docs: 'Points where the skill may pause for its author.',
    section: '5',
    example: '[on_ambiguous_input]',
  },
  {
    name: 'progress',
    shape: mapOf(
      { name: 'steps', shape: listOf(text), docs: 'The steps by name.', section: '2' },
      { name: 'unit', shape: text, docs: 'What is counted.', section: '2' },
      { name: 'total', shape: either({ kind: 'number', min: 0 }, text), docs: 'How many there are.', section: '2' },
    ),
    docs: 'What the skill reports while it runs: `steps`, or `unit` and `total`.',
    section: '2',
  },
  {
    name: 'exit',
    shape: exit,
    docs: 'What "done" means. Default: `output_schema` where one is declared, else `caller`.',
    section: '2',
    example: '{on: output_schema}',
  },
  {
    name: 'framing',
    shape: named('template'),
    docs: "The PromptTemplate that renders the framing; without it the body's prose is taken literally.",
    section: '2',
  },
  { name: 'model_preference', shape: text, docs: 'The preferred model; carried through.', section: '2' },
  {
    name: 'planner_delegates_shape',
    shape: bool,
    docs: "The one opt-in to letting a model choose the subgraph's shape.",
    section: '2',
  },
  {
    name: 'samples',
    shape: recordOf(sample),
    docs: 'Named sample invocations for the preview, the command line and tests.',
    section: '2',
  },
];

const composition: KeyTable = [
  {
    name: 'level',
    shape: {
      kind: 'choice',
      choices: [
        { value: 1, docs: 'Atomic: composes nothing.' },
        { value: 2, docs: 'Composite: composes level 1.' },
        { value: 3, docs: 'Workflow: composes levels 1 and 2.' },
      ],
    },
    docs: 'The level in the composition graph.',
    section: '4',
    rule: 'invalid-level',
  },
  {
    name: 'composes',
    shape: listOf(either(named('skill'), composesEntry)),
    docs: 'Sub-skills, in the order in which they run without an `execution`.',
    section: '4',
  },
  {
    name: 'requires',
    shape: listOf(requiresEntry),
    docs: 'Version ranges of other skills.',
    section: '4',
    example: '[{skill: user-lookup, version: "^1.2.0"}]',
  },
  { name: 'execution', shape: steps, docs: 'The order: steps, parallel groups, branches, speculation.', section: '4' },
  {
    name: 'effects',
    shape: listOf(named('effect')),
    docs: 'What running the skill may do: `Query`, `Mutate`, `Network`, `Fail`, or an effect of the workspace.',
    section: '4',
    example: '[Query]',
  },
  {
    name: 'operation',
    shape: oneOf({
      TRANSFORM: 'Works on what it is given.',
      READ: 'Reads from outside.',
      WRITE: 'Changes something outside.',
    }),
    docs: 'The severest thing that the skill does.',
    section: '4',
  },
  {
    name: 'deprecated',
    shape: either(
      bool,
      mapOf(
        {
          name: 'since',
          shape: either(text, { kind: 'number' }),
          docs: 'The version or date since when.',
          section: '4',
        },
        { name: 'sunset', shape: text, docs: 'The date when it goes.', section: '4' },
        { name: 'use', shape: named('skill'), docs: 'The successor.', section: '4' },
      ),
    ),
    docs: 'Marks the skill as going away; name the successor in `use`.',
    section: '2',
  },
];

/** Every key of a skill's frontmatter, mandatory ones first among their kind, in the order that the formatter writes. */
export const skillKeys: KeyTable = [...identity, ...matching, ...access, ...contract, ...composition, ...policyKeys];
