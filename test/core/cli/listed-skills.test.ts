/** The skills that `match`, `catalog`, `audit` and `graph` list: those of the workspace, then those of the account. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { runAudit } from '../../../server/src/frontends/cli/commands/audit.ts';
import { runCatalog } from '../../../server/src/frontends/cli/commands/catalog.ts';
import { runGraph } from '../../../server/src/frontends/cli/commands/graph.ts';
import { runMatch } from '../../../server/src/frontends/cli/commands/match.ts';
import { type Console, NO_COLORS, outputTo } from '../../../server/src/frontends/cli/console.ts';
import { NO_PROGRESS } from '../../../server/src/io/stderr.ts';
import { temporaryFolder } from '../../temporary.mjs';

const contract = (name: string, version: string, ...lines: readonly string[]) =>
  [`name: ${name}`, `description: Lists ${name}.`, `version: ${version}`, 'input_schema: {}', ...lines, ''].join('\n');

let root = '';

/** Writes files below the temporary folder. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Runs a command and returns what it prints, parsed as JSON. */
async function printed<Result>(run: (console: Console) => Promise<number>): Promise<Result> {
  const texts: string[] = [];
  const nothing = () => {};
  await run({
    ...outputTo((text) => void texts.push(text), false),
    ...{ printError: nothing, note: nothing, ask: async () => undefined },
    confirm: async () => undefined,
    ...{ colors: NO_COLORS, progress: NO_PROGRESS, isTerminal: false },
  });
  return JSON.parse(texts.join('')) as Result;
}

const common = (folder: string, paths: readonly string[]) =>
  ({ cwd: join(root, folder), paths, config: undefined, format: 'json' }) as const;

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly version?: string;
  readonly reason?: string;
  readonly canaries?: readonly { readonly version: string; readonly file: string; readonly percent: number }[];
}

const filesOf = (list: readonly Listed[]) => list.map(({ file }) => file);

async function match(folder: string, request: string, ...paths: readonly string[]) {
  const options = { ...common(folder, paths), request, top: 10, source: 'agent-selected' } as const;
  return printed<{ matches: readonly Listed[]; excluded: readonly Listed[] }>((console) => runMatch(options, console));
}

async function catalog(folder: string, words: object = {}, ...paths: readonly string[]) {
  const command = { ...common(folder, paths), quiet: true, words };
  return (await printed<{ skills: readonly Listed[] }>((console) => runCatalog(command, console))).skills;
}

before(() => {
  root = temporaryFolder();
  write({
    'w/skills.config.yaml':
      'account_skills: ../account\nroles: {reader: ["read:pages"]}\nprofiles: [{name: guest, scopes: []}]\n',
    'w/skills/pages.skill.yaml': contract('pages', '1.0.0'),
    'account/pages.skill.yaml': contract('pages', '5.0.0'),
    'account/rivers.skill.yaml': contract('rivers', '1.0.0', 'required_scopes: ["read:pages"]'),
    'account/more/lakes.skill.yaml': contract('lakes', '1.0.0', 'backing_service: {endpoint: "https://a.example"}'),
  });
});

describe('the versions of a surface', () => {
  const surface = { name: 'tell', web: 'surfaces: [{name: web, canary_percent: 5}]' };
  before(() =>
    write({
      's/skills.config.yaml': 'surfaces: [voice, web]\n',
      's/tell.skill.yaml': contract(surface.name, '1.0.0'),
      's/tell-2.skill.yaml': contract(surface.name, '2.0.0', surface.web),
      's/sing.skill.yaml': contract('sing', '1.0.0', 'surfaces: [voice]'),
    }),
  );

  it('are in the planner catalog, with the canaries', async () => {
    const rows = await catalog('s', { surface: 'web' });
    assert.deepEqual(
      rows.map(({ name, version, canaries }) => ({ name, version, canaries })),
      [{ name: 'tell', version: '1.0.0', canaries: [{ version: '2.0.0', file: 'tell-2.skill.yaml', percent: 5 }] }],
    );
    const all = await catalog('s');
    assert.deepEqual(
      all.map(({ name, version, canaries }) => [name, version, canaries]),
      [
        ['sing', '1.0.0', undefined],
        ['tell', '1.0.0', undefined],
      ],
    );
  });

  it('are not selected for an unknown surface', async () => {
    await assert.rejects(catalog('s', { surface: 'wbe' }), /unknown surface `wbe`.* `web`/);
  });
});

describe('a path outside the working folder', () => {
  it('is a workspace folder of its own, which comes before the working folder', async () => {
    write({ 'a/part.skill.yaml': contract('part', '1.0.0'), 'b/part.skill.yaml': contract('part', '2.0.0') });
    assert.deepEqual(filesOf((await match('a', 'part', '../b')).matches), ['../b/part.skill.yaml']);
    const { matches, excluded } = await match('a', 'part', '.', '../b');
    assert.deepEqual([filesOf(matches), filesOf(excluded)], [['part.skill.yaml'], ['../b/part.skill.yaml']]);
  });
});

describe('the skills of the account', () => {
  const ACCOUNT = ['../account/more/lakes.skill.yaml', '../account/rivers.skill.yaml'];

  it('are ranked, except those that a skill of the workspace hides', async () => {
    const { matches, excluded } = await match('w', 'pages rivers lakes');
    assert.deepEqual(filesOf(matches).sort(), [...ACCOUNT, 'skills/pages.skill.yaml']);
    assert.deepEqual(excluded, [
      { name: 'pages', file: '../account/pages.skill.yaml', reason: 'a skill of the workspace has the same name' },
    ]);
  });

  it('are in the planner catalog, with the callers of the workspace', async () => {
    assert.deepEqual(filesOf(await catalog('w')).sort(), [...ACCOUNT, 'skills/pages.skill.yaml']);
    const forGuest = await catalog('w', { profile: 'guest' });
    assert.deepEqual(
      forGuest.map(({ name }) => name),
      ['lakes', 'pages'],
    );
  });

  it('are reviewed', async () => {
    const command = { ...common('w', []), failOn: 'error', words: {} } as const;
    const report = await printed<{ contracts: readonly Listed[]; upkeep: readonly Listed[] }>((console) =>
      runAudit(command, console),
    );
    assert.deepEqual(filesOf(report.contracts), ['../account/more/lakes.skill.yaml']);
    assert.deepEqual([...new Set(filesOf(report.upkeep))].sort(), [...ACCOUNT, 'skills/pages.skill.yaml']);
  });

  it('are in the graph', async () => {
    const graph = await printed<{ nodes: readonly { id: string }[] }>((console) => runGraph(common('w', []), console));
    assert.deepEqual(graph.nodes.map(({ id }) => id).sort(), [...ACCOUNT, 'skills/pages.skill.yaml']);
  });

  it('are listed for a path that contains the catalog, but not for a part of the workspace', async () => {
    assert.equal((await match('w', 'rivers', '.')).matches.length, 1);
    assert.equal((await match('w/skills', 'rivers')).matches.length, 1);
    assert.equal((await match('', 'pages', 'w')).matches[0]?.version, '1.0.0');
    assert.equal((await match('w', 'rivers', 'skills')).matches.length, 0);
  });
});
