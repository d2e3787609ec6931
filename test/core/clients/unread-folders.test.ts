/** Folders of skills that some of the chosen clients do not read: one finding, its fixes, and the counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { skillText } from './fixtures.ts';

const uriOf = (path: string): string => `file:///w/${path}`;
const skillUri = (folder: string): string => uriOf(`${folder}/SKILL.md`);
const skill = (folder: string): string =>
  skillText(`name: ${folder.slice(folder.lastIndexOf('/') + 1)}`, 'description: Tidies notes. Use it for notes.');
const CATALOG = 'skills.config.yaml';
const BOTH = 'agent_skills: {clients: [claude-code, codex]}\n';
const CLAUDE = ['a', 'b', 'c'].map((name) => `.claude/skills/cl-${name}`);
const AGENTS = ['a', 'b'].map((name) => `.agents/skills/ag-${name}`);

function workspaceOf(folders: readonly string[], catalog: string | undefined = BOTH): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  for (const folder of folders) workspace.apply({ kind: 'text', uri: skillUri(folder), text: skill(folder) });
  if (catalog !== undefined) workspace.apply({ kind: 'text', uri: uriOf(CATALOG), text: catalog });
  return workspace;
}

function findingIn({ analysis }: Workspace, folder: string): Finding | undefined {
  const file = analysis.file(skillUri(folder));
  assert.ok(file, folder);
  const found = check(file, analysis).filter(({ rule }) => rule === 'agent-skill-not-loaded');
  assert.ok(found.length <= 1);
  return found[0];
}

/** Returns the findings that are shown for closed files, as `folder severity message`. */
const shown = (workspace: Workspace, folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => {
    const one = findingIn(workspace, folder);
    return one && one.repeats === undefined ? [`${folder} ${one.severity} ${one.message}`] : [];
  });

