/** The count of the skills that target clients do not list: what counts, and that it agrees with the rules. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { unlistedSkills } from '../../../server/src/features/skill-list.ts';
import type { Rule } from '../../../server/src/rules/engine/rule.ts';
import { agentSkillCut } from '../../../server/src/rules/skill-md/agent-skill-cut.ts';
import { agentSkillNotLoaded } from '../../../server/src/rules/skill-md/agent-skill-not-loaded.ts';
import { fileFor, fixtureOf, skillText } from './fixtures.ts';
import { CONDITIONS, outcomeOf } from './outcomes.ts';

const CATALOG = 'skills.config.yaml';
const uriOf = (path: string): string => `file:///w/${path}`;
const skillUri = (folder: string): string => uriOf(`${folder}/SKILL.md`);
const skill = (name: string, ...more: readonly string[]): string =>
  skillText(`name: ${name}`, 'description: Tidies notes.', ...more);
const long = (name: string, length: number): string => skillText(`name: ${name}`, `description: ${'d'.repeat(length)}`);
const targets = (...ids: readonly string[]): string => `agent_skills: {clients: [${ids.join(', ')}]}\n`;

/** Opens a workspace of skills by folder, and of a catalog. */
function workspaceOf(skills: Readonly<Record<string, string>>, catalog?: string): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [uriOf('').replace(/\/$/, '')] });
  for (const [folder, text] of Object.entries(skills)) {
    workspace.apply({ kind: 'text', uri: skillUri(folder), text });
  }
  if (catalog !== undefined) workspace.apply({ kind: 'text', uri: uriOf(CATALOG), text: catalog });
  return workspace;
}

/** Returns the losses by folder, such as `not-listed codex`. */
const lossesIn = ({ analysis }: Workspace): Record<string, readonly string[]> =>
  Object.fromEntries(
    [...analysis.listLosses.lossy].map(([uri, losses]) => [
      uri.slice(uriOf('').length, -'/SKILL.md'.length),
      losses.map(({ client, kind }) => `${kind} ${client.id}`),
    ]),
  );

const numbersIn = ({ analysis }: Workspace): readonly (number | undefined)[] => {
  const { counts } = analysis.listLosses;
  return [counts?.skills, counts?.notListed, counts?.cut];
};

