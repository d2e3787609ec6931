/** The keys for composition, and for the effects that add up over composed skills (docs/format.md, section 4). */
import { any, backoff, bool, condition, count, operation, positiveCount, text } from './common-shapes.ts';
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
  key('skill', named('skill'), 'The composed skill.', { mandatory: true, elsewhere: ['name', 'use', 'uses'] }),
  key('as', text, 'The name of the step, for a skill that is composed more than once.', {
    elsewhere: ['alias'],
    rule: 'invalid-step-name',
  }),
  key('input_mapping', recordOf(text), 'Maps names in the flow to inputs of the step.', {
    offers: 'mapped names',
    example: '{id: user_id}',
    elsewhere: ['inputs', 'with', 'input_map'],
  }),
  key('output_mapping', recordOf(text), 'Maps outputs of the step to names in the flow.', {
    offers: 'mapped names',
    example: '{user_id: id}',
    elsewhere: ['outputs', 'output_map'],
  }),
);

const requiresEntry: Shape = mapOf(
  '4',
  key('skill', named('skill'), 'The skill that the range applies to.', { mandatory: true }),
  key('version', { kind: 'string', format: 'semver-range' }, 'A version range in npm syntax.', {
    mandatory: true,
    example: '^1.2.0',
  }),
);

/** The keys of every retry: of a skill, of a policy and of a step. */
export const retryKeys: KeyTable = keysOf(
  '2',
  key('max_attempts', positiveCount, 'The number of attempts, including the first.', {
    elsewhere: ['tries', 'max_tries'],
  }),
  key('attempts', count, 'The number of retries after the first attempt: one less than `max_attempts`.', {
    elsewhere: ['retries', 'max_retries', 'num_retries'],
    isOlder: true,
  }),
  key('backoff', backoff, 'How the pause between attempts grows.'),
  key('retry_on', listOf({ kind: 'string', offers: 'error codes' }), 'The errors that are retried.'),
);

export const retry: Shape = { kind: 'map', keys: retryKeys, forms: [['max_attempts'], ['attempts']] };

/** The keys of every step that runs an entry of `composes`. */
const callKeys: KeyTable = keysOf(
  '4',
  key('step', named('step'), 'An entry in `composes`, by its name or its `as`.', {
    rule: 'unknown-step',
    elsewhere: ['run', 'skill', 'call', 'use', 'uses', 'invoke'],
  }),
  key('inputs', recordOf(any), 'Inputs by name; `$input.x` and `$step.output.x` are references.', {
    offers: 'step inputs',
    example: '{security: $analyze-security.output}',
    elsewhere: ['with', 'args', 'arguments', 'params', 'parameters', 'input_mapping'],
  }),
  key('retry', retry, 'How often and when the step is retried.'),
);

/** Steps contain steps, so the getter refers to a shape that is defined below. */
const steps: Shape = {
  kind: 'list',
  get items() {
    return executionStep;
  },
};

const branch: Shape = mapOf(
  '4',
  key(
    'condition',
    condition,
    'The arm runs if this is true. Inputs are `$input.x` or `x`; outputs of earlier steps are `$step.output.x`.',
    {
      mandatory: true,
      rule: 'invalid-condition',
      example: '$input.tone == "grim"',
      elsewhere: ['if', 'when'],
    },
  ),
  key('steps', steps, "The arm's steps, in order.", { mandatory: true, elsewhere: ['then', 'do'] }),
);

/** `invalid-execution` checks which keys may be combined. */
const stepOf = (...keys: readonly KeyDraft[]): Shape => ({
  kind: 'map',
  keys: keysOf('4', ...keys),
  unknownKeys: 'invalid-execution',
});

const speculatedKeys = keysOf(
  '4',
  ...callKeys,
  key(
    'keep_when',
    condition,
    'Whether the step is still needed after the `until` step has ended; its output is `$step.output.x`. Default: true.',
    {
      rule: 'invalid-condition',
      example: '$read-intent.output.kind == "search"',
      elsewhere: ['keep_if', 'condition', 'if'],
    },
  ),
);

