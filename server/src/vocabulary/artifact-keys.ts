/** The metadata keys of artifacts (docs/format.md, section 5). */
import type { ArtifactKind } from './artifact-kinds.ts';
import { amount, any, condition, prose, schema, text } from './common-shapes.ts';
import { OLDER_CHECKS } from './older-checks.ts';
import { either, type KeyTable, key, keysOf, listOf, named, oneOf, type Shape } from './shape.ts';

/** By the type of an assertion: one of these keys must be there. */
export const ASSERTION_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['structural', ['schema']],
  ['length', ['min', 'max']],
  ['pattern', ['match', 'not_match']],
  ['contains', ['value']],
  ['equals', ['value']],
  ['semantic', ['prompt']],
]);

const assertionKeys = keysOf(
  '5',
  key(
    'type',
    oneOf({
      structural: 'The output fits a schema.',
      length: 'The output is neither too short nor too long.',
      pattern: 'The output matches, or does not match, a regular expression.',
      contains: 'The output holds a text.',
      equals: 'The output is a text or a value, and nothing else.',
      semantic: 'A model answers a question about the output.',
    }),
    'What is checked.',
    { mandatory: true, unless: 'check' },
  ),
  key(
    'check',
    oneOf(Object.fromEntries(OLDER_CHECKS.map(({ check, type }) => [check, `The same as \`type: ${type}\`.`]))),
    'An older spelling, read as the `type` that it stands for.',
  ),
  key('schema', schema, 'For `structural`: the schema.'),
  key('min', amount, 'For `length`: the least.'),
  key('max', amount, 'For `length`: the most.'),
  key(
    'unit',
    oneOf({
      characters: 'Counts characters.',
      tokens: 'Counts tokens.',
      words: 'Counts words.',
      lines: 'Counts lines.',
    }),
    'For `length`: what is counted.',
  ),
  key('match', { kind: 'string', format: 'regex' }, 'For `pattern`: what must occur.'),
  key('not_match', { kind: 'string', format: 'regex' }, 'For `pattern`: what must not occur.'),
  key('value', any, 'For `contains` and `equals`: the text, or the value.'),
  key('prompt', prose, 'For `semantic`: the question.'),
  key('expected', any, 'For `semantic`: the right answer.'),
  key(
    'severity',
    oneOf({ hard: 'A failure ends the run.', soft: 'A failure is noted.' }),
    'What a failure means. Default: `hard`.',
  ),
);

const assertion: Shape = {
  kind: 'map',
  keys: assertionKeys,
  needs: [
    ...[...ASSERTION_NEEDS].map(([value, oneOf]) => ({ key: 'type', value, oneOf })),
    ...OLDER_CHECKS.map(({ check, type }) => ({
      ...{ key: 'check', value: check, unless: 'type' },
      oneOf: ASSERTION_NEEDS.get(type) ?? [],
    })),
  ],
};

/** Checks on an output, or on a prompt. */
export const assertions: Shape = listOf(assertion);

const includeWhen = key(
  'include_when',
  either(condition, { kind: 'boolean' }),
  'An expression over the parameters, `scope`, `source` and `model`; the artifact is taken where it holds.',
  { rule: 'invalid-condition', example: 'tone == "grim"' },
);
const tags = key('tags', listOf(text), 'Words by which the example is found relevant.', {
  example: '[combat, night]',
});
const modelVariant = key(
  'model_variant',
  named('model'),
  'The model family that this variant is for; templates of one name may differ in it.',
  { example: 'anthropic' },
);
const tools = key('tools', listOf(named('tool')), 'The subset of the surface that this approach needs.', {
  example: '[read_page]',
});
const assertionsKey = key('assertions', assertions, 'Checks on an output.');

/** The metadata keys that fit each kind of artifact. */
export const artifactKeys: Readonly<Record<ArtifactKind, KeyTable>> = {
  Description: keysOf('5', includeWhen),
  Approach: keysOf('5', includeWhen, tools),
  PromptTemplate: keysOf('5', modelVariant, assertionsKey),
  Example: keysOf('5', tags, assertionsKey),
};
