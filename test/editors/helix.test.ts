/** Helix with the setup of `docs/editors.md`, by keys, if it is on the PATH. */
import { join } from 'node:path';
import { test } from 'node:test';
import { withScreen } from './screen.ts';
import { documentedBlock, HELIX_COMMANDS, missingReason, other, part, skill } from './session.ts';

const skip = missingReason('tmux', '-V') || missingReason('hx', '--version');

test('Helix supports findings, fixes, hovers, definitions and renames', { skip }, () =>
  withScreen(
    {
      commands: HELIX_COMMANDS,
      configuration: ['.config/helix/languages.toml', documentedBlock('helix-languages')],
      program: 'hx',
      words: (home) => [join(home, 'work', 'broken.skill.md')],
    },
    async ({ press, shows, saved }) => {
      await shows(/Unknown tool `reed_page`/);
      press(' /reed_page', 'Enter', '  a');
      await shows(/Replace with ‘read_page’/);
      press('Enter', ' :w', 'Enter');
      const fixed = skill.replace('reed_page', 'read_page');
      await saved('broken.skill.md', fixed);
      press(' /read_page', 'Enter', '  k');
      await shows(/Reads one page of the wiki/);
      press('Escape', ' gd');
      await shows(/NOR +skills\.config\.yaml/);
      press('C-o');
      await shows(/NOR +broken\.skill\.md/);
      press(' /slug', 'Enter', '  r');
      await shows(/rename-to:slug/);
      press('C-u', ' page', 'Enter');
      await shows(/\{\{ page \}\}/);
      press(' :w', 'Enter');
      await saved('broken.skill.md', fixed.replace('slug: string', 'page: string').replace('{{ slug }}', '{{ page }}'));
    },
  ),
);

test('Helix creates a missing skill, and renames a skill with its file', { skip }, () =>
  withScreen(
    {
      commands: HELIX_COMMANDS,
      configuration: ['.config/helix/languages.toml', documentedBlock('helix-languages')],
      program: 'hx',
      words: (home) => [join(home, 'work', 'other.skill.md')],
    },
    async ({ press, shows, saved }) => {
      await shows(/Unknown skill `gone`/);
      press(' /gone', 'Enter', '  a');
      await shows(/Create ‘gone’/);
      press('Enter');
      await shows(/name: gone|NOR/);
      press(' :o gone.skill.md', 'Enter');
      await shows(/name: gone/);
      press(' :w', 'Enter', ' :o other.skill.md', 'Enter', ' /part', 'Enter', '  r');
      await shows(/rename-to:part/);
      press('C-u', ' piece', 'Enter');
      await shows(/#skill:piece/);
      press(' :wa', 'Enter');
      await saved('other.skill.md', other.replace('#skill:part', '#skill:piece'));
      await saved('piece.skill.md', part.replace('name: part', 'name: piece'));
    },
  ),
);
