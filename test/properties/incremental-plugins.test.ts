/** A workspace of plugins after edits equals a new workspace with the same files, and reports the files that an edit affects. */
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../server/src/analysis/workspace.ts';
import { cases } from '../random.ts';
import { assertSameAsNew } from './after-edits.ts';
import { ROOT } from './opened.ts';

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody.\n`;

const MANIFESTS = [
  '{"name": "pa"}',
  '\n\n{"name": "pa"}',
  '{"name": "pa", "skills": ["./extra/one"]}',
  '{\n  "name": "pa", "skills": ["./extra/one"]\n}',
  '{"name": "pa", "skills": "./"}',
  '{"name": "pb", "version": "2.0.0"}',
  '{"version": "1.0.0", "name": "pb"}',
  '{"name": "pb", "skills": ["extra"]}',
  '{"name": 7}',
  '{',
  '[]',
];
const MARKETPLACES = [
  '{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "pa", "source": "./p", "version": "1.0.0"}]}',
  '{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "pa", "source": "./p", "strict": false, "skills": ["./extra"]}]}',
  '{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "pa", "source": "./", "skills": ["./p/skills/a"]}]}',
  '{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "pa", "source": "./gone"}, {"name": "pa", "source": "./p"}]}',
];
const FILES: readonly (readonly [string, readonly string[]])[] = [
  ['p/.claude-plugin/plugin.json', MANIFESTS],
  ['p/.codex-plugin/plugin.json', MANIFESTS],
  ['p/gemini-extension.json', ['{"name": "pa", "version": "1.0.0"}', '{"name": "pa"}']],
  ['.claude-plugin/marketplace.json', MARKETPLACES],
  ['p/SKILL.md', [skill('root'), skill('p')]],
  ['p/skills/SKILL.md', [skill('direct'), '---\nname: direct\n---\n']],
  [
    'p/skills/a/SKILL.md',
    [skill('a'), skill('other'), '---\nname: a\n---\nBody.\n', '---\n\ndescription: A.\nname: a\n---\nBody.\n'],
  ],
  ['p/skills/b/SKILL.md', [skill('b'), skill('a')]],
  ['p/skills/g/u/SKILL.md', [skill('u')]],
  ['p/extra/one/SKILL.md', [skill('one')]],
  ['p/extra/two/SKILL.md', [skill('two')]],
  ['p/commands/a.md', ['---\ndescription: A.\n---\nDo.\n', 'Do.\n', '---\ndescription:\n---\n']],
  ['p/hooks/hooks.json', ['{"hooks": {}}', '{"PreToolUse": []}', '{"hooks": {"PreToolUse": {}}}']],
  ['.claude/skills/q/.claude-plugin/plugin.json', MANIFESTS],
  ['.claude/skills/r/.claude-plugin/plugin.json', MANIFESTS],
  ['.claude/skills/q/skills/x/SKILL.md', [skill('x')]],
  ['.claude/skills/r/skills/x/SKILL.md', [skill('x')]],
  ['.claude/skills/q/SKILL.md', [skill('q')]],
  ['.claude/skills/a/SKILL.md', [skill('a')]],
  ['.claude/commands/a.md', ['---\ndescription: A.\n---\nDo.\n', 'Do.\n']],
  ['skills.config.yaml', ['clients: [claude-code, codex, copilot-cli, gemini-cli]\n', 'clients: [codex]\n']],
];

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...FILES)
      .chain(([path, texts]) =>
        fc.constantFrom(...texts).map((text): Change => ({ kind: 'text', uri: `${ROOT}/${path}`, text })),
      ),
  },
  fc.constantFrom(...FILES).map(([path]): Change => ({ kind: 'delete', uri: `${ROOT}/${path}` })),
);

test('a changed workspace of plugins has the same findings as a new one, and `apply` returns all affected files', () => {
  fc.assert(fc.property(fc.array(change, { minLength: 4, maxLength: 24 }), assertSameAsNew), cases(100));
});
