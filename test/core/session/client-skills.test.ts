/** The skills that only clients find, in the editor: the same as on the command line (docs/clients.md, "Links"). */
import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import { toPath, toUri } from '../../../server/src/io/paths.ts';
import { openProject } from '../../../server/src/io/project.ts';
import { NO_PROGRESS } from '../../../server/src/io/stderr.ts';
import { writeFiles } from '../../temporary.mjs';
import { checked, type DiskSession, folderWith, removeFolder, startSession } from './disk-session.ts';

const skill = (name: string, body = 'Tidy.'): string =>
  `---\nname: ${name}\ndescription: Tidies ${name}. Use it for ${name}.\n---\n\n${body}\n`;

const FILES = {
  'shared/notes/SKILL.md': skill('notes'),
  '.agents/skills/maps/SKILL.md': skill('maps'),
  '.claude/skills/node_modules/pack/SKILL.md': skill('pack'),
};

async function inWorkspace(body: (root: string, made: DiskSession) => Promise<void>): Promise<void> {
  const root = folderWith(FILES);
  mkdirSync(join(root, '.gemini'), { recursive: true });
  symlinkSync(join('..', '..', 'shared', 'notes'), join(root, '.claude', 'skills', 'notes'));
  symlinkSync(join('..', '.agents', 'skills'), join(root, '.gemini', 'skills'));
  const made = await startSession(root);
  try {
    await body(root, made);
  } finally {
    made.end();
    removeFolder(root);
  }
}

const linkedIn = ({ session }: DiskSession, root: string): readonly string[] =>
  [...session.analysis.index.facts.clientSkills.keys()]
    .map((uri) => relative(root, toPath(uri)).replaceAll('\\', '/'))
    .sort();

const report = ({ session }: DiskSession, root: string, ...paths: readonly string[]): void =>
  session.receive({ kind: 'watched', uris: paths.map((path) => toUri(join(root, path))) });

const open = ({ session }: DiskSession, uri: string, text: string): void =>
  session.receive({ kind: 'open', document: TextDocument.create(uri, 'agent-skill', 1, text) });

/** Adds a skill to a folder of clients, which starts a search. */
async function addSkill(made: DiskSession, root: string, name: string): Promise<void> {
  writeFiles(root, { [`.agents/skills/${name}/SKILL.md`]: skill(name) });
  report(made, root, `.agents/skills/${name}/SKILL.md`);
  await checked(made);
}

