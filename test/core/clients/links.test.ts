/** Client behavior for a `SKILL.md` that is a symbolic link, or whose folder is one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { AgentSkills } from '../../../server/src/clients/matrix/agent-skills.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import type { FindLink } from '../../../server/src/clients/matrix/subject.ts';
import { clientsView } from '../../../server/src/features/clients/clients-view.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { rowAt, skillText } from './fixtures.ts';
import { linksOf } from './outcomes.ts';

const TEXT = skillText('name: tidy-notes', "description: Tidies a novelist's notes.");
const TARGET = 'file:///w/shared/tidy-notes/SKILL.md';

/** A folder in which the client certainly finds a skill. */
const placeOf = ({ dirs }: Client): string | undefined =>
  dirs.value.find(({ at, conditional }) => ['root', 'upward', 'below'].includes(at) && !conditional)?.path;

describe('a link in a folder of a client', () => {
  for (const client of clients) {
    const place = placeOf(client)?.replace('*', 'writing');
    if (place === undefined) continue;
    const path = `${place}/tidy-notes/SKILL.md`;
    for (const kind of ['folder', 'file'] as const) {
      const { find } = stepsOf(client);
      const expected = linksOf(kind === 'folder' ? find.folderLinks : find.fileLinks);
      it(`${client.id}: a ${kind} that is a link is ${expected}`, () => {
        const plain = rowAt(client, path, TEXT);
        const link = { folder: kind === 'folder', file: kind === 'file', target: TARGET };
        const row = rowAt(client, path, TEXT, link);
        const told = row.found.reasons.filter(({ text }) => text.includes('is a link'));
        assert.equal(plain.found.reasons.filter(({ text }) => text.includes('is a link')).length, 0);
        if (expected === 'followed') {
          assert.deepEqual([row.found.outcome, told.length], [plain.found.outcome, 1]);
        } else if (expected === 'unknown') {
          // All values of a setting may lead to the same result.
          if (row.found.outcome === 'no') return;
          assert.equal(row.found.outcome, 'unknown');
          assert.match(row.found.reasons[0]?.text ?? '', /not known whether the client follows links/);
        } else if ((kind === 'folder' ? find.folderLinks : find.fileLinks) === 'in-place') {
          // The target is in the folder that contains the client's folder.
          assert.equal(row.found.outcome, plain.found.outcome);
        } else assert.deepEqual([row.found.outcome, row.loaded.outcome, row.listed.outcome], ['no', 'no', 'no']);
      });
    }
  }

  it('is ignored if the client follows only one of file and folder', () => {
    const codex = findClient('codex') as Client;
    const row = rowAt(codex, '.codex/skills/tidy-notes/SKILL.md', TEXT, { folder: true, file: true });
    assert.equal(row.found.outcome, 'no');
    assert.match(row.found.reasons[0]?.text ?? '', /^The file is a link, and the client ignores links to files/);
  });
});

it('a link and its target are not two skills with one name', () => {
  const gemini = findClient('gemini-cli') as Client;
  const link = new SkillFile('file:///w/.gemini/skills/tidy-notes/SKILL.md', TEXT);
  const real = new SkillFile('file:///w/.agents/skills/tidy-notes/SKILL.md', TEXT);
  const skills = AgentSkills.of([link, real]);
  const isLink = (uri: string) => (uri === link.uri ? { folder: true, file: false, target: real.uri } : undefined);
  const duplicates = (file: SkillFile, findLink: FindLink = isLink) =>
    skills
      .rowsOf(file, [gemini], findLink)
      .flatMap(({ loaded }) => loaded.reasons)
      .filter(({ cause }) => cause?.code === 'resolve/equal-name').length;
  assert.deepEqual([duplicates(link), duplicates(real)], [0, 0]);
  const nobodyLooked = () => undefined;
  assert.equal(duplicates(link, nobodyLooked) + duplicates(real, nobodyLooked), 1);
});

it('the Clients tab and the rule report a link that a target client ignores', () => {
  const uri = 'file:///w/.codex/skills/tidy-notes/SKILL.md';
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text: TEXT });
  workspace.apply({ kind: 'clients', clients: ['codex'] });
  const messages = (): readonly string[] => {
    const file = workspace.analysis.file(uri);
    assert.ok(file);
    const shown = clientsView(workspace.analysis, file)?.clients.find(({ id }) => id === 'codex');
    const told = check(file, workspace.analysis).filter(({ rule }) => rule === 'agent-skill-not-loaded');
    return [shown?.cells.found.outcome ?? '', ...told.map(({ message }) => message)];
  };
  assert.deepEqual(messages(), ['yes']);
  workspace.apply({ kind: 'link', uri, link: { folder: false, file: true } });
  const [outcome, message = ''] = messages();
  assert.equal(outcome, 'no');
  assert.match(
    message,
    /^OpenAI Codex does not load this skill\. The file is a link, .* Replace the link with the file itself\.$/,
  );
  workspace.apply({ kind: 'link', uri, link: undefined });
  assert.deepEqual(messages(), ['yes']);
});

