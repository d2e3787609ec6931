/** `skill/emit`: writes a skill to the folders of its target clients, with the result of the command line. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EmitPreviewReply, EmitReply } from '../../server/src/protocol.ts';
import { folderWith, run, write } from './cli.ts';
import { type Server, withServer } from './server.ts';

const skill = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\nversion: 1.0.0\nlevel: ${more === '' ? 1 : 2}\ninput_schema: {}\noutput_schema: {}\n${more}---\n\n${body}\n`;

const FILES = {
  'skills/draft.skill.md': `\uFEFF${skill('draft', 'Read [the list](die%20notizen/ä.md).').replaceAll('\n', '\r\n')}`,
  'skills/die notizen/ä.md': '# The list\n',
  'skills/plan.skill.md': skill('plan', 'Plan it.', 'composes: [house-style]\n'),
  'shared/house-style.skill.md': skill('house-style', 'Write short sentences.'),
  'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex]}\n',
};

const TARGETS = ['.claude', '.agents'].map((folder) => `${folder}/skills/plan/SKILL.md`).sort();
const TRUSTED = { initializationOptions: { trusted: true } };

interface How {
  readonly again?: boolean;
  /** The paths of the targets. */
  readonly overwrite?: readonly string[];
  /** The paths of the files with unsaved changes. */
  readonly unsaved?: readonly string[];
}

const emit = ({ connection, uri }: Server, path: string, { again = false, overwrite = [], unsaved = [] }: How = {}) =>
  connection.sendRequest<EmitReply>('skill/emit', {
    ...{ folder: uri('').replace(/\/$/, ''), uri: uri(path), again },
    overwrite: overwrite.map((target) => uri(target)),
    unsaved: unsaved.map((file) => uri(file)),
  });

const pathOf = ({ uri }: Server, path: string): string => fileURLToPath(uri(path));

/** Returns the reply without an error, with paths. */
async function emitted(server: Server, path: string, how?: How) {
  const reply = await emit(server, path, how);
  assert.ok('targets' in reply, JSON.stringify(reply));
  const root = server.uri('').replace(/\/?$/, '/');
  const below = (uri: string): string => decodeURIComponent(uri.slice(root.length));
  const { targets, isChanged, problems } = reply;
  return {
    targets: targets.map(below),
    isChanged,
    problems: problems.map((one) => ({ ...one, source: below(one.source), uri: below(one.uri) })),
  };
}

const filesBelow = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    ['.claude', '.agents'].flatMap((client) =>
      readdirSync(join(folder, client), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path.slice(folder.length + 1), readFileSync(path, 'latin1')] as const;
        }),
    ),
  );

test('writes the same bytes as the command line', async () => {
  const folder = folderWith(FILES);
  assert.equal((await run(folder, ['convert', 'skills', '--to', 'agent-skill'])).status, 0);
  const expected = filesBelow(folder);
  await withServer(
    FILES,
    async (server) => {
      // An editor hides the byte order mark.
      await server.open('skills/draft.skill.md', FILES['skills/draft.skill.md'].slice(1));
      for (const name of ['draft', 'plan']) {
        const { isChanged, problems, targets } = await emitted(server, `skills/${name}.skill.md`);
        assert.deepEqual([isChanged, problems, targets.length], [true, [], 2]);
      }
      const made = filesBelow(pathOf(server, '').replace(/[\\/]$/, ''));
      assert.deepEqual([...made].sort(), [...expected].sort());
      assert.equal((await emitted(server, 'skills/plan.skill.md')).isChanged, false);
    },
    TRUSTED,
  );
});

test('copies no file from outside the workspace through a linked folder', {
  skip: process.platform === 'win32',
}, async () => {
  const secret = folderWith({ 'id_rsa.txt': 'Secret.\n' });
  const files = { ...FILES, 'skills/draft.skill.md': skill('draft', 'Read [it](keys/id_rsa.txt).') };
  await withServer(
    files,
    async (server) => {
      symlinkSync(secret, pathOf(server, 'skills/keys'));
      const { targets } = await emitted(server, 'skills/draft.skill.md');
      assert.equal(targets.length, 2);
      assert.deepEqual(readdirSync(pathOf(server, '.claude/skills/draft')), ['SKILL.md']);
    },
    TRUSTED,
  );
});

