/** The metadata keys of artifacts (skill-format.md, section 5). */
import type { ArtifactKind } from './artifact-kinds.ts';
import {
  any,
  condition,
  either,
  type KeySpec,
  type KeyTable,
  listOf,
  mapOf,
  named,
  oneOf,
  type Shape,
  schema,
  text,
} from './shape.ts';

const number: Shape = { kind: 'number', min: 0 };

const assertion: Shape = mapOf(
  {
    name: 'type',
    shape: oneOf({
      structural: 'The output fits a schema.',
      length: 'The output is neither too short nor too long.',
      pattern: 'The output matches, or does not match, a regular expression.',
      semantic: 'A model answers a question about the output.',
    }),
    mandatory: true,
    docs: 'What is checked.',
    section: '5',
  },
  { name: 'schema', shape: schema, docs: 'For `structural`: the schema.', section: '5' },
  { name: 'min', shape: number, docs: 'For `length`: the least.', section: '5' },
  { name: 'max', shape: number, docs: 'For `length`: the most.', section: '5' },
  {
    name: 'unit',
    shape: oneOf({ characters: 'Counts characters.', tokens: 'Counts tokens.' }),
    docs: 'For `length`: what is counted.',
    section: '5',
  },
  { name: 'match', shape: { kind: 'string', format: 'regex' }, docs: 'For `pattern`: what must occur.', section: '5' },
  {
    name: 'not_match',
    shape: { kind: 'string', format: 'regex' },
    docs: 'For `pattern`: what must not occur.',
    section: '5',
  },
  { name: 'prompt', shape: text, docs: 'For `semantic`: the question.', section: '5' },
  { name: 'expected', shape: any, docs: 'For `semantic`: the right answer.', section: '5' },
  {
    name: 'severity',
    shape: oneOf({ hard: 'A failure ends the run.', soft: 'A failure is noted.' }),
    docs: 'What a failure means. Default: `hard`.',
    section: '5',
  },
);

const includeWhen: KeySpec = {
  name: 'include_when',
  shape: either(condition, { kind: 'boolean' }),
  docs: 'An expression over the parameters, `scope`, `source` and `model`; the artifact is taken where it holds.',
  section: '5',
  rule: 'invalid-condition',
  example: 'tone == "grim"',
};
const tags: KeySpec = {
  name: 'tags',
  shape: listOf(text),
  docs: 'Words by which the example is found relevant.',
  section: '5',
  example: '[combat, night]',
};
const modelVariant: KeySpec = {
  name: 'model_variant',
  shape: named('model'),
  docs: 'The model family that this variant is for; templates of one name may differ in it.',
  section: '5',
  example: 'anthropic',
};
const tools: KeySpec = {
  name: 'tools',
  shape: listOf(named('tool')),
  docs: 'The subset of the surface that this approach needs.',
  section: '5',
  example: '[read_page]',
};
const assertions: KeySpec = {
  name: 'assertions',
  shape: listOf(assertion),
  docs: 'Checks on an output.',
  section: '5',
};

/** The metadata keys that fit each kind of artifact. */
export const artifactKeys: Readonly<Record<ArtifactKind, KeyTable>> = {
  Description: [includeWhen],
  Approach: [includeWhen, tools],
  PromptTemplate: [modelVariant, assertions],
  Example: [tags, assertions],
};
