/** The names that the format defines; catalogs may add other names (docs/format.md, sections 2 and 5). */

interface KnownInterrupt {
  readonly name: string;
  /** The graph node that fires the interrupt. */
  readonly node: string;
  readonly docs: string;
}

export const KNOWN_INTERRUPTS: readonly KnownInterrupt[] = [
  { name: 'on_ambiguous_input', node: 'validate_input', docs: 'The input has more than one meaning.' },
  { name: 'on_missing_input', node: 'validate_input', docs: 'A required input is missing.' },
  { name: 'before_stage', node: 'stage', docs: 'A stage is about to begin.' },
  { name: 'before_tool_call', node: 'call_tools', docs: 'A tool is about to be called.' },
  { name: 'before_write', node: 'call_tools', docs: 'A tool with the operation `WRITE` is about to be called.' },
  { name: 'on_tool_error', node: 'call_tools', docs: 'A tool failed.' },
  { name: 'on_budget_exhausted', node: 'plan', docs: 'The maximum number of tool calls is reached.' },
  { name: 'on_output_mismatch', node: 'check_exit', docs: 'The output does not match the output schema.' },
  { name: 'before_exit', node: 'check_exit', docs: 'The skill is about to end.' },
];

export const KNOWN_EFFECTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Query: 'Reads external data.',
    Mutate: 'Changes external data.',
    Network: 'Uses the network.',
    Fail: 'May fail.',
  }),
);

/** The kinds of errors with which composing fails (docs/composer.md, "Errors"). */
export const ERROR_KINDS = {
  MissingRequiredField: 'A required field is missing, or a schema or an exit is malformed.',
  InvalidComposition: 'A composed skill is unknown, or a step or a value of a composition is wrong.',
  ParameterMismatch: 'A parameter does not match the input schema.',
  UnknownTool: 'A required tool is not available.',
  CapabilityNarrowing: 'The skill requires tools, and the caller may use none of them.',
  MalformedTemplate: 'A template or a condition cannot be rendered.',
  ArtifactBudgetExceeded: 'The prompt is over the budget.',
} as const;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** A code with which a run itself fails. */
interface RunFailure {
  /** False if no retry repeats the failure. */
  readonly isRetried: boolean;
  readonly docs: string;
}

/** The codes with which a run itself fails (docs/subgraph.md, "Failures"). */
export const RUN_FAILURES: ReadonlyMap<string, RunFailure> = new Map(
  Object.entries({
    TIMEOUT: { isRetried: true, docs: 'An attempt took longer than its timeout.' },
    MODEL_FAILED: { isRetried: true, docs: 'The command of the model failed.' },
    OUTPUT_MISMATCH: { isRetried: true, docs: 'The output does not match the output schema.' },
    INPUT_MISMATCH: { isRetried: false, docs: 'The input does not match the input schema.' },
    CAPABILITY_DENIED: { isRetried: false, docs: 'A call is not allowed.' },
    CONDITION_FAILED: { isRetried: false, docs: 'A condition cannot be evaluated.' },
    DECLINED: { isRetried: false, docs: 'The answer to an interrupt was `false`.' },
    UNKNOWN_SKILL: { isRetried: false, docs: 'A skill has no subgraph.' },
    PROMPT_FAILED: { isRetried: false, docs: 'The prompt cannot be composed for the input.' },
  }),
);

/** The codes of a run that a retry may repeat. */
export const RETRIED_FAILURES: readonly string[] = [...RUN_FAILURES].flatMap(([code, { isRetried }]) =>
  isRetried ? [code] : [],
);

/** The tools that the authoring server also has with `--read-only`. */
export const AUTHORING_READERS: readonly string[] = [
  ...['list_skills', 'get_skill', 'check_skill', 'compose_skill', 'match_skill', 'test_skill'],
];

/** The tools that only invocations with the source `authoring` have (docs/composer.md). */
export const AUTHORING_TOOLS: readonly string[] = [
  ...AUTHORING_READERS,
  ...['create_skill', 'update_skill', 'add_artifact', 'update_artifact', 'remove_artifact', 'delete_skill'],
  'apply_fix',
];

/** A name that a template or a condition may use besides the skill's own parameters. */
export interface AmbientVariable {
  readonly name: string;
  readonly type: string;
  readonly docs: string;
}

/** The variables of every PromptTemplate in addition to the parameters (docs/format.md, section 5). */
export const TEMPLATE_VARIABLES: readonly AmbientVariable[] = [
  { name: 'parameters', type: 'object', docs: 'All parameters by name.' },
  { name: 'user_request', type: 'string', docs: "The user's request." },
  { name: 'scope', type: 'channel | workspace', docs: 'The scope of the invocation.' },
  { name: 'channel_id', type: 'string?', docs: 'The channel; none in workspace scope.' },
  {
    name: 'source',
    type: 'explicit | agent-selected | scheduled | authoring',
    docs: 'The origin of the invocation.',
  },
  { name: 'model', type: 'string?', docs: 'The model family.' },
  { name: 'memory', type: 'object[]', docs: 'Memory items, each with `id`, `tier` and `text`.' },
  { name: 'tools', type: 'object[]', docs: 'The tools that are available.' },
];

/** The variables of `include_when` in addition to the parameters (docs/format.md, section 5). */
export const CONDITION_VARIABLES: readonly AmbientVariable[] = TEMPLATE_VARIABLES.filter(({ name }) =>
  ['scope', 'source', 'model', 'parameters'].includes(name),
);
