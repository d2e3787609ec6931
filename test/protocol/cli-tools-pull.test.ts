/** `skill-composer tools pull`: prompts, written snapshots, and reports of changes (docs/tools.md). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, CLI, folderWith, run, skill } from './cli.ts';
import { type PullJson, pullFolder, stdio } from './tools-pull.ts';

const snapshotOf = (folder: string): string => readFileSync(join(folder, 'skills.tools.json'), 'utf8');
const read = (folder: string) =>
  JSON.parse(snapshotOf(folder)) as { tools: Record<string, unknown>[]; servers: object[] };

async function pull(folder: string, ...words: string[]) {
  const { status, stdout, stderr } = await run(folder, ['tools', 'pull', '--format', 'json', ...words]);
  return { status, stderr, report: stdout === '' ? undefined : (JSON.parse(stdout) as PullJson).catalogs[0] };
}

/** Runs the command line at a terminal, and types an answer to its prompt. */
function atTerminal(cwd: string, words: readonly string[], word: string): Promise<string> {
  const line = [process.execPath, CLI, ...words].map((one) => `'${one}'`).join(' ');
  const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], { cwd });
  return new Promise((resolve) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!said.includes('[y/N]') && (said + text).includes('[y/N]')) child.stdin.write(`${word}\r`);
      said += text;
    });
    child.on('close', () => resolve(said));
  });
}