describe('a `SKILL.md` that is not UTF-8', () => {
  const uri = 'file:///w/.claude/skills/tidy-notes/SKILL.md';
  const replaced = `${TEXT}Gr\uFFFD\uFFFDe`;
  const loaded = ({ analysis }: Workspace, ...ids: readonly string[]) =>
    ids.map((id) => {
      const file = analysis.clientFile(uri);
      return file && analysis.clientRows(file, [findClient(id) as Client])[0]?.loaded.outcome;
    });

  it('is loaded by clients that replace the other bytes, and has no other findings', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'unreadable', uri, reason: 'not-utf8', replaced });
    assert.deepEqual(loaded(workspace, 'claude-code'), ['yes']);
    const stops = clients.find((client) => stepsOf(client).open.encoding === 'stop' && placeOf(client) !== undefined);
    const stopped = stops && rowAt(stops, `${placeOf(stops)}/tidy-notes/SKILL.md`, replaced);
    assert.equal(stopped?.loaded.outcome ?? 'no', 'no');
    const file = workspace.analysis.file(uri);
    assert.deepEqual(file && check(file, workspace.analysis).map(({ rule }) => rule), ['unreadable-file']);
    assert.equal(workspace.index.graph.skills.size, 0);
  });

  it('keeps the bytes of the disk while an editor shows its text', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'unreadable', uri, reason: 'not-utf8', replaced });
    workspace.apply({ kind: 'text', uri, text: TEXT, isOpen: true });
    assert.equal(workspace.analysis.clientFile(uri)?.text, replaced);
    workspace.apply({ kind: 'text', uri, text: TEXT });
    assert.equal(workspace.analysis.clientFile(uri)?.text, TEXT);
    workspace.apply({ kind: 'delete', uri });
    assert.equal(workspace.analysis.clientFile(uri), undefined);
  });

  it('has no row if its bytes were not read', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'unreadable', uri, reason: 'denied' });
    assert.deepEqual(loaded(workspace, 'claude-code'), [undefined]);
  });
});

describe('a skill that only clients read', () => {
  const real = 'file:///w/.agents/skills/tidy-notes/SKILL.md';
  const uri = 'file:///w/.claude/skills/tidy-notes/SKILL.md';
  const openLinked = (): Workspace => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: real, text: TEXT });
    workspace.apply({ kind: 'client-skill', uri, file: new SkillFile(uri, TEXT) });
    workspace.apply({
      ...{ kind: 'link', uri },
      link: { folder: true, file: false, first: 'file:///w/.claude/skills', target: real },
    });
    return workspace;
  };
  const inList = ({ analysis }: Workspace, id: string): readonly string[] =>
    analysis.listings.skillsOf(findClient(id) as Client, real).map((subject) => subject.uri);

  it('is in the lists of clients, once for each real file if the client uses one of equal names', () => {
    const workspace = openLinked();
    workspace.apply({ kind: 'clients', clients: ['claude-code', 'copilot-cli', 'codex'] });
    assert.deepEqual(inList(workspace, 'claude-code'), [uri]);
    assert.equal(inList(workspace, 'copilot-cli').length, 1);
    assert.deepEqual(inList(workspace, 'codex'), [real]);
  });

  it('does not add target clients, and is no file of the workspace', () => {
    const workspace = openLinked();
    const withoutLink = new Workspace();
    withoutLink.apply({ kind: 'text', uri: real, text: TEXT });
    assert.deepEqual(workspace.analysis.agentSkills.owners, withoutLink.analysis.agentSkills.owners);
    assert.equal(workspace.analysis.file(uri), undefined);
    assert.equal(workspace.analysis.listings.longestBeside(real), real);
    workspace.apply({ kind: 'client-skill', uri, file: undefined });
    assert.deepEqual(inList(workspace, 'claude-code'), []);
  });
});

it('the folder in which a client must be started is named for a skill in a package', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  const paths = ['.codex/skills/a', 'packages/web/.codex/skills/a', 'packages/web/.claude/skills/a'];
  const rows = paths.map((path, at) => {
    const file = new SkillFile(`file:///w/${path}/SKILL.md`, TEXT);
    workspace.apply({ kind: 'text', uri: file.uri, text: TEXT });
    return workspace.analysis.clientRows(file, [findClient(at === 2 ? 'claude-code' : 'codex') as Client])[0];
  });
  assert.deepEqual(
    rows.map((row) => row?.start),
    [undefined, 'packages/web', 'packages/web'],
  );
  const texts = rows.map((row) => row?.found.reasons[0]?.text ?? '');
  assert.doesNotMatch(texts[0] ?? '', /only if it opens/);
  assert.match(texts[1] ?? '', /it finds the skill only if it opens `packages\/web` or a folder in it/);
  assert.match(texts[2] ?? '', /or after it reads a file there/);
});
