/** The commands for a folder that has only `SKILL.md` files: their output has no word of the composer's own format. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folderWith, run } from './cli.ts';

/** The words of the composer's own format. */
const OWN_WORDS =
  /\b(?:catalogs?|framing|levels?|planner|surfaces?|legacy|typed|composites?|composes?|composition|artifacts?|PromptTemplates?|input_schema|output_schema|execution|contracts?|interrupts?|skills\.config\.yaml)\b/i;

const skill = (name: string, description: string, body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n${body}\n`;

const FILES = {
  '.claude/skills/release-notes/SKILL.md': skill(
    'release-notes',
    'Writes release notes. Use it when a version is tagged.',
  ),
  '.claude/skills/mail/SKILL.md': skill(
    'mails',
    'I sort mail.',
    'See [the guide](references/guide.md) and run `scripts/go.py`.',
  ),
  'packages/web/.claude/skills/sizes/SKILL.md': skill(
    'sizes',
    'Measures the size of a bundle. Use it before a release.',
  ),
};

describe('in a folder with only `SKILL.md` files', () => {
  const folder = folderWith(FILES);
  const other = folderWith({
    'tidy/SKILL.md': skill('tidy', 'Tidies notes. Use it at the end of a day.', 'Run `rm -rf tmp`.'),
  });
  const FILE = '.claude/skills/release-notes/SKILL.md';
  for (const words of [
    ['check'],
    ['clients'],
    ['clients', '--budget'],
    ['clients', '--client', 'codex,claude-code', '--format', 'markdown'],
    ['clients', '--why', FILE, '--request', 'write notes for the release'],
    ['match', 'write notes for the release'],
    ['match', 'bake a cake'],
    ['test'],
    ['pack', FILE, '--out', 'notes.zip'],
    ['install', `${other}/tidy`, '--yes'],
    ['new', 'Weekly report'],
  ]) {
    it(`\`${words.join(' ').replace(other, '…')}\` has no word of the own format`, async () => {
      const { stdout, stderr } = await run(folder, words);
      assert.notEqual(stdout + stderr, '');
      for (const line of `${stdout}\n${stderr}`.split('\n')) assert.doesNotMatch(line, OWN_WORDS);
    });
  }
});
