/** A second start reads and judges what differs from what the first one knew, and whatever is wrong with that, it starts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver-protocol/node';
import { digestOf } from '../../server/src/skill/digest.ts';
import { onFullDisk } from './full-disk.ts';
import { until } from './until.ts';

const root = mkdtempSync(join(tmpdir(), 'skill-composer-second-'));
after(() => rmSync(root, { recursive: true, force: true }));

const [workspace, cacheHome] = [join(root, 'workspace'), join(root, 'cache')];
const cacheFolder = join(cacheHome, 'skill-composer', 'index');

/** Smaller workspaces are not kept. */
const COUNT = 220;
const nameOf = (number: number): string => `skill-${String(number).padStart(3, '0')}`;
const pathOf = (number: number): string => join(workspace, 'skills', `${nameOf(number)}.skill.md`);

/** Long enough ago that a file system would not give another change the same time. */
const LONG_AGO = new Date('2026-01-01');

/** Each uses the next one, and some use another that there is not. */
const bodyOf = (number: number): string =>
  `Uses #skill:${nameOf((number + 1) % COUNT)}${number % 10 === 0 ? ' and #skill:nobody' : ''}.`;

function write(number: number, body = bodyOf(number)): void {
  writeFileSync(
    pathOf(number),
    `---\nname: ${nameOf(number)}\ndescription: A skill.\nversion: 1.0.0\nlevel: 1\ninput_schema: {}\n---\n\n${body}\n`,
  );
  utimesSync(pathOf(number), LONG_AGO, LONG_AGO);
}

mkdirSync(join(workspace, 'skills'), { recursive: true });
for (let number = 0; number < COUNT; number++) write(number);

type Said = ReadonlyMap<string, readonly Diagnostic[]>;

interface Start {
  readonly options?: object;
  /** What the server is to be given time for when it knows all. */
  readonly until?: () => boolean;
  readonly isDiskFull?: boolean;
  /** Whether it is asked for every file's diagnostics, as it is unless this says otherwise. */
  readonly isAsked?: boolean;
}

/** Starts a server, waits until it knows all and for what it then is to do, and ends it. */
async function start({ options = {}, until: holds, isDiskFull, isAsked = true }: Start = {}): Promise<Said> {
  const words = ['dist/server.js', '--stdio'];
  const [program, itsWords] = isDiskFull ? onFullDisk(process.execPath, ...words) : [process.execPath, words];
  const child = spawn(program, itsWords, {
    stdio: 'pipe',
    env: { ...process.env, XDG_CACHE_HOME: cacheHome },
  });
  const ended = once(child, 'close');
  const connection = createProtocolConnection(child.stdout, child.stdin);
  try {
    connection.listen();
    const uri = pathToFileURL(workspace).href;
    await connection.sendRequest('initialize', {
      ...{ processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: 'workspace' }] },
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions: options,
    });
    await connection.sendNotification('initialized', {});
    const items = isAsked ? await askForAll(connection) : [];
    if (holds) await until('what it knows to be kept', holds);
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    await ended;
    return new Map(items.map((item) => [item.uri, item.kind === 'full' ? item.items : []]));
  } finally {
    connection.dispose();
    child.kill();
  }
}

async function askForAll(connection: ProtocolConnection): Promise<readonly WorkspaceDocumentDiagnosticReport[]> {
  const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', {
    previousResultIds: [],
  });
  return items;
}

const keptFiles = (): readonly string[] => {
  try {
    return readdirSync(cacheFolder);
  } catch {
    return [];
  }
};
const OFF: Start = { options: { cache: false } };

