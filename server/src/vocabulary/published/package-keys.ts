/** The keys of a legacy package, `*.skill.json` (docs/format.md, section 8). */
import { any, filled, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf, recordOf, type Shape } from '../shape.ts';

const number: Shape = { kind: 'number', integer: true };

const PACKAGE_KINDS = oneOf({
  description: 'What the skill does and when to use it.',
  prompt_template: 'A MiniJinja template.',
  code_template: 'Retired: a script that ran in a sandbox.',
  dspy_module: 'Retired: a compiled module; names a `fallback_artifact`.',
  approach: 'How-to narrative.',
  example: 'An input with its output.',
});

const artifact = mapOf(
  '8',
  key('id', text, 'The id of the artifact.', { nullable: true }),
  key('kind', PACKAGE_KINDS, 'The kind of the artifact.', { mandatory: true, rule: 'invalid-package' }),
  key('name', filled, 'The name; with the variant it is unique in the package.', { mandatory: true }),
  key('ordinal', number, 'The place in the order of the artifacts.'),
  key('content', prose, 'What the artifact says.', { mandatory: true }),
  key('model_variant', text, 'The model family that a template is for.', { nullable: true }),
  key('metadata', recordOf(any), '`assertions`, `fallback_artifact` and what else the kind takes.', { nullable: true }),
  key('state_blob', text, 'Retired: the state of a `dspy_module`, in base64.', { nullable: true }),
  key('created_at', text, 'When the artifact was made.', { nullable: true }),
  key('updated_at', text, 'When it was last changed.', { nullable: true }),
);

export const packageKeys: KeyTable = keysOf(
  '8',
  key('id', text, 'The id of the skill.', { nullable: true }),
  key('name', filled, 'The name for people; converted, it becomes the `title`.', { mandatory: true }),
  key('description', filled, 'What the skill does.', { mandatory: true }),
  key('version', { kind: 'string', format: 'semver' }, 'The semantic version; `1.0.0` where absent.', {
    nullable: true,
  }),
  key('tags', listOf(text), 'Words to find the skill by.', { nullable: true }),
  key(
    'source',
    oneOf({
      system: 'Ships with the product.',
      community: 'Taken over from elsewhere; converted, it is `imported`.',
      user: 'Written by the user.',
    }),
    'Where the skill comes from; `user` where absent.',
    { nullable: true },
  ),
  key('author', text, 'Who wrote the skill.', { nullable: true }),
  key('intent_patterns', listOf(prose), 'Requests that the skill answers.', { nullable: true }),
  key('trigger_phrases', listOf(prose), 'Phrases that call the skill.', { nullable: true }),
  key('marketplace_id', text, 'The id in a marketplace.', { nullable: true }),
  key('sync_etag', text, 'The state of the marketplace that it was taken from.', { nullable: true }),
  key('created_at', text, 'When the skill was made.', { nullable: true }),
  key('updated_at', text, 'When it was last changed.', { nullable: true }),
  key('artifacts', listOf(artifact), 'What the skill is made of.', { mandatory: true }),
);
