/** `clients`: how each client treats a `SKILL.md`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clients as CLIENTS } from '../../server/src/clients/facts/clients.ts';
import { type ClientsJson, readRows } from '../core/clients/read-report.ts';
import { assertUsageError, folderWith, run } from './cli.ts';

const windows = process.platform === 'win32';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, ...lines, '---', '', 'Merge notes.', ''].join('\n');

const FILES = {
  '.agents/skills/tidy-notes/SKILL.md': skill(
    'tidy-notes',
    "description: Tidies a novelist's notes.",
    'allowed-tools: Read',
  ),
  '.agents/skills/no|name/SKILL.md': skill('mine', 'description: Counts words.'),
  '.agents/skills/silent/SKILL.md': `\uFEFF${skill('silent', 'description: Says nothing.')}`,
};

async function clientsJson(cwd: string, ...words: string[]): Promise<ClientsJson & { readonly status: number | null }> {
  const { status, stdout, stderr } = await run(cwd, ['clients', '--format', 'json', ...words]);
  assert.equal(stderr, '');
  return { ...(JSON.parse(stdout) as ClientsJson), status };
}

describe('skill-composer clients', () => {
  const folder = folderWith(FILES);
  const chosen = folderWith({
    ...FILES,
    'skills.config.yaml': 'agent_skills: {clients: [codex, goose], model: 1000}\n',
  });

  it('prints every client as JSON, each cell with a source and a date', async () => {
    const { status, ...json } = await clientsJson(folder, '.agents/skills/silent');
    const { version, clients } = json;
    assert.deepEqual([version, clients.length, status], [2, CLIENTS.length, 1]);
    assert.equal(clients.find(({ id }) => id === 'zed')?.name, 'Zed');
    const entry = readRows(json).find(({ client }) => client === 'zed');
    assert.deepEqual(
      [entry?.file, entry?.name, entry?.found, entry?.loaded, entry?.listed, entry?.chosen, entry?.cut, entry?.ignored],
      ['.agents/skills/silent/SKILL.md', 'silent', 'yes', 'no', 'no', 'nobody', 'no', 'no'],
    );
    for (const { column, text, source, checked, certainty } of entry?.reasons ?? []) {
      assert.match(`${column} ${checked} ${certainty}`, /^\w+ \d{4}-\d\d-\d\d (?:read|derived|unverified)$/);
      assert.ok(text.endsWith('.') && source !== '');
    }
  });

  it('prints JSON that the programs in docs/clients.md read', {
    skip: spawnSync('jq', ['--version']).status !== 0 && 'jq is not installed',
  }, async () => {
    const { status, ...json } = await clientsJson(folder);
    const page = readFileSync('docs/clients.md', 'utf8');
    const programs = [...page.matchAll(/^ {4}jq (?:-r )?'(.+)'$/gm)].map(([, program = '']) => program);
    const [notLoaded = [], whole = []] = programs.map((program) =>
      spawnSync('jq', ['-cr', program], { input: JSON.stringify(json), encoding: 'utf8' })
        .stdout.trim()
        .split('\n'),
    );
    const rows = readRows(json);
    assert.deepEqual(
      notLoaded,
      rows.flatMap(({ file, client, loaded }) => (loaded === 'no' ? [`${file} ${client}`] : [])),
    );
    const sources = rows.flatMap(({ reasons }) => reasons.map(({ source: title, checked }) => ({ title, checked })));
    type Whole = Readonly<{ rows: readonly { reasons: readonly { source: unknown }[] }[] }>;
    assert.deepEqual(
      whole.flatMap((line) =>
        (JSON.parse(line) as Whole).rows.flatMap(({ reasons }) => reasons.map((one) => one.source)),
      ),
      sources,
    );
  });

  it('prints only the client that is named', async () => {
    const { clients, rows, status } = await clientsJson(chosen, '--client', 'goose', '.agents/skills/tidy-notes');
    assert.deepEqual(
      clients.map(({ id, budget }) => [id, budget]),
      [['goose', null]],
    );
    assert.deepEqual(
      rows.map(({ client, chosen: by }) => [client, by]),
      [['goose', 'model-or-name']],
    );
    assert.equal(status, 0);
  });

  it('exits with 1 if a target client does not load a skill', async () => {
    assert.equal((await run(chosen, ['clients', '.agents/skills/silent'])).status, 1);
    assert.equal((await run(chosen, ['clients', '.agents/skills/tidy-notes'])).status, 0);
    assert.equal((await run(chosen, ['clients', '--fail-on', 'hint', '.agents/skills/tidy-notes'])).status, 1);
  });

  it('prints a table with the reasons for the target clients', async () => {
    const { stdout, stderr } = await run(chosen, ['clients', '.agents/skills/silent']);
    assert.equal(stderr, '');
    assert.match(stdout, /^\.agents\/skills\/silent\/SKILL\.md\n {3}found {2}loaded {2}listed/);
    assert.match(stdout, /\n\* +yes +no +no +nobody +no +no +OpenAI Codex\n/);
    assert.match(stdout, /OpenAI Codex, loaded: The file begins with a byte order mark/);
    assert.doesNotMatch(stdout, /Gemini CLI, loaded/);
  });

  it('prints one line for clients with the same outcomes, and the reason for each unknown one', async () => {
    const { stdout } = await run(chosen, ['clients', '.agents/skills/silent']);
    const lines = stdout.split('\n').filter((line) => /^[* ] +(?:yes|no|\?)/.test(line));
    const outcomes = lines.map((line) => line.replace(/^(.*(?:yes|no|\?)) .*/, '$1'));
    assert.equal(new Set(outcomes).size, lines.length);
    assert.ok(lines.some((line) => line.includes('Gemini CLI') && line.includes('Zed')));
    const names = lines.flatMap((line) =>
      line.split(/ {2,}|, /).filter((one) => CLIENTS.some(({ name }) => name === one)),
    );
    assert.equal(names.length, CLIENTS.length);
    const unknown = lines.filter((line) => line.includes('?')).flatMap((line) => line.split(/ {2,}|, /));
    const reasons = stdout
      .split('\n')
      .filter((line) => /, (?:found|loaded|listed|chosen|cut|ignored): .*\.$/.test(line));
    for (const { name } of CLIENTS.filter((client) => unknown.includes(client.name)))
      assert.ok(
        reasons.some((line) => line.includes(name)),
        name,
      );
    assert.doesNotMatch(stdout, /(\d{4}-\d\d-\d\d)\), \1/);
  });

  it('prints one table for skills that all clients treat in the same way', async () => {
    const cwd = folderWith({
      '.agents/skills/a/SKILL.md': skill('a', 'description: Counts words.'),
      '.agents/skills/b/SKILL.md': skill('b', 'description: Counts letters.'),
      '.agents/skills/c/SKILL.md': skill('c'),
    });
    const { stdout } = await run(cwd, ['clients', '--client', 'codex', '--client', 'pi']);
    const [both, only] = stdout.split('\n\n');
    assert.match(both ?? '', /^\.agents\/skills\/a\/SKILL\.md\n\.agents\/skills\/b\/SKILL\.md\n {3}found /);
    assert.match(only ?? '', /^\.agents\/skills\/c\/SKILL\.md\n {3}found /);
    assert.equal(stdout.match(/^ {3}found /gm)?.length, 2);
  });

  it('prints Markdown for a README, with escaped names', async () => {
    const { stdout } = await run(chosen, ['clients', '--format', 'markdown']);
    assert.equal(
      stdout.replace(/\d{4}-\d\d-\d\d/g, 'DATE'),
      [
        '| skill | OpenAI Codex | Goose |',
        '| --- | --- | --- |',
        '| [no\\|name](.agents/skills/no%7Cname/SKILL.md) | not listed | yes |',
        '| [silent](.agents/skills/silent/SKILL.md) | not loaded | yes |',
        '| [tidy-notes](.agents/skills/tidy-notes/SKILL.md) | not listed | yes |',
        '',
        'Yes: the client loads the skill and lists it for its model. Question mark: unknown. Sources read between DATE and DATE.',
        '',
      ].join('\n'),
    );
  });

  it('prints the outcome of each skill for one client, with the reason', async () => {
    const { stdout } = await run(chosen, [
      'clients',
      '--client',
      'codex',
      '--format',
      'markdown',
      '.agents/skills/silent',
    ]);
    const [head, , row, , note] = stdout.split('\n');
    assert.equal(head, '| skill | loaded | listed for the model | selected by | remarks |');
    assert.match(
      row ?? '',
      /^\| \[silent\]\(\.agents\/skills\/silent\/SKILL\.md\) \| no \| no \| - \| The file begins with a byte order mark/,
    );
    assert.match(
      note ?? '',
      /^OpenAI Codex, as of .+\. Based on source.*, read (?:on|between) \d{4}-\d\d-\d\d(?: and \d{4}-\d\d-\d\d)?\.$/,
    );
    const free = await run(folderWith({ 'skills/a/SKILL.md': skill('a', 'description: b') }), [
      'clients',
      '--format',
      'markdown',
    ]);
    assert.match(
      free.stdout,
      /The skills are not in a folder that a client reads: the table applies after they are installed\.\n$/,
    );
  });

  it('prints how much of its budget each list uses', async () => {
    const { stdout } = await run(chosen, ['clients', '--budget']);
    assert.equal(
      stdout,
      `OpenAI Codex: 3,100 %
    OpenAI Codex lists skills in 20 tokens for a model with 1,000 tokens of context; its 4 own skills take 432, which leaves 0.
    The 2 skills here need 31 tokens, so the client omits 2 skills.
    omitted: mine, tidy-notes
`,
    );
    const { clients } = await clientsJson(chosen, '--client', 'codex');
    const { limit, unit, total, builtIn, context, model } = clients[0]?.budget ?? {};
    assert.deepEqual([limit, unit, total, builtIn, context, model], [0, 'tokens', 20, 432, 1000, null]);
  });

  it('counts in the list of a named folder no skill of the folders beside it', async () => {
    const repositories = folderWith({
      'one/.agents/skills/load-test/SKILL.md': skill('load-test', 'description: Tests the load.'),
      'one/packages/web/.agents/skills/sizes/SKILL.md': skill('sizes', 'description: Measures sizes.'),
      'two/.agents/skills/triage/SKILL.md': skill('triage', 'description: Sorts issues.'),
      'two/.agents/skills/notes/SKILL.md': skill('notes', 'description: Writes notes.'),
      'two/.agents/skills/blame/SKILL.md': skill('blame', 'description: Finds authors.'),
    });
    const counted = async (cwd: string, ...words: string[]) =>
      /The (?:\d+ )?skills? here needs? .*/.exec(
        (await run(cwd, ['clients', ...words, '--client', 'codex'])).stdout,
      )?.[0];
    assert.equal(await counted(repositories, 'one'), await counted(join(repositories, 'one')));
    assert.match((await counted(repositories, 'one')) ?? '', /^The 2 skills here need/);
    assert.match((await counted(repositories, 'one/.agents')) ?? '', /^The skill here needs/);
    assert.match((await counted(repositories)) ?? '', /^The 3 skills here need/);
  });

  it('computes the lists for the models that `--model` names, instead of those of the catalog', async () => {
    const budgetOf = async (...words: string[]) =>
      (await clientsJson(chosen, '--client', 'codex', ...words)).clients[0]?.budget;
    const named = await budgetOf('--model', 'claude-sonnet-4-5', '--model', 'gpt-5.5');
    assert.deepEqual([named?.total, named?.context, named?.model], [5440, 272_000, 'gpt-5.5']);
    const sized = await budgetOf('--model', '200,000');
    assert.deepEqual([sized?.total, sized?.context, sized?.model], [4000, 200_000, null]);
    const why = ['clients', '--why', '.agents/skills/tidy-notes/SKILL.md', '--client', 'codex', '--model', 'gpt-5.5'];
    assert.match((await run(chosen, why)).stdout, /in 5,440 tokens for gpt-5\.5 \(272,000 tokens of context\)/);
  });

  it('refuses an unknown model, with the nearest name', async () => {
    const { status, stderr } = await run(chosen, ['clients', '--budget', '--model', 'gpt-5.55']);
    assert.equal(status, 2);
    assert.match(stderr, /`--model gpt-5\.55`: Unknown model `gpt-5\.55`\. Did you mean `gpt-5\.5`/);
  });

  it('reports whether a client finds a skill through a symbolic link, also outside of the folder', {
    skip: windows,
  }, async () => {
    const cwd = folderWith({
      'w/.agents/skills/tidy-notes/SKILL.md': FILES['.agents/skills/tidy-notes/SKILL.md'],
      'w/.codex/skills/sort-notes/readme.txt': '',
      'w/.codex/skills/readme.txt': '',
      'outside/SKILL.md': FILES['.agents/skills/tidy-notes/SKILL.md'],
    });
    const skills = join(cwd, 'w/.codex/skills');
    symlinkSync('../../.agents/skills/tidy-notes', join(skills, 'tidy-notes'));
    symlinkSync('../../../.agents/skills/tidy-notes/SKILL.md', join(skills, 'sort-notes/SKILL.md'));
    symlinkSync('../../../outside', join(skills, 'out'));
    symlinkSync('loop', join(skills, 'loop'));
    const found = async (...words: string[]) => {
      const rows = readRows(await clientsJson(join(cwd, 'w'), '--client', 'codex', ...words));
      return rows.map((one) => [one.file, one.found]);
    };
    assert.deepEqual(await found(), [
      ['.agents/skills/tidy-notes/SKILL.md', 'yes'],
      ['.codex/skills/out/SKILL.md', 'yes'],
      ['.codex/skills/sort-notes/SKILL.md', 'no'],
      ['.codex/skills/tidy-notes/SKILL.md', 'yes'],
    ]);
    assert.deepEqual(await found('.codex/skills/tidy-notes'), [
      ['.agents/skills/tidy-notes/SKILL.md', 'yes'],
      ['.codex/skills/tidy-notes/SKILL.md', 'yes'],
    ]);
    const rows = readRows(await clientsJson(join(cwd, 'w'), '--client', 'claude-code'));
    assert.equal(rows.find(({ file }) => file.startsWith('.codex/skills/tidy'))?.found, 'no');
  });

  it('suggests a known client for an unknown name, and requires a SKILL.md', async () => {
    assertUsageError(
      await run(folder, ['clients', '--client', 'codx']),
      /Unknown client `codx`\. Did you mean `codex`\?/,
    );
    assertUsageError(await run(folderWith({ 'a.skill.md': skill('a') }), ['clients']), /No `SKILL\.md` found/);
  });

  it('takes a framework with the folder that its program names, also as a target client', async () => {
    const folder = folderWith({
      'src/skills/notes/SKILL.md': '---\nname: other\ndescription: Takes notes.\n---\nTake notes.\n',
    });
    const { stdout } = await run(folder, ['clients', '--client', 'Mastra:src/skills']);
    assert.match(stdout, /^ {2} +yes +no +no .* Mastra \(src\/skills\)$/m);
    assert.match(stdout, /The `name` differs from the folder name, so the skill is not loaded\./);
    const both = await run(folder, ['clients', '--client', 'mastra:src/skills, codex']);
    assert.match(both.stdout, / Mastra \(src\/skills\)\n.* OpenAI Codex\n/);
    const saved = await run(folder, ['clients', '--set', 'mastra:src/skills,claude-code']);
    assert.match(saved.stdout, /^Target clients: Mastra \(src\/skills\) and Claude Code\. /);
    const unnamed = await run(folder, ['clients', '--client', 'mastra']);
    assert.match(unnamed.stdout, /^\* +yes .* Mastra \(src\/skills\)$/m);
    const { status, stdout: findings } = await run(folder, ['check']);
    assert.equal(status, 1);
    assert.match(findings, /Mastra \(src\/skills\) does not load this skill\./);
    assert.match(findings, /Claude Code does not load this skill\. Claude Code reads `\.claude\/skills`\./);
    const outside = await run(folder, ['clients', '--client', 'mastra:../skills']);
    assert.match(outside.stderr, /`mastra:\.\.\/skills` has no folder below the workspace\. Write `mastra:FOLDER`/);
  });

  it('notes the folder that a program names, until it is a target', async () => {
    const folder = folderWith({
      '.claude/skills/notes/SKILL.md': '---\nname: notes\ndescription: Takes notes.\n---\nTake notes.\n',
      'app/package.json': '{"dependencies": {"@google/adk": "2.0.0"}}',
      'app/agent.ts': "import { loadAllSkillsInDir } from '@google/adk';\n\nloadAllSkillsInDir('./skills');\n",
    });
    const note =
      'skill-composer: `app/agent.ts:3` names `skills` for Google ADK, which is not a target client. Add it with `skill-composer clients --set claude-code,google-adk:skills`.';
    assert.equal((await run(folder, ['clients'])).stderr.trim(), note);
    assert.equal((await run(folder, ['clients', '--client', 'pi'])).stderr, '');
    await run(folder, ['clients', '--set', 'claude-code,google-adk:skills']);
    assert.equal((await run(folder, ['clients'])).stderr, '');
  });

  it('finds the skills that links add to the folder of a framework', {
    skip: process.platform === 'win32',
  }, async () => {
    const text = '---\nname: notes\ndescription: Takes notes.\n---\nTake notes.\n';
    const folder = folderWith({
      'src/skills/lists/SKILL.md': text.replaceAll('notes', 'lists'),
      '.claude/skills/notes/SKILL.md': text,
      'skills.config.yaml': 'agent_skills: {clients: [claude-code, mastra:src/skills]}\n',
    });
    assert.match((await run(folder, ['check'])).stdout, /Mastra \(src\/skills\) does not load this skill/);
    symlinkSync(join('..', '..', '.claude', 'skills', 'notes'), join(folder, 'src', 'skills', 'notes'));
    assert.doesNotMatch((await run(folder, ['check'])).stdout, /Mastra .*does not load/);
    const why = ['clients', '--why', 'src/skills/notes/SKILL.md', '--client', 'mastra:src/skills'];
    assert.match((await run(folder, why)).stdout, /listed +In the list, it is at position 2 of 2\./);
  });

  it('--why prints the five steps of each target client, with the rivals for a request', async () => {
    const why = ['clients', '--why', '.agents/skills/tidy-notes/SKILL.md'];
    const { stdout, stderr, status } = await run(chosen, [...why, '--request', 'count the words']);
    assert.deepEqual([stderr, status], ['', 1]);
    assert.match(stdout, /tidy-notes\/SKILL\.md in OpenAI Codex \(as of /);
    assert.match(stdout, /✓ found {6}The client reads `\.agents\/skills`/);
    assert.match(stdout, /✗ chosen {5}`mine` ranks first\. Only its text contains “counts” and “words”\./);
    assert.match(stdout, /in Goose/);
    const json = await run(chosen, [...why, '--client', 'zed', '--format', 'json']);
    const report = JSON.parse(json.stdout) as {
      readonly clients: readonly { readonly steps: readonly { readonly name: string }[] }[];
    };
    assert.deepEqual(
      report.clients[0]?.steps.map(({ name }) => name),
      ['found', 'loaded', 'listed', 'chosen', 'delivered'],
    );
    assert.equal(json.status, 0);
  });

  it('--why shows the body if arguments are given', async () => {
    const fee = skill('fee', 'description: Computes a fee.').replace('Merge notes.', 'Ask $ARGUMENTS.\n\n!`ls`');
    const cwd = folderWith({ '.claude/skills/fee/SKILL.md': fee });
    const why = ['clients', '--why', '.claude/skills/fee/SKILL.md', '--client', 'claude-code'];
    const { stdout } = await run(cwd, [...why, '--arguments', 'Ana']);
    assert.match(
      stdout,
      /~ delivered .*\n(?: {15}.*\n)* {15}\| \[the body\]\n {15}Ask Ana\.\n {15}\n {15}!`ls`\n {15}\[/,
    );
    assert.doesNotMatch((await run(cwd, why)).stdout, /^ +Ask /m);
  });

  it("--why prints the text around the body, and the permission of the model's call", async () => {
    const path = '.claude/skills/tidy-notes/SKILL.md';
    const cwd = folderWith({
      [path]: FILES['.agents/skills/tidy-notes/SKILL.md'],
      '.claude/skills/tidy-notes/a.md': '',
    });
    const { stdout } = await run(cwd, ['clients', '--why', path, '--client', 'claude-code']);
    assert.match(
      stdout,
      /delivered .*needs a permission, because the skill has `allowed-tools`; `claude -p` refuses it without a rule for `Skill\(tidy-notes\)`\./,
    );
    assert.match(
      stdout,
      /\n +text of every call:\n +\| Base directory for this skill: .*\/\.claude\/skills\/tidy-notes\n +\|\n +\| \[the body\]\n/,
    );
    const json = await run(cwd, ['clients', '--why', path, '--client', 'copilot-cli', '--format', 'json']);
    const report = JSON.parse(json.stdout) as {
      readonly clients: readonly { readonly frames: readonly Readonly<Record<string, unknown>>[] }[];
    };
    // For a person, the client adds the time.
    const [frame, forPerson] = report.clients[0]?.frames ?? [];
    assert.deepEqual([frame?.calls, frame?.gives, frame?.isExact], [['model'], 'body', true]);
    assert.deepEqual(forPerson?.calls, ['person']);
    assert.match(String(forPerson?.before), /^<current_datetime>/);
    assert.match(String(frame?.before), /Related files \(use view tool to read\):\n {2}- .*\/tidy-notes\/a\.md\n\n$/);
  });

  it('--why refuses other files and options', async () => {
    assertUsageError(await run(chosen, ['clients', '--why', 'skills.config.yaml']), /not a `SKILL\.md`/);
    const why = ['clients', '--why', '.agents/skills/tidy-notes/SKILL.md'];
    assertUsageError(await run(chosen, [...why, '--budget']), /exclude each other/);
    assertUsageError(await run(chosen, [...why, '--request', ' ']), /request/);
    assertUsageError(await run(chosen, [...why, '--format', 'markdown']), /`pretty` or `json`/);
    assertUsageError(await run(chosen, ['clients', '--request', 'count']), /need `--why FILE`/);
  });
});
