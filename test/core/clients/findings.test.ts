/** Findings about the target clients of a workspace, and none about other clients. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { skillText } from './fixtures.ts';

const DESCRIPTION = "description: Tidies a novelist's notes when asked.";
const OTHER = 'description: Draws maps of rivers before a trip.';
const OURS = /^(?:agent-skill-(?:not-loaded|cut|ignored)|listing-over-budget)$/;

interface Opened {
  readonly workspace: Workspace;
  findings(path: string): readonly Finding[];
  /** `rule severity` of the additional findings, and of those whose severity is raised. */
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

describe('two skills with one name in folders that a client reads', () => {
  const other = skillText('name: tidy-notes', 'description: Migrates a database of orders.');

  it('are copies if their descriptions have words in common, else the hidden one has a finding', () => {
    const own = skillText('name: tidy-notes', DESCRIPTION);
    const adapted = skillText('name: tidy-notes', "description: Tidies up the notes of a writer, with Codex's tools.");
    const messages = (text: string) => {
      const { findings } = open({ [NOTES]: own, [SHARED]: text }, ['copilot-cli']);
      return findings(NOTES).map(({ rule, message }) => `${rule}: ${message}`);
    };
    assert.deepEqual(messages(own), []);
    assert.deepEqual(messages(adapted), []);
    assert.deepEqual(messages(other), [
      'agent-skill-not-loaded: GitHub Copilot CLI does not load this skill. `tidy-notes` is also in `.agents/skills/tidy-notes`, and that one is used instead. Rename one of them.',
    ]);
  });
});

