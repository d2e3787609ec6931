/** A file reaches every outcome of every column that the data of a client allows, by its path and its content. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUDGETED, entriesOf, entryOf, listingOf } from '../../../server/src/agent-skills/budget.ts';
import type { ClientRow } from '../../../server/src/agent-skills/cell.ts';
import type { ListingOutcome } from '../../../server/src/agent-skills/list-line.ts';
import { rowOf } from '../../../server/src/agent-skills/matrix.ts';
import { subjectOf } from '../../../server/src/agent-skills/subject.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import type { Client, ClientDir, HiddenBy, Overflow } from '../../../server/src/vocabulary/client.ts';
import { clients, findClient } from '../../../server/src/vocabulary/clients.ts';
import { rowAt, rowFor, skillText, subjectFor } from './fixtures.ts';

const NAME = 'name: tidy-notes';
const DESCRIPTION = "description: Tidies a novelist's notes.";
const PLAIN = skillText(NAME, DESCRIPTION);

const inProject = ({ at }: ClientDir): boolean => at !== 'home' && at !== 'elsewhere';
const projectDirs = (client: Client): readonly ClientDir[] => client.dirs.value.filter(inProject);
const folderOf = ({ path }: ClientDir): string => path.replace('*', 'writing');

/** A path with this many folders below the client's own folder. The last one is the folder of the skill. */
const below = (dir: ClientDir, depth: number, file = 'SKILL.md'): string =>
  [
    folderOf(dir),
    ...Array<string>(Math.max(0, depth - 1)).fill('group'),
    ...(depth > 0 ? ['tidy-notes'] : []),
    file,
  ].join('/');

const found = (client: Client, path: string): string => rowAt(client, path, PLAIN).found.outcome;

describe('every folder of every client', () => {
  for (const client of clients) {
    for (const dir of projectDirs(client)) {
      const known = dir.conditional ? 'unknown' : 'yes';
      it(`${client.id}: a skill in ${dir.path} is ${known === 'yes' ? 'found' : 'unknown'}`, () => {
        assert.equal(found(client, below(dir, 1)), known);
      });

      it(`${client.id}: reads ${dir.path} to the known depth`, () => {
        const deep = { unlimited: known, unknown: 'unknown' };
        if (typeof dir.depth === 'string') assert.equal(found(client, below(dir, 4)), deep[dir.depth]);
        else {
          assert.equal(found(client, below(dir, dir.depth)), known);
          assert.equal(found(client, below(dir, dir.depth + 1)), 'no');
        }
        if (dir.depth !== 'unknown') assert.equal(found(client, below(dir, 0)), dir.self ? known : 'no');
      });
    }

    it(`${client.id}: does not read folders of other clients`, () => {
      const own = projectDirs(client).map(({ path }) => path);
      const other = ['.claude/skills', '.gemini/skills', '.goose/skills'].find((path) => !own.includes(path));
      // A file may be installed in a client without a workspace folder.
      assert.equal(found(client, `${other}/tidy-notes/SKILL.md`), own.length > 0 ? 'no' : 'unknown');
      assert.equal(found(client, 'tidy-notes/SKILL.md'), 'unknown');
    });

    it(`${client.id}: treats other file names as documented`, () => {
      const [dir] = projectDirs(client).filter(({ conditional }) => !conditional);
      const other = { exact: 'no', 'any-case': 'yes', ending: 'no', unknown: 'unknown' }[client.fileName.value];
      if (dir) assert.equal(found(client, below(dir, 1, 'skill.md')), other);
      if (dir && client.fileName.value === 'ending') {
        const subject = { ...subjectFor(client, { folder: 'tidy-notes', text: PLAIN }), fileName: 'tidy.SKILL.md' };
        assert.equal(rowOf(client, subject, []).found.outcome, 'yes');
      }
    });
  }
});

const row = (client: Client, ...lines: readonly string[]): ClientRow =>
  rowFor(client, { folder: 'tidy-notes', text: skillText(NAME, DESCRIPTION, ...lines) });

/** Whether people can call a skill that does not declare it. */
const takesCalls = ({ byName, keys }: Client): boolean =>
  byName.value === 'yes' && keys.find(({ name }) => name === 'user-invocable')?.default !== false;

const hidesFromModel = ({ listing }: Client): boolean =>
  listing.hidden.value.some((by) => 'key' in by && by.key === 'disable-model-invocation' && by.is === true);

describe('every reason that hides a skill from the list of a client', () => {
  for (const client of clients) {
    for (const by of client.listing.hidden.value)
      if (!('other' in by)) it(`${client.id}: ${JSON.stringify(by)}`, () => assertHides(client, by));
  }

  function assertHides(client: Client, by: Exclude<HiddenBy, { readonly other: string }>): void {
    if ('missing' in by) {
      const { listed } = rowFor(client, { folder: 'tidy-notes', text: skillText(NAME) });
      assert.equal(listed.outcome, 'no');
      assert.equal(listed.reasons[0]?.cause?.kind, 'missing_description');
    } else if (by.is === undefined) {
      const { listed } = row(client, `${by.key}: [src/**]`);
      assert.equal(listed.outcome, 'yes');
      assert.match(listed.reasons[0]?.text ?? '', /matching files/);
    } else {
      const { listed, chosen } = row(client, `${by.key}: ${by.is}`);
      assert.equal(listed.outcome, 'no');
      assert.equal(listed.reasons[0]?.cause?.key, by.key);
      assert.equal(chosen.outcome, takesCalls(client) ? 'name' : client.byName.value === 'yes' ? 'nobody' : 'unknown');
      assert.equal(row(client, `${by.key}: ${!by.is}`).listed.outcome, 'yes');
    }
  }
});

