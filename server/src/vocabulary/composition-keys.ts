/** The keys by which a skill composes others, and says what they add up to (docs/format.md, section 4). */
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
  key('as', text, "The step's name, where one skill is composed twice."),
  key('input_mapping', recordOf(text), "Where the step's inputs come from: the flow's name to its own name.", {
    offers: 'mapped names',
    example: '{id: user_id}',
  }),
  key('output_mapping', recordOf(text), "How the step's outputs enter the flow: its own name to the flow's name.", {
    offers: 'mapped names',
    example: '{user_id: id}',
  }),
);

const requiresEntry: Shape = mapOf(
  '4',
  key('skill', named('skill'), 'The skill that the range is about.', { mandatory: true }),
  key('version', { kind: 'string', format: 'semver-range' }, 'An npm-style version range.', {
    mandatory: true,
    example: '^1.2.0',
  }),
);

export const retry: Shape = mapOf(
  '4',
  key('max_attempts', positiveCount, 'How often it is tried in all, the first time included.'),
  key('backoff', backoff, 'How the pause between tries grows.'),
  key('retry_on', listOf({ kind: 'string', offers: 'error codes' }), 'The errors that a retry may fix.'),
);

/** Which entry runs, and how; the same wherever a step stands. */
const callKeys: KeyTable = keysOf(
  '4',
  key('step', named('step'), 'An entry of `composes`, by its name or its `as`.', { rule: 'unknown-step' }),
  key('inputs', recordOf(any), 'Inputs by name; `$input.x` and `$step.output.x` are references.', {
    offers: 'step inputs',
    example: '{security: $analyze-security.output}',
  }),
  key('retry', retry, 'How often and when the step is tried again.'),
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
  key('condition', condition, 'The arm runs where this holds.', { mandatory: true, rule: 'invalid-condition' }),
  key('steps', steps, "The arm's steps, in order.", { mandatory: true }),
);

/** `invalid-execution` judges which keys belong together. */
const stepOf = (...keys: readonly KeyDraft[]): Shape => ({
  kind: 'map',
  keys: keysOf('4', ...keys),
  unknownKeys: 'invalid-execution',
});

const speculatedStep: Shape = stepOf(
  ...callKeys,
  key('keep_when', condition, 'Whether the step is still needed once `until` has ended; without it, it is.', {
    rule: 'invalid-condition',
    example: '$read-intent.output.kind == "search"',
  }),
);

const executionStep: Shape = stepOf(
  ...callKeys,
  key('condition', condition, 'The step runs only where this holds.', {
    rule: 'invalid-condition',
    example: '$input.auto_post == true',
  }),
  key('parallel', steps, 'Steps that run side by side.'),
  key('when', listOf(branch), 'Arms, of which the first whose condition holds runs.'),
  key('else', steps, 'What runs when no arm of `when` does.'),
  key('speculate', listOf(speculatedStep), 'Steps that begin early, beside `until`, and are cancelled if not needed.'),
  key(
    'until',
    either(named('step'), stepOf(...callKeys)),
    'The step that decides the speculation. It begins with it.',
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
    'Sub-skills, in the order in which they run without an `execution`.',
  ),
  key('requires', listOf(requiresEntry), 'Version ranges of other skills.', {
    example: '[{skill: user-lookup, version: "^1.2.0"}]',
  }),
  key('execution', steps, 'The order: steps, parallel groups, branches, speculation.', { rule: 'invalid-execution' }),
  key(
    'effects',
    listOf(named('effect')),
    'What running the skill may do: `Query`, `Mutate`, `Network`, `Fail`, or an effect of the workspace.',
    { example: '[Query]' },
  ),
  key('operation', operation, 'The severest thing that the skill does.'),
  key(
    'deprecated',
    either(
      bool,
      mapOf(
        '4',
        key('since', { kind: 'string', format: 'semver-or-date' }, 'The version or date since when.', {
          example: '1.3.0',
        }),
        key('sunset', { kind: 'string', format: 'date' }, 'The date when it goes.', { example: '2031-06-30' }),
        key('use', named('skill'), 'The successor.'),
      ),
    ),
    'Marks the skill as going away; name the successor in `use`.',
    { section: '2' },
  ),
);
