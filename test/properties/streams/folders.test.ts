/** After any changes to folders on disk, with any lost events in new folders, a session equals a new session. */
import { strict as assert } from 'node:assert';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { toUri } from '../../../server/src/io/paths.ts';
import {
  checked,
  type DiskSession,
  eventsBetween,
  folderWith,
  removeFolder,
  startSession,
  stateOf,
  treeOf,
} from '../../core/session/disk-session.ts';
import { skill } from '../../core/session/fake-session.ts';
import { cases } from '../../random.ts';
import { writeFiles } from '../../temporary.mjs';

const FOLDERS = ['', 'a', 'b', 'a/b', 'a/b/c d', 'b/skills', 'x.skill.md', 'node_modules', '.claude'];
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'one.skill.md': [skill('one'), skill('other', 'tols: [x]\n'), skill('whole', 'level: 2\ncomposes: [one]\n')],
  'two.skill.yaml': ['name: two\ndescription: Calls.\nversion: 1.0.0\ninput_schema: {}\n'],
  'SKILL.md': ['---\nname: greet\ndescription: Greets.\n---\n\nSee [the notes](b/notes.txt).\n'],
  'notes.txt': ['Notes.'],
  'skills.config.yaml': ['tools: []\n', 'tools: [\n'],
  'skills.tools.json': ['{"tools": [{"name": "read"}]}'],
  'skills.baseline.json': ['{"version": 1, "findings": []}'],
};

const folder = fc.constantFrom(...FOLDERS);
const file = fc.constantFrom(...Object.keys(TEXTS));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), folder, file, text: fc.nat(2) }) },
  fc.record({
    kind: fc.constant('remove' as const),
    path: fc.oneof(
      folder,
      fc.tuple(folder, file).map((one) => one.join('/')),
    ),
  }),
  fc.record({ kind: fc.constantFrom('move' as const, 'copy' as const, 'link' as const), from: folder, to: folder }),
  fc.record({ kind: fc.constantFrom('open' as const, 'close' as const), folder, file }),
  // The editor reports the changes until now, and the session follows them at once or later.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('report' as const), waits: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Changes the disk. A step that the disk refuses has no effect. */
function change(root: string, one: Step): void {
  const at = (path: string): string => join(root, path);
  try {
    switch (one.kind) {
      case 'write': {
        const texts = TEXTS[one.file] ?? [];
        writeFiles(root, { [join(one.folder, one.file)]: texts[one.text % texts.length] ?? '' });
        break;
      }
      case 'remove':
        rmSync(at(one.path), { recursive: true, force: true });
        break;
      case 'move':
        mkdirSync(dirname(at(one.to)), { recursive: true });
        if (one.from !== '') renameSync(at(one.from), at(one.to));
        break;
      case 'copy':
        if (!`${one.to}/`.startsWith(`${one.from}/`) && one.from !== '')
          cpSync(at(one.from), at(one.to), { recursive: true });
        break;
      case 'link':
        if (!existsSync(at(one.to)) && existsSync(dirname(at(one.to)))) symlinkSync(at(one.from), at(one.to), 'dir');
        break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function open({ session }: DiskSession, root: string, path: string): void {
  const uri = toUri(join(root, path));
  session.receive({ kind: 'open', document: TextDocument.create(uri, 'skillmd', 1, skill('unsaved', 'tols: [x]\n')) });
}

const FILES = [
  undefined,
  ['a', '**/*.skill.md', '!b/**'],
  ['a/*/*.md', '**/skills/**', '**/{one,two}.skill.{md,yaml}'],
];

test('a session that follows folder events has the same state as a new session', async () => {
  const law = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 14 }),
    fc.constantFrom(...FILES),
    fc.infiniteStream(fc.boolean()),
    async (steps, files, lost) => {
      const root = folderWith({ 'a/one.skill.md': skill('one'), 'b/skills/two.md': skill('two') });
      const settings = files ? { files } : {};
      const made = await startSession(root, settings);
      const opened = new Set<string>();
      let before = treeOf(root);
      const report = async (waits: boolean): Promise<void> => {
        const after = treeOf(root);
        const paths = eventsBetween(before, after, () => lost.next().value);
        before = after;
        made.session.receive({ kind: 'watched', uris: paths.map((path) => toUri(join(root, path))) });
        if (waits) await checked(made);
      };
      for (const one of steps) {
        if (one.kind === 'report') await report(one.waits);
        else if (one.kind === 'open' || one.kind === 'close') {
          const path = join(one.folder, one.file);
          if (one.kind === 'open' && !opened.has(path)) open(made, root, path);
          if (one.kind === 'close') made.session.receive({ kind: 'close', uri: toUri(join(root, path)) });
          opened[one.kind === 'open' ? 'add' : 'delete'](path);
        } else change(root, one);
      }
      await report(true);
      const fresh = await startSession(root, settings);
      for (const path of opened) open(fresh, root, path);
      await checked(fresh);
      assert.deepEqual(stateOf(made), stateOf(fresh));
      for (const session of [made, fresh]) session.end();
      removeFolder(root);
    },
  );
  await fc.assert(law, cases(300));
});
