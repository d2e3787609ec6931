/** Paths to the former folders of skills (docs/rules/broken-link.md). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { findMovedSkill } from '../../../server/src/analysis/moved-skill.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';
import { applyEdits } from '../../../server/src/text.ts';

const ROOT = 'file:///w';

const skill = (name: string, body = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it when the user asks for it.\n---\n\n${body}`;

/** The text of the first file after the first fix of each broken link. Keys are URIs below the workspace folder. */
function fixed(files: Readonly<Record<string, string>>): string {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT] });
  for (const [path, text] of Object.entries(files)) {
    workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  }
  const [path = ''] = Object.keys(files);
  const file = workspace.analysis.file(`${ROOT}/${path}`) ?? assert.fail();
  const isThere = (uri: string) => Object.keys(files).some((one) => `${ROOT}/${one}/`.startsWith(`${uri}/`));
  const findMoved = (missing: string) => findMovedSkill(workspace.analysis, file, missing)?.uri;
  for (const uri of urisToProbe(file, { get: isThere }, undefined, [ROOT], findMoved)) {
    workspace.apply({ kind: 'exists', uri, exists: isThere(uri) });
  }
  const found = check(file, workspace.analysis).filter(({ rule }) => rule === 'broken-link');
  return applyEdits(
    file.text,
    found.flatMap(({ fixes }) => fixes[0]?.edits.flatMap(({ edits }) => edits) ?? []),
  );
}

/** The body of a `SKILL.md` after the fixes. */
const body = (text: string, others: Readonly<Record<string, string>>): string =>
  fixed({ '.claude/skills/caller/SKILL.md': skill('caller', text), ...others }).replace(skill('caller'), '');

describe('a path to a skill that was moved', () => {
  const moved = { '.claude/skills/new/SKILL.md': skill('old'), '.claude/skills/new/scripts/run.sh': 'ls' };

  const paths: readonly (readonly [string, string])[] = [
    ['[it](../old/SKILL.md)', '[it](../new/SKILL.md)'],
    ['[it](<../old/SKILL.md#use> "The old one")', '[it](<../new/SKILL.md#use> "The old one")'],
    ['[its folder](../old/)', '[its folder](../new/)'],
    ['[it][old]\n\n[old]: ../old/scripts/run.sh', '[it][old]\n\n[old]: ../new/scripts/run.sh'],
    ['[a](../old/scripts/run.sh), [b](../old/SKILL.md)', '[a](../new/scripts/run.sh), [b](../new/SKILL.md)'],
    ['[it](../../../.claude/skills/old/SKILL.md)', '[it](../new/SKILL.md)'],
  ];
  for (const [before, after] of paths) it(`is corrected: ${after}`, () => assert.equal(body(before, moved), after));

  it('is encoded where the new name needs it', () => {
    const others = { '.claude/skills/neu%20%C3%A4/SKILL.md': skill('old') };
    assert.equal(body('[it](../old/SKILL.md)', others), '[it](../neu%20%C3%A4/SKILL.md)');
    assert.equal(
      body('[it](../old/SKILL.md)', { '.claude/skills/%E6%96%B0/SKILL.md': skill('old') }),
      '[it](../新/SKILL.md)',
    );
  });

  it('leads to the skill beside the old place if copies of it did not move', () => {
    const others = { ...moved, '.agents/skills/old/SKILL.md': skill('old') };
    assert.equal(body('[it](../old/SKILL.md)', others), '[it](../new/SKILL.md)');
  });

  it('leads to the only other copy', () => {
    assert.equal(
      body('[it](../old/SKILL.md)', { '.agents/skills/old/SKILL.md': skill('old') }),
      '[it](../../../.agents/skills/old/SKILL.md)',
    );
  });

  const unchanged: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['two skills have the name', '[it](../old/SKILL.md)', { ...moved, '.claude/skills/b/SKILL.md': skill('old') }],
    ['the file is not in the new folder', '[it](../old/scripts/gone.sh)', moved],
    ['a skill is in the old folder', '[it](../old/x.md)', { ...moved, '.claude/skills/old/SKILL.md': skill('new') }],
    ['only a folder within the skill has the name', '[it](old/x.md)', { '.claude/skills/b/SKILL.md': skill('older') }],
    ['the skill is a file', '[it](../old/SKILL.md)', { 'a/old.skill.md': skill('old') }],
  ];
  for (const [when, text, others] of unchanged) {
    it(`is not changed if ${when}`, () => assert.equal(body(text, others), text));
  }

  it('is corrected in the manifest of a plugin, below its folder', () => {
    const manifest = (path: string) => `{"name": "p", "skills": ["${path}"]}`;
    const inPlugin = (place: string) =>
      fixed({ 'p/.claude-plugin/plugin.json': manifest('./skills/old'), [`${place}/SKILL.md`]: skill('old') });
    assert.equal(inPlugin('p/skills/new'), manifest('./skills/new'));
    assert.equal(inPlugin('other/new'), manifest('./skills/old'));
  });
});
