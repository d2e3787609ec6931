/** What target clients lose is reported, and nothing of others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { skillText } from './fixtures.ts';

const DESCRIPTION = "description: Tidies a novelist's notes.";
const OURS = /^(?:agent-skill-(?:not-loaded|cut|ignored)|listing-over-budget)$/;

interface Opened {
  readonly workspace: Workspace;
  findings(path: string): readonly Finding[];
  /** `rule severity` of the new rules and of those that have a higher severity than their own. */
  rules(path: string): readonly string[];
}

function open(files: Readonly<Record<string, string>>, clients?: readonly string[]): Opened {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  if (clients) workspace.apply({ kind: 'clients', clients });
  const findings = (path: string) => {
    const file = workspace.analysis.file(`file:///w/${path}`);
    assert.ok(file, path);
    return check(file, workspace.analysis);
  };
  return { workspace, findings, rules: (path) => findings(path).map(({ rule, severity }) => `${rule} ${severity}`) };
}

const catalog = (clients: string) => `agent_skills: {clients: [${clients}]}\n`;
const NOTES = '.claude/skills/tidy-notes/SKILL.md';
const SHARED = '.agents/skills/tidy-notes/SKILL.md';

describe('target clients', () => {
  const bom = `\uFEFF${skillText('name: tidy-notes', DESCRIPTION)}`;

  it('are those whose folders the workspace has', () => {
    const { findings } = open({ '.gemini/skills/tidy-notes/SKILL.md': bom });
    assert.match(
      findings('.gemini/skills/tidy-notes/SKILL.md')[0]?.message ?? '',
      /^Gemini CLI does not load this skill, and says nothing\./,
    );
  });

  it('are all that read the shared folder, where no folder is a client’s own', () => {
    const [finding] = open({ [SHARED]: bom }).findings(SHARED);
    assert.match(finding?.message ?? '', /^VS Code does not show|^OpenAI Codex, .*Gemini CLI/);
  });

  it('are those of the catalog, and those of the settings before it', () => {
    const files = { [SHARED]: bom, 'skills.config.yaml': catalog('goose') };
    assert.deepEqual(open(files).rules(SHARED), []);
    assert.deepEqual(open(files, ['zed']).rules(SHARED), ['agent-skill-not-loaded error']);
  });

  it('are not judged while files are read: a copy that they find may come', () => {
    const text = skillText('name: tidy-notes', DESCRIPTION);
    const { workspace, rules } = open({ [NOTES]: text }, ['codex']);
    workspace.apply({ kind: 'partial', partial: true });
    assert.deepEqual(rules(NOTES), []);
    workspace.apply({ kind: 'partial', partial: false });
    assert.deepEqual(rules(NOTES), ['agent-skill-not-loaded error']);
    workspace.apply({ kind: 'text', uri: `file:///w/${SHARED}`, text });
    assert.deepEqual(rules(NOTES), []);
  });

  it('are none in a repository of skills that are yet to be installed', () => {
    const text = skillText('name: Tidy_Notes', 'description: Tidies notes.', 'mood: good');
    const { findings } = open({ 'skills/tidy-notes/SKILL.md': text, 'SKILL.md': bom });
    const rules = [...findings('skills/tidy-notes/SKILL.md'), ...findings('SKILL.md')].map(({ rule }) => rule);
    assert.deepEqual(
      rules.filter((rule) => OURS.test(rule)),
      [],
    );
  });

  it('are not guessed while files are being read', () => {
    const { workspace, rules } = open({ [SHARED]: bom });
    workspace.apply({ kind: 'partial', partial: true });
    assert.deepEqual(rules(SHARED), []);
  });

  it('change the findings of all files when the settings change', () => {
    const { workspace, rules } = open({ [SHARED]: bom }, ['goose']);
    assert.deepEqual(rules(SHARED), []);
    assert.equal(workspace.apply({ kind: 'clients', clients: ['zed'] }), 'all');
    assert.deepEqual(rules(SHARED), ['agent-skill-not-loaded error']);
  });

  it('facts that nobody has verified raise nothing', () => {
    const text = skillText('name: tidy-notes', 'description: ""');
    const files = { '.cursor/skills/notes/SKILL.md': text, 'skills.config.yaml': catalog('cursor, amp') };
    const rules = open(files).rules('.cursor/skills/notes/SKILL.md');
    assert.deepEqual(
      rules.filter((rule) => OURS.test(rule.split(' ')[0] ?? '')),
      [],
    );
  });
});

