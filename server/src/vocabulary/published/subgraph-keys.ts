/** The keys of a subgraph, as `compose --format json` prints it (docs/subgraph.md). */
import { any, backoff, bool, count, filled, positiveCount, prose, text } from '../common-shapes.ts';
import {
  either,
  type KeyDraft,
  type KeyTable,
  key,
  keysOf,
  listOf,
  mapOf,
  oneOf,
  recordOf,
  type Shape,
} from '../shape.ts';
import { range } from './generated-keys.ts';

const SECTION = 'Schemas';

const required = { mandatory: true };
const names = listOf(filled);
const id: Shape = { kind: 'string', pattern: /^[A-Za-z0-9_]+$/, expected: 'letters, digits and `_`' };

const place: readonly KeyDraft[] = [
  key('file', text, 'The file that declares it, relative to the working folder, with `/`.', required),
  key('range', range, 'The location in the file.', required),
];

// The nodes, with one map for each kind.

const schemaOf = (value: string): KeyDraft => key('schema', any, `The JSON Schema of the ${value}.`);
const timeout = key(
  'timeoutMs',
  { kind: 'number', positive: true },
  'The maximum time of an attempt, in milliseconds.',
);
const retries = mapOf(
  SECTION,
  key('maxAttempts', positiveCount, 'The number of attempts, including the first.', required),
  key('backoff', backoff, 'The pause before the next attempt; without it, there is no pause.'),
  key('retryOn', listOf(text), 'The codes of the errors that are retried; empty for all errors.', required),
);
const retry = key('retry', retries, 'How often a failure is retried; without it, a failure ends the run.');
const stageOfNode = mapOf(
  SECTION,
  key('index', positiveCount, 'The position of the stage, counted from 1.', required),
  key('name', text, 'The name of the stage.', required),
);
const stage = key('stage', stageOfNode, 'The stage of the approach to which the node belongs.');
const join = key('join', id, 'The node that waits for all arms of the group.', required);

const nodeOf = (kind: string, meaning: string, ...own: readonly KeyDraft[]): Shape =>
  mapOf(
    SECTION,
    key('id', id, 'The name of the node, unique in its graph.', required),
    key('kind', oneOf({ [kind]: meaning }), 'The kind of the node.', required),
    key('label', text, 'The name of the node for people.', required),
    ...own,
    key('interrupts', names, 'The names of the interrupts that fire at this node.', required),
    ...place,
  );

const composedSkill = mapOf(
  SECTION,
  key('name', text, 'The name of the skill.', required),
  key('step', text, 'The name by which references refer to the step.', required),
  key('version', text, 'The version of the skill.'),
  key('inputMapping', recordOf(text), 'The inputs of the skill, by the names in the flow.', required),
  key('outputMapping', recordOf(text), 'The names in the flow, by the outputs of the skill.', required),
  key('inputs', any, 'The inputs of the step by name: constants, and text with references.'),
);

const service = mapOf(
  SECTION,
  key('endpoint', text, 'The address of the service.'),
  key('healthCheck', text, 'The address of its health check.'),
  key('idempotent', bool, 'True if a repeated call does no harm.'),
  key('idempotencyKey', text, 'The key of a call, with inputs in braces.'),
  key('idempotencyScope', any, 'What is added to the key: a list of names, or one for each surface.'),
  key('rateLimit', any, 'The limits of calls, by their unit.'),
  key('circuitBreaker', any, 'When calls are stopped, and for how long.'),
);

/** The graph of a composed skill. Graphs contain graphs, so the getter refers to keys that are defined below. */
const nested: Shape = {
  kind: 'map',
  get keys() {
    return subgraphKeys;
  },
};

const node = either(
  nodeOf('validate_input', 'Validates the input. The only first node.', schemaOf('input')),
  nodeOf(
    'plan',
    'Asks the model for a tool call or an output.',
    stage,
    key('instructions', prose, 'The text of the stage.'),
    key('guidance', prose, 'The text of an approach without stages.'),
    retry,
    timeout,
  ),
  nodeOf(
    'call_tools',
    'Calls the tool that the model wants.',
    stage,
    key('tools', names, 'The tools that may be called here, a subset of `toolAvailability`.', required),
    key('constraints', recordOf(any), 'JSON Schemas that narrow the input of a tool, by its name.'),
    retry,
    timeout,
  ),
  nodeOf(
    'skill',
    'Runs a composed skill.',
    key('skill', composedSkill, 'The composed skill and its step.', required),
    key('subgraph', nested, 'The graph of the skill; without it, the skill cannot be run.'),
    retry,
    timeout,
  ),
  nodeOf(
    'call_service',
    'Calls the backing service of a contract.',
    key('service', service, 'The service, and the limits of its calls.', required),
    retry,
    timeout,
  ),
  nodeOf('parallel', 'Starts all arms of a group.', join),
  nodeOf(
    'speculate',
    'Starts all arms of a group, of which some may be cancelled.',
    join,
    key('until', id, 'The node that decides which arms are cancelled.'),
  ),
  nodeOf('join', 'Waits for all arms of a group.'),
  nodeOf('branch', 'Continues along one of its edges.'),
  nodeOf(
    'check_exit',
    'Checks the exit condition. The only last node.',
    schemaOf('output'),
    key('instructions', prose, 'The text of the approach after its last stage.'),
  ),
);

