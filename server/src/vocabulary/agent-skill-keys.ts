/** The frontmatter keys of the open Agent Skills standard (skill-format.md, section 9; https://agentskills.io/specification, read on 2026-08-09). */
import { type KeyTable, recordOf, text } from './shape.ts';

export const agentSkillKeys: KeyTable = [
  {
    name: 'name',
    shape: { kind: 'string', minLength: 1, maxLength: 64 },
    mandatory: true,
    docs: "The skill's name: lower-case letters, digits and single hyphens, equal to the folder's name.",
    section: '9',
    example: 'pdf-forms',
    rule: 'agent-skill-name',
  },
  {
    name: 'description',
    shape: { kind: 'string', minLength: 1, maxLength: 1024 },
    mandatory: true,
    docs: 'What the skill does and when to use it; clients choose by it.',
    section: '9',
    example: 'Fills PDF forms. Use it when the user hands over a form.',
    rule: 'agent-skill-description',
  },
  {
    name: 'license',
    shape: text,
    docs: "A licence's name, or the name of a bundled licence file.",
    section: '9',
    example: 'Apache-2.0',
    rule: 'agent-skill-key-value',
  },
  {
    name: 'compatibility',
    shape: { kind: 'string', minLength: 1, maxLength: 500 },
    docs: 'What the skill needs around it: products, packages, network.',
    section: '9',
    example: 'Requires git and network access',
    rule: 'agent-skill-compatibility',
  },
  {
    name: 'metadata',
    shape: recordOf(text),
    docs: 'Further properties, each a string.',
    section: '9',
    example: '{author: example-org, version: "1.0"}',
    rule: 'agent-skill-metadata',
  },
  {
    name: 'allowed-tools',
    shape: text,
    docs: 'Tools that need no further permission, separated by spaces.',
    section: '9',
    example: 'Bash(git:*) Read',
    rule: 'agent-skill-allowed-tools',
  },
];
