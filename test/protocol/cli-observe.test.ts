/** `observe`: a client is run once, and what it sends is compared with the prediction (docs/observing.md). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertUsageError, CLI, folderWith, runAsProcess, run as runHere } from './cli.ts';
import { FAITHFUL, installed, installedShell, pathWith, processesWith, plainSkill as skill } from './fake-client.ts';

const SKILLS = {
  '.claude/skills/pdf/SKILL.md': skill('pdf', 'Merges PDF files.'),
  '.claude/skills/notes/SKILL.md': skill('notes', 'Sorts notes.'),
  '.claude/skills/notes/scripts/sort.py': 'print(1)\n',
};

/** Runs `observe claude-code` with a program in the place of Claude Code, which is in this folder. */
async function observingIn(
  program: string,
  words: readonly string[] = [],
  files: Readonly<Record<string, string>> = SKILLS,
) {
  const cwd = folderWith(files);
  const run = await runHere(cwd, ['observe', 'claude-code', '--yes', ...words], {
    env: { PATH: pathWith(program), ANTHROPIC_API_KEY: 'secret-of-the-user' },
  });
  return { ...run, cwd };
}

/** Does the same with a script. */
const observing = (
  script: string,
  words: readonly string[] = [],
  { files = SKILLS, version }: { readonly files?: Readonly<Record<string, string>>; readonly version?: string } = {},
) => observingIn(installed(script, version), words, files);

const windows = process.platform === 'win32';