const edgeOf = (kinds: Readonly<Record<string, string>>, ...own: readonly KeyDraft[]): Shape =>
  mapOf(
    SECTION,
    key('from', id, 'The node at the start.', required),
    key('to', id, 'The node at the end.', required),
    key('kind', oneOf(kinds), 'The kind of the edge.', required),
    ...own,
    key('label', text, 'The meaning of the edge for people.'),
  );

const edge = either(
  edgeOf({ next: 'Is followed when `from` has ended.', loop: 'Leads back to `plan`.' }),
  edgeOf(
    { branch: 'Is one of several edges of which one is followed.' },
    key('condition', text, 'The edge is followed if this is true; without it, if no condition is true.'),
    key('untaken', bool, 'True if the input rules the edge out.'),
  ),
  edgeOf(
    { cancel: 'Is not followed. When `from` has ended, `to` is cancelled.' },
    key('unless', text, 'The condition under which `to` is kept.', required),
  ),
);

const interrupt = mapOf(
  SECTION,
  key('name', filled, 'The name of the interrupt.', required),
  key('node', id, 'The node that fires it.', required),
  key('when', text, 'The interrupt fires only if this condition is true.'),
  key('message', prose, 'The question to the user.'),
  key('tools', names, 'For `before_write`: the tools whose calls fire the interrupt.'),
  ...place,
);

const fallback = either(
  mapOf(SECTION, key('value', any, 'The result.', required)),
  mapOf(SECTION, key('mapping', any, 'The result, with references to the inputs.', required)),
  mapOf(
    SECTION,
    key(
      'skill',
      mapOf(
        SECTION,
        key('name', text, 'The name of the skill.', required),
        key('version', text, 'The version of the skill.'),
      ),
      'The skill that runs with the inputs of the failed one.',
      required,
    ),
    key('subgraph', nested, 'The graph of the skill; without it, the skill cannot be run.'),
  ),
);

const graphError = mapOf(
  SECTION,
  key('code', filled, 'The code of the failure.', required),
  key(
    'retry',
    oneOf({ never: 'Is not retried.', once: 'Is retried at most once.', backoff: 'Is retried as the node says.' }),
    'Whether a failure with this code is retried.',
  ),
  key('fallback', fallback, 'Replaces the result after a failure with this code.'),
);

const maxToolCalls = key('maxToolCalls', count, 'The maximum number of tool calls.');

const exitOf = (on: string, meaning: string, ...own: readonly KeyDraft[]): Shape =>
  mapOf(SECTION, key('on', oneOf({ [on]: meaning }), 'The kind of the exit condition.', required), ...own);

const exitCondition = either(
  exitOf(
    'output_schema',
    'The output matches a schema.',
    key('schema', any, 'The JSON Schema.', required),
    maxToolCalls,
  ),
  exitOf('tool_budget', 'The tool calls are used up.', { ...maxToolCalls, ...required }),
  exitOf('interrupt', 'The interrupt fires.', key('name', filled, 'The interrupt.', required), maxToolCalls),
  exitOf('caller', 'The caller decides.', maxToolCalls),
);

export const subgraphKeys: KeyTable = keysOf(
  SECTION,
  key('nodes', listOf(node), 'The nodes, each after the nodes that lead to it.', required),
  key('edges', listOf(edge), 'The edges. The edges of a branch are in the order of its arms.', required),
  key('toolAvailability', names, 'The tools that may be called in this graph.', required),
  key('interrupts', listOf(interrupt), 'The interrupts, once for each node that fires them.', required),
  key('errors', listOf(graphError), 'The errors that a caller of the graph may see.'),
  key('exitCondition', exitCondition, 'The condition under which the run has succeeded.', required),
  key('delegated', bool, 'True if a model may choose another structure.', required),
);

/** The names of shapes that have their own definition in the schema. */
export const subgraphDefinitions: ReadonlyMap<Shape, string> = new Map([
  [nested, 'subgraph'],
  [node, 'node'],
  [edge, 'edge'],
  [interrupt, 'interrupt'],
  [exitCondition, 'exitCondition'],
  [retries, 'retry'],
  [stageOfNode, 'stage'],
  [composedSkill, 'composedSkill'],
  [service, 'service'],
  [graphError, 'error'],
  [fallback, 'fallback'],
  [range, 'range'],
  [id, 'id'],
]);
