/** The listings of clients with many skills, and the skills that an edit affects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Analysis } from '../../../server/src/analysis/analysis.ts';
import type { Affected } from '../../../server/src/analysis/workspace.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { needText } from '../../../server/src/clients/matrix/limit-text.ts';
import { clientsView } from '../../../server/src/features/clients/clients-view.ts';
import { skillText } from './fixtures.ts';

const uriOf = (path: string): string => `file:///w/${path}/SKILL.md`;
const described = (name: string, length: number): string =>
  skillText(`name: ${name}`, `description: ${'d'.repeat(length)}`);

function open(count: number, length = 100): Workspace {
  const workspace = new Workspace();
  for (let at = 0; at < count; at++) {
    workspace.apply({ kind: 'text', uri: uriOf(`.claude/skills/skill-${at}`), text: described(`skill-${at}`, length) });
  }
  return workspace;
}

const concerned = (affected: Affected): unknown => (affected === 'all' ? affected : [...affected].sort());

function edit(workspace: Workspace, path: string, text: string | undefined): unknown {
  const uri = uriOf(path);
  return concerned(workspace.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text }));
}

describe('an edit of a `SKILL.md`', () => {
  const first = '.claude/skills/skill-0';

  it('of the description affects this file and the one with the longest description', () => {
    const workspace = open(30);
    edit(workspace, '.claude/skills/skill-7', described('skill-7', 200));
    assert.deepEqual(edit(workspace, first, described('skill-0', 50)), [first, '.claude/skills/skill-7'].map(uriOf));
    assert.deepEqual(edit(workspace, first, described('skill-0', 300)), [first, '.claude/skills/skill-7'].map(uriOf));
  });

  it('affects the catalog instead of the longest description', () => {
    const workspace = open(30);
    const catalog = 'file:///w/skills.config.yaml';
    workspace.apply({ kind: 'text', uri: catalog, text: 'agent_skills: {clients: [codex]}\n' });
    assert.deepEqual(edit(workspace, first, described('skill-0', 300)), [uriOf(first), catalog]);
  });

  it('that adds or deletes the file affects files with its name and in its folder', () => {
    const workspace = open(30);
    edit(workspace, '.agents/skills/skill-5', described('skill-5', 5));
    edit(workspace, '.claude/skills/new/within', described('within', 5));
    const longest = '.claude/skills/skill-0';
    assert.deepEqual(
      edit(workspace, '.agents/skills/skill-9', described('skill-9', 5)),
      ['.agents/skills/skill-9', longest, '.claude/skills/skill-9'].map(uriOf),
    );
    const inFolder = ['.claude/skills/new', '.claude/skills/new/within', longest].map(uriOf);
    assert.deepEqual(edit(workspace, '.claude/skills/new', described('new', 5)), inFolder);
    assert.deepEqual(edit(workspace, '.claude/skills/new', undefined), inFolder);
  });

  it('that adds the first folder of a client affects all files', () => {
    const workspace = open(3);
    const affected = edit(workspace, '.github/skills/new', described('new', 5)) as readonly string[];
    assert.equal(affected.length, 4);
  });
});

describe('a list', () => {
  it('includes files outside of client folders until the client is a target', () => {
    const workspace = new Workspace();
    const loose = uriOf('skills/loose');
    workspace.apply({ kind: 'text', uri: loose, text: described('loose', 5) });
    const codex = findClient('codex');
    assert.ok(codex);
    const names = () => workspace.analysis.listings.find(codex, loose)?.entries.inOrder.map(({ name }) => name);
    assert.deepEqual(names(), ['loose']);
    edit(workspace, '.codex/skills/own', described('own', 5));
    assert.deepEqual(names(), ['own']);
  });
});

describe('the data of one `SKILL.md` for the editor', () => {
  it('does not grow from two hundred skills to eight hundred', () => {
    const [few, many] = [200, 800].map((count) => {
      const { analysis } = open(count, 1000);
      const file = analysis.file(uriOf('.claude/skills/skill-0'));
      assert.ok(file);
      return JSON.stringify(clientsView(analysis, file)).length;
    });
    assert.ok(few && many && many < 1.25 * few, `${many} and ${few} characters`);
  });
});

describe('commands of Claude Code', () => {
  const command = (path: string): string => `file:///w/.claude/commands/${path}.md`;
  const textOf = (workspace: Workspace): string => {
    const listing = workspace.analysis.listings.find(findClient('claude-code') ?? assert.fail(), uriOf(SKILL));
    const fresh = new Analysis(workspace.index).listings.find(findClient('claude-code') ?? assert.fail(), uriOf(SKILL));
    assert.ok(listing && fresh);
    assert.deepEqual(listing.entries.inOrder, fresh.entries.inOrder);
    return needText(listing);
  };
  const SKILL = '.claude/skills/skill-0';

  it('are in its list as skills, after the skills, with their description or first line', () => {
    const workspace = open(1);
    assert.equal(textOf(workspace), 'The skill here needs 112 characters');
    workspace.apply({ kind: 'text', uri: command('deploy'), text: '---\ndescription: Deploys it.\n---\n\nDeploy.\n' });
    workspace.apply({ kind: 'text', uri: command('git/push'), text: 'Push all.\nNow.\n' });
    assert.equal(textOf(workspace), 'The skill and the 2 commands here need 156 characters');
    const lines = ['- deploy: Deploys it.', '- git:push: Push all.'];
    assert.equal(lines.join('\n').length + 1, 156 - 112);
  });

  it('are not in it if they are hidden, or if a skill has their name', () => {
    const workspace = open(1);
    const hidden = '---\ndescription: Hides.\ndisable-model-invocation: true\n---\n\nHide.\n';
    workspace.apply({ kind: 'text', uri: command('hide'), text: hidden });
    workspace.apply({ kind: 'text', uri: command('skill-0'), text: 'Do it.\n' });
    workspace.apply({ kind: 'text', uri: command('skill-9'), text: 'Do it.\n' });
    assert.match(textOf(workspace), /^The skill and the command here need /);
    edit(workspace, '.claude/skills/skill-9', described('skill-9', 100));
    assert.match(textOf(workspace), /^The 2 skills here need /);
    edit(workspace, '.claude/skills/skill-9', undefined);
    assert.match(textOf(workspace), /^The skill and the command here need /);
  });

  it('of a plugin are before its skills, with the name of the plugin, if they have a description', () => {
    const workspace = open(1);
    const edited = (path: string, text: string): void =>
      void workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    const named = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`;
    workspace.apply({ kind: 'clients', clients: ['claude-code'] });
    edited('p/.claude-plugin/plugin.json', '{"name": "p"}');
    edited('p/skills/a/SKILL.md', named('a'));
    edited('p/skills/go/SKILL.md', named('go'));
    edited('p/commands/sub/z.md', named('label'));
    edited('p/commands/go.md', named('go'));
    edited('p/commands/none.md', 'Do it.\n');
    edited('.claude/commands/own.md', named('own'));
    const names = (): readonly string[] => {
      const listing = workspace.analysis.listings.find(findClient('claude-code') ?? assert.fail(), uriOf(SKILL));
      return listing?.entries.inOrder.map(({ name }) => name) ?? [];
    };
    assert.deepEqual(names(), ['skill-0', 'own', 'p:go', 'p:sub:z', 'p:a']);
    const before = textOf(workspace);
    edited('p/commands/go.md', named('go').replace('Does go.', 'Does go well.'));
    assert.notEqual(textOf(workspace), before);
    edited('p/commands/go.md', 'Do it.\n');
    assert.deepEqual(names(), ['skill-0', 'own', 'p:sub:z', 'p:a', 'p:go']);
  });

  it('affect the file with the findings about the list', () => {
    const workspace = open(2);
    const affected = workspace.apply({ kind: 'text', uri: command('deploy'), text: 'Deploy.\n' });
    assert.deepEqual(concerned(affected), [command('deploy'), uriOf(SKILL)]);
  });
});
