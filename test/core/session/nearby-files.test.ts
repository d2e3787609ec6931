/** The folder of a `SKILL.md`: the session reads it when a rule needs it, and again when it changes. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { FolderReadings } from '../../../server/src/io/read-folder.ts';
import { referencedFiles } from '../../../server/src/skill-folder/referenced-files.ts';
import { FakeClock, settled, startFakeSession, uriOf } from './fake-session.ts';

const PATH = 'skills/send/SKILL.md';
const SCRIPT = 'skills/send/scripts/send.sh';
const skill = (compatibility: string): string =>
  `---\nname: send\ndescription: Sends notes when asked.\ncompatibility: ${compatibility}\n---\n\nRun \`scripts/send.sh\`.\n`;
const files = { [PATH]: skill('No network access.'), [SCRIPT]: 'curl https://tidy.dev\n' };

test('reports an undeclared network call in a script until the call is removed', async () => {
  const made = await settled(files);
  const change = async (text: string | undefined): Promise<void> => {
    if (text === undefined) made.disk.delete(uriOf(SCRIPT));
    else made.disk.set(uriOf(SCRIPT), text);
    made.session.receive({ kind: 'watched', uris: [uriOf(SCRIPT)] });
    await made.clock.pass(1_000);
  };
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  await change('echo done\n');
  assert.equal(made.published.at(-1), `${PATH}:`);
  await change('wget https://tidy.dev\n');
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  made.type(PATH, skill('Bash.'));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}:`);
});

test('drops the facts of a folder when its skill is deleted or no longer needs them', async () => {
  const made = await settled(files);
  const known = () => made.session.analysis.index.facts.networkCalls.has(uriOf(PATH));
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.ok(known());
  made.type(PATH, skill('Bash.'));
  await made.clock.pass(1_000);
  assert.ok(!known());
  made.type(PATH, skill('Works offline.'));
  await made.clock.pass(1_000);
  assert.ok(known());
  made.disk.delete(uriOf(PATH));
  made.session.receive({ kind: 'close', uri: uriOf(PATH) });
  await made.clock.pass(1_000);
  assert.ok(!known());
});

test('reads the folder of an open skill only once, even after edits to `compatibility`', async () => {
  const made = await settled({ ...files, [PATH]: skill('Bash.') });
  made.listed.length = 0;
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.deepEqual(made.listed, ['skills/send', 'skills/send/scripts']);
  made.type(PATH, skill('No network access.'));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  made.type(PATH, skill('No network access!'));
  await made.clock.pass(1_000);
  assert.equal(made.listed.length, 2);
});

test('reads the scripts of a closed skill that denies the network', async () => {
  const silent = await settled({ ...files, [PATH]: skill('Bash.'), 'skills/send/references/style.md': '' });
  assert.deepEqual(silent.listed, []);
  const denies = await settled({ ...files, 'skills/send/references/style.md': '' });
  assert.deepEqual(denies.listed, ['skills/send', 'skills/send/references', 'skills/send/scripts']);
  assert.ok(denies.session.analysis.networkCalls(uriOf(PATH)));
  assert.equal(denies.session.analysis.folder(uriOf(PATH)), undefined);
});

test('reads the whole folder of a skill when it is opened', async () => {
  const made = await settled({ ...files, 'skills/send/references/style.md': '# Style\n' });
  let open = () => {};
  made.gate = new Promise((resolve) => {
    open = resolve;
  });
  made.session.receive({ kind: 'watched', uris: [uriOf(SCRIPT)] });
  await made.clock.pass(10);
  made.open(PATH);
  open();
  await made.clock.pass(1_000);
  assert.ok(made.session.analysis.folder(uriOf(PATH))?.find(uriOf('skills/send/references/style.md')));
});

test('handles messages while the files beside a skill are parsed', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`skills/send/references/p${at}.md`, `[next](p${at + 1}.md)\n`]),
  );
  let turns = 0;
  /** A clock that advances by a millisecond on each call to `now`. */
  class BusyClock extends FakeClock {
    #looks = 0;
    override now(): number {
      return super.now() + this.#looks++;
    }
    override soon(work: () => void): () => void {
      if (!made.session.analysis.folder(uriOf(PATH))) turns++;
      return super.soon(work);
    }
  }
  const clock = new BusyClock();
  const made = startFakeSession(
    { ...files, ...pages, [PATH]: `${skill('Bash.')}[first](references/p0.md)\n` },
    { clock },
  );
  made.session.receive({ kind: 'start' });
  await clock.pass(1_000);
  turns = 0;
  made.open(PATH);
  await clock.pass(1_000);
  const folder = made.session.analysis.folder(uriOf(PATH));
  const file = made.session.analysis.file(uriOf(PATH));
  assert.ok(folder && file);
  assert.equal(referencedFiles(file, folder).length, 40);
  assert.ok(turns > 10, String(turns));
});

test('reports an unknown server in a catalog until the file in `from` contains the server', async () => {
  const CATALOG = 'skills.config.yaml';
  const servers = (...names: string[]): string =>
    `{"servers": {${names.map((name) => `"${name}": {"command": "node"}`).join()}}} // all`;
  const made = await settled({
    [CATALOG]: 'tools: [{from: .vscode/mcp.json, servers: [wiki]}]\n',
    '.vscode/mcp.json': servers('wikki'),
  });
  const change = async (text: string): Promise<void> => {
    made.disk.set(uriOf('.vscode/mcp.json'), text);
    made.session.receive({ kind: 'watched', uris: [uriOf('.vscode/mcp.json')] });
    await made.clock.pass(1_000);
  };
  made.open(CATALOG);
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${CATALOG}: unknown-server`);
  await change(servers('wikki', 'wiki'));
  assert.equal(made.published.at(-1), `${CATALOG}:`);
  await change(servers('other'));
  assert.equal(made.published.at(-1), `${CATALOG}: unknown-server`);
  // While the file is being written, its references are not known.
  await change('{"servers": {');
  assert.equal(made.published.at(-1), `${CATALOG}:`);
});

test('reads the folder of a skill again after a reading that failed', async () => {
  let failures = 1;
  class FailingOnce extends FolderReadings {
    override async read<Result>(...given: Parameters<FolderReadings['read']>): Promise<Result> {
      if (failures-- > 0) throw new TypeError('broken');
      return super.read(...given) as Promise<Result>;
    }
  }
  const disk = new Map(Object.entries(files).map(([path, text]) => [uriOf(path), text]));
  const folderReadings = new FailingOnce({
    find: async () => [...disk.keys()],
    read: async (uri) => ({ kind: 'text', text: disk.get(uri) ?? '' }),
    exists: async (uri) => disk.has(uri),
    list: async (folder) =>
      folder.endsWith('scripts')
        ? [{ name: 'send.sh', isFolder: false }]
        : [
            { name: 'SKILL.md', isFolder: false },
            { name: 'scripts', isFolder: true },
          ],
  });
  const made = await settled({ ...files, [PATH]: skill('Bash.') }, { folderReadings });
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.match(made.logged.join(), /TypeError: broken/);
  made.type(PATH, skill('No network access.'));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
});
