/** Folders for clients that are written through the client of a browser. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { format } from '../../../server/src/features/format/format.ts';
import { emitFrom } from '../../../server/src/services/packing/emit.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { MemoryClient } from './memory-client.ts';

const SOURCE = 'memory:/w/skills/draft.skill.md';
const TARGET = '/w/.claude/skills/draft/SKILL.md';
const TEXT =
  '---\nname: draft\ndescription: Does it. Use it to draft.\nversion: 1.0.0\ninput_schema: {}\ntools: [find]\n---\n\nRead [it](notes/list.md).\n';
const CATALOG = 'tools: {find: {description: Finds.}}\nagent_skills: {tools: {claude-code: {find: Grep}}}\n';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function opened(): { readonly client: MemoryClient; readonly workspace: Workspace } {
  const client = new MemoryClient([
    ['/w/skills/draft.skill.md', bytes(TEXT)],
    ['/w/skills/notes/list.md', bytes('# The list\n')],
  ]);
  const workspace = new Workspace();
  workspace.apply({ kind: 'clients', clients: ['claude-code'] });
  workspace.apply({ kind: 'text', uri: 'memory:/w/skills.config.yaml', text: CATALOG });
  workspace.apply({ kind: 'text', uri: SOURCE, text: TEXT });
  return { client, workspace };
}

const emit = ({ client, workspace }: ReturnType<typeof opened>, how = { again: false, overwrite: [] as string[] }) =>
  emitFrom(workspace.analysis, client.folder('/w'), { uri: SOURCE, home: undefined, unsaved: [], ...how });

const textAt = ({ files }: MemoryClient, path: string): string => new TextDecoder().decode(files.get(path));

describe('a skill that is converted in a browser', () => {
  it('is written with its origin and its files, and is formatted', async () => {
    const open = opened();
    const reply = await emit(open);
    assert.ok('targets' in reply);
    assert.deepEqual([reply.targets, reply.problems], [[`memory:${TARGET}`], []]);
    const text = textAt(open.client, TARGET);
    assert.match(text, /^ {2}generated-from: \.\.\/\.\.\/\.\.\/skills\/draft\.skill\.md$/m);
    assert.match(text, /^allowed-tools: Grep$/m);
    assert.equal(textAt(open.client, '/w/.claude/skills/draft/notes/list.md'), '# The list\n');
    // Formatting the file when it is saved would count as an edit.
    assert.deepEqual(format(new SkillFile(`memory:${TARGET}`, text)).edits, []);
    const again = await emit(open, { again: true, overwrite: [] });
    assert.ok('targets' in again && !again.isChanged);
  });

  it('is converted again only where it was converted before', async () => {
    const open = opened();
    const again = { again: true, overwrite: [] };
    const folder = open.client.folder('/w');
    const convertAt = async (path: string): Promise<void> => {
      await emit(open);
      const text = textAt(open.client, TARGET).replace('../../../skills', '../../../../skills');
      open.client.files.delete(TARGET);
      open.client.files.set(path, bytes(text));
      open.workspace.apply({ kind: 'text', uri: `memory:${path}`, text });
    };
    await convertAt('/w/plugins/x/skills/draft/SKILL.md');
    const before = open.client.tree;
    assert.deepEqual(await emit(open, again), { targets: [], isChanged: false, problems: [], written: [] });
    assert.deepEqual(open.client.tree, before);
    // A client was added, and the folder of the other client contains a skill of the same name.
    await emit(open);
    open.workspace.apply({ kind: 'clients', clients: ['claude-code', 'codex'] });
    const other = '/w/.agents/skills/draft/SKILL.md';
    open.client.files.set(other, bytes('---\nname: draft\ndescription: My own.\n---\n\nMine.\n'));
    const reply = await emitFrom(open.workspace.analysis, folder, {
      uri: SOURCE,
      home: undefined,
      unsaved: [],
      ...again,
    });
    assert.ok('targets' in reply);
    assert.deepEqual([reply.targets, reply.problems], [[`memory:${TARGET}`], []]);
    open.client.files.delete(other);
    const both = await emit(open, again);
    assert.ok('targets' in both);
    assert.deepEqual([...both.targets].sort(), [`memory:${other}`, `memory:${TARGET}`]);
  });

  it('is converted again with composites for their own clients, and not with those of another folder', async () => {
    const client = new MemoryClient();
    const workspace = new Workspace();
    workspace.apply({ kind: 'roots', folders: ['memory:/a', 'memory:/b'] });
    const add = (path: string, text: string): void => {
      client.files.set(path, bytes(text));
      workspace.apply({ kind: 'text', uri: `memory:${path}`, text });
    };
    const plan = TEXT.replace('name: draft', 'name: plan')
      .replace('tools: [find]', 'composes: [draft]')
      .replace(/Read.*/, 'Do.');
    const [style, own, ofOther] = ['/a/shared/draft.skill.md', '/a/team/plan.skill.md', '/b/plan.skill.md'];
    add(style, TEXT.replace('tools: [find]\n', '').replace(/Read.*/, 'Write.'));
    add('/a/skills.config.yaml', 'agent_skills: {clients: [claude-code]}\n');
    add(own, plan);
    add('/a/team/skills.config.yaml', 'agent_skills: {clients: [codex]}\n');
    add(ofOther, plan);
    add('/b/skills.config.yaml', 'agent_skills: {clients: [claude-code]}\n');
    const emitAt = async (folder: string, path: string, again: boolean) => {
      const how = { uri: `memory:${path}`, home: undefined, unsaved: [], again, overwrite: [] };
      const reply = await emitFrom(workspace.analysis, client.folder(folder), how);
      assert.ok('targets' in reply);
      assert.deepEqual(reply.problems, []);
      return reply.targets;
    };
    assert.deepEqual(await emitAt('/a', own, false), ['memory:/a/.agents/skills/plan/SKILL.md']);
    assert.deepEqual(await emitAt('/b', ofOther, false), ['memory:/b/.claude/skills/plan/SKILL.md']);
    assert.deepEqual(await emitAt('/a', style, true), ['memory:/a/.agents/skills/plan/SKILL.md']);
    assert.ok(!client.folders.has('/a/.claude'));
  });

  it('is not written over an edit, and not if its catalog is broken', async () => {
    const open = opened();
    await emit(open);
    open.client.files.set(TARGET, bytes(`${textAt(open.client, TARGET)}By hand.\n`));
    const reply = await emit(open);
    assert.ok('targets' in reply);
    assert.match(reply.problems[0]?.problem ?? '', /was edited after the conversion/);
    assert.match(textAt(open.client, TARGET), /By hand/);
    open.workspace.apply({ kind: 'text', uri: 'memory:/w/skills.config.yaml', text: 'tools: [' });
    await assert.rejects(emit(open), /The catalog cannot be read/);
  });

  it('leaves all files as they were if a write fails', async () => {
    const open = opened();
    const before = open.client.tree;
    open.client.failsAfter = 1;
    const reply = await emit(open);
    assert.ok('targets' in reply);
    assert.match(reply.problems[0]?.problem ?? '', /^Not converted: .*quota/);
    assert.deepEqual(open.client.tree, before);
  });
});
