/** The clients that a user can choose, with the folders that speak for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients, frameworks } from '../../../server/src/clients/facts/clients.ts';
import { clientChoice } from '../../../server/src/features/clients/client-choice.ts';
import { dependenciesIn } from '../../../server/src/features/clients/dependencies.ts';
import type { FrameworkPrograms } from '../../../server/src/features/clients/framework-calls.ts';

const ROOT = 'file:///w';
const skill = (name: string): string => `---\nname: ${name}\ndescription: Handles ${name}.\n---\n`;

/** Returns the choice for a file or a folder of a workspace with skills at these paths. */
function choiceIn(
  paths: readonly string[],
  files: Readonly<Record<string, string>> = {},
  uri = `${ROOT}/`,
  packages: readonly string[] = [],
  named: FrameworkPrograms['folders'] = [],
) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT, 'file:///other'] });
  for (const path of paths) {
    const at = path.startsWith('file:') ? path : `${ROOT}/${path}`;
    workspace.apply({ kind: 'text', uri: `${at}/SKILL.md`, text: skill(path.split('/').at(-1) ?? '') });
  }
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  return { workspace, choice: clientChoice(workspace.analysis, uri, { packages: new Set(packages), folders: named }) };
}

const detected = ({ choice }: ReturnType<typeof choiceIn>) =>
  choice.candidates.filter(({ folders }) => folders.length > 0);
const foldersOf = (made: ReturnType<typeof choiceIn>, id: string) =>
  made.choice.candidates.find((one) => one.id === id)?.folders.map(({ path, skills }) => `${skills} in ${path}`);

describe('the candidates', () => {
  it('are all clients and frameworks, each once', () => {
    const { choice } = choiceIn(['.claude/skills/a']);
    assert.deepEqual(
      choice.candidates.map(({ id }) => id).sort(),
      [...clients, ...frameworks].map(({ id }) => id).sort(),
    );
  });

  it('begin with the clients whose own folder contains skills, then list the readers of other folders', () => {
    const made = choiceIn(['.claude/skills/a', '.claude/skills/b', '.agents/skills/c']);
    const [first, ...others] = detected(made);
    assert.deepEqual([first?.id, first?.folders], ['claude-code', [{ path: '.claude/skills', skills: 2 }]]);
    assert.deepEqual(foldersOf(made, 'codex'), ['1 in .agents/skills']);
    assert.deepEqual(foldersOf(made, 'claude-ai'), []);
    assert.equal(
      others.some(({ id }) => id === 'codex'),
      true,
    );
    const shown = made.choice.candidates.map(({ folders }) => folders.length > 0);
    assert.deepEqual(
      shown,
      [...shown].sort((a, b) => Number(b) - Number(a)),
    );
    assert.deepEqual(made.choice.chosen, []);
    assert.deepEqual(made.choice.automatic, ['Claude Code']);
  });

  it('are not detected from a folder that a client reads only with a setting, or whose development ended', () => {
    const made = choiceIn(['.agents/skills/a']);
    assert.deepEqual(foldersOf(made, 'junie'), []);
    assert.deepEqual(foldersOf(made, 'roo-code'), []);
    assert.deepEqual(foldersOf(choiceIn(['.roo/skills/a']), 'roo-code'), ['1 in .roo/skills']);
  });

  it('are detected from the manifest of a plugin', () => {
    const made = choiceIn(['p/skills/a', 'p/skills/b'], { 'p/.claude-plugin/plugin.json': '{"name": "p",}' });
    assert.deepEqual(
      detected(made).map(({ id, folders }) => [id, folders]),
      [['claude-code', [{ path: 'p/skills', skills: 2 }]]],
    );
  });

  it('have no detected client in a workspace without skills', () => {
    const made = choiceIn([]);
    assert.deepEqual(detected(made), []);
    assert.deepEqual(made.choice.automatic, []);
  });

  it('begin the other clients with the chosen ones', () => {
    const made = choiceIn(['.claude/skills/a'], { 'skills.config.yaml': 'agent_skills: {clients: [codex, pi]}\n' });
    const others = made.choice.candidates.filter(({ folders }) => folders.length === 0).map(({ id }) => id);
    assert.deepEqual(others.slice(0, 2), ['codex', 'pi']);
    assert.deepEqual(made.choice.chosen, ['codex', 'pi']);
    assert.equal(made.choice.catalog, `${ROOT}/skills.config.yaml`);
  });

  it('count only the skills of the same workspace folder and catalog', () => {
    const paths = ['.claude/skills/a', 'packages/web/.claude/skills/b', 'file:///other/.claude/skills/c'];
    const catalog = { 'packages/web/skills.config.yaml': '' };
    assert.deepEqual(foldersOf(choiceIn(paths), 'claude-code'), ['2 in .claude/skills']);
    assert.deepEqual(foldersOf(choiceIn(paths, catalog), 'claude-code'), ['1 in .claude/skills']);
    const inPackage = `${ROOT}/packages/web/.claude/skills/b/SKILL.md`;
    const made = choiceIn(paths, catalog, inPackage);
    assert.equal(made.choice.catalog, `${ROOT}/packages/web/skills.config.yaml`);
    assert.deepEqual(foldersOf(made, 'claude-code'), ['1 in .claude/skills']);
  });

  it('follow the settings, which take precedence', () => {
    const { workspace } = choiceIn(['.claude/skills/a'], { 'skills.config.yaml': 'agent_skills: {clients: [pi]}\n' });
    workspace.apply({ kind: 'clients', clients: ['zed'] });
    const choice = clientChoice(workspace.analysis, `${ROOT}/`);
    assert.deepEqual([choice.chosen, choice.catalog], [['zed'], null]);
  });

  it('say how the facts about a client are known', () => {
    const { choice } = choiceIn([]);
    const known = (id: string) => choice.candidates.find((one) => one.id === id);
    assert.equal(known('claude-code')?.isObserved, true);
    assert.equal(known('amp')?.isObserved, false);
    assert.equal(typeof known('roo-code')?.archived, 'string');
    assert.equal(known('amp')?.archived, null);
  });
});