test('converts again only what was converted before, with the composites of the skill', async () => {
  await withServer(
    FILES,
    async (server) => {
      const nothing = { targets: [], isChanged: false, problems: [] };
      assert.deepEqual(await emitted(server, 'shared/house-style.skill.md', { again: true }), nothing);
      assert.equal(existsSync(pathOf(server, '.claude')), false);
      await emitted(server, 'skills/plan.skill.md');
      await server.open('shared/house-style.skill.md', skill('house-style', 'Write.'));
      const { targets, isChanged } = await emitted(server, 'shared/house-style.skill.md', { again: true });
      assert.deepEqual([targets.sort(), isChanged], [TARGETS, true]);
      const page = readFileSync(pathOf(server, '.claude/skills/plan/references/house-style.md'), 'utf8');
      assert.match(page, /^Write\.$/m);
      assert.equal(existsSync(pathOf(server, '.claude/skills/house-style')), false);
      // Other files of the workspace are not sources.
      assert.deepEqual(await emitted(server, '.claude/skills/plan/SKILL.md', { again: true }), nothing);
    },
    TRUSTED,
  );
});

test('reports an edited target and a source with a fault, and overwrites only the named target', async () => {
  await withServer(
    FILES,
    async (server) => {
      const source = 'skills/plan.skill.md';
      await emitted(server, source);
      const root = pathOf(server, '').replace(/[\\/]$/, '');
      const edited = `${readFileSync(join(root, TARGETS[1] ?? ''), 'utf8')}By hand.\n`;
      write(root, TARGETS[1] ?? '', edited);
      const { targets, problems } = await emitted(server, source, { again: true });
      assert.deepEqual(targets, [TARGETS[0]]);
      assert.deepEqual(problems, [
        { problem: `\`${TARGETS[1]}\` was edited after the conversion.`, source, uri: TARGETS[1], isForcible: true },
      ]);
      assert.equal(readFileSync(join(root, TARGETS[1] ?? ''), 'utf8'), edited);
      const forced = await emitted(server, source, { overwrite: [TARGETS[1] ?? ''] });
      assert.deepEqual([forced.targets.sort(), forced.problems], [TARGETS, []]);
      assert.doesNotMatch(readFileSync(join(root, TARGETS[1] ?? ''), 'utf8'), /By hand/);
      await server.open(source, '---\nname: plan\ndescription: [\n---\n');
      const broken = await emitted(server, source, { again: true, overwrite: TARGETS });
      assert.deepEqual([broken.targets, broken.isChanged, broken.problems[0]?.uri], [[], false, source]);
      assert.match(broken.problems[0]?.problem ?? '', /frontmatter does not parse/);
    },
    TRUSTED,
  );
});

test('previews the next texts of an edited target without writing them', async () => {
  await withServer(
    FILES,
    async (server) => {
      const [source, target = ''] = ['skills/plan.skill.md', TARGETS[1]];
      const preview = (uri = source, of = target) =>
        server.connection.sendRequest<EmitPreviewReply>('skill/emitPreview', {
          ...{ folder: server.uri('').replace(/\/$/, ''), uri: server.uri(uri), target: server.uri(of) },
        });
      await emitted(server, source);
      assert.deepEqual(await preview(), { files: [] });
      const root = pathOf(server, '').replace(/[\\/]$/, '');
      const converted = readFileSync(join(root, target), 'utf8');
      write(root, target, `${converted}By hand.\n`);
      write(root, target.replace('SKILL.md', 'references/house-style.md'), 'By hand, too.\n');
      const reply = await preview();
      assert.ok('files' in reply, JSON.stringify(reply));
      const texts = new Map(reply.files.map(({ uri, text }) => [uri, text]));
      assert.deepEqual([...texts.keys()].length, 2);
      assert.equal(texts.get(server.uri(target)), converted);
      assert.equal(readFileSync(join(root, target), 'utf8'), `${converted}By hand.\n`);
      // Overwriting writes the previewed texts.
      await emitted(server, source, { overwrite: [target] });
      for (const [uri, text] of texts) assert.equal(readFileSync(fileURLToPath(uri), 'utf8'), text);
      for (const [uri, of] of [
        ['../plan.skill.md', target],
        [source, '../other/SKILL.md'],
        [source, 'skills/plan.skill.md'],
      ] as const)
        assert.ok('problem' in (await preview(uri, of)), of);
    },
    TRUSTED,
  );
});

