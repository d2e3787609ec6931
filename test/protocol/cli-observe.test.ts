/** `observe`: a client is run once, and what it sends is compared with the prediction (docs/observing.md). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertUsageError, CLI, folderWith, runAsProcess } from './cli.ts';

const skill = (name: string, description: string, body = `The body of ${name}, which is long.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

const SKILLS = {
  '.claude/skills/pdf/SKILL.md': skill('pdf', 'Merges PDF files.'),
  '.claude/skills/notes/SKILL.md': skill('notes', 'Sorts notes.'),
  '.claude/skills/notes/scripts/sort.py': 'print(1)\n',
};

/** Asks the model at the address of Claude Code's variable, as its program does. `entries` are the lines of its list. */
const ASKING = `
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const folder = process.cwd() + '/.claude/skills';
const names = existsSync(folder) ? readdirSync(folder).sort() : [];
const read = (name) => readFileSync(folder + '/' + name + '/SKILL.md', 'utf8');
const entry = (name) => '- ' + name + ': ' + /^description: (.*)$/m.exec(read(name))[1];
const ask = async (messages) => {
  const body = { model: 'm', tools: [{ name: 'Skill' }], messages };
  const reply = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: JSON.stringify(body) });
  return (await reply.json()).content[0];
};
const listOf = (entries) => [{ role: 'user', content:
  'The following skills are available for use with the Skill tool:\\n\\n' + entries.join('\\n') }];
const converse = async (messages, deliver) => {
  for (;;) {
    const turn = await ask(messages);
    if (turn.type === 'text') return;
    messages.push({ role: 'assistant', content: [turn] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: turn.id, content: 'Launching skill' }] });
    messages.push({ role: 'user', content: deliver(turn.input.skill) });
  }
};
const bodyOf = (name) => 'Base directory for this skill: ' + folder + '/' + name + '\\n\\n' +
  read(name).split('---\\n').slice(2).join('---\\n').trimStart();
`;

const FAITHFUL = 'converse(listOf(names.map(entry)), bodyOf);';

/** Returns a folder with a program `claude` that runs this text, beside the programs that it needs. */
function installed(program: string, version = '2.1.332'): string {
  const folder = folderWith({
    'package/package.json': `{\n  "name": "x",\n  "version": "${version}"\n}\n`,
    'package/claude': `#!${process.execPath}\n${ASKING}\n${program}\n`,
  });
  chmodSync(join(folder, 'package', 'claude'), 0o755);
  return join(folder, 'package');
}

