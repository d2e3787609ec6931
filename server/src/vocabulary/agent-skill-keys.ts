/** The frontmatter keys of the open Agent Skills standard (docs/format.md, section 9; https://agentskills.io/specification, read on 2026-08-09). */
import { text } from './common-shapes.ts';
import { type KeyTable, key, keysOf, recordOf } from './shape.ts';

/** In characters, as in the standard. */
export const MAX_DESCRIPTION = 1024;

export const agentSkillKeys: KeyTable = keysOf(
  '9',
  key(
    'name',
    { kind: 'string', minLength: 1, maxLength: 64, offers: 'file name' },
    "The skill's name: lower-case letters, digits and single hyphens, equal to the folder's name.",
    { mandatory: true, example: 'pdf-forms', rule: 'agent-skill-name' },
  ),
  key(
    'description',
    { kind: 'string', prose: true, minLength: 1, maxLength: MAX_DESCRIPTION },
    'The purpose of the skill, and when to use it; clients use it to select the skill.',
    {
      mandatory: true,
      example: 'Fills PDF forms. Use it when the user provides a form.',
      rule: 'agent-skill-description',
    },
  ),
  key('license', text, "A licence's name, or the name of a bundled licence file.", {
    example: 'Apache-2.0',
    rule: 'agent-skill-key-value',
  }),
  key(
    'compatibility',
    { kind: 'string', prose: true, minLength: 1, maxLength: 500 },
    'The requirements of the skill: products, packages, network.',
    { example: 'Requires git and network access', rule: 'agent-skill-compatibility' },
  ),
  key('metadata', recordOf(text), 'Additional properties, each a string.', {
    example: '{author: example-org, version: "1.0"}',
    rule: 'agent-skill-metadata',
  }),
  key('allowed-tools', text, 'Tools that need no confirmation, separated by spaces.', {
    example: 'Bash(git:*) Read',
    rule: 'agent-skill-allowed-tools',
  }),
);
