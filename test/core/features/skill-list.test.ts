/** The rows of the skill list. The tokens in each file are counted only once. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { graphView } from '../../../server/src/features/graph/graph-view.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { SkillRows, skillDetails } from '../../../server/src/features/skill-list.ts';

const URI = 'file:///w/skills/greet/SKILL.md';
const GREET = '---\nname: greet\ndescription: Greets.\n---\n\nSay hello.\n';

/** Returns an index with one skill, and the number of times that the skill's text was read. */
function watched() {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text: GREET });
  const { index } = workspace;
  const entry = index.files.get(URI);
  assert.ok(entry);
  const asked = { times: 0 };
  const seen = Object.defineProperty({ ...entry }, 'text', {
    get() {
      asked.times++;
      return entry.text;
    },
  });
  return { index: { ...index, files: index.files.set(URI, seen) }, asked };
}

test('does not read the text of a skill again after changes to other files', () => {
  const { index, asked } = watched();
  const rows = new SkillRows();
  const row = rows.find(new Analysis(index), URI);
  assert.deepEqual([row?.name, row?.tokens, row?.tests], ['greet', 3, 0]);
  const before = asked.times;
  assert.deepEqual(rows.find(new Analysis({ ...index }), URI), row);
  assert.equal(asked.times, before);
});

test('does not parse a `SKILL.md` without samples or routing cases', () => {
  const { index, asked } = watched();
  new SkillRows().find(new Analysis(index), URI);
  assert.equal(asked.times, 1);
});

test('counts the routing cases of a `SKILL.md`', () => {
  const workspace = new Workspace();
  const routing = 'routing:\n  should: [greet me]\n';
  workspace.apply({ kind: 'text', uri: URI, text: GREET.replace('---\n\n', `${routing}---\n\n`) });
  assert.equal(new SkillRows().find(workspace.analysis, URI)?.tests, 1);
});

test('counts the tokens of a skill again after a change', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text: GREET });
  const rows = new SkillRows();
  const before = rows.find(workspace.analysis, URI)?.tokens ?? 0;
  workspace.apply({ kind: 'text', uri: URI, text: `${GREET}And goodbye, at the very end.\n` });
  assert.ok((rows.find(workspace.analysis, URI)?.tokens ?? 0) > before);
});

test('names the target clients that do not list a skill, with the reason', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  const catalog = 'agent_skills: {clients: [claude-code, goose, crush]}\n';
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: catalog });
  const told = (text: string): string => {
    workspace.apply({ kind: 'text', uri: URI, text });
    return skillDetails(workspace.analysis, URI, utf16)?.description.value ?? '';
  };
  assert.match(
    told(GREET.replace('Greets.', 'Greets: everybody.')),
    /^Not listed by Goose: A value .*, and the client shows no message.*\n\nNot listed by Crush: A value .*, so the skill is not loaded \(yaml\.v3\)\.$/m,
  );
  assert.doesNotMatch(told(GREET), /Not listed/);
});

test('shows the folder name for a `SKILL.md` without a name', () => {
  const workspace = new Workspace();
  const uri = 'file:///w/tidy%20notes/SKILL.md';
  workspace.apply({ kind: 'text', uri, text: '---\ndescription: Tidies notes.\n---\n\nTidy.\n' });
  const { analysis } = workspace;
  assert.equal(new SkillRows().find(analysis, uri)?.name, 'tidy notes');
  assert.deepEqual(
    graphView(analysis, { countFindings: () => ({ errors: 0, warnings: 0, infos: 0, hints: 0 }) }).nodes.map(
      ({ name }) => name,
    ),
    ['tidy notes'],
  );
});