describe('the skills that only clients find, in a session', { skip: process.platform === 'win32' }, () => {
  it('are those of the command line, with the same rows', async () => {
    await inWorkspace(async (root, made) => {
      const options = { cwd: root, paths: [], config: undefined, progress: NO_PROGRESS };
      const { workspace } = await openProject(options);
      const rowsIn = (analysis: typeof workspace.analysis) =>
        [...analysis.agentSkills.uris].sort().map((uri) => {
          const file = analysis.clientFile(uri) ?? assert.fail(uri);
          const rows = analysis.clientRows(file, clients);
          return [uri, rows.map(({ client, found, loaded, listed }) => [client.id, found, loaded, listed])];
        });
      assert.deepEqual(linkedIn(made, root), [
        '.claude/skills/node_modules/pack/SKILL.md',
        '.claude/skills/notes/SKILL.md',
        '.gemini/skills/maps/SKILL.md',
      ]);
      assert.deepEqual(rowsIn(made.session.analysis), rowsIn(workspace.analysis));
    });
  });

  it('follow links that are added and removed, and skills that are added behind them', async () => {
    await inWorkspace(async (root, made) => {
      symlinkSync(join('..', '..', 'shared', 'notes'), join(root, '.claude', 'skills', 'again'));
      report(made, root, '.claude/skills/again');
      await checked(made);
      assert.ok(linkedIn(made, root).includes('.claude/skills/again/SKILL.md'));
      writeFiles(root, { '.agents/skills/new/SKILL.md': skill('new') });
      report(made, root, '.agents/skills/new/SKILL.md');
      await checked(made);
      assert.ok(linkedIn(made, root).includes('.gemini/skills/new/SKILL.md'));
      unlinkSync(join(root, '.gemini', 'skills'));
      rmSync(join(root, '.agents', 'skills', 'new'), { recursive: true });
      report(made, root, '.gemini/skills', '.agents/skills/new');
      await checked(made);
      assert.deepEqual(
        linkedIn(made, root).filter((path) => path.startsWith('.gemini')),
        [],
      );
    });
  });

  it('have the text of the disk after a change and after a save, without a search at each keystroke', async () => {
    await inWorkspace(async (root, made) => {
      const { session } = made;
      const [real, linked] = ['shared/notes/SKILL.md', '.claude/skills/notes/SKILL.md'].map((path) =>
        toUri(join(root, path)),
      );
      const textOf = (): string | undefined => session.analysis.clientFile(linked ?? '')?.text;
      writeFileSync(join(root, 'shared', 'notes', 'SKILL.md'), skill('notes', 'Merge.'));
      report(made, root, 'shared/notes/SKILL.md');
      await checked(made);
      assert.equal(textOf(), skill('notes', 'Merge.'));
      const searched = made.clientSearches;
      session.receive({
        kind: 'open',
        document: TextDocument.create(real ?? '', 'agent-skill', 1, skill('notes', 'Merge.')),
      });
      session.receive({ kind: 'change', uri: real ?? '', version: 2, changes: [{ text: skill('notes', 'Sort.') }] });
      await checked(made);
      assert.equal(textOf(), skill('notes', 'Merge.'));
      session.receive({ kind: 'save', uri: real ?? '' });
      assert.equal(textOf(), skill('notes', 'Sort.'));
      assert.equal(made.clientSearches, searched);
    });
  });

  it('keep the link of a skill that is open, until it is removed', async () => {
    for (const isRemovedWhileOpen of [true, false]) {
      await inWorkspace(async (root, made) => {
        const { session } = made;
        const uri = toUri(join(root, '.claude/skills/notes/SKILL.md'));
        const isLink = (): boolean => session.analysis.findLink(uri)?.folder === true;
        open(made, uri, skill('notes'));
        await checked(made);
        await addSkill(made, root, 'other');
        assert.ok(isLink());
        const remove = async (): Promise<void> => {
          unlinkSync(join(root, '.claude', 'skills', 'notes'));
          report(made, root, '.claude/skills/notes');
          await checked(made);
        };
        if (isRemovedWhileOpen) await remove();
        session.receive({ kind: 'close', uri });
        await checked(made);
        if (!isRemovedWhileOpen) {
          assert.ok(isLink());
          await addSkill(made, root, 'another');
          assert.ok(isLink());
          assert.ok([...session.analysis.agentSkills.uris].includes(uri));
          await remove();
        }
        assert.ok(![...session.analysis.agentSkills.uris].includes(uri));
        assert.equal(session.analysis.findLink(uri), undefined);
      });
    }
  });

  it('show the text of the editor while one of them is open', async () => {
    await inWorkspace(async (root, made) => {
      const { session } = made;
      const uri = toUri(join(root, '.claude/skills/notes/SKILL.md'));
      open(made, uri, skill('notes'));
      await checked(made);
      session.receive({ kind: 'change', uri, version: 2, changes: [{ text: skill('notes', 'Sort.') }] });
      await addSkill(made, root, 'other');
      writeFileSync(join(root, 'shared', 'notes', 'SKILL.md'), skill('notes', 'Merge.'));
      report(made, root, 'shared/notes/SKILL.md');
      await checked(made);
      assert.equal(session.analysis.clientFile(uri)?.text, skill('notes', 'Sort.'));
    });
  });

  it('are removed although a search ends while all files are being read again', async () => {
    await inWorkspace(async (root, made) => {
      unlinkSync(join(root, '.claude', 'skills', 'notes'));
      const searched = made.clientSearches;
      made.onClientSearch = () => {
        made.onClientSearch = () => {};
        made.session.receive({ kind: 'folders', added: [], removed: [] });
      };
      report(made, root, '.claude/skills/notes');
      await checked(made);
      assert.equal(made.clientSearches, searched + 2);
      assert.ok(!linkedIn(made, root).includes('.claude/skills/notes/SKILL.md'));
    });
  });

  it('stay after a search that failed, and are searched again', async () => {
    await inWorkspace(async (root, made) => {
      const before = linkedIn(made, root);
      made.logged = [];
      made.onClientSearch = () => Promise.reject(new Error('too many open files'));
      unlinkSync(join(root, '.gemini', 'skills'));
      report(made, root, '.gemini/skills');
      await checked(made);
      assert.deepEqual(linkedIn(made, root), before);
      assert.match(made.logged.join(), /too many open files/);
      made.onClientSearch = () => {};
      await addSkill(made, root, 'new');
      assert.deepEqual(
        linkedIn(made, root),
        before.filter((path) => !path.startsWith('.gemini')),
      );
    });
  });

  it('follow the folders of frameworks in the settings and in catalogs', async () => {
    await inWorkspace(async (root, made) => {
      const { session } = made;
      mkdirSync(join(root, 'src', 'helpers'), { recursive: true });
      symlinkSync(join('..', '..', 'shared', 'notes'), join(root, 'src', 'helpers', 'notes'));
      const isFound = async (): Promise<boolean> => {
        await checked(made);
        return linkedIn(made, root).includes('src/helpers/notes/SKILL.md');
      };
      const setClients = (...ids: readonly string[]): void =>
        session.receive({ kind: 'settings', settings: { agentSkills: { clients: ids } } });
      setClients('mastra:src/helpers');
      assert.ok(await isFound());
      setClients();
      assert.ok(!(await isFound()));
      const uri = toUri(join(root, 'skills.config.yaml'));
      open(made, uri, '');
      const text = 'agent_skills:\n  clients: ["mastra:src/helpers"]\n';
      session.receive({ kind: 'change', uri, version: 2, changes: [{ text }] });
      assert.ok(await isFound());
      const searched = made.clientSearches;
      session.receive({ kind: 'change', uri, version: 3, changes: [{ text: `${text}tools: {}\n` }] });
      assert.ok(await isFound());
      assert.equal(made.clientSearches, searched);
      session.receive({ kind: 'close', uri });
      assert.ok(!(await isFound()));
    });
  });

  it('are none outside of the workspace', async () => {
    await inWorkspace(async (root, made) => {
      writeFiles(dirname(root), { 'outside/far/SKILL.md': skill('far') });
      symlinkSync(join(dirname(root), 'outside', 'far'), join(root, '.claude', 'skills', 'far'));
      report(made, root, '.claude/skills/far');
      await checked(made);
      assert.ok(!linkedIn(made, root).includes('.claude/skills/far/SKILL.md'));
    });
  });
});