describe('target clients', () => {
  const bom = `\uFEFF${skillText('name: tidy-notes', DESCRIPTION)}`;

  it('are the clients with a folder in the workspace', () => {
    const { findings } = open({ '.gemini/skills/tidy-notes/SKILL.md': bom });
    assert.match(
      findings('.gemini/skills/tidy-notes/SKILL.md')[0]?.message ?? '',
      /^Gemini CLI does not load this skill, and shows no message\./,
    );
  });

  it('are all clients that read the shared folder, if no client has its own', () => {
    const finding = open({ [SHARED]: bom })
      .findings(SHARED)
      .find(({ rule }) => rule === 'agent-skill-not-loaded');
    assert.match(finding?.message ?? '', /^VS Code does not show|^OpenAI Codex, .*Gemini CLI/);
  });

  it('are those of the settings, or those of the catalog', () => {
    const files = { [SHARED]: bom, 'skills.config.yaml': catalog('goose') };
    assert.deepEqual(open(files).rules(SHARED), []);
    assert.deepEqual(open(files, ['zed']).rules(SHARED), ['agent-skill-not-loaded error']);
  });

  it('are not checked while files are being read', () => {
    const text = skillText('name: tidy-notes', DESCRIPTION);
    const { workspace, rules } = open({ [NOTES]: text }, ['codex']);
    workspace.apply({ kind: 'partial', partial: true });
    assert.deepEqual(rules(NOTES), []);
    workspace.apply({ kind: 'partial', partial: false });
    assert.deepEqual(rules(NOTES), ['agent-skill-not-loaded error']);
    workspace.apply({ kind: 'text', uri: `file:///w/${SHARED}`, text });
    assert.deepEqual(rules(NOTES), []);
  });

  it('are empty in a repository of skills that are not installed', () => {
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

  it('unverified facts cause no findings', () => {
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

  it('an unknown value of a key is reported only for targets that read it', () => {
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

  it('keeps a configured severity', () => {
    const path = '.roo/skills/notes/SKILL.md';
    const { workspace, rules } = open({ [path]: skillText('name: tidy-notes', DESCRIPTION) });
    workspace.apply({ kind: 'severities', severities: { 'agent-skill-name-folder': 'hint' } });
    assert.deepEqual(rules(path), ['agent-skill-name-folder hint']);
    workspace.apply({ kind: 'severities', severities: { 'agent-skill-name-folder': 'off' } });
    assert.deepEqual(rules(path), ['agent-skill-not-loaded error'], 'it speaks where the standard’s rule is off');
  });

  it('reports invalid frontmatter once, with the clients that do not load it', () => {
    const path = '.goose/skills/tidy-notes/SKILL.md';
    const found = open({ [path]: skillText('name: tidy-notes', 'description: Tidies: notes') }).findings(path);
    assert.deepEqual(
      found.map(({ rule }) => rule),
      ['invalid-yaml'],
    );
    assert.match(found[0]?.message ?? '', /Goose does not load this skill\.$/);
  });

  it('reports that a missing description hides the skill in VS Code', () => {
    const path = '.github/skills/tidy-notes/SKILL.md';
    const found = open({ [path]: skillText('name: tidy-notes'), 'skills.config.yaml': catalog('vscode') }).findings(
      path,
    );
    assert.match(found[0]?.message ?? '', /VS Code does not show this skill to the model\.$/);
  });

  it("a suppression of the standard's rule hides the whole finding", () => {
    const path = '.roo/skills/notes/SKILL.md';
    const text = skillText('# skill-disable-next-line agent-skill-name-folder', 'name: tidy-notes', DESCRIPTION);
    assert.deepEqual(open({ [path]: text }).rules(path), []);
  });
});

describe('the folder of a skill', () => {
  const text = skillText('name: tidy-notes', DESCRIPTION);

  it('contains all files of the skill', () => {
    const inner = '.claude/skills/tidy-notes/templates/new/SKILL.md';
    assert.deepEqual(open({ [NOTES]: text, [inner]: skillText('name: new', OTHER) }).rules(inner), []);
  });

  it('is reported for configured clients, not for guessed ones', () => {
    const deep = '.github/skills/writing/tidy-notes/SKILL.md';
    assert.deepEqual(open({ [deep]: text }).rules(deep), [], 'Copilot CLI looks at any depth');
    assert.deepEqual(open({ [deep]: text }, ['vscode']).rules(deep), ['agent-skill-not-loaded error']);
  });

  it('of another client is reported only with configured clients', () => {
    const files = { '.claude/skills/a/SKILL.md': skillText('name: a', OTHER), [SHARED]: text };
    assert.deepEqual(open(files).rules(SHARED), []);
    assert.deepEqual(open(files, ['claude-code']).rules(SHARED), ['agent-skill-not-loaded error']);
    assert.deepEqual(
      open({ ...files, [NOTES]: text }, ['claude-code']).rules(SHARED),
      [],
      'a copy lies where it looks',
    );
  });

  it('copies for several clients are accepted, but not another skill with the same name', () => {
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

it('the fix removes the byte order mark', () => {
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

  it('is reported at the longest description without a catalog', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        path(`s${at}`),
        skillText(`name: s${at}`, `description: ${'word '.repeat(180 + (at === 7 ? 1 : 0)).trim()}`),
      ]),
    );
    const opened = open(many, ['codex']);
    const reported = Object.keys(many).filter((one) => over(opened.rules(one)).length > 0);
    assert.deepEqual(reported, [path('s7')]);
  });

  it('is not reported if the budget needs a setting that is off', () => {
    const opened = open(skills, ['vscode', 'openclaw']);
    for (const name of ['a', 'b', 'c']) assert.deepEqual(over(opened.rules(path(name))), []);
  });

  it('is checked again in the catalog after an edit of one description', () => {
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

  it('reports an unknown client, with the right name', () => {
    const [finding] = open({ [uri]: 'agent_skills: {clients: [codx]}\n' }).findings(uri);
    assert.equal(finding?.rule, 'invalid-value');
    assert.match(finding?.fixes[0]?.title ?? '', /`codex`/);
  });

  it('reports unknown keys, also under `tools`, and an invalid size', () => {
    const rulesOf = (text: string) =>
      open({ [uri]: `agent_skills: {${text}}\n` })
        .findings(uri)
        .map(({ rule, fixes }) => [rule, fixes[0]?.title]);
    assert.deepEqual(rulesOf('modell: 200000'), [['unknown-key', 'Rename to `model`']]);
    assert.deepEqual(rulesOf('tools: {claude-cod: {read_page: Read}}'), [['unknown-key', 'Rename to `claude-code`']]);
    assert.deepEqual(
      rulesOf('model: -1').map(([rule]) => rule),
      ['invalid-value'],
    );
    assert.deepEqual(rulesOf('clients: [codex], model: 200000, tools: {codex: {read_page: shell}}'), []);
  });

  it('accepts a model, models, and the earlier key for a size', () => {
    for (const text of ['model: claude-sonnet-4-5', 'model: [gpt-5.5, claude-sonnet-4-5]', 'context_tokens: 200000'])
      assert.deepEqual(open({ [uri]: `agent_skills: {${text}}\n` }).findings(uri), []);
  });

  it('reports an unknown model, with the nearest name', () => {
    const findingOf = (value: string) => open({ [uri]: `agent_skills: {model: ${value}}\n` }).findings(uri)[0];
    const [near, far] = [findingOf('claude-sonet-5'), findingOf('[my-model]')];
    assert.equal(near?.rule, 'invalid-value');
    assert.match(near?.message ?? '', /^`model` cannot be `claude-sonet-5`\. Did you mean `claude-sonnet-5`/);
    assert.equal(near?.fixes[0]?.title, 'Replace with `claude-sonnet-5`');
    assert.equal(
      far?.message,
      'An item of `model` must be the name of a model that a client knows, or a number of tokens, but is `my-model`.',
    );
  });

  it('is ignored in an invalid catalog', () => {
    const text = `\uFEFF${skillText('name: tidy-notes', DESCRIPTION)}`;
    const files = { '.goose/skills/tidy-notes/SKILL.md': text, [uri]: 'agent_skills: {clients: [zed]\n' };
    assert.deepEqual(open(files).rules('.goose/skills/tidy-notes/SKILL.md'), []);
  });
});

describe('the fixes that move a skill', () => {
  const text = skillText('name: tidy-notes', DESCRIPTION);
  const moves = (path: string, clients: readonly string[], others: Readonly<Record<string, string>> = {}) =>
    open({ [path]: text, ...others }, clients)
      .findings(path)
      .filter(({ rule }) => rule === 'agent-skill-not-loaded')
      .map(({ fixes }) => fixes.flatMap(({ title, moves }) => (moves ? [[title, moves.from, moves.to]] : [])));
  const move = (from: string, folder: string, base = '') => [
    `Move the skill to \`${folder}/tidy-notes\``,
    `file:///w/${from}`,
    `file:///w/${base}${folder}/tidy-notes`,
  ];

  it('move the folder to a folder that all clients read', () => {
    const github = '.github/skills/tidy-notes';
    assert.deepEqual(moves(`${github}/SKILL.md`, ['claude-code', 'vscode']), [[move(github, '.claude/skills')]]);
    assert.deepEqual(moves(`${github}/SKILL.md`, ['codex', 'gemini-cli']), [[move(github, '.agents/skills')]]);
    const deep = 'one/.claude/skills/writing/tidy-notes';
    assert.deepEqual(moves(`${deep}/SKILL.md`, ['claude-code']), [[move(deep, '.claude/skills', 'one/')]]);
  });

  it('move it to a folder of one of the clients if they share no folder', () => {
    const cursor = '.cursor/skills/tidy-notes';
    assert.deepEqual(moves(`${cursor}/SKILL.md`, ['claude-code', 'gemini-cli']), [
      [move(cursor, '.claude/skills'), move(cursor, '.gemini/skills')],
    ]);
  });

  it('are not offered if a client would lose the skill, or if the folder is taken', () => {
    const codex = '.codex/skills/tidy-notes/SKILL.md';
    assert.deepEqual(moves(codex, ['codex', 'claude-code']), [[]], 'Codex does not read `.claude/skills`');
    assert.deepEqual(moves('.github/skills/tidy-notes/SKILL.md', ['claude-code'], { [NOTES]: 'Other.' }), []);
    assert.deepEqual(moves('.claude/skills/SKILL.md', ['claude-code']), [[]]);
  });

  it('are not applied without asking', () => {
    const { workspace } = open({ '.github/skills/tidy-notes/SKILL.md': text }, ['claude-code']);
    const file = workspace.analysis.file('file:///w/.github/skills/tidy-notes/SKILL.md');
    const fixes = file ? check(file, workspace.analysis).flatMap((one) => one.fixes) : [];
    assert.deepEqual(
      fixes.map(({ safe, edits }) => [safe, edits]),
      [[false, []]],
    );
  });
});