describe('a folder of skills that a chosen client does not read', () => {
  it('has one warning, at the first skill by path, with the number of skills', () => {
    const workspace = workspaceOf([...[...CLAUDE].reverse(), ...AGENTS]);
    assert.deepEqual(shown(workspace, [...CLAUDE, ...AGENTS]), [
      '.claude/skills/cl-a warning OpenAI Codex does not load the 3 skills in `.claude/skills`. OpenAI Codex reads `.codex/skills` and `.agents/skills`. Link or copy the skills there, or name this folder under `agent_skills.only`.',
      '.agents/skills/ag-a warning Claude Code does not load the 2 skills in `.agents/skills`. Claude Code reads `.claude/skills`. Link or copy the skills there, or name this folder under `agent_skills.only`.',
    ]);
  });

  it('has a finding about the skill itself in the other files, which repeats the first one', () => {
    const found = findingIn(workspaceOf(CLAUDE), '.claude/skills/cl-b');
    assert.equal(found?.repeats, skillUri('.claude/skills/cl-a'));
    assert.match(found?.message ?? '', /^OpenAI Codex does not load this skill\. /);
  });

  it('has the same finding if it has one skill', () => {
    assert.deepEqual(shown(workspaceOf(['.claude/skills/cl-a']), ['.claude/skills/cl-a']), [
      '.claude/skills/cl-a warning OpenAI Codex does not load this skill. OpenAI Codex reads `.codex/skills` and `.agents/skills`. Link or copy the skill there, or name this folder under `agent_skills.only`.',
    ]);
  });

  it('has one error if no chosen client reads it', () => {
    const workspace = workspaceOf(CLAUDE, 'agent_skills: {clients: [codex]}\n');
    assert.deepEqual(shown(workspace, CLAUDE), [
      '.claude/skills/cl-a error OpenAI Codex does not load the 3 skills in `.claude/skills`. OpenAI Codex reads `.codex/skills` and `.agents/skills`. Move the skills there, or remove the client from the target clients.',
    ]);
    assert.deepEqual(findingIn(workspace, '.claude/skills/cl-b')?.severity, 'error');
  });

  it('has one finding for each set of clients', () => {
    const workspace = workspaceOf(
      [...CLAUDE, '.github/skills/cl-b'],
      'agent_skills: {clients: [claude-code, codex, copilot-cli]}\n',
    );
    const folders = [...CLAUDE, '.github/skills/cl-b'];
    assert.deepEqual(
      shown(workspace, folders).map((line) => line.replace(/\. .*/, '')),
      [
        '.claude/skills/cl-a warning OpenAI Codex does not load the 3 skills in `.claude/skills`',
        '.github/skills/cl-b warning OpenAI Codex does not load this skill',
      ],
    );
  });

  it('has its own finding in each project', () => {
    const folders = ['one', 'two'].flatMap((project) => CLAUDE.map((folder) => `${project}/${folder}`));
    assert.equal(shown(workspaceOf(folders), folders).length, 2);
  });

  it('has no finding about skills with a copy, or with a link', () => {
    const workspace = workspaceOf([...CLAUDE, '.agents/skills/cl-a']);
    const link = { folder: true, file: false, target: skillUri('.claude/skills/cl-b') };
    const affected = workspace.apply({ kind: 'link', uri: skillUri('.agents/skills/cl-b'), link });
    assert.equal(affected, 'all');
    assert.deepEqual(
      shown(workspace, CLAUDE).map((line) => line.replace(/\. .*/, '')),
      ['.claude/skills/cl-c warning OpenAI Codex does not load this skill'],
    );
  });

  it('has a finding if there is only a link that the client does not follow', () => {
    const workspace = workspaceOf(AGENTS.slice(0, 1), 'agent_skills: {clients: [codex, continue-cli]}\n');
    const link = { folder: true, file: false, target: skillUri('.agents/skills/ag-a') };
    workspace.apply({ kind: 'link', uri: skillUri('.claude/skills/ag-a'), link });
    assert.match(
      findingIn(workspace, '.agents/skills/ag-a')?.message ?? '',
      /^Continue CLI does not load this skill\./,
    );
  });

  it('is checked again when the first skill or the number of skills changes', () => {
    const workspace = workspaceOf(CLAUDE);
    const folder = '.claude/skills/bb';
    const added = workspace.apply({ kind: 'text', uri: skillUri(folder), text: skill(folder) });
    assert.ok(added !== 'all' && added.has(skillUri(CLAUDE[0] ?? '')) && added.has(skillUri(folder)));
    assert.match(findingIn(workspace, folder)?.message ?? '', /the 4 skills/);
    const removed = workspace.apply({ kind: 'delete', uri: skillUri(folder) });
    assert.ok(removed !== 'all' && removed.has(skillUri(CLAUDE[0] ?? '')));
    const copied = workspace.apply({ kind: 'text', uri: skillUri('.agents/skills/cl-c'), text: skill('cl-c') });
    assert.ok(copied !== 'all' && copied.has(skillUri(CLAUDE[0] ?? '')));
    assert.match(findingIn(workspace, CLAUDE[0] ?? '')?.message ?? '', /the 2 skills/);
  });
});