describe('the frameworks among the candidates', () => {
  const offered = (made: ReturnType<typeof choiceIn>, id: string) =>
    made.choice.candidates.find((one) => one.id === id) ?? assert.fail(id);

  it('come before other clients if the program depends on their package', () => {
    const made = choiceIn(['.claude/skills/a'], {}, `${ROOT}/`, ['@mastra/core', 'left-pad']);
    const ids = made.choice.candidates.map(({ id }) => id);
    assert.equal(offered(made, 'mastra').framework?.isUsed, true);
    assert.equal(offered(made, 'strands').framework?.isUsed, false);
    assert.ok(ids.indexOf('mastra') < ids.indexOf('codex') && ids.indexOf('codex') < ids.indexOf('strands'));
    assert.equal(offered(made, 'codex').framework, null);
  });

  it('have the folders that programs name, but not those of single skills', () => {
    const call = { framework: 'strands', file: 'packages/web/src/agent.ts', line: 7 };
    const made = choiceIn(
      ['packages/web/skills/a'],
      {},
      `${ROOT}/`,
      ['@strands-agents/sdk'],
      [
        { ...call, program: 'packages/web', folder: 'skills' },
        { ...call, program: 'packages/web', folder: 'skills/a' },
        { ...call, program: '', folder: 'skills/a' },
      ],
    );
    const at = { file: 'packages/web/src/agent.ts', line: 7 };
    assert.deepEqual(offered(made, 'strands').framework?.named, [
      { ...at, folder: 'skills' },
      { ...at, folder: 'skills/a' },
    ]);
    assert.deepEqual(offered(made, 'mastra').framework?.named, []);
  });

  it('keep the folder that was chosen', () => {
    const catalog = 'agent_skills: {clients: [mastra:src/skills, claude-code]}\n';
    const made = choiceIn(['src/skills/a', 'src/skills/b'], { 'skills.config.yaml': catalog });
    assert.deepEqual(made.choice.chosen, ['mastra:src/skills', 'claude-code']);
    assert.deepEqual(foldersOf(made, 'mastra:src/skills'), ['2 in src/skills']);
    assert.equal(offered(made, 'mastra:src/skills').framework, null);
    assert.deepEqual(foldersOf(made, 'mastra'), []);
  });

  it('are offered the folders with skills, first those that no client reads', () => {
    const paths = ['.claude/skills/a', '.claude/skills/b', 'src/skills/c', 'docs/d'];
    assert.deepEqual(choiceIn(paths).choice.skillFolders, [
      { path: 'docs', skills: 1 },
      { path: 'src/skills', skills: 1 },
      { path: '.claude/skills', skills: 2 },
    ]);
  });
});

it('the packages of a program are those of all kinds of dependencies', () => {
  const manifest = { dependencies: { '@mastra/core': '1' }, devDependencies: { deepagents: '1' }, scripts: { a: 'b' } };
  assert.deepEqual(dependenciesIn(`\uFEFF${JSON.stringify(manifest)}`), ['@mastra/core', 'deepagents']);
  for (const text of ['', '{', 'null', '[]', '{"dependencies": null}', '{"dependencies": 1}']) {
    assert.deepEqual(dependenciesIn(text), [], text);
  }
});
