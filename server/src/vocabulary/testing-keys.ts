/** What a sample and a skill expect when they are tested (docs/format.md, section 2, "Samples"). */
import { assertions } from './artifact-keys.ts';
import { any, bool, positiveCount, prose, text } from './common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, named, recordOf, type Shape } from './shape.ts';

export const expectationKeys: KeyTable = keysOf(
  '2',
  key('prompt', assertions, 'What holds for the composed prompt.'),
  key('output', assertions, 'What holds for an output.'),
  key('tools', listOf(named('tool')), 'Tools that are available, among others.'),
  key(
    'artifacts',
    mapOf(
      '2',
      key('taken', listOf(text), 'Artifacts that are in the prompt.'),
      key('left_out', listOf(text), 'Artifacts that are not.'),
    ),
    'Which artifacts the prompt takes and leaves out.',
  ),
  key('interrupts', listOf(named('interrupt')), 'Interrupts that are attached, among others.'),
  key('nodes', listOf(text), 'Nodes of the graph, among others.'),
  key('tokens', mapOf('2', key('max', positiveCount, 'The most that the prompt may have.')), 'How long the prompt is.'),
  key('snapshot', bool, 'The prompt equals the one that is kept.'),
  key('fails', text, 'The kind of error with which composing ends, where it is to fail.', {
    example: 'ParameterMismatch',
  }),
);

export const expectation: Shape = { kind: 'map', keys: expectationKeys };

/** By tool: what answers in its place when the sample is run with a model. */
export const stubs: Shape = recordOf(mapOf('2', key('returns', any, 'What the tool gives back.')));

export const routing: Shape = mapOf(
  '2',
  key('should', listOf(prose), 'Requests that this skill is to be chosen for.', { example: '[outline the siege]' }),
  key('should_not', listOf(prose), 'Requests that it is not to be chosen for.'),
);
