/**
 * Windows, simulated on another system: its paths, a disk with case-insensitive names, other line breaks. File
 * watching, shells and editors on Windows are not tested.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createProtocolConnection, type Diagnostic, StreamMessageWriter } from 'vscode-languageserver-protocol/node';
import { extended } from '../extended.ts';
import { CATALOG, misspelt, type RunResult, rulesOf, run, skill } from './cli.ts';
import { readerOf } from './server.ts';
import { until } from './until.ts';
import { both, machineWith, WORK } from './windows.ts';

const PLAIN =
  '---\nname: plain\ndescription: Reads pages.\n---\n\nSee [it](references/it.md), [that](references/gone.md).\n';

const FILES = {
  'skills.config.yaml': CATALOG,
  'skills/wrong.skill.md': misspelt('wrong'),
  'skills/deep/er/part.skill.md': skill('part', 'output_schema: {page: string}', 'samples: [{name: one}]'),
  'skills/whole.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part, gone]'),
  '.agents/skills/plain/SKILL.md': PLAIN,
  '.agents/skills/plain/references/it.md': 'It.\n',
};

const COMMANDS: readonly (readonly string[])[] = [
  ['check', 'skills/**/*.md', '.agents/skills/plain/SKILL.md'],
  ['graph', '--format', 'json'],
  ['compose', 'skills/deep/er/part.skill.md', '--format', 'json'],
];

const OTHER_COMMANDS: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--format', 'sarif', '--shard', '1/2'],
  ['catalog', '--format', 'json'],
  ['clients', '--format', 'json'],
  ['test', '--format', 'json'],
  ['convert', 'skills/deep/er/part.skill.md', '--to', 'record'],
];

const crlf = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));

/** Removes the lengths of lists, because the entries of some clients contain the absolute path of a skill. */
const withoutLengths = ({ stdout, ...rest }: RunResult): RunResult => ({
  ...rest,
  stdout: stdout.replace(/"used":\d+,/g, ''),
});