describe('one defect, one finding', () => {
  it('a rule of the standard names the clients, with the higher severity', () => {
    const path = '.roo/skills/notes/SKILL.md';
    const found = open({ [path]: skillText('name: tidy-notes', DESCRIPTION) }).findings(path);
    assert.deepEqual(
      found.map(({ rule, severity }) => [rule, severity]),
      [['agent-skill-name-folder', 'error']],
    );
    assert.match(found[0]?.message ?? '', /Rename one of the two\. Roo Code does not load this skill\.$/);
  });

  it('a word of the author’s own in a key that targets read is told, and to others it is nothing', () => {
    const text = skillText('name: tidy-notes', DESCRIPTION, 'context: notes-desk');
    const about = (files: Readonly<Record<string, string>>, path: string, clients?: readonly string[]) =>
      open(files, clients)
        .rules(path)
        .filter((rule) => rule.startsWith('agent-skill-key-value'));
    const free = 'skills/tidy-notes/SKILL.md';
    assert.deepEqual(about({ [free]: text }, free), []);
    assert.deepEqual(about({ [free]: text }, free, ['codex']), []);
    assert.deepEqual(about({ [free]: text }, free, ['claude-code']), ['agent-skill-key-value warning']);
    assert.deepEqual(about({ [NOTES]: text }, NOTES), ['agent-skill-key-value hint']);
    const misspelt = text.replace('notes-desk', 'frok');
    assert.deepEqual(about({ [free]: misspelt }, free), ['agent-skill-key-value warning']);
  });

  it('a severity that somebody has set stays', () => {
    const path = '.roo/skills/notes/SKILL.md';
    const { workspace, rules } = open({ [path]: skillText('name: tidy-notes', DESCRIPTION) });
    workspace.apply({ kind: 'severities', severities: { 'agent-skill-name-folder': 'hint' } });
    assert.deepEqual(rules(path), ['agent-skill-name-folder hint']);
    workspace.apply({ kind: 'severities', severities: { 'agent-skill-name-folder': 'off' } });
    assert.deepEqual(rules(path), ['agent-skill-not-loaded error'], 'it speaks where the standard’s rule is off');
  });

  it('frontmatter that does not parse is one finding, which tells who does not load it', () => {
    const path = '.goose/skills/tidy-notes/SKILL.md';
    const found = open({ [path]: skillText('name: tidy-notes', 'description: Tidies: notes') }).findings(path);
    assert.deepEqual(
      found.map(({ rule }) => rule),
      ['invalid-yaml'],
    );
    assert.match(found[0]?.message ?? '', /Goose does not load this skill\.$/);
  });

  it('a missing description hides the skill from the model of VS Code', () => {
    const path = '.github/skills/tidy-notes/SKILL.md';
    const found = open({ [path]: skillText('name: tidy-notes'), 'skills.config.yaml': catalog('vscode') }).findings(
      path,
    );
    assert.match(found[0]?.message ?? '', /VS Code does not show this skill to the model\.$/);
  });

  it('a comment that silences the rule of the standard silences all of it', () => {
    const path = '.roo/skills/notes/SKILL.md';
    const text = skillText('# skill-disable-next-line agent-skill-name-folder', 'name: tidy-notes', DESCRIPTION);
    assert.deepEqual(open({ [path]: text }).rules(path), []);
  });
});

describe('where a skill lies', () => {
  const text = skillText('name: tidy-notes', DESCRIPTION);

  it('a file within the folder of a skill belongs to that skill', () => {
    const inner = '.claude/skills/tidy-notes/templates/new/SKILL.md';
    assert.deepEqual(open({ [NOTES]: text, [inner]: skillText('name: new', DESCRIPTION) }).rules(inner), []);
  });

  it('a group of skills that one of the guessed clients finds is no fault; the client that is named is told', () => {
    const deep = '.github/skills/writing/tidy-notes/SKILL.md';
    assert.deepEqual(open({ [deep]: text }).rules(deep), [], 'Copilot CLI looks at any depth');
    assert.deepEqual(open({ [deep]: text }, ['vscode']).rules(deep), ['agent-skill-not-loaded error']);
  });

  it('a skill of another client’s folder is reported only to who named the clients', () => {
    const files = { '.claude/skills/a/SKILL.md': skillText('name: a', DESCRIPTION), [SHARED]: text };
    assert.deepEqual(open(files).rules(SHARED), []);
    assert.deepEqual(open(files, ['claude-code']).rules(SHARED), ['agent-skill-not-loaded error']);
    assert.deepEqual(
      open({ ...files, [NOTES]: text }, ['claude-code']).rules(SHARED),
      [],
      'a copy lies where it looks',
    );
  });

  it('copies for several clients are meant; another skill of the same name is not', () => {
    const copy = { '.github/skills/tidy-notes/SKILL.md': text, [NOTES]: text };
    assert.deepEqual(open(copy, ['copilot-cli']).rules(NOTES), []);
    const other = { '.github/skills/tidy-notes/SKILL.md': text, '.claude/skills/notes/SKILL.md': text };
    const found = open(other, ['copilot-cli']).findings('.claude/skills/notes/SKILL.md');
    assert.ok(
      found.some(
        ({ rule, severity, message }) =>
          rule.startsWith('agent-skill-') && severity === 'error' && message.includes('Copilot CLI does not load'),
      ),
    );
  });
});