describe('a skill is not listed', () => {
  it('if the client does not find its folder, does not load it, or hides it because of a fault', () => {
    const workspace = workspaceOf(
      {
        '.claude/skills/fine': skill('fine'),
        '.codex/skills/elsewhere': skill('elsewhere'),
        '.claude/skills/deep/er/down': skill('down'),
        '.claude/skills/colon': skillText('name: colon', 'description: Use when: it is late'),
        '.claude/skills/silent': skillText('name: silent'),
        '.claude/skills/broken': skillText('name: broken', 'description: "open'),
      },
      targets('claude-code', 'goose', 'vscode'),
    );
    assert.deepEqual(lossesIn(workspace), {
      '.codex/skills/elsewhere': ['not-listed claude-code', 'not-listed goose', 'not-listed vscode'],
      '.claude/skills/deep/er/down': ['not-listed claude-code', 'not-listed vscode'],
      '.claude/skills/colon': ['not-listed goose'],
      '.claude/skills/silent': ['cut goose', 'not-listed vscode'],
      '.claude/skills/broken': ['cut claude-code', 'not-listed goose'],
    });
    assert.deepEqual(numbersIn(workspace), [6, 5, 2]);
  });

  it('but not if its author hides it from models', () => {
    const hidden = skill('hidden', 'disable-model-invocation: true');
    const workspace = workspaceOf({ '.claude/skills/hidden': hidden }, targets('claude-code'));
    assert.deepEqual(numbersIn(workspace), [1, 0, 0]);
  });

  it('but not because of a fact that is not verified', () => {
    const { dirs } = clients.find(({ id }) => id === 'cursor') ?? {};
    assert.equal(dirs?.certainty, 'unverified');
    const skills = { '.goose/skills/tidy': skill('tidy') };
    assert.deepEqual(numbersIn(workspaceOf(skills, targets('cursor'))), [1, 0, 0]);
    assert.deepEqual(numbersIn(workspaceOf(skills, targets('crush'))), [1, 1, 0]);
  });

  it('but not if it is a copy for another client, or in the folder of another skill', () => {
    const skills = {
      '.claude/skills/notes': skill('notes'),
      '.codex/skills/notes': skill('notes'),
      '.claude/skills/notes/assets/other': skill('other'),
    };
    const { 'assets/other': _, ...losses } = lossesIn(workspaceOf(skills, targets('claude-code', 'codex')));
    assert.deepEqual(losses, {});
  });

  it('if its folder is too deep for guessed clients, but not if another client owns the folder', () => {
    const workspace = workspaceOf({
      '.claude/skills/notes': skill('notes'),
      '.claude/skills/a/b/deep': skill('deep'),
      '.unknown/skills/loose': skill('loose'),
    });
    assert.deepEqual(lossesIn(workspace), { '.claude/skills/a/b/deep': ['not-listed claude-code'] });
    assert.deepEqual(numbersIn(workspace), [2, 1, 0]);
    assert.equal(workspace.analysis.listLosses.counts?.withoutTarget, 1);
    assert.equal(workspace.analysis.listLosses.find(skillUri('.unknown/skills/loose')), undefined);
  });

  it('if the list of a client drops its entry', () => {
    const skills = Array.from({ length: 60 }, (_, at) => [`.agents/skills/s-${at + 10}`, long(`s-${at + 10}`, 1000)]);
    const workspace = workspaceOf(Object.fromEntries(skills), targets('zed', 'claude-code'));
    const dropped = Object.entries(lossesIn(workspace)).filter(([, losses]) => losses.includes('not-listed zed'));
    const listing = workspace.analysis.listings.find(clients.find(({ id }) => id === 'zed') ?? assert.fail(), '');
    assert.ok(listing);
    assert.equal(dropped.length, workspace.analysis.listings.find(listing.client, uriOf(CATALOG))?.dropped);
    assert.ok(dropped.length > 5);
  });

  it('in the list of its own catalog', () => {
    const of = (project: string, count: number, length: number) =>
      Array.from({ length: count }, (_, at) => [
        `${project}/.agents/skills/${project}-${at}`,
        long(`${project}-${at}`, length),
      ]);
    const workspace = workspaceOf(Object.fromEntries([...of('one', 60, 1000), ...of('two', 3, 100)]));
    for (const project of ['one', 'two']) {
      workspace.apply({ kind: 'text', uri: uriOf(`${project}/${CATALOG}`), text: targets('zed') });
    }
    const [skills, notListed] = numbersIn(workspace);
    assert.deepEqual([skills, (notListed ?? 0) > 5], [63, true]);
    assert.ok(Object.keys(lossesIn(workspace)).every((folder) => folder.startsWith('one/')));
  });
});

describe('a description is cut', () => {
  it('if it is too long for the client, or if the list shortens it', () => {
    const workspace = workspaceOf({ '.claude/skills/long': long('long', 1600) }, targets('claude-code'));
    assert.deepEqual(lossesIn(workspace), { '.claude/skills/long': ['cut claude-code'] });
    const skills = Array.from({ length: 100 }, (_, at) => [`.codex/skills/s-${at}`, long(`s-${at}`, 500)]);
    assert.deepEqual(numbersIn(workspaceOf(Object.fromEntries(skills), targets('codex'))), [100, 0, 100]);
  });

  it('as often as a list must remove descriptions, although it is not known which ones', () => {
    const skills = Array.from({ length: 60 }, (_, at) => [`.claude/skills/s-${at}`, long(`s-${at}`, 500)]);
    const workspace = workspaceOf(Object.fromEntries(skills), targets('claude-code'));
    const listing = workspace.analysis.listings.find(clients[0] ?? assert.fail(), uriOf(CATALOG));
    assert.ok(listing && listing.dropped > 0);
    assert.deepEqual(numbersIn(workspace), [60, 0, listing.dropped]);
    assert.deepEqual(lossesIn(workspace), {});
  });

  it('but not if the author hides the skill from models', () => {
    const text = long('hidden', 1600).replace('---\n\n', 'disable-model-invocation: true\n---\n\n');
    const workspace = workspaceOf({ '.claude/skills/hidden': text }, targets('claude-code'));
    assert.deepEqual(numbersIn(workspace), [1, 0, 0]);
    assert.deepEqual(draftsOf(agentSkillCut, workspace.analysis, skillUri('.claude/skills/hidden')), 0);
  });
});

