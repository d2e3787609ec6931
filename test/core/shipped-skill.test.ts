/** The Agent Skill that the package ships: what each client makes of it, and when it is chosen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json';
import { route } from '../../server/src/analysis/routing.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { toolsFor } from '../../server/src/hosts/mcp/tools.ts';
import { check } from '../../server/src/rules/check.ts';
import { clients } from '../../server/src/vocabulary/clients.ts';

const FOLDER = 'client/skills/write-skills';
const text = readFileSync(`${FOLDER}/SKILL.md`, 'utf8');

for (const client of clients) {
  test(`${client.name} has nothing to object to the skill that is shipped`, () => {
    // Where the client finds skills in a workspace; some are given theirs by hand.
    const place = client.dirs.value.find(({ at, path }) => ['root', 'below'].includes(at) && !path.includes('*'));
    const uri = `file:///w/${place?.path ?? '.agents/skills'}/write-skills/SKILL.md`.replaceAll(
      /([^:/])\/{2,}/g,
      '$1/',
    );
    const workspace = new Workspace();
    workspace.apply({ kind: 'clients', clients: place ? [client.id] : undefined });
    workspace.apply({ kind: 'text', uri, text });
    workspace.apply({ kind: 'folder', uri, files: [] });
    const file = workspace.analysis.file(uri);
    assert.ok(file);
    assert.deepEqual(
      check(file, workspace.analysis).map(({ rule, message }) => `${rule}: ${message}`),
      [],
    );
  });
}

test('the skill that is shipped is chosen for what it is for, and for nothing else', () => {
  const uri = 'file:///w/.agents/skills/write-skills/SKILL.md';
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  const cases: { query: string; should_trigger: boolean }[] = JSON.parse(
    readFileSync(`${FOLDER}/evals/triggers.json`, 'utf8'),
  );
  for (const { query, should_trigger: should } of cases) {
    const { holds } = route(workspace.analysis, uri, { request: query, should, span: { start: 0, end: 0 } }) as {
      readonly holds?: boolean;
    };
    assert.equal(holds, true, query);
  }
});

test('the skill that is shipped names the tools that there are, and is contributed from its folder', () => {
  const named = [...text.matchAll(/`([a-z]+_(?:skills?|artifact|fix))`/g)].map(([, name]) => name);
  const tools = toolsFor(false).map(({ name }) => name);
  assert.deepEqual([...new Set(named)].sort(), [...tools].sort());
  assert.deepEqual(manifest.contributes.chatSkills, [{ path: `./${FOLDER}/SKILL.md` }]);
});