it('the fix takes the byte order mark away', () => {
  const text = `\uFEFF${skillText('name: tidy-notes', DESCRIPTION)}`;
  const [finding] = open({ [SHARED]: text }, ['zed']).findings(SHARED);
  const [fix] = finding?.fixes ?? [];
  assert.equal(fix?.safe, true);
  assert.equal(applyEdits(text, fix?.edits[0]?.edits ?? []), text.slice(1));
});

describe('a list that is too long', () => {
  const skills = Object.fromEntries(
    ['a', 'b', 'c'].map((name, at) => [
      `.agents/skills/${name}/SKILL.md`,
      skillText(`name: ${name}`, `description: ${'word '.repeat(600 + at).trim()}`),
    ]),
  );
  const path = (name: string) => `.agents/skills/${name}/SKILL.md`;
  const over = (rules: readonly string[]) => rules.filter((rule) => rule.startsWith('listing-'));

  it('is reported at the catalog, once', () => {
    const opened = open({
      ...skills,
      'skills.config.yaml': 'agent_skills: {clients: [codex], context_tokens: 20000}\n',
    });
    assert.deepEqual(over(opened.rules('skills.config.yaml')), ['listing-over-budget warning']);
    for (const name of ['a', 'b', 'c']) assert.deepEqual(over(opened.rules(path(name))), []);
  });

  it('is reported at the longest description, where there is no catalog', () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        path(`s${at}`),
        skillText(`name: s${at}`, `description: ${'word '.repeat(180 + (at === 7 ? 1 : 0)).trim()}`),
      ]),
    );
    const opened = open(many, ['codex']);
    const reported = Object.keys(many).filter((one) => over(opened.rules(one)).length > 0);
    assert.deepEqual(reported, [path('s7')]);
  });

  it('is not reported where a setting that is off makes the budget', () => {
    const opened = open(skills, ['vscode', 'openclaw']);
    for (const name of ['a', 'b', 'c']) assert.deepEqual(over(opened.rules(path(name))), []);
  });

  it('an edit of one description has the catalog checked again', () => {
    const { workspace } = open({ ...skills, 'skills.config.yaml': catalog('codex') });
    const affected = workspace.apply({
      kind: 'text',
      uri: `file:///w/${path('a')}`,
      text: skillText('name: a', 'description: Short.'),
    });
    assert.ok(affected !== 'all' && affected.has('file:///w/skills.config.yaml'));
  });
});

describe('the key of the catalog', () => {
  const uri = 'skills.config.yaml';

  it('a name that is no client is told, with the right one', () => {
    const [finding] = open({ [uri]: 'agent_skills: {clients: [codx]}\n' }).findings(uri);
    assert.equal(finding?.rule, 'invalid-value');
    assert.match(finding?.fixes[0]?.title ?? '', /`codex`/);
  });

  it('so is a key that is none, also among the clients whose tools are named, and a size that is none', () => {
    const rulesOf = (text: string) =>
      open({ [uri]: `agent_skills: {${text}}\n` })
        .findings(uri)
        .map(({ rule, fixes }) => [rule, fixes[0]?.title]);
    assert.deepEqual(rulesOf('context_token: 200000'), [['unknown-key', 'Rename to `context_tokens`']]);
    assert.deepEqual(rulesOf('tools: {claude-cod: {read_page: Read}}'), [['unknown-key', 'Rename to `claude-code`']]);
    assert.deepEqual(
      rulesOf('context_tokens: -1').map(([rule]) => rule),
      ['invalid-value'],
    );
    assert.deepEqual(rulesOf('clients: [codex], context_tokens: 200000, tools: {codex: {read_page: shell}}'), []);
  });

  it('nothing is concluded from a catalog that does not parse', () => {
    const text = `\uFEFF${skillText('name: tidy-notes', DESCRIPTION)}`;
    const files = { '.goose/skills/tidy-notes/SKILL.md': text, [uri]: 'agent_skills: {clients: [zed]\n' };
    assert.deepEqual(open(files).rules('.goose/skills/tidy-notes/SKILL.md'), []);
  });
});
