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
