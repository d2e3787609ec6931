/** The expectations of samples and skills for tests (docs/format.md, section 2, "Samples"). */
import { assertions } from './artifact-keys.ts';
import { any, bool, exitOn, positiveCount, prose, text } from './common-shapes.ts';
import { ERROR_KINDS } from './known-names.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, named, oneOf, recordOf, type Shape } from './shape.ts';

export const expectationKeys: KeyTable = keysOf(
  '2',
  key('prompt', assertions, 'Assertions on the composed prompt.'),
  key('output', assertions, 'Assertions on an output.'),
  key('tools', listOf(named('tool')), 'Tools that must be available.'),
  key(
    'artifacts',
    mapOf(
      '2',
      key('taken', listOf(text), 'Artifacts that must be in the prompt.'),
      key('left_out', listOf(text), 'Artifacts that must not be in the prompt.'),
    ),
    'The artifacts that the prompt must contain, and those that it must not contain.',
  ),
  key('interrupts', listOf(named('interrupt')), 'Interrupts that must be attached.'),
  key('nodes', listOf(text), 'Nodes that must be in the graph.'),
  key('tokens', mapOf('2', key('max', positiveCount, 'The maximum number of tokens.')), 'The length of the prompt.'),
  key('snapshot', bool, 'The prompt must equal the saved prompt.'),
  key('fails', oneOf(ERROR_KINDS), 'The kind of error with which composing must fail.', {
    example: 'ParameterMismatch',
  }),
  key('path', listOf(named('stage')), 'The steps and stages that a run must begin, in order.', {
    example: '[find-page, Write]',
  }),
  key('exit', exitOn, 'The exit condition that a run must meet.', { example: 'output_schema' }),
);

export const expectation: Shape = { kind: 'map', keys: expectationKeys };

const errorCode: Shape = { kind: 'string', minLength: 1, offers: 'error codes' };

/** The results of tools and services, by the name of the tool or of the skill with the service. */
export const stubs: Shape = recordOf(
  mapOf(
    '2',
    key('returns', any, 'The result of the call.', { offers: 'stub result' }),
    key('fails', errorCode, 'The code of the error with which the call fails.', { example: 'TIMEOUT' }),
    key('times', positiveCount, 'The number of first calls that fail; later calls return. The default is all calls.'),
  ),
  'tool',
);

/** The answers to interrupts, by the name of the interrupt. */
export const answers: Shape = recordOf(any, 'interrupt');

export const routing: Shape = mapOf(
  '2',
  key('should', listOf(prose), 'Requests that should select this skill.', { example: '[outline the siege]' }),
  key('should_not', listOf(prose), 'Requests that should not select this skill.'),
);