describe('the fixes', () => {
  const fixesIn = (workspace: Workspace, folder: string) => findingIn(workspace, folder)?.fixes ?? [];
  const after = (
    catalog: string,
    folder = '.claude/skills/cl-a',
    folders: readonly string[] = [...CLAUDE, ...AGENTS],
  ) => {
    const fix = fixesIn(workspaceOf(folders, catalog), folder).find(({ title }) => title.includes('only for'));
    return [fix?.title, fix?.edits[0] && applyEdits(catalog, fix.edits[0].edits)];
  };

  it('make all skills of the folder available to the clients', () => {
    const [first] = fixesIn(workspaceOf([...CLAUDE, ...AGENTS]), '.claude/skills/cl-a');
    assert.equal(first?.title, 'Make the 3 skills in `.claude/skills` available to OpenAI Codex');
    assert.deepEqual(first?.shares, { skills: CLAUDE.map(skillUri), clients: ['codex'] });
    // The other skills offer both.
    const [own, all] = fixesIn(workspaceOf(CLAUDE), '.claude/skills/cl-b');
    assert.deepEqual(
      [own?.title, own?.shares],
      ['Make the skill available to OpenAI Codex', { skills: [skillUri('.claude/skills/cl-b')], clients: ['codex'] }],
    );
    assert.deepEqual([all?.title, all?.shares], [first?.title, first?.shares]);
  });

  it('name the clients of the folder in the catalog', () => {
    const title = 'These skills are only for Claude Code';
    assert.deepEqual(after(BOTH), [
      title,
      'agent_skills: {clients: [claude-code, codex], only: {.claude/skills: [claude-code]}}\n',
    ]);
    const block = 'agent_skills:\n  clients: [claude-code, codex]\n';
    assert.deepEqual(after(block), [title, `${block}  only:\n    .claude/skills: [claude-code]\n`]);
    const known = `${block}  only:\n    .agents/skills: [codex]\n`;
    assert.deepEqual(after(known), [title, `${known}    .claude/skills: [claude-code]\n`]);
    // An empty value is not a second key.
    assert.deepEqual(after(`${block}  only:\n`), [title, `${block}  only:\n    .claude/skills: [claude-code]\n`]);
    const empty = `${block}  only:\n    .claude/skills:\n`;
    assert.deepEqual(after(empty), [title, `${block}  only:\n    .claude/skills: [claude-code]\n`]);
    assert.deepEqual(after(`${block}  only: [a]\n`), [undefined, undefined]);
    const project = CLAUDE.map((folder) => `one/${folder}`);
    assert.deepEqual(after(block, project[0], project), [
      title,
      `${block}  only:\n    one/.claude/skills: [claude-code]\n`,
    ]);
  });

  it('create a catalog if the settings name the clients, but not beside skills of the own format', () => {
    const workspace = workspaceOf(CLAUDE, undefined);
    workspace.apply({ kind: 'delete', uri: uriOf(CATALOG) });
    workspace.apply({ kind: 'clients', clients: ['claude-code', 'codex'] });
    const [only, ...more] = fixesIn(workspace, '.claude/skills/cl-a').filter(({ createsFile }) => createsFile);
    assert.deepEqual([only?.title, more], ['These skills are only for Claude Code, in a new `skills.config.yaml`', []]);
    const made = [only].flatMap((fix) => fix?.createsFile ?? []);
    assert.deepEqual(made, [
      { uri: uriOf(CATALOG), text: 'agent_skills:\n  only:\n    .claude/skills: [claude-code]\n' },
    ]);
    workspace.apply({ kind: 'text', uri: uriOf(CATALOG), text: made[0]?.text ?? '' });
    assert.equal(findingIn(workspace, '.claude/skills/cl-a'), undefined);
    workspace.apply({ kind: 'delete', uri: uriOf(CATALOG) });
    workspace.apply({ kind: 'text', uri: uriOf('x.skill.md'), text: '---\nname: x\n---\n' });
    assert.deepEqual(
      fixesIn(workspace, '.claude/skills/cl-a').flatMap(({ createsFile }) => createsFile ?? []),
      [],
    );
  });
});

describe('`agent_skills.only`', () => {
  const only = (value: string) => `agent_skills: {clients: [claude-code, codex], only: {${value}}}\n`;
  const found = (catalog: string, folders: readonly string[] = CLAUDE) =>
    shown(workspaceOf(folders, catalog), folders).length;

  it('limits the target clients of the skills in a folder', () => {
    assert.equal(found(only('.claude/skills: claude-code')), 0);
    assert.equal(found(only('./.claude/skills/: [claude-code]')), 0);
    assert.equal(found(only('.agents/skills: [codex]')), 1);
  });

  it('applies to each folder whose path ends in this way; the longest path decides', () => {
    const folders = ['one', 'two'].map((project) => `${project}/.claude/skills/cl-a`);
    assert.equal(found(only('.claude/skills: claude-code'), folders), 0);
    assert.equal(found(only('one/.claude/skills: claude-code'), folders), 1);
    assert.equal(found(only('.claude/skills: claude-code, two/.claude/skills: [claude-code, codex]'), folders), 1);
  });

  it('is ignored if it names no known client', () => {
    assert.equal(found(only('.claude/skills: [claud]')), 1);
  });
});