// Slow, because each command runs in a process of its own, in which Windows is simulated.
describe('the command line on Windows', () => {
  for (const [commands, options] of [[COMMANDS, {}] as const, [OTHER_COMMANDS, extended] as const]) {
    const names = commands.map(([name]) => name).join(', ');
    it(`prints the same output as on other systems, including paths: ${names}`, options, async () => {
      const machine = machineWith(FILES);
      for (const words of commands) {
        const [there, here] = await both(machine, words);
        assert.deepEqual(withoutLengths(there), withoutLengths(here), words.join(' '));
        assert.notEqual(there.stdout + there.stderr, '', words.join(' '));
      }
    });
  }

  it('reports the same findings with Windows line breaks', async () => {
    const there = await machineWith(crlf(FILES)).windows(['check', '--format', 'json']);
    const here = await run(machineWith(FILES).here, ['check', '--format', 'json']);
    assert.deepEqual(JSON.parse(there.stdout), JSON.parse(here.stdout));
  });

  it('accepts backslashes and any letter case, and reads no file twice', async () => {
    const { windows } = machineWith(FILES);
    const spellings = [
      ['skills\\wrong.skill.md', 'SKILLS\\Wrong.skill.md', 'skills\\w*.skill.md'],
      [`${WORK}\\skills\\wrong.skill.md`, `${WORK.toLowerCase().replaceAll('\\', '/')}/skills/WRONG.skill.md`],
    ];
    const runs = [
      ...spellings.map((paths) => [paths, WORK] as const),
      [['skills', 'skills.config.yaml'], WORK.toUpperCase()] as const,
    ];
    for (const [paths, cwd] of runs) {
      const { stdout, stderr } = await windows(['check', '--format', 'json', ...paths], cwd);
      assert.equal(stderr, '', paths.join(' '));
      assert.deepEqual(rulesOf(JSON.parse(stdout), 'unknown-tool', 'duplicate-skill'), [
        'skills/wrong.skill.md unknown-tool',
      ]);
    }
  });

  it('prints only the findings that a change causes', async () => {
    const machine = machineWith(FILES);
    machine.git('init', '--quiet', '--initial-branch', 'main');
    machine.git('add', '.');
    machine.git('commit', '--quiet', '--message', 'one');
    const none = await both(machine, ['check', '--changed']);
    assert.deepEqual(none[0], none[1]);
    assert.match(none[0].stdout, /^No findings/);
    machine.write('skills/deep/er/part.skill.md', crlf({ a: skill('part', 'output_schema: {page: number}') }).a ?? '');
    machine.write('new/other.skill.md', misspelt('other'));
    const [there, here] = await both(machine, ['check', '--changed', '--format', 'json']);
    assert.deepEqual(there, here);
    assert.deepEqual(rulesOf(JSON.parse(there.stdout), 'unknown-tool'), ['new/other.skill.md unknown-tool']);
    const diffs = await both(machine, ['diff', 'skills/deep/er/part.skill.md']);
    assert.deepEqual(diffs[0], diffs[1]);
  });

  it('writes a baseline that works on every machine', async () => {
    const machine = machineWith(FILES);
    await machine.windows(['check', '--write-baseline']);
    const text = readFileSync(join(machine.here, 'skills.baseline.json'), 'utf8');
    assert.doesNotMatch(text, /\\\\/);
    const [there, here] = await both(machine, ['check']);
    assert.deepEqual(there, here);
    assert.equal(here.status, 0);
  });

  it('supports network shares, and paths longer than 260 characters', async () => {
    const deep = Array.from({ length: 9 }, (_, at) => `a folder with a rather long name ${at}`).join('/');
    const shared = Object.entries(FILES).map(([path, text]) => [`unc/server/team/work/${path}`, text] as const);
    const machine = machineWith(
      { 'skills.config.yaml': CATALOG, [`${deep}/a.skill.md`]: misspelt('a') },
      Object.fromEntries(shared),
    );
    const share = await machine.windows(['check', '--format', 'json'], '\\\\server\\team\\work');
    const here = await run(machineWith(FILES).here, ['check', '--format', 'json']);
    assert.deepEqual(JSON.parse(share.stdout), JSON.parse(here.stdout));
    const [long, same] = await both(machine, ['check', '--format', 'json']);
    assert.deepEqual(long, same);
    assert.deepEqual(rulesOf(JSON.parse(long.stdout), 'unknown-tool'), [`${deep}/a.skill.md unknown-tool`]);
  });

  it('creates, converts, packs and installs with names that every system supports', async () => {
    const { windows, here } = machineWith(FILES);
    const made = await windows(['new', 'scout', 'skills\\deep', '--kind', 'literal']);
    assert.deepEqual([made.status, made.stderr], [0, ''], made.stderr);
    assert.ok(existsSync(join(here, 'skills/deep/scout.skill.md')));
    const converted = await windows([
      'convert',
      'skills\\deep\\er\\part.skill.md',
      '--to',
      'agent-skill',
      '--out',
      'out',
    ]);
    assert.equal(converted.status, 0, converted.stderr);
    assert.ok(
      readdirSync(join(here, 'out'), { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('SKILL.md')),
    );
    const packed = await windows(['pack', '.agents\\skills\\plain', '--out', 'plain.zip']);
    assert.equal(packed.status, 0, packed.stderr);
    assert.ok(statSync(join(here, 'plain.zip')).size > 0);
    const installed = await windows(['install', 'plain.zip', '--yes', '--to', 'taken']);
    assert.equal(installed.status, 0, installed.stderr + installed.stdout);
    const files = readdirSync(join(here, 'taken'), { recursive: true, encoding: 'utf8' });
    assert.ok(files.includes('plain/SKILL.md'), files.join());
    assert.doesNotMatch(readFileSync(join(here, 'skills.lock.json'), 'utf8'), /\\\\/);
  });
});

/** The same file in the spelling of different editors. */
const SPELLINGS = [
  'file:///c%3A/Users/Ana%20%C3%9C/Work',
  'file:///C:/Users/Ana%20%C3%9C/Work',
  'file:///c:/Users/Ana%20%c3%9c/Work',
];

describe('the language server on Windows', () => {
  for (const root of SPELLINGS) {
    it(`treats a file on disk as the open file with a URI like ${root.slice(0, 14)}`, async () => {
      const child = machineWith(FILES).serve();
      const { stdout, stdin } = child;
      assert.ok(stdout && stdin);
      const connection = createProtocolConnection(readerOf(stdout), new StreamMessageWriter(stdin));
      try {
        const published = new Map<string, readonly Diagnostic[]>();
        connection.onNotification(
          'textDocument/publishDiagnostics',
          (all: { uri: string; diagnostics: Diagnostic[] }) => void published.set(all.uri, all.diagnostics),
        );
        connection.listen();
        const workspaceFolders = [{ uri: root, name: 'work' }];
        await connection.sendRequest('initialize', {
          processId: null,
          rootUri: root,
          workspaceFolders,
          capabilities: {},
        });
        await connection.sendNotification('initialized', {});
        const uri = `${root}/skills/whole.md`;
        const textDocument = { uri, languageId: 'skillmd', version: 1, text: FILES['skills/whole.md'] };
        await connection.sendNotification('textDocument/didOpen', { textDocument });
        await until('the skill that is missing to be told', () =>
          (published.get(uri) ?? []).some(({ code }) => code === 'skill-not-found'),
        );
        const codes = published.get(uri)?.map(({ code }) => code);
        assert.deepEqual(codes, ['skill-not-found'], 'the part is found on disk, and the skill is there once');
      } finally {
        connection.dispose();
        child.kill();
      }
    });
  }
});
