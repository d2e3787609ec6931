/** The names of skills in the text of a `SKILL.md`, an agent or a command: misspelt names, and names that are right. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const skill = (name: string) => `---\nname: ${name}\ndescription: Does it. Use it when asked.\n---\n`;
const FILES: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': '{"name": "shop"}',
  'skills/review-notes/SKILL.md': skill('review-notes'),
  'skills/check-stock/SKILL.md': skill('check-stock'),
  'skills/report-v1/SKILL.md': skill('report-v1'),
  'skills/a-b/SKILL.md': skill('a-b'),
  'commands/review-nodes.md': 'Review the nodes.',
  'agents/stock-clerk.md': skill('stock-clerk'),
};

/** Returns the text of `path` after the first fixes of `rule`; undefined if nothing is reported. */
function fixed(body: string, path = 'skills/deploy/SKILL.md', head = skill('deploy'), rule = 'skill-not-found') {
  const workspace = new Workspace();
  const uri = `file:///w/${path}`;
  for (const [other, text] of Object.entries(FILES)) {
    workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text });
  }
  const text = `${head}\n${body}\n`;
  workspace.apply({ kind: 'text', uri, text });
  for (const target of ['skills/a-bb/SKILL.md', 'skills/check-stok/SKILL.md', 'skills/other/SKILL.md']) {
    workspace.apply({ kind: 'exists', uri: `file:///w/${target}`, exists: false });
  }
  const file = workspace.analysis.file(uri);
  const own = (file ? check(file, workspace.analysis) : []).filter((finding) => finding.rule === rule);
  if (own.length === 0) return undefined;
  const edits = own.flatMap(({ fixes }) => fixes[0]?.edits.flatMap((one) => one.edits) ?? []);
  return applyEdits(text, edits).slice(head.length).trim();
}

describe('a misspelt skill', () => {
  const cases: Readonly<Record<string, string>> = {
    'Run `/reviw-notes`.': 'Run `/review-notes`.',
    'Run /review-ntoes first.': 'Run /review-notes first.',
    '```\n/reviw-notes now\n```': '```\n/review-notes now\n```',
    'Use the `a-bb` skill.': 'Use the `a-b` skill.',
    'Use the **`chek-stock`** skill.': 'Use the **`check-stock`** skill.',
    'Call Skill(skill: "chek-stock") and `Skill(reviw-notes)`.':
      'Call Skill(skill: "check-stock") and `Skill(review-notes)`.',
    'First the `shop:chek-stock` skill, then /shop:reviw-notes.':
      'First the `shop:check-stock` skill, then /shop:review-notes.',
    'First the `shpo:check-stock` skill.': 'First the `shop:check-stock` skill.',
    'Use /shop:stock-clrek.': 'Use /shop:stock-clerk.',
  };
  for (const [body, meant] of Object.entries(cases)) it(body, () => assert.equal(fixed(body), meant));

  it('is reported without a fix if its own plugin has no such skill', () => {
    assert.equal(fixed('Run the `shop:sell` skill.'), 'Run the `shop:sell` skill.');
    assert.equal(fixed('Run /shop:sell, which may be a workflow.'), undefined);
    assert.equal(fixed('Run the `shop:sell` skill.', '.claude/skills/deploy/SKILL.md'), undefined);
  });

  it('is reported in an agent and a command', () => {
    for (const path of ['agents/a.md', 'commands/a.md', '.claude/agents/a.md']) {
      assert.equal(fixed('Run `/reviw-notes`.', path), 'Run `/review-notes`.');
    }
    assert.equal(fixed('Run `/reviw-notes`.', 'docs/agents/a.md'), undefined);
    const head = '---\nname: a\ndescription: b\nskills:\n  - "reviw-notes"\n  - shop:chek-stock\n---\n';
    assert.notEqual(fixed('', 'agents/a.md', head), undefined);
    const allowed = skill('deploy').replace('.\n---', '.\nallowed-tools: Read, Skill(reviw-notes:*)\n---');
    assert.notEqual(fixed('', undefined, allowed), undefined);
    assert.equal(fixed('', undefined, allowed.replace('reviw', 'review')), undefined);
    assert.equal(fixed('', 'agents/a.md', head.replace('reviw', 'review').replace('chek', 'check')), undefined);
  });
});

describe('nothing is reported for', () => {
  const cases = [
    'Run `/review-notes`, `/review-nodes` and /shop:review-nodes.',
    'Use the `report-v2` skill, the `review-all-notes` skill and the `no-such-skill` skill.',
    'Use the `list-stock` skill, /missing-skill and Skill(skill: "gone").',
    'See /usr/reviw-notes, https://x.y/reviw-notes, the `/reviw-notes` endpoint and $reviw-notes.',
    'Use /other:reviw-notes, the `superpowers:chek-stock` skill and `shop:clerk`.',
    'Run `git reviw-notes` and a `reviw-notes` file.',
  ];
  for (const body of cases) it(body, () => assert.equal(fixed(body), undefined));
});

it('a link to a skill that is one letter away gets a fix', () => {
  const link = (body: string) => fixed(body, undefined, undefined, 'broken-link');
  assert.equal(link('See [it](../a-bb/SKILL.md).'), 'See [it](../a-b/SKILL.md).');
  assert.equal(link('See [it](../check-stok/SKILL.md#use).'), 'See [it](../check-stock/SKILL.md#use).');
  assert.equal(link('See [it](../other/SKILL.md).'), 'See [it](../other/SKILL.md).');
});

it('a command with the name of a skill is reported at the skill', () => {
  const reported = (files: Readonly<Record<string, string>>, path: string) => {
    const workspace = new Workspace();
    for (const [other, text] of Object.entries(files)) {
      workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text });
    }
    const file = workspace.analysis.file(`file:///w/${path}`);
    const own = (file ? check(file, workspace.analysis) : []).filter(({ rule }) => rule === 'duplicate-skill');
    return own.map(({ message, related }) => [message, related.map(({ uri }) => uri.slice('file:///w/'.length))]);
  };
  const message =
    '`commands/tidy-up.md` defines a command with the same name. Delete the command, or rename one of them.';
  for (const root of ['', '.claude/', 'plugins/a/']) {
    const files = { [`${root}skills/tidy-up/SKILL.md`]: skill('tidy-up'), [`${root}commands/tidy-up.md`]: 'Tidy up.' };
    assert.deepEqual(reported(files, `${root}skills/tidy-up/SKILL.md`), [[message, [`${root}commands/tidy-up.md`]]]);
  }
  const apart = { '.claude/skills/tidy-up/SKILL.md': skill('tidy-up'), 'commands/tidy-up.md': 'Tidy up.' };
  assert.deepEqual(reported(apart, '.claude/skills/tidy-up/SKILL.md'), []);
});