const executionKeys = keysOf(
  '4',
  ...callKeys,
  key(
    'condition',
    condition,
    'The step runs only if this is true. Inputs are `$input.x` or `x`; outputs of earlier steps are `$step.output.x`.',
    {
      rule: 'invalid-condition',
      example: '$input.auto_post == true',
      elsewhere: ['if', 'only_if', 'run_if', 'include_when'],
    },
  ),
  key('parallel', steps, 'Steps that run in parallel.'),
  key(
    'when',
    listOf(branch),
    'Arms, each with a `condition` and `steps`; the first one with a true condition runs. A single step has a `condition` instead.',
  ),
  key('else', steps, 'The steps that run if no arm of `when` runs.', { elsewhere: ['otherwise', 'default'] }),
  key(
    'speculate',
    listOf(stepOf(...speculatedKeys)),
    'Steps that start early, in parallel with `until`, and are cancelled if they are not needed.',
  ),
  key(
    'until',
    either(named('step'), stepOf(...callKeys)),
    'The step whose end decides which speculated steps are kept. It starts together with them.',
    {
      rule: 'unknown-step',
    },
  ),
);

const adaptsEntry: Shape = mapOf(
  '4',
  key(
    'from',
    { kind: 'string', format: 'semver-range' },
    'The older versions that the adapter serves, in npm syntax.',
    {
      mandatory: true,
      example: '"0.9"',
      elsewhere: ['version', 'range'],
    },
  ),
  key('with', named('skill'), 'The skill that turns the output of this version into the output of the older version.', {
    mandatory: true,
    elsewhere: ['skill', 'adapter'],
  }),
);

/** The kinds of items in an `execution`. */
const STEP_FORMS = [['step', 'inputs', 'retry', 'condition'], ['parallel'], ['when', 'else'], ['speculate', 'until']];

const executionStep: Shape = { kind: 'map', keys: executionKeys, unknownKeys: 'invalid-execution', forms: STEP_FORMS };

/** The keys of all kinds of steps. */
export const stepKeys: KeyTable = [...executionKeys, ...speculatedKeys.filter(({ name }) => name === 'keep_when')];

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
    'What the skill may compose: nothing (1), skills of level 1 (2), or skills of levels 1 and 2 (3).',
    { rule: 'invalid-level' },
  ),
  key(
    'composes',
    listOf(either(named('skill'), composesEntry)),
    'The composed skills. Without an `execution`, they run in the order of their data, and otherwise in this order.',
    { elsewhere: ['composed_of', 'skills', 'sub_skills', 'uses'] },
  ),
  key('requires', listOf(requiresEntry), 'Version ranges for other skills.', {
    example: '[{skill: user-lookup, version: "^1.2.0"}]',
    elsewhere: ['dependencies', 'depends_on'],
  }),
  key(
    'execution',
    steps,
    'The order in which the composed skills run: steps, parallel groups, branches and speculation.',
    { rule: 'invalid-execution', elsewhere: ['steps', 'workflow'] },
  ),
  key(
    'effects',
    listOf(named('effect')),
    'The effects that a run may have: `Query`, `Mutate`, `Network`, `Fail`, or an effect from the catalog.',
    { example: '[Query]' },
  ),
  key('operation', operation, 'The strongest kind of access that the skill needs.'),
  key(
    'deprecated',
    either(
      bool,
      mapOf(
        '4',
        key(
          'since',
          { kind: 'string', format: 'semver-or-date' },
          'The version or date from which the skill is deprecated.',
          {
            example: '1.3.0',
          },
        ),
        key('sunset', { kind: 'string', format: 'date' }, 'The date on which the skill will be removed.', {
          example: '2031-06-30',
        }),
        key('use', named('skill'), 'The successor.'),
      ),
    ),
    'Marks the skill as deprecated; name the successor in `use`.',
    { section: '2' },
  ),
  key(
    'adapts',
    either(adaptsEntry, listOf(adaptsEntry)),
    'Serves callers of an older version: an adapter gives them the output of that version.',
    { example: '{from: "0.9", with: flatten-links}' },
  ),
);
