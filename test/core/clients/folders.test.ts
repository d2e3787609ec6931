/** The folders that several clients share. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { foldersForClients, pathsOfClient } from '../../../server/src/clients/matrix/client-folders.ts';

function foldersOf(...ids: string[]): Readonly<Record<string, readonly string[]>> | string {
  const found = foldersForClients(ids.flatMap((id) => findClient(id) ?? []));
  if ('without' in found) return found.without.id;
  return Object.fromEntries(found.map(({ path, clients: readers }) => [path, readers.map(({ id }) => id)]));
}

it('a workspace with only the shared folder has no target client that reads it only with a setting', () => {
  const workspace = new Workspace();
  const text = '---\nname: tidy\ndescription: Tidies notes.\n---\n\nTidy.\n';
  workspace.apply({ kind: 'text', uri: 'file:///w/.agents/skills/tidy/SKILL.md', text });
  const ids = workspace.analysis.agentSkills.owners.map(({ id }) => id);
  assert.ok(ids.includes('codex') && !ids.includes('junie') && !ids.includes('roo-code'), ids.join());
});

describe('the folders for clients', () => {
  it('are as few as possible', () => {
    assert.deepEqual(foldersOf('claude-code'), { '.claude/skills': ['claude-code'] });
    assert.deepEqual(foldersOf('codex'), { '.agents/skills': ['codex'] });
    assert.deepEqual(foldersOf('claude-code', 'cursor'), { '.claude/skills': ['claude-code', 'cursor'] });
    assert.deepEqual(foldersOf('codex', 'cursor', 'gemini-cli'), {
      '.agents/skills': ['codex', 'cursor', 'gemini-cli'],
    });
    assert.deepEqual(foldersOf('claude-code', 'codex', 'cursor', 'vscode'), {
      '.agents/skills': ['codex', 'cursor', 'vscode'],
      '.claude/skills': ['claude-code'],
    });
    assert.deepEqual(foldersOf('kiro', 'droid', 'antigravity'), {
      '.agents/skills': ['droid', 'antigravity'],
      '.kiro/skills': ['kiro'],
    });
  });

  it('do not depend on the order of the clients', () => {
    const all = clients.map(({ id }) => id).filter((id) => id !== 'claude-ai');
    const paths = (ids: string[]) => Object.keys(foldersOf(...ids));
    assert.deepEqual(paths([...all].reverse()), paths(all));
    assert.ok(paths(all).length < 8, paths(all).join());
  });

  it('are folders that the client always reads', () => {
    for (const client of clients) {
      const found = foldersForClients([client]);
      if ('without' in found) assert.deepEqual([client.id, pathsOfClient(client)], ['claude-ai', []]);
      else assert.ok(pathsOfClient(client).includes(found[0]?.path ?? ''), client.id);
    }
    // Junie reads `.agents/skills` only with a setting, and Kimi reads only one of `.kimi`, `.claude` and `.codex`.
    assert.deepEqual(foldersOf('junie'), { '.junie/skills': ['junie'] });
    assert.deepEqual(foldersOf('claude-code', 'kimi-cli'), {
      '.agents/skills': ['kimi-cli'],
      '.claude/skills': ['claude-code'],
    });
    assert.equal(foldersOf('claude-code', 'claude-ai'), 'claude-ai');
  });
});
