/** The expectations of samples and skills for tests (docs/format.md, section 2, "Samples"). */
import { assertions } from './artifact-keys.ts';
import { any, bool, exitOn, positiveCount, text } from './common-shapes.ts';
import { ERROR_KINDS } from './known-names.ts';
import {
  type Domain,
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

const namesOf = (domain?: Domain): Shape => withValues(listOf(domain ? named(domain) : text));

export const expectationKeys: KeyTable = keysOf(
  '2',
  key('prompt', assertions, 'Assertions on the composed prompt.'),
  key('output', assertions, 'Assertions on an output.'),
  key('tools', namesOf('tool'), 'Tools that must be available.'),
  key(
    'artifacts',
    withValues(
      mapOf(
        '2',
        key('taken', namesOf(), 'Artifacts that must be in the prompt.'),
        key('left_out', namesOf(), 'Artifacts that must not be in the prompt.'),
      ),
    ),
    'The artifacts that the prompt must contain, and those that it must not contain.',
  ),
  key('interrupts', namesOf('interrupt'), 'Interrupts that must be attached.'),
  key('nodes', withValues(listOf({ kind: 'string', offers: 'graph nodes' })), 'Nodes that must be in the graph.'),
  key(
    'tokens',
    withValues(mapOf('2', key('max', positiveCount, 'The maximum number of tokens.', { mandatory: true }))),
    'The length of the prompt.',
  ),
  key('snapshot', bool, 'The prompt must equal the saved prompt.'),
  key('fails', oneOf(ERROR_KINDS), 'The kind of error with which composing must fail.', {
    example: 'ParameterMismatch',
  }),
  key('path', namesOf('stage'), 'The steps and stages that a run must begin, in order.', {
    example: '[find-page, Write]',
  }),
  key('exit', exitOn, 'The exit condition that a run must meet.', { example: 'output_schema' }),
);

export const expectation: Shape = withValues({ kind: 'map', keys: expectationKeys });

const errorCode: Shape = { kind: 'string', minLength: 1, offers: 'error codes' };

/** The results of tools and services, by the name of the tool or of the skill with the service. */
export const stubs: Shape = withValues(
  recordOf(
    withValues(
      mapOf(
        '2',
        key('returns', any, 'The result of the call.', { offers: 'stub result' }),
        key('fails', errorCode, 'The code of the error with which the call fails.', { example: 'TIMEOUT' }),
        key(
          'times',
          positiveCount,
          'The number of first calls that fail; later calls return. The default is all calls.',
        ),
      ),
    ),
    'tool',
  ),
);

/** The answers to interrupts, by the name of the interrupt. */
export const answers: Shape = recordOf(any, 'interrupt');

const requests: Shape = withValues(listOf({ kind: 'string', prose: true, minLength: 1 }));

export const routing: Shape = withValues(
  mapOf(
    '2',
    key('should', requests, 'Requests that should select this skill.', { example: '[outline the siege]' }),
    key('should_not', requests, 'Requests that should not select this skill.'),
  ),
);