describe('skill-composer tools pull', () => {
  it('writes the listed tools with descriptions, inputs and effects, and the server with its version', async () => {
    const folder = pullFolder({ wiki: stdio('good') });
    const { status, report } = await pull(folder, '--yes');
    assert.equal(status, 0);
    assert.deepEqual(report?.servers, [
      { name: 'wiki', file: '.mcp.json', status: 'pulled', version: '1.2.3', tools: 2, reason: null },
    ]);
    const inputSchema = { properties: { slug: { type: 'string' } }, required: ['slug'], type: 'object' };
    assert.deepEqual(read(folder), {
      servers: [{ name: 'wiki', version: '1.2.3' }],
      tools: [
        { name: 'read_page', description: 'Does read_page.', inputSchema, operation: 'READ', server: 'wiki' },
        { name: 'write_page', description: 'Does write_page.', inputSchema, operation: 'WRITE', server: 'wiki' },
      ],
    });
    assert.equal((await run(folder, ['check'])).status, 0, 'the tools are those of the catalog');
  });

  it('lists the tools that the target clients do not offer to their models', async () => {
    const targets = {
      'skills.config.yaml': 'tools: [{from: .mcp.json}]\nagent_skills: {clients: [claude-code, codex]}\n',
    };
    const folder = pullFolder({ odd: stdio('odd') }, targets);
    const { report } = await pull(folder, '--yes');
    assert.deepEqual(
      report?.notOffered.map(({ server, tool, message }) => [server, tool, message.replace(/ \d[\d.]* /, ' N ')]),
      [
        [
          'odd',
          null,
          'Claude Code N offers no tool of the server `odd` to the model, because the `inputSchema` of `untyped` does not have `type: object`.',
        ],
      ],
    );
    // Codex takes all of them.
    writeFileSync(join(folder, 'skills.config.yaml'), 'tools: [{from: .mcp.json}]\nagent_skills: {clients: [codex]}\n');
    assert.deepEqual((await pull(folder, '--yes')).report?.notOffered, []);
  });

  it('keeps the names of invalid tools, so that `check` tells why a skill cannot use them', async () => {
    const folder = pullFolder({ odd: stdio('odd') }, { 'read.skill.md': skill('read', 'tools: [untyped]') });
    await pull(folder, '--yes');
    const { status, stdout } = await run(folder, ['check', '--format', 'json']);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /The server `odd` defines `untyped` wrongly: `inputSchema\.type`: .+\. Correct it in the server/,
    );
    const { stdout: text } = await run(folder, ['tools', 'pull', '--yes']);
    assert.match(text, /\nNot offered to models:\n {2}.+Gemini CLI .+ offer no tool of the server `odd`/);
  });

  it('reads all pages of a list', async () => {
    const folder = pullFolder({ wiki: stdio('pages') });
    assert.equal((await pull(folder, '--yes')).status, 0);
    assert.equal(read(folder).tools.length, 100);
  });

  it('writes the same bytes for the same tools in any order', async () => {
    const folder = pullFolder({ wiki: stdio('shuffled') });
    await pull(folder, '--yes');
    const first = snapshotOf(folder);
    for (let time = 0; time < 2; time++) {
      assert.equal((await pull(folder, '--yes', '--check')).status, 0);
      assert.equal(snapshotOf(folder), first);
    }
  });

  it('starts nothing without a terminal, and reports on one line what it would start', async () => {
    const folder = pullFolder({ wiki: stdio('good', { env: { KEY: 'hidden-value' } }, 'started') });
    const ran = await run(folder, ['tools', 'pull']);
    assertUsageError(ran, /add `--yes` to start or call: wiki: `.*stdio\.mjs good started`/);
    assert.doesNotMatch(ran.stderr, /hidden-value/);
    assert.ok(!existsSync(join(folder, 'started')));
    assert.ok(!existsSync(join(folder, 'skills.tools.json')));
  });

  it('lists commands and addresses with hidden secrets before any server is started or called', async () => {
    const folder = pullFolder({
      wiki: stdio('good', { env: { DB_PASSWORD: 'hunter2', MODE: '1' } }, '--token', 'my-own-token'),
      web: {
        url: 'http://user:pass-word@127.0.0.1:9/mcp?api_key=abcdef',
        headers: { Authorization: 'Bearer top-secret' },
      },
    });
    const { stderr, stdout } = await run(folder, ['tools', 'pull', '--yes']);
    assert.match(stderr, /wiki \(\.mcp\.json\)\n {4}\S+ \S+stdio\.mjs good --token \*\*\*\n/);
    assert.match(stderr, /with the variable DB_PASSWORD=\*\*\*/);
    assert.match(stderr, /http:\/\/\*\*\*@127\.0\.0\.1:9\/mcp\?api_key=\*\*\*\n +with the header Authorization=\*\*\*/);
    assert.doesNotMatch(stderr + stdout, /hunter2|my-own-token|pass-word|abcdef|top-secret/);
  });

  it('hides secrets in the errors, versions, names and schemas from a server', async () => {
    const env = { DB_PASSWORD: 'correct-horse' };
    const folder = pullFolder({ dead: stdio('dies', { env }), leak: stdio('leaking', { env }) });
    const { stderr, report } = await pull(folder, '--yes');
    assert.match(report?.servers[0]?.reason ?? '', /status 1 .*Cannot reach the database at \*\*\*/);
    assert.deepEqual(read(folder).tools[0], {
      name: 'leak_***',
      description: 'Connects with ***.',
      inputSchema: { properties: { '***': { enum: ['***'] } }, required: ['***'], type: 'object' },
      operation: 'WRITE',
      server: 'leak',
    });
    assert.doesNotMatch(stderr + JSON.stringify(report) + snapshotOf(folder), /correct-horse/);
  });

  it('keeps the first of two tools with the same name, and reads a changed list again', async () => {
    const folder = pullFolder({ twice: stdio('twice'), once: stdio('changes-once'), none: stdio('toolless') });
    assert.equal((await pull(folder, '--yes')).status, 0);
    assert.deepEqual(
      read(folder).tools.map(({ description }) => description),
      ['Does reading_2.', 'First.'],
    );
  });

  it('writes nothing with `--check`, and exits with 1 if the snapshot differs', async () => {
    const folder = pullFolder({ wiki: stdio('good') });
    const { status, report } = await pull(folder, '--yes', '--check');
    assert.deepEqual([status, report?.differs, report?.written], [1, true, false]);
    assert.ok(!existsSync(join(folder, 'skills.tools.json')));
  });

  it('reports that nothing was written if no server responds', async () => {
    const folder = pullFolder({ wiki: { command: './no-such-program' } });
    const { status, stdout } = await run(folder, ['tools', 'pull', '--yes']);
    assert.equal(status, 1);
    assert.match(stdout, /^skills\.tools\.json: not written, because no server answered\n {2}wiki \(\.mcp\.json\) /);
    assert.ok(!existsSync(join(folder, 'skills.tools.json')));
  });

  it('reads the servers that the catalog names, or only the server of --server', async () => {
    const catalog = 'tools:\n  - from: .mcp.json\n    servers: [a, b]\n';
    const servers = { a: stdio('good'), b: stdio('pages'), c: stdio('good', {}, 'started') };
    const folder = pullFolder(servers, { 'skills.config.yaml': catalog });
    assert.equal((await pull(folder, '--yes')).status, 0);
    assert.deepEqual(read(folder).servers, [
      { name: 'a', version: '1.2.3' },
      { name: 'b', version: '1.2.3' },
    ]);
    assert.ok(!existsSync(join(folder, 'started')));
    const before = snapshotOf(folder);
    assert.equal((await pull(folder, '--yes', '--server', 'b')).status, 0);
    assert.equal(snapshotOf(folder), before, 'the other servers keep what they have');
    assertUsageError(
      await run(folder, ['tools', 'pull', '--yes', '--server', 'd']),
      /`--server d`: unknown server `d`/,
    );
  });

  it('is not run by `check`, even for an unknown server', async () => {
    const folder = folderWith({
      'skills.config.yaml': 'tools: [{from: .mcp.json, servers: [wikki]}]\n',
      '.mcp.json': JSON.stringify({ mcpServers: { wiki: stdio('good', {}, 'started') } }),
    });
    const { stdout } = await run(folder, ['check', 'skills.config.yaml', '--format', 'json']);
    const [finding] = (JSON.parse(stdout) as { findings: { rule: string; fixes: { title: string }[] }[] }).findings;
    assert.deepEqual([finding?.rule, finding?.fixes[0]?.title], ['unknown-server', 'Replace with `wiki`']);
    assert.ok(!existsSync(join(folder, 'started')));
  });

  it('reports what the changed tools break in each skill', async () => {
    const folder = pullFolder(
      { wiki: stdio('good') },
      {
        'write.skill.md': skill('write', 'tools: [save_page]'),
        'agent/SKILL.md': '---\nname: agent\ndescription: Reads.\n---\n\nCall `mcp__wiki__read_page`.\n',
        'skills.tools.json': JSON.stringify({
          servers: [{ name: 'wiki', version: '1.0.0' }],
          tools: [
            {
              name: 'read_page',
              description: 'Old words.',
              inputSchema: { properties: { slug: {}, depth: {} } },
              operation: 'READ',
              server: 'wiki',
            },
            { name: 'save_page', description: 'Does write_page.', inputSchema: {}, operation: 'WRITE', server: 'wiki' },
          ],
        }),
      },
    );
    const { report } = await pull(folder, '--yes', '--check');
    const readers = ' Used by `agent` (agent/SKILL.md) and `read` (read.skill.md).';
    assert.deepEqual(
      report?.changes.map(({ message }) => message),
      [
        '`save_page` of `wiki` was removed. It may have been renamed to `write_page`. Used by `write` (write.skill.md).',
        `\`read_page\` of \`wiki\` now requires \`slug\`. Calls that omit it fail.${readers}`,
        `\`read_page\` of \`wiki\` no longer has \`depth\`.${readers}`,
        `The description of \`read_page\` of \`wiki\` has changed. Review it, because models rely on it.${readers}`,
      ],
    );
    const { stdout } = await run(folder, ['tools', 'pull', '--yes']);
    assert.match(stdout, /^Breaking changes:\n {2}`save_page` of `wiki` was removed/m);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the clients.
  const variables = '"${input:way}", "${workspaceFolder}/${env:FILE_NAME}"';

  it('replaces variables as clients do', async () => {
    const folder = folderWith({
      'skills.config.yaml': 'tools:\n  - from: .vscode/mcp.json\n',
      'a.skill.md': skill('a'),
      '.vscode/mcp.json': `{
        // with comments and trailing commas
        "inputs": [{"id": "way", "type": "promptString"}],
        "servers": {"wiki": ${JSON.stringify(stdio('WAY')).replace('"WAY"', `${variables},`)},},
      }`,
    });
    const skipped = await pull(folder, '--yes');
    assert.equal(skipped.status, 1);
    assert.equal(skipped.report?.servers[0]?.status, 'skipped');
    assert.match(skipped.report?.servers[0]?.reason ?? '', /add `--input way=VALUE`/);
    const words = ['tools', 'pull', '--yes', '--input', 'way=pages'];
    const { status, stderr } = await run(folder, words, { env: { FILE_NAME: 'started-here' } });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /stdio\.mjs \*\*\* \S+\/\*\*\*\n/);
    assert.ok(existsSync(join(folder, 'started-here')));
    assert.equal(read(folder).tools.length, 100);
  });

  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['a catalog without servers', { 'skills.config.yaml': 'tools: []\n' }, /No catalog imports tools from servers/],
    [
      'a file that does not exist',
      { 'skills.config.yaml': 'tools: [{from: gone.json}]\n' },
      /`gone\.json` cannot be read: it does not exist/,
    ],
    [
      'a file that is not JSON, without showing its content',
      { '.mcp.json': '{"a": \n tok-secret}' },
      /`\.mcp\.json` is not valid JSON[^s]*Fix the file/,
    ],
    ['a file without servers', { '.mcp.json': '{}' }, /has no servers/],
    [
      'a misspelt server',
      { 'skills.config.yaml': 'tools: [{from: .mcp.json, servers: [wikki]}]\n' },
      /has no server `wikki`\. Did you mean `wiki`\?/,
    ],
  ];
  for (const [what, files, message] of wrong) {
    it(`refuses ${what}`, async () => {
      assertUsageError(await run(pullFolder({ wiki: stdio('good') }, files), ['tools', 'pull', '--yes']), message);
    });
  }

  it('starts nothing at a terminal without confirmation', {
    skip: !existsSync('/usr/bin/script'),
  }, async () => {
    for (const [word, starts] of [
      ['n', false],
      ['', false],
      ['y', true],
    ] as const) {
      const folder = pullFolder({ wiki: stdio('good', {}, 'started') });
      const said = await atTerminal(folder, ['tools', 'pull'], word);
      assert.match(said, /stdio\.mjs good started[\s\S]*Continue\? \[y\/N\]/);
      assert.equal(existsSync(join(folder, 'started')), starts, said);
      assert.equal(existsSync(join(folder, 'skills.tools.json')), starts);
    }
  });

  it('reports no unknown tool if a configured server has never responded', async () => {
    const folder = pullFolder(
      { wiki: stdio('good'), dead: stdio('dies') },
      { 'read.skill.md': skill('read', 'tools: [of_the_dead]') },
    );
    await pull(folder, '--yes');
    assert.doesNotMatch((await run(folder, ['check'])).stdout, /unknown-tool/);
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { wiki: stdio('good') } }));
    await pull(folder, '--yes');
    assert.match((await run(folder, ['check'])).stdout, /unknown-tool/);
  });
});