describe('the choice of a skill in every client', () => {
  for (const client of clients) {
    it(`${client.id}: by the model, and by people if known`, () => {
      assert.equal(row(client).chosen.outcome, takesCalls(client) ? 'model-or-name' : 'model');
    });

    if (client.keys.some(({ name }) => name === 'user-invocable')) {
      it(`${client.id}: not by people if user-invocable is false`, () => {
        assert.equal(row(client, 'user-invocable: false').chosen.outcome, 'model');
        const both = row(client, 'user-invocable: false', 'disable-model-invocation: true').chosen.outcome;
        assert.equal(both, hidesFromModel(client) ? 'nobody' : 'model');
        if (client.byName.value === 'yes')
          assert.equal(row(client, 'user-invocable: true').chosen.outcome, 'model-or-name');
      });
    }
  }
});

describe('keys that every client ignores', () => {
  for (const client of clients) {
    it(`${client.id}: allowed-tools ${client.allowedTools.value}`, () => {
      const expected = { grants: 'no', unknown: 'unknown', ignored: 'yes', kept: 'yes', warned: 'yes' };
      assert.equal(row(client, 'allowed-tools: Read').ignored.outcome, expected[client.allowedTools.value]);
    });

    it(`${client.id}: not its own keys`, () => {
      for (const { name } of client.keys) {
        const { ignored } = row(client, ...(name === 'name' || name === 'description' ? [] : [`${name}: true`]));
        assert.ok(!ignored.reasons.some(({ cause }) => cause?.kind === 'unknown_key'), name);
      }
    });
  }
});

describe('text that is removed from a long list, for every client with a budget', () => {
  /** The number of skills of each listing, so that each step of the rule is reached. */
  const OUTCOMES: Readonly<Record<Overflow, Readonly<Record<number, readonly ListingOutcome[]>>>> = {
    nothing: { 900: ['whole'] },
    unknown: { 900: ['whole'] },
    'rest-by-name': { 900: ['whole'] },
    'least-used-descriptions-go': { 100: ['maybe'], 900: ['name-only'] },
    'shortens-evenly': { 60: ['shortened'], 900: ['name-only', 'dropped'] },
    stops: { 900: ['whole', 'dropped'] },
    // The only client with this rule has no known order.
    'stops-then-names': { 400: ['maybe'], 900: ['maybe'] },
  };
  const outcomesOf = (client: Client, count: number): readonly ListingOutcome[] => {
    const entries = entriesOf(subjects(count).map((subject) => entryOf(client, subject, undefined)));
    const listing = listingOf(client, entries, undefined);
    return [...new Set(listing && entries.inOrder.map(listing.outcomeOf))];
  };

  for (const client of BUDGETED) {
    it(`${client.id}: ${client.listing.overflow.value}`, () => {
      // OpenClaw lists at most 150 skills, and their names fit.
      const reached =
        client.id === 'openclaw'
          ? { 60: ['shortened'], 900: ['shortened', 'dropped'] }
          : OUTCOMES[client.listing.overflow.value];
      for (const [count, outcomes] of Object.entries(reached)) {
        assert.deepEqual(outcomesOf(client, Number(count)), outcomes, count);
      }
      assert.deepEqual(outcomesOf(client, 2), ['whole']);
    });
  }

  it('vscode: counts entries with their tags and paths', () => {
    const vscode = findClient('vscode') as Client;
    const entries = entriesOf(subjects(900).map((subject) => entryOf(vscode, subject, undefined)));
    const cost = entries.inOrder[0]?.cost ?? 0;
    const path = '/w/.agents/skills/skill-000/SKILL.md';
    const parts = ['<skill>', '<name>skill-000</name>', `<description>${'a'.repeat(300)}</description>`];
    assert.equal(cost, [...parts, `<file>${path}</file>`, '</skill>', ''].join('\n').length);
    assert.equal(listingOf(vscode, entries, undefined)?.dropped, 900 - Math.floor(15_000 / cost));
  });

  it('codex: counts short paths in a list that is too long', () => {
    const codex = findClient('codex') as Client;
    const entries = entriesOf(subjects(24).map((subject) => entryOf(codex, subject, undefined)));
    const listing = listingOf(codex, entries, undefined);
    const ofRoot = '/w/.agents/skills'.length - 'r0'.length;
    assert.equal(entries.used - (listing?.used ?? 0), 24 * ofRoot);
    assert.ok(listing && listing.used > listing.limit.amount);
    const fitting = entriesOf(subjects(23).map((subject) => entryOf(codex, subject, undefined)));
    assert.ok(
      fitting.used > listing.limit.amount && fitting.used - 23 * ofRoot <= listing.limit.amount,
      `${fitting.used}`,
    );
    assert.deepEqual(outcomesOf(codex, 23), ['whole']);
  });

  const subjects = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = `skill-${String(at).padStart(3, '0')}`;
      const uri = `file:///w/.agents/skills/${name}/SKILL.md`;
      const { agentSkill } = new SkillFile(uri, skillText(`name: ${name}`, `description: ${'a'.repeat(300)}`)).summary;
      assert.ok(agentSkill);
      return subjectOf(uri, agentSkill);
    });
});
