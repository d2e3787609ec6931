/** `generated-skill`: a converted `SKILL.md` after edits of its source, of a composed skill, and of its pages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourcesDigest } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { textDigest, withOrigin } from '../../../server/src/skill/origin.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { folderOf } from '../../../server/src/vocabulary/dialect.ts';

const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\nversion: 1.0.0\nlevel: 2\ninput_schema: {}\noutput_schema: {}\n${more}---\n\nDo it.\n`;

const SOURCE = 'file:///w/skills/plan.skill.md';
const PART = 'file:///w/shared/style.skill.md';
const FOLDERS = ['.claude/skills', '.agents/skills'];
const TARGETS = FOLDERS.map((folder) => `file:///w/${folder}/plan/SKILL.md`);
const PAGE = '# Style\n';

/** Returns a workspace with a composite that was converted for two clients. */
function converted(): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: SOURCE, text: skill('plan', 'composes: [style]\n') });
  workspace.apply({ kind: 'text', uri: PART, text: skill('style').replace('level: 2', 'level: 1') });
  const plain = '---\nname: plan\ndescription: Does plan. Use it to do plan.\n---\n\nRead [it](references/style.md).\n';
  const origin = { source: '../../../skills/plan.skill.md', sources: sourcesDigest(workspace.analysis, SOURCE) };
  const text = withOrigin(plain, origin, new Map([['references/style.md', textDigest(PAGE)]]));
  for (const uri of TARGETS) {
    workspace.apply({ kind: 'text', uri, text });
    setPage(workspace, uri, PAGE);
  }
  return workspace;
}

const setPage = (workspace: Workspace, uri: string, text: string) =>
  workspace.apply({
    kind: 'folder',
    uri,
    folder: new SkillFolder(folderOf(uri), [{ path: 'references/style.md', text }]),
  });

function findingsOf({ analysis }: Workspace, uri: string): readonly string[] {
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis).map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`);
}

describe('a converted SKILL.md', () => {
  it('has no findings beside its source and another target, and its source has none', () => {
    const workspace = converted();
    for (const uri of [SOURCE, PART, ...TARGETS]) assert.deepEqual(findingsOf(workspace, uri), [], uri);
  });

  it('is reported after an edit of its source or of a composed skill, and checked again', () => {
    for (const uri of [SOURCE, PART]) {
      const workspace = converted();
      const text = workspace.index.files.get(uri)?.text ?? '';
      const affected = workspace.apply({ kind: 'text', uri, text: text.replace('Do it', 'Do that') });
      for (const target of TARGETS) {
        assert.ok(affected === 'all' || affected.has(target), `${uri} affects ${target}`);
        assert.match(findingsOf(workspace, target).join(), /^info generated-skill: `plan\.skill\.md`, or a skill/);
      }
      workspace.apply({ kind: 'text', uri, text: text.replaceAll('\n', '\r\n') });
      for (const target of TARGETS) assert.deepEqual(findingsOf(workspace, target), []);
    }
  });

  it('is checked again after an edit of a skill that its source composes now', () => {
    const workspace = converted();
    const text = skill('tone').replace('level: 2', 'level: 1');
    const uri = 'file:///w/shared/tone.skill.md';
    workspace.apply({ kind: 'text', uri, text });
    workspace.apply({ kind: 'text', uri: SOURCE, text: skill('plan', 'composes: [style, tone]\n') });
    const affected = workspace.apply({ kind: 'text', uri, text: text.replace('Do it', 'Do that') });
    assert.deepEqual(affected, new Set([uri, ...TARGETS]));
  });

  it('is not looked for among the composites of a skill without one', () => {
    const workspace = new Workspace();
    const text = skill('style').replace('level: 2', 'level: 1');
    workspace.apply({ kind: 'text', uri: PART, text });
    workspace.apply({ kind: 'text', uri: SOURCE, text: skill('plan', 'composes: [style]\n') });
    const affected = workspace.apply({ kind: 'text', uri: PART, text: text.replace('Do it', 'Do that') });
    assert.deepEqual(affected, new Set([PART]));
  });

  it('is reported if one of its pages was edited', () => {
    const workspace = converted();
    setPage(workspace, TARGETS[0] ?? '', '# Another style\n');
    assert.match(
      findingsOf(workspace, TARGETS[0] ?? '').join(),
      /^warning generated-skill: `references\/style\.md` was edited after the conversion of `plan\.skill\.md`/,
    );
    setPage(workspace, TARGETS[0] ?? '', PAGE.replace('\n', '\r\n'));
    assert.deepEqual(findingsOf(workspace, TARGETS[0] ?? ''), []);
  });

  it('is not reported if the source is not in the workspace, or while files are being read', () => {
    const workspace = converted();
    const [target = ''] = TARGETS;
    const text = workspace.index.files.get(target)?.text ?? '';
    workspace.apply({ kind: 'text', uri: target, text: `${text}By hand.\n` });
    assert.equal(findingsOf(workspace, target).length, 1);
    workspace.apply({ kind: 'partial', partial: true });
    assert.deepEqual(findingsOf(workspace, target), []);
    workspace.apply({ kind: 'partial', partial: false });
    workspace.apply({ kind: 'delete', uri: SOURCE });
    assert.deepEqual(findingsOf(workspace, target), []);
  });

  it('is not reported if the workspace does not contain a composed skill', () => {
    const workspace = converted();
    workspace.apply({ kind: 'delete', uri: PART });
    for (const target of TARGETS) assert.deepEqual(findingsOf(workspace, target), []);
  });

  it('is reported as left over if its source has another name', () => {
    const workspace = converted();
    const [target = ''] = TARGETS;
    const source = workspace.index.files.get(SOURCE)?.text ?? '';
    const affected = workspace.apply({ kind: 'text', uri: SOURCE, text: source.replace('name: plan', 'name: scheme') });
    assert.ok(affected === 'all' || affected.has(target));
    const message = 'info generated-skill: `plan.skill.md` is now converted to another folder.';
    assert.deepEqual(findingsOf(workspace, target), [`${message} Delete this folder.`]);
    setPage(workspace, target, '# Another style\n');
    const advice = 'Move the edit to the source, then delete this folder.';
    assert.deepEqual(findingsOf(workspace, target), [`${message} ${advice}`]);
    workspace.apply({ kind: 'text', uri: SOURCE, text: source.replace('name: plan', 'name: [') });
    assert.doesNotMatch(findingsOf(workspace, target).join(), /another folder/);
  });
});