/** Runs `observe claude-code` with a program in the place of Claude Code. */
async function observing(
  program: string,
  words: readonly string[] = [],
  { files = SKILLS, version }: { readonly files?: Readonly<Record<string, string>>; readonly version?: string } = {},
) {
  const cwd = folderWith(files);
  const own = folderWith();
  const path = [installed(program, version), process.env.PATH].join(delimiter);
  const run = await runAsProcess(cwd, ['observe', 'claude-code', '--yes', ...words], {
    env: { PATH: path, TMPDIR: own, ANTHROPIC_API_KEY: 'secret-of-the-user' },
  });
  assert.deepEqual(readdirSync(own), [], 'the temporary folder is removed');
  return { ...run, cwd };
}

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
    assert.match(stdout, /1 skills were in no client's folder/);
    assert.match(stdout, /Not copied: skills\/pdf \(another skill is in a folder `pdf`\)/);
    assert.equal(status, 0);
  });

  it('opens the folder behind a link, and writes only below its temporary folder', async () => {
    const files = Object.fromEntries(Object.entries(SKILLS).map(([path, text]) => [`real/${path}`, text]));
    const cwd = folderWith({ ...files, 'a/b/c/x.txt': '' });
    symlinkSync('../../../real', join(cwd, 'a/b/c/link'));
    const own = folderWith({ 'one/x.txt': '' });
    const { stdout, status } = await runAsProcess(cwd, ['observe', 'claude-code', '--yes', 'a/b/c/link'], {
      env: { PATH: [installed(FAITHFUL), process.env.PATH].join(delimiter), TMPDIR: join(own, 'one') },
    });
    assert.match(stdout, /2 as predicted, 0 different\n/);
    assert.equal(status, 0, stdout);
    assert.deepEqual(readdirSync(own, { recursive: true }).sort(), ['one', 'one/x.txt']);
    assert.equal(existsSync(join(dirname(own), 'real')), false);
  });

  it('copies neither hooks, servers nor settings, and other files only if asked', async () => {
    const files = {
      ...SKILLS,
      '.claude/settings.json': '{"hooks":{}}',
      '.mcp.json': '{}',
      'CLAUDE.md': 'Hello.',
      '.claude/agents/a.md': '---\nname: a\n---\n',
      '.claude/agents/b.md': '---\nname: b\nhooks: {}\n---\n',
      '.claude/agents/flow.md': '---  \n{name: flow, "h\\u006foks": {}}\n---  \n',
      '.codex/agents/c.toml': 'name = "c"\n[mcp_servers.x]\ncommand = "y"\n',
      '.claude/skills/pdf/.mcp.json': '{}',
      '.claude/skills/pdf/hooks/hooks.json': '{}',
      'src/code.ts': 'x',
    };
    const listing =
      "console.error('FOUND ' + require('node:fs').readdirSync('.', { recursive: true }).filter((one) => !one.startsWith('.git')).sort().join(' ') + ' ' + Object.keys(process.env).filter((one) => process.env[one].includes('secret')));";
    const alone = await observing(listing, [], { files });
    const [, found = ''] = /FOUND (.*)/.exec(alone.stderr) ?? [];
    assert.equal(
      found
        .split(' ')
        .filter((one) => /\.\w+$/.test(one) && one !== '.claude')
        .join(' '),
      '.claude/skills/notes/SKILL.md .claude/skills/notes/scripts/sort.py .claude/skills/pdf/SKILL.md',
    );
    const { stderr } = await observing(listing, ['--with', 'agents,commands'], { files });
    assert.match(stderr, /FOUND [^\n]*\.claude\/agents\/a\.md/);
    assert.doesNotMatch(stderr, /FOUND [^\n]*b\.md/);
    assert.match(stderr, /\.claude\/agents\/flow\.md \(it names hooks/);
    assert.match(stderr, /\.claude\/agents\/b\.md \(it names hooks, servers or dependencies\)/);
    assert.match(stderr, /\.codex\/agents\/c\.toml \(it names hooks, servers or dependencies\)/);
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

  it('follows links only within the folder', async () => {
    const cwd = folderWith({
      'shared/pdf/SKILL.md': skill('pdf', 'Merges.'),
      '.claude/skills/x/SKILL.md': skill('x', 'X.'),
    });
    symlinkSync('../../shared/pdf', join(cwd, '.claude/skills/pdf'));
    symlinkSync(folderWith({ 'SKILL.md': skill('away', 'Away.') }), join(cwd, '.claude/skills/away'));
    const path = [installed(FAITHFUL), process.env.PATH].join(delimiter);
    const { stdout } = await runAsProcess(cwd, ['observe', 'claude-code', '--yes'], { env: { PATH: path } });
    assert.match(stdout, /\.claude\/skills\/pdf\/SKILL\.md\n/);
    assert.doesNotMatch(stdout, /skills\/away\/SKILL/);
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
    runAsProcess(folderWith(files), ['observe', ...words], { env: { PATH: path } });

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
    const result = await runAsProcess(cwd, ['observe', 'claude-code', '--yes'], { env: { PATH: join(cwd, 'bin') } });
    assertUsageError(result, /`PATH` has no program `claude`/);
  });

  it('a folder without skills, and a path that is no folder', async () => {
    assertUsageError(await run(['claude-code', '--yes'], { 'a.txt': '' }), /`\.` contains no `SKILL\.md`/);
    assertUsageError(await run(['claude-code', 'none', '--yes']), /`none` is not a folder/);
  });

  it('that it may not start a client without a confirmation', async () => {
    const result = await run(['claude-code'], SKILLS, installed("require('node:fs').writeFileSync('RAN', '')"));
    assertNotObserved(result, /No terminal is available to confirm the start\. Add `--yes`\./);
    assert.match(result.stderr, /This starts Claude Code/);
  });

  it('a client that wants a login', async () => {
    assertNotObserved(
      await observing("console.error('Please run /login first'); process.exit(1)"),
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
    const program = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)', '${mark}'], { detached: true, stdio: 'ignore' }).unref(); setTimeout(() => {}, 600000)`;
    assertNotObserved(
      await observing(program, ['--timeout', '3']),
      /sent no request to the model in 3 seconds, and was ended with its processes\. .*printed nothing/,
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

  it('a client that asked and then hangs', async () => {
    const { status, stdout } = await observing(`${FAITHFUL} setTimeout(() => {}, 600000);`, ['--timeout', '10']);
    assert.match(stdout, /The client did not end by itself after the last answer, and was ended\./);
    assert.equal(status, 0);
  });

  it('nothing after Ctrl+C, but ends the client and removes its folders', async () => {
    const own = folderWith();
    const mark = `observe-interrupted-${process.pid}`;
    const program = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)', '${mark}'], { stdio: 'ignore' }); setTimeout(() => {}, 600000)`;
    const path = [installed(program), process.env.PATH].join(delimiter);
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

/** Returns the running processes whose command has a word (Linux only). */
const processesWith = (word: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return command.at(-2) === word;
    } catch {
      return false;
    }
  });