describe('a second start', () => {
  test('says what the first one said, and what became of the files meanwhile', async () => {
    await start(OFF);
    assert.deepEqual(keptFiles(), []);
    const first = await start({ until: () => keptFiles().some((name) => name.endsWith('.json')) });
    assert.equal(keptFiles().length, 1);
    assert.equal(statSync(join(cacheFolder, keptFiles()[0] ?? '')).mode & 0o077, 0);
    assert.deepEqual(await start(), first);

    // What was said is not found out again.
    const path = join(cacheFolder, keptFiles()[0] ?? '');
    const rest = readFileSync(path, 'utf8').replace(/^.*\n/, '');
    const other = rest.replaceAll('"message":"', '"message":"Remembered: ');
    writeFileSync(path, `${digestOf(other)}\n${other}`);
    const messages = [...(await start()).values()].flat().map(({ message }) => message);
    assert.ok(messages.length > 0 && messages.every((message) => String(message).startsWith('Remembered: ')));
    writeFileSync(path, `${digestOf(rest)}\n${rest}`);

    // A text of the same length at another time, a skill that is named elsewhere and goes, a new one.
    write(5, 'Uses #skill:skill-x06.');
    utimesSync(pathOf(5), LONG_AGO, new Date('2026-01-02'));
    rmSync(pathOf(9));
    write(COUNT, 'Uses #skill:nothing-of-that-name.');
    const changed = await start();
    assert.deepEqual(changed, await start(OFF));
    const codes = (number: number) => changed.get(pathToFileURL(pathOf(number)).href)?.map(({ code }) => String(code));
    for (const number of [5, 8, COUNT]) assert.ok(codes(number)?.includes('E004'), `${number}: ${codes(number)}`);
  });

  test('judges what the first one was not asked about, and keeps it then', async () => {
    const expected = await start(OFF);
    const file = (): string => join(cacheFolder, keptFiles()[0] ?? '');
    const timeOf = (): number => (keptFiles().length === 1 ? statSync(file()).mtimeMs : 0);
    rmSync(file());
    await start({ isAsked: false, until: () => keptFiles().some((name) => name.endsWith('.json')) });
    assert.ok(!readFileSync(file(), 'utf8').includes('"message":"'));
    utimesSync(file(), LONG_AGO, LONG_AGO);
    assert.deepEqual(await start({ until: () => timeOf() > LONG_AGO.getTime() }), expected);
    assert.ok(readFileSync(file(), 'utf8').includes('"message":"'));
    assert.deepEqual(await start(), expected);
  });

  test('starts with a cache that is damaged, empty, a folder, or nowhere', async () => {
    const expected = await start(OFF);
    const [name = ''] = keptFiles();
    const path = join(cacheFolder, name);
    const text = readFileSync(path, 'utf8');
    for (const damaged of [
      '',
      text.slice(0, text.length / 2),
      text.replace('A skill', 'B skill').replace('1.0.0', '1.0.1'),
    ]) {
      writeFileSync(path, damaged);
      assert.deepEqual(await start(), expected);
    }
    rmSync(path);
    mkdirSync(path);
    assert.deepEqual(await start(), expected);
    rmSync(cacheHome, { recursive: true });
    writeFileSync(cacheHome, '');
    assert.deepEqual(await start(), expected);
    rmSync(cacheHome);
  });

  test('keeps what was kept where the disk is full', { skip: process.platform === 'win32' }, async () => {
    const expected = await start({ until: () => keptFiles().some((name) => name.endsWith('.json')) });
    const [name = ''] = keptFiles();
    const kept = readFileSync(join(cacheFolder, name));
    assert.ok(kept.length > 1024, `${kept.length} bytes would fit`);
    // Of a few files it would not be worth it.
    for (let number = 20; number < 60; number++) write(number, 'Uses #skill:nothing-of-that-name.');
    utimesSync(cacheFolder, LONG_AGO, LONG_AGO);
    // The attempt is seen by the folder, in which a file came and went.
    const tried = () => statSync(cacheFolder).mtimeMs !== LONG_AGO.getTime() && keptFiles().length === 1;
    await start({ isDiskFull: true, until: tried });
    assert.deepEqual(keptFiles(), [name]);
    assert.deepEqual(readFileSync(join(cacheFolder, name)), kept);
    for (let number = 20; number < 60; number++) write(number);
    assert.deepEqual(await start(), expected);
  });
});
