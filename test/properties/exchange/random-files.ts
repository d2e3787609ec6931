/** Generated files: frontmatter, prose, artifacts and similar text, in any order. */
import fc from 'fast-check';
import { codePoints } from '../../code-points.ts';

const line = fc.constantFrom(
  '---',
  '...',
  'name: a-skill',
  'description: What it does.',
  'version: 1.0.0',
  'version: 1.0',
  'input_schema: {a: string}',
  'input_schema:',
  '  a: string',
  'tags: [a, b]',
  'x-own: &a {b: .inf}',
  'other: *a',
  'name: twice',
  '# A title',
  '## Description: one',
  '## Description: one',
  '## Prompt Template: two',
  '## PromptTemplate',
  '## Exmaple: three',
  '## DspyModule: four',
  '## Notes',
  '```yaml artifact',
  'tags: [x]',
  'model_variant: anthropic',
  '```',
  '```jinja',
  '{{ a }}',
  '### Input',
  '### Output',
  'Some prose.',
  '    indented',
  '<!-- a comment',
  '-->',
  '',
  '',
);

const lines = fc
  .tuple(
    fc.array(fc.oneof({ weight: 9, arbitrary: line }, codePoints(8)), { maxLength: 25 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([parts, end]) => parts.join(end));

/** A random skill, usually with frontmatter that parses. */
export const randomSkill = fc
  .tuple(
    fc.constantFrom('', '---\nname: a-skill\ndescription: It does.\n---\n\n', '\uFEFF---\r\nname: b\r\n---\r\n'),
    lines,
  )
  .map(([head, body]) => head + body);
