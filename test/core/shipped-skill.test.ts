/** The Agent Skill in the package: each client loads it, and requests match it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json';
import { route } from '../../server/src/analysis/routing.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { clients } from '../../server/src/clients/facts/clients.ts';
import { convert } from '../../server/src/exchange/convert.ts';
import { toolsFor } from '../../server/src/frontends/mcp/tools.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { SkillFolder } from '../../server/src/skill-folder/skill-folder.ts';
import { folderOf } from '../../server/src/vocabulary/dialect.ts';

const FOLDER = 'client/skills/write-skills';
const emitted = emit(`${FOLDER}.skill.md`);
if (process.env.UPDATE_EXPECT === '1') writeFileSync(`${FOLDER}/SKILL.md`, emitted.text);
const text = readFileSync(`${FOLDER}/SKILL.md`, 'utf8');

/** Returns the result of `convert --to agent-skill`, with the file's findings and the losses. */
function emit(path: string): { readonly text: string; readonly told: readonly string[] } {
  const uri = `file:///w/${path}`;
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text: readFileSync(path, 'utf8') });
  const { analysis } = workspace;
  const file = analysis.file(uri);
  const made = convert({ uri, text: file?.text ?? '' }, 'agent-skill', analysis);
  assert.ok(file && 'files' in made);
  const [skill, ...pages] = made.files;
  assert.deepEqual([skill?.path, pages], ['write-skills/SKILL.md', []]);
  const findings = check(file, analysis).map(({ rule, message }) => `${rule}: ${message}`);
  return { text: skill?.text ?? '', told: [...findings, ...made.losses.map(({ what, why }) => `${what}: ${why}`)] };
}

test('the shipped skill is converted from its source without findings or losses', () => {
  assert.equal(text, emitted.text, 'UPDATE_EXPECT=1 npm run test:core -- --filter shipped-skill writes it');
  assert.deepEqual(emitted.told, []);
});

for (const client of clients) {
  test(`${client.name} loads the shipped skill without loss`, () => {
    // The folder of the workspace that the client searches; missing if users add skills to the client by hand.
    const place = client.dirs.value.find(({ at, path }) => ['root', 'below'].includes(at) && !path.includes('*'));
    const uri = `file:///w/${place?.path ?? '.agents/skills'}/write-skills/SKILL.md`.replaceAll(
      /([^:/])\/{2,}/g,
      '$1/',
    );
    const workspace = new Workspace();
    workspace.apply({ kind: 'clients', clients: place ? [client.id] : undefined });
    workspace.apply({ kind: 'text', uri, text });
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), []) });
    const file = workspace.analysis.file(uri);
    assert.ok(file);
    assert.deepEqual(
      check(file, workspace.analysis).map(({ rule, message }) => `${rule}: ${message}`),
      [],
    );
  });
}

test('each example request selects the shipped skill only if it should', () => {
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

test('the shipped skill names all tools of the authoring server, and the manifest contributes it', () => {
  const named = [...text.matchAll(/`([a-z]+_(?:skills?|artifact|fix))`/g)].map(([, name]) => name);
  const tools = toolsFor(false).map(({ name }) => name);
  assert.deepEqual([...new Set(named)].sort(), [...tools].sort());
  assert.deepEqual(manifest.contributes.chatSkills, [{ path: `./${FOLDER}/SKILL.md` }]);
});