test('reports a converted source whose name cannot be read', async () => {
  const source = 'skills/first.skill.md';
  await withServer(
    { ...FILES, [source]: skill('draft', 'Draft it.') },
    async (server) => {
      const broken = '---\nname: [draft\n---\n';
      await server.open(source, broken);
      assert.deepEqual((await emitted(server, source, { again: true })).problems, [], 'it was never converted');
      await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri: server.uri(source) } });
      await emitted(server, source);
      await server.open(source, broken);
      const [problem] = (await emitted(server, source, { again: true })).problems;
      assert.equal(problem?.problem, 'The frontmatter of `skills/first.skill.md` is invalid. Fix its YAML first.');
    },
    TRUSTED,
  );
});

test('keeps the copies of a file that was deleted, and reports it once', async () => {
  const source = 'skills/draft.skill.md';
  const notes = 'skills/die notizen/ä.md';
  await withServer(
    FILES,
    async (server) => {
      await emitted(server, source);
      rmSync(pathOf(server, notes));
      for (const again of [true, false]) {
        const { targets, isChanged, problems } = await emitted(server, source, { again });
        assert.deepEqual([targets.length, isChanged], [2, false]);
        const problem = `\`${notes}\` does not exist, so its last copy is kept. Restore it, or remove the references to it.`;
        assert.deepEqual(problems, [{ problem, source, uri: source, isForcible: false, isConverted: true }]);
      }
      for (const folder of ['.claude', '.agents'])
        assert.equal(readFileSync(pathOf(server, `${folder}/skills/draft/die notizen/ä.md`), 'utf8'), '# The list\n');
    },
    TRUSTED,
  );
});

test('names the composite whose target was edited, so that only this target is overwritten', async () => {
  await withServer(
    FILES,
    async (server) => {
      const plan = 'skills/plan.skill.md';
      await emitted(server, plan);
      const root = pathOf(server, '').replace(/[\\/]$/, '');
      for (const target of TARGETS) write(root, target, `${readFileSync(join(root, target), 'utf8')}By hand.\n`);
      const { problems } = await emitted(server, 'shared/house-style.skill.md', { again: true });
      assert.deepEqual(
        problems.map(({ source, uri }) => [source, uri]),
        [...TARGETS].sort().map((target) => [plan, target]),
      );
      const [first] = TARGETS;
      const next = await emitted(server, problems[0]?.source ?? '', { overwrite: [first ?? ''] });
      assert.deepEqual([next.targets, next.problems.map(({ uri }) => uri)], [[first], [TARGETS[1]]]);
      assert.ok(!existsSync(join(root, '.claude/skills/house-style')));
    },
    TRUSTED,
  );
});

test('writes no skill that would contain unsaved text', async () => {
  await withServer(
    FILES,
    async (server) => {
      const [plan, part, draft] = ['skills/plan.skill.md', 'shared/house-style.skill.md', 'skills/draft.skill.md'];
      await server.open(part, skill('house-style', 'Write.'));
      const problem = (uri: string) => ({
        problem: `\`${uri}\` has unsaved changes. Save it first.`,
        ...{ source: plan, uri, isForcible: false },
      });
      for (const unsaved of [part, 'skills.config.yaml', plan]) {
        const reply = await emitted(server, plan, { unsaved: [draft, unsaved], overwrite: TARGETS });
        assert.deepEqual(reply, { targets: [], isChanged: false, problems: [problem(unsaved)] });
      }
      assert.equal((await emitted(server, draft, { unsaved: [plan, part] })).isChanged, true);
      assert.equal((await emitted(server, plan)).isChanged, true);
      await server.open(plan, `${FILES[plan as keyof typeof FILES]}More.\n`);
      const after = await emitted(server, part, { again: true, unsaved: [plan] });
      assert.deepEqual([after.isChanged, after.problems], [false, [problem(plan)]]);
    },
    TRUSTED,
  );
});

test('writes nothing in an untrusted workspace, without target clients, or for another file', async () => {
  await withServer(FILES, async (server) => {
    const reply = await emit(server, 'skills/plan.skill.md');
    assert.match('problem' in reply ? reply.problem : '', /a trusted workspace/);
    assert.equal(existsSync(pathOf(server, '.claude')), false);
  });
  await withServer(
    {
      'skills/plan.skill.md': skill('plan', 'Plan.'),
      'tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\n\nTidy.\n',
      'skills.config.yaml': 'tools: {}\n',
    },
    async (server) => {
      const reply = await emit(server, 'skills/plan.skill.md');
      assert.match('problem' in reply ? reply.problem : '', /^No target clients\./);
      const other = await emit(server, 'skills.config.yaml');
      assert.match('problem' in other ? other.problem : '', /^Only a `\.skill\.md`/);
    },
    TRUSTED,
  );
});