function draftsOf(rule: Rule, analysis: Analysis, uri: string): number {
  const file = analysis.file(uri);
  assert.ok(file);
  // A hint rests on a fact that is known only in part, which is not counted.
  return [...rule.check(file, analysis, [])].filter(({ severity }) => severity !== 'hint').length;
}

/** Some clients that are also tested as guessed targets. */
const GUESSED: ReadonlySet<string> = new Set(['claude-code', 'vscode', 'goose']);

describe('the count', () => {
  it('agrees with the rules for each client and each condition of a file', () => {
    let losses = 0;
    for (const client of clients) {
      for (const condition of CONDITIONS) {
        // Most conditions are fine for most clients.
        const { value } = outcomeOf(client, condition);
        if (value === 'ok' || (client.id !== 'vscode' && value === 'loaded_with_warning')) continue;
        const fixture = fixtureOf(client, condition);
        const { uri } = fileFor(client, fixture);
        for (const catalog of [targets(client.id), ...(GUESSED.has(client.id) ? [undefined] : [])]) {
          const workspace = workspaceOf({}, catalog);
          for (const one of [{ uri, text: fixture.text }, ...(fixture.other ? [fixture.other] : [])]) {
            workspace.apply({ kind: 'text', ...one });
          }
          const { analysis } = workspace;
          const kinds = new Set(analysis.listLosses.lossy.get(uri)?.map(({ kind }) => kind));
          losses += kinds.size;
          const what = `${client.id} ${condition}`;
          assert.equal(kinds.has('not-listed'), draftsOf(agentSkillNotLoaded, analysis, uri) > 0, what);
          // A client that does not list a skill cuts nothing.
          const cuts = analysis.listLosses.lossy.get(uri)?.every(({ kind }) => kind === 'not-listed');
          if (!cuts) assert.equal(kinds.has('cut'), draftsOf(agentSkillCut, analysis, uri) > 0, what);
        }
      }
    }
    assert.ok(losses > 100, String(losses));
  });

  it('is not known while files are being read', () => {
    const workspace = workspaceOf({ '.claude/skills/fine': skill('fine') });
    workspace.apply({ kind: 'partial', partial: true });
    assert.equal(workspace.analysis.listLosses.counts, undefined);
    assert.equal(workspace.analysis.listLosses.find(skillUri('.claude/skills/fine')), undefined);
    workspace.apply({ kind: 'partial', partial: false });
    assert.deepEqual(numbersIn(workspace), [1, 0, 0]);
  });

  it('leaves out the skills of the account', () => {
    const workspace = workspaceOf({ '.claude/skills/fine': skill('fine') });
    workspace.apply({ kind: 'account', folders: ['file:///account/skills'] });
    const uri = 'file:///account/skills/.claude/skills/x/SKILL.md';
    workspace.apply({ kind: 'text', uri, text: skillText('name: x') });
    assert.deepEqual(numbersIn(workspace), [1, 0, 0]);
  });

  it('is the same after edits as in a new analysis', () => {
    const workspace = workspaceOf({ '.claude/skills/fine': skill('fine') });
    const check = (what: string): void => {
      const { index, analysis } = workspace;
      const fresh = new Analysis(index).listLosses;
      const plain = ({ counts, lossy, overfull }: typeof fresh) => ({
        counts: counts && { ...counts, clients: counts.clients.map(({ client, ...rest }) => [client.id, rest]) },
        overfull: overfull.map(({ listing, removed }) => [listing.client.id, removed]),
        lossy: [...lossy].map(([uri, all]) => [uri, all.map(({ client, kind }) => `${kind} ${client.id}`)]).sort(),
      });
      assert.deepEqual(plain(analysis.listLosses), plain(fresh), what);
    };
    const set = (folder: string, text: string | undefined, what: string): void => {
      const uri = skillUri(folder);
      workspace.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text });
      check(what);
    };
    check('the first count');
    set('.claude/skills/fine', skillText('name: fine'), 'an edit');
    set('.claude/skills/a/b/deep', skill('deep'), 'a new file');
    set('.claude/skills/a', skill('a'), 'a skill above another skill');
    set('.claude/skills/a', undefined, 'a deleted skill above another skill');
    set('.agents/skills/fine', skill('fine'), 'a copy');
    set('.codex/skills/only', skill('only'), 'the folder of another client');
    workspace.apply({ kind: 'text', uri: uriOf(CATALOG), text: targets('codex', 'zed', 'openhands') });
    check('a new catalog');
    set('.claude/skills/fine', skill('fine').replace('Merge notes about the same person.', ''), 'an empty body');
    set('.claude/skills/copy', skill('only'), 'a file with the name of another skill');
    set('.codex/skills/only', undefined, 'a deleted file');
    workspace.apply({ kind: 'clients', clients: ['vscode'] });
    check('a setting');
    const link = { folder: false, file: true, target: skillUri('.agents/skills/fine') };
    workspace.apply({ kind: 'link', uri: skillUri('.claude/skills/fine'), link });
    check('a link');
    for (let at = 10; at < 70; at++) {
      workspace.apply({ kind: 'text', uri: skillUri(`.agents/skills/s-${at}`), text: long(`s-${at}`, 1000) });
    }
    workspace.apply({ kind: 'clients', clients: ['zed', 'codex'] });
    check('lists over their budgets');
    set('.agents/skills/s-11', long('s-11', 10), 'an edit in a list over its budget');
  });

  it('counts at least as many cut skills as a list must remove descriptions', () => {
    const skills = Array.from({ length: 60 }, (_, at) => [`.claude/skills/s-${at}`, long(`s-${at}`, 900)]);
    const workspace = workspaceOf(Object.fromEntries(skills));
    const { counts, overfull } = workspace.analysis.listLosses;
    const [list] = overfull;
    assert.ok(list && list.removed > 20 && list.removed < 40);
    assert.deepEqual([counts?.cut, counts?.isMinimum, counts?.clients[0]?.cut], [list.removed, true, list.removed]);
    const [first] = unlistedSkills(workspace.analysis, utf16);
    assert.match(first?.reasons[0]?.text ?? '', /at least \d+ descriptions, those of the least used skills/);
  });

  it('keeps the losses of all files after an edit that changes none, also of lists over their budgets', () => {
    const skills = Array.from({ length: 40 }, (_, at) => [`.claude/skills/s-${at}`, long(`s-${at}`, 900)]);
    const workspace = workspaceOf(Object.fromEntries(skills), targets('claude-code', 'codex'));
    const { lossy } = workspace.analysis.listLosses;
    const edit = (text: string) => workspace.apply({ kind: 'text', uri: skillUri('.claude/skills/s-7'), text });
    edit(`${long('s-7', 900)}\nMore text.\n`);
    assert.equal(workspace.analysis.listLosses.lossy, lossy);
    edit(long('s-7', 1));
    assert.notEqual(workspace.analysis.listLosses.lossy, lossy);
    assert.deepEqual(
      lossesIn(workspace),
      lossesIn(
        workspaceOf(
          { ...Object.fromEntries(skills), '.claude/skills/s-7': long('s-7', 1) },
          targets('claude-code', 'codex'),
        ),
      ),
    );
  });

  it('reads only the edited file again', () => {
    const skills = Array.from({ length: 50 }, (_, at) => [`.claude/skills/s-${at}`, skill(`s-${at}`)]);
    const workspace = workspaceOf(Object.fromEntries(skills));
    assert.deepEqual(numbersIn(workspace), [50, 0, 0]);
    const read: string[] = [];
    const { index } = workspace;
    const files = index.files.map((entry) =>
      Object.defineProperty({ ...entry }, 'text', {
        get() {
          read.push(entry.uri);
          return entry.text;
        },
      }),
    );
    const uri = skillUri('.claude/skills/s-7');
    const before = new Analysis({ ...index, files });
    assert.equal(before.listLosses.counts?.skills, 50);
    read.length = 0;
    const after = new Analysis({ ...index, files }, { analysis: before, changed: [uri] });
    assert.equal(after.listLosses.counts?.skills, 50);
    assert.deepEqual([...new Set(read)], [uri]);
  });
});
