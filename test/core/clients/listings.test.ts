/** The listings of clients with many skills, and the skills that an edit affects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Affected } from '../../../server/src/analysis/workspace.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
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
