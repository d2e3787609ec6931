/** A file reaches every outcome of every column that the data of a client allows, by its path and its content. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, ClientDir, HiddenBy, Overflow } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { BUDGETED, entriesOf, entryOf, type Listing, listingOf } from '../../../server/src/clients/matrix/budget.ts';
import type { ClientRow } from '../../../server/src/clients/matrix/cell.ts';
import type { ListingOutcome } from '../../../server/src/clients/matrix/list-line.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import { type Subject, subjectOf } from '../../../server/src/clients/matrix/subject.ts';
import { isChoice } from '../../../server/src/clients/pipeline/setting.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { rowAt, rowFor, skillText } from './fixtures.ts';

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
        const { find } = stepsOf(client);
        const folder = find.folders.find(({ path }) => path === dir.path);
        const [depth, root] = [folder?.depth ?? find.depth, folder?.root ?? find.root];
        if (isChoice(depth)) assert.equal(found(client, below(dir, 4)), 'unknown');
        else if (depth === null) assert.equal(found(client, below(dir, 4)), known);
        else {
          assert.equal(found(client, below(dir, depth)), known);
          assert.equal(found(client, below(dir, depth + 1)), 'no');
        }
        assert.equal(found(client, below(dir, 0)), isChoice(root) ? 'unknown' : root ? known : 'no');
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
      const { fileName, flat } = stepsOf(client).find;
      const other =
        isChoice(fileName) || isChoice(flat)
          ? 'unknown'
          : fileName === 'any-case' || fileName === 'two-cases'
            ? 'yes'
            : 'no';
      if (dir) assert.equal(found(client, below(dir, 1, 'skill.md')), other);
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
      assert.equal(listed.reasons[0]?.cause?.code, 'admit/missing');
    } else if (by.is === undefined) {
      const { listed, chosen } = row(client, `${by.key}: [src/**]`);
      assert.deepEqual([listed.outcome, chosen.outcome], ['no', 'model']);
      assert.match(listed.reasons[0]?.text ?? '', /after the client reads a matching file/);
    } else {
      const { listed, chosen } = row(client, `${by.key}: ${by.is}`);
      assert.equal(listed.outcome, 'no');
      assert.equal(listed.reasons[0]?.cause?.key, by.key);
      const rule = stepsOf(client).admit.rules.find(({ key, answers }) => key === by.key && answers.listed === 'no');
      const isTaken = takesCalls(client) && rule?.answers.person !== 'no';
      assert.equal(chosen.outcome, isTaken ? 'name' : client.byName.value === 'yes' ? 'nobody' : 'unknown');
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
        const rule = stepsOf(client).admit.rules.find(({ key }) => key === 'user-invocable');
        if (rule?.answers.person !== 'no' && rule?.answers.person !== 'yes') return;
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
        assert.ok(!ignored.reasons.some(({ cause }) => cause?.code === 'keys/unknown'), name);
      }
    });
  }
});

describe('text that is removed from a long list, for every client with a budget', () => {
  /** The number of skills of each listing, so that each step of the rule is reached. */
  const OUTCOMES: Readonly<Record<Overflow, Readonly<Record<number, readonly ListingOutcome[]>>>> = {
    nothing: { 900: ['whole'] },
    unknown: { 900: ['whole'] },
    'least-used-descriptions-go': { 100: ['maybe'], 3000: ['name-only'] },
    'names-first': { 100: ['whole', 'name-only'], 1200: ['name-only'] },
    'shortens-evenly': { 300: ['shortened'], 1000: ['name-only', 'dropped'] },
    // The descriptions have one line.
    'first-lines': { 900: ['whole'] },
    stops: { 900: ['whole', 'dropped'] },
    'stops-then-names': { 900: ['whole', 'name-only'] },
  };
  /** OpenClaw lists at most 150 skills, and their names fit. The order of VS Code is not known. */
  const OTHERS: Readonly<Partial<Record<string, Readonly<Record<number, readonly ListingOutcome[]>>>>> = {
    openclaw: { 60: ['shortened'], 900: ['name-only', 'dropped'] },
    vscode: { 400: ['maybe'], 900: ['maybe'] },
  };
  const outcomesOf = (client: Client, count: number): readonly ListingOutcome[] => {
    const entries = entriesOf(subjects(count).map((subject) => entryOf(client, subject)));
    const listing = listingOf(client, entries, undefined);
    return [...new Set(listing && entries.inOrder.map(listing.outcomeOf))];
  };

  for (const client of BUDGETED) {
    it(`${client.id}: ${client.listing.overflow.value}`, () => {
      const reached = OTHERS[client.id] ?? OUTCOMES[client.listing.overflow.value];
      for (const [count, outcomes] of Object.entries(reached)) {
        assert.deepEqual(outcomesOf(client, Number(count)), outcomes, count);
      }
      assert.deepEqual(outcomesOf(client, 2), ['whole']);
    });
  }

  it('vscode: counts entries with their tags and paths', () => {
    const vscode = findClient('vscode') as Client;
    const entries = entriesOf(subjects(900).map((subject) => entryOf(vscode, subject)));
    const cost = entries.inOrder[0]?.cost ?? 0;
    const path = '/w/.agents/skills/skill-000/SKILL.md';
    const parts = ['<skill>', '<name>skill-000</name>', `<description>${'a'.repeat(300)}</description>`];
    assert.equal(cost, [...parts, `<file>${path}</file>`, '</skill>', ''].join('\n').length);
    assert.equal(listingOf(vscode, entries, undefined)?.dropped, 900 - Math.floor(15_000 / cost));
  });

  const listOf = (client: Client, all: readonly Subject[], contextTokens?: number) => {
    const entries = entriesOf(all.map((subject) => entryOf(client, subject)));
    const listing = listingOf(client, entries, contextTokens);
    assert.ok(listing);
    return listing;
  };
  const outcomesIn = ({ entries, outcomeOf }: Listing) => entries.inOrder.map((entry) => outcomeOf(entry));

  it('codex: counts entries in tokens, with aliases for the paths', () => {
    const { entries, limit } = listOf(findClient('codex') as Client, subjects(2));
    const line = `- skill-000: ${'a'.repeat(300)} (file: r1/skill-000/SKILL.md)\n`;
    assert.equal(entries.inOrder[0]?.cost, Math.ceil(line.length / 4));
    assert.deepEqual([limit.unit, limit.total, limit.model?.context], ['tokens', 10_000, 500_000]);
  });

  it('codex: shortens its own descriptions, too', () => {
    const { shortenedTo = 0, limit } = listOf(findClient('codex') as Client, subjects(300));
    const name = Math.ceil('- skill-000: (file: r1/skill-000/SKILL.md)\n'.length / 4);
    // Without the descriptions of its own skills, which need less than 70 tokens for their names.
    assert.ok(300 * (name + shortenedTo) <= limit.total - 50, `${shortenedTo}`);
    assert.ok(300 * (name + shortenedTo + 1) > limit.total - 70 - 4 * shortenedTo, `${shortenedTo}`);
  });

  it('claude-code: has a share of the context, less for its own skills', () => {
    const claudeCode = findClient('claude-code') as Client;
    const limitOf = (contextTokens?: number) => listOf(claudeCode, [], contextTokens).limit;
    assert.deepEqual(
      [undefined, 1_000_000, 200_000].map((tokens) => [limitOf(tokens).total, limitOf(tokens).model?.context]),
      [
        [30_000, 1_000_000],
        [30_000, 1_000_000],
        [8000, 200_000],
      ],
    );
    // All but the descriptions of `init` and `security-review`, which give way to those of other skills.
    assert.equal(limitOf(200_000).total - limitOf(200_000).amount, 6210 - 61 - 73);
    assert.equal(limitOf(20_000).amount, 0);
  });

  it('claude-code: surely removes a description that does not fit alone', () => {
    const claudeCode = findClient('claude-code') as Client;
    const listing = listOf(claudeCode, [...subjects(100), described('big', 900)], 200_000);
    // About 700 characters are left for descriptions.
    assert.deepEqual([...new Set(outcomesIn(listing).slice(0, 1))], ['name-only']);
    assert.deepEqual([...new Set(outcomesIn(listing).slice(1))], ['maybe']);
  });

  it('droid: keeps each description that fits beside those before it', () => {
    const droid = findClient('droid') as Client;
    const small = described('z-small', 10);
    const listing = listOf(droid, [...subjects(60), small]);
    const outcomes = outcomesIn(listing);
    const whole = outcomes.filter((outcome) => outcome === 'whole').length;
    assert.equal(outcomes.length - whole, listing.dropped);
    assert.deepEqual(outcomes.slice(0, whole - 1), Array(whole - 1).fill('whole'));
    assert.equal(outcomes.at(-1), 'whole', 'a shorter description after those that do not fit');
    assert.equal(listOf(droid, [small], 1_000_000).limit.total, 15_000, 'it uses no more of a context');
  });

  it('copilot-cli: has the whole size for other skills, because its own are the last', () => {
    const copilot = findClient('copilot-cli') as Client;
    const { limit, entries, dropped } = listOf(copilot, subjects(60));
    assert.deepEqual([limit.amount, limit.total], [15_000, 15_000]);
    assert.equal(dropped, 60 - Math.floor(15_000 / (entries.inOrder[0]?.cost ?? 0)));
  });

  it('qwen-code: keeps the first lines, also if its own skills fill the list', () => {
    const qwen = findClient('qwen-code') as Client;
    const block = described('block', 20, ['description: |', '  Tidies notes.', '  Use it when it rains.']);
    const single = subjects(6);
    assert.deepEqual(outcomesIn(listOf(qwen, [block])), ['whole']);
    assert.deepEqual(outcomesIn(listOf(qwen, [block, ...single])), ['first-line', ...single.map(() => 'whole')]);
  });

  const subjects = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = `skill-${String(at).padStart(3, '0')}`;
      const uri = `file:///w/.agents/skills/${name}/SKILL.md`;
      return subjectIn(uri, name, [`description: ${'a'.repeat(300)}`]);
    });

  const described = (name: string, length: number, lines = [`description: ${'a'.repeat(length)}`]): Subject =>
    subjectIn(`file:///w/.agents/skills/${name}/SKILL.md`, name, lines);

  function subjectIn(uri: string, name: string, lines: readonly string[]): Subject {
    const { agentSkill } = new SkillFile(uri, skillText(`name: ${name}`, ...lines)).summary;
    assert.ok(agentSkill);
    return subjectOf(uri, agentSkill);
  }
});