describe('skill-composer observe', { skip: windows && 'not on Windows' }, () => {
  it('prints that everything is as predicted', async () => {
    const { status, stdout, stderr } = await observing(FAITHFUL);
    assert.match(stdout, /^Claude Code 2\.1\.332, predicted for 2\.1\.332; /);
    assert.match(stdout, /The list \(messages\.0\.content\): 2 as predicted, 0 different\n/);
    assert.match(stdout, /Texts after a call by the model: 2 as predicted, 0 different\n/);
    assert.match(stderr, /This starts Claude Code: \S+claude, version 2\.1\.332\./);
    assert.match(stderr, /copies of 2 skills\b[\s\S]*no key/);
    assert.equal(status, 0, stdout);
  });

  it('marks an entry, a missing skill and a text that differ from the prediction', async () => {
    const { status, stdout } = await observing(
      "converse(listOf(['- notes: Sorts no', '- own: of the client']), (name) => 'The body of notes, which is long.');",
    );
    assert.match(
      stdout,
      /≠ \.claude\/skills\/notes\/SKILL\.md\n\s+- - notes: Sorts notes\.\n\s+\+ - notes: Sorts no\n/,
    );
    assert.match(stdout, /≠ \.claude\/skills\/pdf\/SKILL\.md\n\s+- - pdf: Merges PDF files\.\n\s+\+ not in the list\n/);
    assert.match(stdout, /the client's own: own\n/);
    assert.match(stdout, /- Base directory for this skill: \{workspace\}\/\.claude\/skills\/notes\n/);
    assert.equal(status, 1);
  });

  it('lists the clients, and prints what a run would start, without starting anything', async () => {
    const cwd = folderWith({ ...SKILLS, '.claude/commands/a.md': 'A.' });
    const how = { env: { PATH: pathWith(installedShell('echo RAN >&2')) } };
    const listed = await runHere(cwd, ['observe', '--format', 'json'], how);
    const { clients } = JSON.parse(listed.stdout);
    const claude = clients.find(({ id }: { id: string }) => id === 'claude-code');
    assert.deepEqual([claude.version, claude.program.endsWith('/package/claude')], ['2.1.332', true]);
    const droid = clients.find(({ id }: { id: string }) => id === 'droid');
    assert.deepEqual([droid.package, droid.program], ['@factory/cli', null]);
    const code = clients.find(({ id }: { id: string }) => id === 'vscode');
    assert.match(code.reason, /^VS Code is an editor/);
    const { stdout } = await runHere(cwd, ['observe'], how);
    assert.match(stdout, /^ {2}claude-code {2}\S+claude, version 2\.1\.332/m);
    assert.match(stdout, /^ {2}droid +not installed: npm install --global @factory\/cli/m);
    const planned = await runHere(cwd, ['observe', 'claude-code', '--dry-run', '--format', 'json'], how);
    const { client, skills, others, missing } = JSON.parse(planned.stdout);
    assert.equal(client.version, '2.1.332');
    assert.deepEqual([skills, others, missing], [2, { agents: 0, commands: 1, plugins: 0 }, null]);
    const { stdout: said, stderr, status } = await runHere(cwd, ['observe', 'claude-code', '--dry-run'], how);
    assert.match(said, /^This starts Claude Code: /);
    assert.deepEqual([stderr, status], ['', 0]);
  });

  it('says that OpenCode loads no skill without ripgrep', async () => {
    const path = folderWith({ 'bin/opencode': '#!/bin/sh\n' });
    chmodSync(join(path, 'bin/opencode'), 0o755);
    const env = { PATH: join(path, 'bin') };
    const { stdout } = await runHere(folderWith(SKILLS), ['observe', 'opencode', '--dry-run'], { env });
    assert.match(
      stdout,
      /`PATH` has no program `rg`, without which OpenCode loads no skill: only its list is observed\./,
    );
  });

  it('prints a skill that is not predicted but listed, with the reason of the prediction', async () => {
    const hidden = { '.claude/skills/pdf/SKILL.md': skill('pdf', 'Merges.\ndisable-model-invocation: true') };
    const { status, stdout } = await observing("converse(listOf(['- pdf: Merges.']), bodyOf);", [], { files: hidden });
    assert.match(stdout, /≠ \.claude\/skills\/pdf\/SKILL\.md\n\s+- not in the list\n\s+\+ - pdf: Merges\.\n\s+\S/);
    assert.equal(status, 1);
  });

  it('saves a report as JSON and as Markdown for an issue, without paths of the machine', async () => {
    const { status, stdout, cwd } = await observing("converse(listOf(['- notes: Sorts no']), bodyOf);", [
      ...['--format', 'json', '--output', 'report.md'],
    ]);
    const report = JSON.parse(stdout);
    assert.equal(report.version, 1);
    assert.equal(report.differences, 2);
    assert.deepEqual(
      report.list.map(({ path, verdict }: { path: string; verdict: string }) => [path, verdict]),
      [
        ['.claude/skills/notes/SKILL.md', 'different'],
        ['.claude/skills/pdf/SKILL.md', 'different'],
      ],
    );
    const markdown = readFileSync(join(cwd, 'report.md'), 'utf8');
    assert.match(markdown, /^- Client: Claude Code \(claude-code\)$/m);
    assert.match(markdown, /^- Version of the client: 2\.1\.332$/m);
    assert.match(markdown, /What is right:\n\n```text\n- notes: Sorts no\n```/);
    for (const text of [stdout, markdown]) {
      assert.ok(![cwd, dirname(cwd), process.execPath].some((path) => text.includes(path)), text);
    }
    assert.equal(status, 1);
  });

  it('puts skills of no client into the skills folder of the client', async () => {
    const files = { 'skills/pdf/SKILL.md': skill('pdf', 'Merges.'), 'other/pdf/SKILL.md': skill('pdf', 'Merges.') };
    const { status, stdout } = await observing(FAITHFUL, [], { files });
    assert.match(stdout, /= \.claude\/skills\/pdf\/SKILL\.md\n/);
    assert.match(stdout, /1 skill in no client's folder: put into \.claude\/skills/);
    assert.match(stdout, /Not copied: skills\/pdf \(another skill is in a folder `pdf`\)/);
    assert.equal(status, 0);
  });

  it('opens the folder behind a link, and writes only below its temporary folder', async () => {
    const files = Object.fromEntries(Object.entries(SKILLS).map(([path, text]) => [`real/${path}`, text]));
    const cwd = folderWith({ ...files, 'a/b/c/x.txt': '' });
    symlinkSync('../../../real', join(cwd, 'a/b/c/link'));
    const own = folderWith({ 'one/x.txt': '' });
    const { stdout, status } = await runAsProcess(cwd, ['observe', 'claude-code', '--yes', 'a/b/c/link'], {
      env: { PATH: pathWith(installed(FAITHFUL)), TMPDIR: join(own, 'one') },
    });
    assert.match(stdout, /2 as predicted, 0 different\n/);
    assert.equal(status, 0, stdout);
    assert.deepEqual(readdirSync(own, { recursive: true }).sort(), ['one', 'one/x.txt']);
    assert.equal(existsSync(join(dirname(own), 'real')), false);
  });

  it('copies other files only if asked, and gives the client no key', async () => {
    const files = {
      ...SKILLS,
      '.claude/agents/a.md': '---\nname: a\n---\n',
      '.claude/agents/b.md': '---\nname: b\nhooks: {}\n---\n',
      '.claude-plugin/plugin.json': '{"name": "p"}',
      'src/code.ts': 'x',
    };
    const lister = installedShell('find . -type f -not -path "./.git/*" >&2; env | grep secret >&2; exit 1');
    const { stderr } = await observingIn(lister, ['--with', 'agents,plugins'], files);
    const [, found = ''] = /Its last lines: (.*)/.exec(stderr) ?? [];
    assert.deepEqual(found.split(' | ').sort(), [
      './.claude-plugin/plugin.json',
      './.claude/agents/a.md',
      './.claude/skills/notes/SKILL.md',
      './.claude/skills/notes/scripts/sort.py',
      './.claude/skills/pdf/SKILL.md',
    ]);
    assert.match(stderr, /Not copied: \.claude\/agents\/b\.md \(it names hooks, servers or dependencies\)\./);
  });

  it('does not call a skill for which the client would run a command', async () => {
    const files = { '.claude/skills/pdf/SKILL.md': skill('pdf', 'Merges.', 'Now: !`date`') };
    const { status, stdout } = await observing(
      `${FAITHFUL.replace('bodyOf', "() => { throw new Error('called') }")}`,
      [],
      { files },
    );
    assert.match(stdout, /not called, because the client may run commands or hooks of this skill/);
    assert.equal(status, 0, stdout);
  });

  it('goes on with another version, and says so', async () => {
    const { status, stdout, stderr } = await observing(FAITHFUL, [], { version: '9.0.0' });
    assert.match(stderr, /version 9\.0\.0 \(the facts are of 2\.1\.332\)/);
    assert.match(stdout, /The facts are of version 2\.1\.332, so a difference may be a change of the client\./);
    assert.equal(status, 0);
  });
});

/** Asserts the one line that ends a run which observed nothing, after the announcement. */
function assertNotObserved(
  { status, stdout, stderr }: { status: number | null; stdout: string; stderr: string },
  message: RegExp,
) {
  assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', message);
  assert.equal(stdout, '');
  assert.equal(status, 2);
}

describe('observe reports in one message', { skip: windows && 'not on Windows' }, () => {
  const run = (words: readonly string[], files: Readonly<Record<string, string>> = SKILLS, path = '/nowhere') =>
    runHere(folderWith(files), ['observe', ...words], { env: { PATH: path } });

  it('an unknown client', async () => {
    assertUsageError(
      await run(['claud-code', '--yes']),
      /`observe claud-code`: Unknown client `claud-code`\. Did you mean `claude-code`\?/,
    );
  });

  it('a client that is no program of its own', async () => {
    assertUsageError(
      await run(['vscode', '--yes']),
      /cannot run `vscode`: VS Code is an editor[\s\S]*It runs claude-code,/,
    );
    assertUsageError(await run(['claude-ai', '--yes']), /is a service, which needs an account/);
    assertUsageError(await run(['goose', '--yes']), /Goose has never been run/);
  });

  it('a program that is not installed', async () => {
    assertUsageError(
      await run(['claude-code', '--yes']),
      /`PATH` has no program `claude`\. Install it, for example with `npm install --global @anthropic-ai\/claude-code`\./,
    );
  });

  it('a program in the workspace, which is not run', async () => {
    const cwd = folderWith({ ...SKILLS, 'bin/claude': '#!/bin/sh\necho RAN\n' });
    chmodSync(join(cwd, 'bin/claude'), 0o755);
    const result = await runHere(cwd, ['observe', 'claude-code', '--yes'], { env: { PATH: join(cwd, 'bin') } });
    assertUsageError(result, /`PATH` has no program `claude`/);
  });

  it('a program that is not the one of `--program`', async () => {
    const folder = installedShell('echo RAN >&2');
    const words = ['claude-code', '--yes', '--program'];
    const result = await run([...words, '/elsewhere/claude'], SKILLS, pathWith(folder));
    assertUsageError(result, /`PATH` has the program `\S+claude`, and `--program` allows only `\/elsewhere\/claude`/);
    assert.doesNotMatch(result.stderr, /RAN/);
    const allowed = await run([...words, join(folder, 'claude')], SKILLS, pathWith(folder));
    assert.match(allowed.stderr, /RAN/);
  });

  it('a program in the workspace that is named through links', async () => {
    const cwd = folderWith({ ...SKILLS, 'bin/claude': '#!/bin/sh\necho RAN\n' });
    chmodSync(join(cwd, 'bin/claude'), 0o755);
    const linked = join(folderWith(), 'linked');
    symlinkSync(cwd, linked);
    const elsewhere = folderWith();
    symlinkSync(join(cwd, 'bin/claude'), join(elsewhere, 'claude'));
    const how = { env: { PATH: [join(cwd, 'bin'), elsewhere].join(delimiter) } };
    const result = await runHere(dirname(linked), ['observe', 'claude-code', '--yes', linked], how);
    assertUsageError(result, /`PATH` has no program `claude`/);
  });

  it('a folder without skills, and a path that is no folder', async () => {
    assertUsageError(await run(['claude-code', '--yes'], { 'a.txt': '' }), /`\.` contains no `SKILL\.md`/);
    assertUsageError(await run(['claude-code', 'none', '--yes']), /`none` is not a folder/);
  });

  it('that it may not start a client without a confirmation', async () => {
    const result = await run(['claude-code'], SKILLS, installedShell('echo RAN >&2'));
    assertNotObserved(result, /No terminal is available to confirm the start\. Add `--yes`\./);
    assert.match(result.stderr, /This starts Claude Code/);
    assert.doesNotMatch(result.stderr, /RAN/);
  });

  it('a client that wants a login', async () => {
    assertNotObserved(
      await observingIn(installedShell('echo "Please run /login first" >&2; exit 1')),
      /ended with status 1 and wants a login\..*Please run \/login first/,
    );
  });

  it('a client that crashes, with its last lines and without control characters', async () => {
    const result = await observing(
      "console.error('\\x1b[31mno\\x1b[0m luck\\x07\\u202e\\n' + process.cwd()); process.exit(3)",
    );
    assertNotObserved(
      result,
      /ended with status 3 and sent no request to the model\. Its last lines: no\S* luck\S* \| \{workspace\}/,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not be printed.
    assert.doesNotMatch(result.stderr, /[\x00-\x08\x0b-\x1f\u202e]/);
  });

  it('a client that sends nothing, and one that hangs, whose children are ended', async () => {
    const mark = `observe-child-${process.pid}`;
    const program = installedShell(`setsid sh -c 'sleep 600; : ${mark}' & sleep 600`);
    assertNotObserved(
      await observingIn(program, ['--timeout', '1']),
      /sent no request to the model in 1 seconds, and was ended with its processes\. .*printed nothing/,
    );
    if (process.platform === 'linux') assert.deepEqual(processesWith(mark), []);
  });

  it('a client that sends garbage', async () => {
    const garbage = "fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: '{garbage' })";
    assertNotObserved(
      await observing(garbage),
      /sent a request that cannot be read: \/v1\/messages: The request is not JSON/,
    );
    const elsewhere = "fetch(process.env.ANTHROPIC_BASE_URL + '/account', { method: 'GET' })";
    assertNotObserved(await observing(elsewhere), /sent only requests that are not to a model: GET \/account/);
  });

  it('a list that is not there', async () => {
    const { status, stdout } = await observing("ask([{ role: 'user', content: 'hello' }])");
    assert.match(stdout, /The list was not in any request: 0 as predicted, 2 different/);
    assert.equal(status, 1);
  });

  it('nothing after Ctrl+C, but ends the client and removes its folders', async () => {
    const own = folderWith();
    const mark = `observe-interrupted-${process.pid}`;
    const path = pathWith(installedShell(`sh -c 'sleep 600; : ${mark}' & sleep 600`));
    const child = spawn(process.execPath, [CLI, 'observe', 'claude-code', '--yes'], {
      cwd: folderWith(SKILLS),
      env: { ...process.env, PATH: path, TMPDIR: own },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const isRunning = () => readdirSync(own).some((name) => existsSync(join(own, name, 'output.txt')));
    while (!isRunning() || (process.platform === 'linux' && processesWith(mark).length === 0)) await sleep(50);
    child.kill('SIGINT');
    assert.equal(await ended, 130);
    assert.deepEqual(readdirSync(own), []);
    if (process.platform === 'linux') assert.deepEqual(processesWith(mark), []);
  });
});