describe('the counts', () => {
  const countsIn = ({ index, analysis }: Workspace) => {
    const count = ({ listLosses }: Analysis) => {
      const { skills, notListed, onlyFor } = listLosses.counts ?? {};
      return [skills, notListed, onlyFor?.map(({ clients, skills }) => `${skills} ${clients.map(({ id }) => id)}`)];
    };
    assert.deepEqual(count(analysis), count(new Analysis(index)));
    return count(analysis);
  };

  it('name the skills that only some clients read, and none as not listed', () => {
    const workspace = workspaceOf([...CLAUDE, ...AGENTS]);
    assert.deepEqual(countsIn(workspace), [5, 0, ['3 claude-code', '2 codex']]);
    assert.deepEqual(
      workspace.analysis.listLosses.find(skillUri(CLAUDE[0] ?? ''))?.map(({ kind }) => kind),
      ['elsewhere'],
    );
    const accepted = 'agent_skills: {clients: [claude-code, codex], only: {.claude/skills: claude-code}}\n';
    workspace.apply({ kind: 'text', uri: uriOf(CATALOG), text: accepted });
    assert.deepEqual(countsIn(workspace), [5, 0, ['3 claude-code', '2 codex']]);
    const link = { folder: true, file: false, target: skillUri('.agents/skills/ag-a') };
    workspace.apply({ kind: 'link', uri: skillUri('.claude/skills/ag-a'), link });
    assert.deepEqual(countsIn(workspace), [5, 0, ['3 claude-code', '1 codex']]);
  });

  it('count a skill that no chosen client reads as not listed', () => {
    assert.deepEqual(countsIn(workspaceOf(CLAUDE, 'agent_skills: {clients: [codex]}\n')), [3, 3, []]);
  });
});

describe('a Markdown file directly in a folder of skills', () => {
  const text = "---\nname: tidy-notes\ndescription: Tidies a novelist's notes.\n---\n\nMerge notes.\n";
  const loadedBy = (path: string, written = text, isOpen = false) => {
    const workspace = new Workspace();
    const uri = `file:///w/${path}`;
    workspace.apply({ kind: 'text', uri, text: written, isOpen });
    const file = workspace.analysis.clientFile(uri);
    const rows = file ? workspace.analysis.clientRows(file, clients) : [];
    return rows.flatMap(({ client, loaded }) => (loaded.outcome === 'yes' ? [client.id] : []));
  };

  it('is a skill of the clients that read such files, also while an editor has it open', () => {
    assert.deepEqual(loadedBy('.pi/skills/tidy-notes.md'), ['pi']);
    assert.deepEqual(loadedBy('.pi/skills/tidy-notes.md', text, true), ['pi']);
    assert.deepEqual(loadedBy('.kimi/skills/tidy-notes.md'), ['kimi-cli']);
  });

  it('is no skill of other clients, in a folder that others read, too, or without frontmatter', () => {
    assert.deepEqual(loadedBy('.claude/skills/tidy-notes.md'), []);
    assert.deepEqual(loadedBy('.agents/skills/tidy-notes.md'), []);
    assert.deepEqual(loadedBy('.pi/skills/README.md', '# Notes\n'), []);
  });

  it('is no longer a skill after its frontmatter or the file is removed', () => {
    const workspace = new Workspace();
    const uri = 'file:///w/.pi/skills/tidy-notes.md';
    workspace.apply({ kind: 'text', uri, text });
    workspace.apply({ kind: 'text', uri, text: '# Notes\n' });
    assert.equal(workspace.analysis.clientFile(uri), undefined);
    workspace.apply({ kind: 'text', uri, text });
    workspace.apply({ kind: 'delete', uri });
    assert.equal(workspace.analysis.clientFile(uri), undefined);
  });
});
