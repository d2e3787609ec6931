/** The keys of composition, and of the effects that add up over composed skills (docs/format.md, section 4). */
import { any, backoff, bool, condition, operation, positiveCount, text } from './common-shapes.ts';
import {
  either,
  type KeyDraft,
  type KeyTable,
  key,
  keysOf,
  listOf,
  mapOf,
  named,
  recordOf,
  type Shape,
} from './shape.ts';

const composesEntry: Shape = mapOf(
  '4',
  key('skill', named('skill'), 'The composed skill.', { mandatory: true }),
  key('as', text, 'The name of the step, if one skill is composed twice.'),
  key('input_mapping', recordOf(text), 'Maps names of the flow to inputs of the step.', {
    offers: 'mapped names',
    example: '{id: user_id}',
  }),
  key('output_mapping', recordOf(text), 'Maps outputs of the step to names of the flow.', {
    offers: 'mapped names',
    example: '{user_id: id}',
  }),
);

const requiresEntry: Shape = mapOf(
  '4',
  key('skill', named('skill'), 'The skill of the range.', { mandatory: true }),
  key('version', { kind: 'string', format: 'semver-range' }, 'A version range in the syntax of npm.', {
    mandatory: true,
    example: '^1.2.0',
  }),
);

export const retry: Shape = mapOf(
  '4',
  key('max_attempts', positiveCount, 'The number of attempts, including the first.'),
  key('backoff', backoff, 'The growth of the pause between attempts.'),
  key('retry_on', listOf({ kind: 'string', offers: 'error codes' }), 'The errors that are retried.'),
);

/** The keys of every step that runs an entry of `composes`. */
const callKeys: KeyTable = keysOf(
  '4',
  key('step', named('step'), 'An entry of `composes`, by its name or its `as`.', { rule: 'unknown-step' }),
  key('inputs', recordOf(any), 'Inputs by name; `$input.x` and `$step.output.x` are references.', {
    offers: 'step inputs',
    example: '{security: $analyze-security.output}',
  }),
  key('retry', retry, 'How often and when the step is retried.'),
);

/** Steps hold steps, so the getter refers to a shape that is defined below. */
const steps: Shape = {
  kind: 'list',
  get items() {
    return executionStep;
  },
};

const branch: Shape = mapOf(
  '4',
  key('condition', condition, 'The arm runs if this is true.', { mandatory: true, rule: 'invalid-condition' }),
  key('steps', steps, "The arm's steps, in order.", { mandatory: true }),
);

/** `invalid-execution` checks which keys may be combined. */
const stepOf = (...keys: readonly KeyDraft[]): Shape => ({
  kind: 'map',
  keys: keysOf('4', ...keys),
  unknownKeys: 'invalid-execution',
});

const speculatedStep: Shape = stepOf(
  ...callKeys,
  key('keep_when', condition, 'Whether the step is still needed after `until` has ended. Default: true.', {
    rule: 'invalid-condition',
    example: '$read-intent.output.kind == "search"',
  }),
);

const executionStep: Shape = stepOf(
  ...callKeys,
  key('condition', condition, 'The step runs only if this is true.', {
    rule: 'invalid-condition',
    example: '$input.auto_post == true',
  }),
  key('parallel', steps, 'Steps that run in parallel.'),
  key('when', listOf(branch), 'Arms; the first one with a true condition runs.'),
  key('else', steps, 'The steps that run if no arm of `when` runs.'),
  key(
    'speculate',
    listOf(speculatedStep),
    'Steps that start early, in parallel with `until`, and are cancelled if they are not needed.',
  ),
  key(
    'until',
    either(named('step'), stepOf(...callKeys)),
    'The step that decides the speculation. It starts together with the speculated steps.',
    {
      rule: 'unknown-step',
    },
  ),
);

export const compositionKeys: KeyTable = keysOf(
  '4',
  key(
    'level',
    {
      kind: 'choice',
      choices: [
        { value: 1, docs: 'Atomic: composes nothing.' },
        { value: 2, docs: 'Composite: composes level 1.' },
        { value: 3, docs: 'Workflow: composes levels 1 and 2.' },
      ],
    },
    'The level in the composition graph.',
    { rule: 'invalid-level' },
  ),
  key(
    'composes',
    listOf(either(named('skill'), composesEntry)),
    'The composed skills, in the order in which they run without an `execution`.',
  ),
  key('requires', listOf(requiresEntry), 'Version ranges of other skills.', {
    example: '[{skill: user-lookup, version: "^1.2.0"}]',
  }),
  key('execution', steps, 'The order: steps, parallel groups, branches, speculation.', { rule: 'invalid-execution' }),
  key(
    'effects',
    listOf(named('effect')),
    'The effects that a run may have: `Query`, `Mutate`, `Network`, `Fail`, or an effect of the workspace.',
    { example: '[Query]' },
  ),
  key('operation', operation, 'The most severe operation of the skill.'),
  key(
    'deprecated',
    either(
      bool,
      mapOf(
        '4',
        key('since', { kind: 'string', format: 'semver-or-date' }, 'The version or date of the deprecation.', {
          example: '1.3.0',
        }),
        key('sunset', { kind: 'string', format: 'date' }, 'The date of the removal.', { example: '2031-06-30' }),
        key('use', named('skill'), 'The successor.'),
      ),
    ),
    'Marks the skill as deprecated; name the successor in `use`.',
    { section: '2' },
  ),
);
