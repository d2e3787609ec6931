/** Laws of the client matrix: the matrix has a row for any text, and every reason has a span in the file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import type { Client } from '../../server/src/clients/facts/client.ts';
import { clients } from '../../server/src/clients/facts/clients.ts';
import { AgentSkills } from '../../server/src/clients/matrix/agent-skills.ts';
import {
  BUDGETED,
  entriesOf,
  entryOf,
  type ListEntry,
  type Listing,
  listingOf,
} from '../../server/src/clients/matrix/budget.ts';
import { spanOfCause } from '../../server/src/clients/matrix/cause-span.ts';
import { COLUMNS } from '../../server/src/clients/matrix/cell.ts';
import { type ListedAs, listLine } from '../../server/src/clients/matrix/list-line.ts';
import { subjectOf } from '../../server/src/clients/matrix/subject.ts';
import { chosenView } from '../../server/src/features/clients/chosen.ts';
import { lengthOf } from '../../server/src/skill/agent-skill-facts.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { cases } from '../random.ts';

const line = fc.oneof(
  fc.constantFrom(
    '---',
    'name: tidy-notes',
    'name: Tidy--Notes',
    'description: Tidies: notes',
    'description: >',
    '  folded',
    'paths: [a]',
  ),
  fc.constantFrom(
    'disable-model-invocation: yes',
    'metadata: [a',
    'constructor: 1',
    '__proto__: {a: 1}',
    '',
    '\uFEFF---',
    '# Title',
  ),
  fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '')),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, end]) => lines.join(end));
const folder = fc.constantFrom(
  '',
  '.claude/skills/',
  '.agents/skills/',
  '.agents/skills/a/b/',
  '.roo/skills-x/',
  'skills/',
);
const uri = fc
  .tuple(folder, fc.constantFrom('tidy-notes/', 'a%20b/', '%/', ''))
  .map(([dir, own]) => `file:///w/${dir}${own}SKILL.md`);

describe('the matrix', () => {
  it('returns cells for any text and path, with reasons in the file', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(uri, text), { minLength: 1, maxLength: 4 }), (files) => {
        const all = files.map(([at, written]) => new SkillFile(at, written));
        const skills = AgentSkills.of(all.map((file) => ({ uri: file.uri, summary: file.summary })));
        for (const file of all) {
          for (const row of skills.rowsOf(file, clients)) {
            if (row.loaded.outcome === 'no') assert.equal(row.chosen.outcome, 'nobody');
            if (row.found.outcome === 'no') assert.equal(row.loaded.outcome, 'no');
            for (const { cause } of COLUMNS.flatMap((column) => row[column].reasons)) {
              const { start, end } = cause ? spanOfCause(file, cause) : { start: 0, end: 0 };
              assert.ok(0 <= start && start <= end && end <= file.text.length);
            }
          }
        }
      }),
    );
  });

  it('has facts about the frontmatter that do not change with a body that has text', () => {
    fc.assert(
      fc.property(text, text, (body, other) => {
        const head = '---\nname: tidy-notes\ndescription: Tidies notes.\n---\nNotes. ';
        const [a, b] = [body, other].map((one) => new SkillFile('file:///w/SKILL.md', head + one).summary.agentSkill);
        assert.deepEqual(a, b);
      }),
    );
  });
});

describe('a list and its budget', () => {
  const skill = fc.tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.string({ maxLength: 400 }));

  it('keep every entry, and list all in full if they fit beside the skills of the client itself', () => {
    fc.assert(
      fc.property(
        fc.array(skill, { maxLength: 30 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (skills, contextTokens) => {
          const summaries = skills.map(([name, description], at) => {
            const file = new SkillFile(
              `file:///w/.agents/skills/${name}${at}/SKILL.md`,
              `---\nname: ${name}${at}\ndescription: ${JSON.stringify(description)}\n---\n`,
            );
            return { uri: file.uri, summary: file.summary };
          });
          const subjects = [...AgentSkills.of(summaries).subjects];
          for (const client of BUDGETED) {
            const all = subjects.map((subject) => entryOf(client, subject));
            const listing = listingOf(client, entriesOf(all), contextTokens);
            assert.ok(listing);
            const { entries, limit, dropped, outcomeOf } = listing;
            const { used, inOrder } = entries;
            assert.deepEqual(inOrder.map(({ uri: at }) => at).sort(), subjects.map(({ uri: at }) => at).sort());
            assert.ok(dropped <= subjects.length);
            assert.ok(0 <= limit.amount && limit.amount <= limit.total);
            const isWhole = inOrder.every((one) => outcomeOf(one) === 'whole');
            // A list that is too long loses nothing if the client can remove nothing: it keeps all names or first lines.
            const isOver = used > limit.amount && inOrder.some((one) => canLose(listing, one));
            assert.equal(isWhole, !isOver, client.id);
            assert.ok(isOver || dropped === 0, client.id);
            assertFits(listing);
          }
        },
      ),
    );
  });

  it('count each entry as its line, in the unit of the budget', () => {
    const description = fc
      .stringMatching(/^[ a-z<>&"'=`é😀-]{1,60}$/u)
      .chain((text) => fc.constantFrom(1, 40, 400).map((times) => `x${text}`.repeat(times)));
    const lines = BUDGETED.filter(({ listing: { budget } }) => isCountedByLine(budget.value));
    fc.assert(
      fc.property(fc.constantFrom(...lines), description, fc.option(fc.constant(200_000)), (client, text, tokens) => {
        const uri = 'file:///w/.agents/skills/tidy-notes/SKILL.md';
        const file = new SkillFile(uri, `---\nname: tidy-notes\ndescription: ${JSON.stringify(text)}\n---\n`);
        assert.ok(file.summary.agentSkill);
        const subject = subjectOf(uri, file.summary.agentSkill);
        const entry = entryOf(client, subject);
        const limit = listingOf(client, entriesOf([entry]), tokens ?? undefined)?.limit;
        const { characters, bytes } = lengthOf(`${listLine(client, subject, { outcome: 'whole' })?.text}\n`);
        assert.equal(entry.cost, limit?.unit === 'tokens' ? Math.ceil(bytes / 4) : characters);
      }),
    );
  });

  it('show at most the characters of the description in an entry', () => {
    const short = fc.string({ maxLength: 80, unit: 'grapheme' });
    const written = fc.oneof(
      short,
      short.map((text) => `  ${text} <b>&</b>\n`.repeat(60)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...clients), written, fc.option(fc.nat(2000)), (client, text, shortenedTo) => {
        const uri = 'file:///w/.agents/skills/tidy-notes/SKILL.md';
        const file = new SkillFile(uri, `---\nname: tidy-notes\ndescription: ${JSON.stringify(text)}\n---\n`);
        assert.ok(file.summary.agentSkill);
        const subject = subjectOf(uri, file.summary.agentSkill);
        const listed: ListedAs = shortenedTo === null ? { outcome: 'whole' } : { outcome: 'shortened', shortenedTo };
        const line = listLine(client, subject, listed);
        const hasDescriptions = client.listing.format.line?.includes('{description}') ?? true;
        const { characters } = lengthOf(text.trim() === '' || !hasDescriptions ? '' : text);
        // Some clients remove the white space around a description, which cuts nothing.
        const trimmed = hasDescriptions ? lengthOf(text.trim()).characters : 0;
        assert.ok(
          line && (line.isCut ? line.shown <= characters : [characters, trimmed].includes(line.shown)),
          JSON.stringify(line),
        );
      }),
    );
  });

  it('equal the list and the budget of a new workspace after edits', () => {
    const path = fc
      .tuple(fc.constantFrom('.claude/skills', '.agents/skills', 'docs'), fc.constantFrom('one', 'two', 'three'))
      .map(([parent, own]) => `file:///w/${parent}/${own}/SKILL.md`);
    const content = fc.option(fc.tuple(fc.constantFrom('one', 'two'), fc.integer({ min: 0, max: 40 })));
    fc.assert(
      fc.property(fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 20 }), (edits) => {
        const texts = new Map<string, string>();
        const workspace = new Workspace();
        const change = (uri: string, text: string | undefined) =>
          workspace.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text });
        for (const [uri, written] of edits) {
          const text = written && `---\nname: ${written[0]}\ndescription: ${'d'.repeat(written[1])}\n---\n`;
          if (text === null) texts.delete(uri);
          else texts.set(uri, text);
          change(uri, text ?? undefined);
          // Only lists that were requested are updated by later edits.
          shownLists(workspace);
        }
        const fresh = new Workspace();
        for (const [uri, text] of texts) fresh.apply({ kind: 'text', uri, text });
        assert.deepEqual(shownLists(workspace), shownLists(fresh));
      }),
    );
  });
});

/** Returns whether the client removes a part of an entry, or may remove it, from a list that is too long. */
function canLose({ client, shortenedTo }: Listing, { ofDescription, ofRest }: ListEntry): boolean {
  switch (client.listing.overflow.value) {
    case 'least-used-descriptions-go':
    case 'names-first':
      return ofDescription > 0;
    case 'first-lines':
      return ofRest > 0;
    case 'shortens-evenly':
      // The client's own skills may have longer descriptions, which it shortens first.
      return shortenedTo === undefined || ofDescription > shortenedTo + signsOf(client);
    default:
      return true;
  }
}

/** Returns the number of characters around a description; 0 for a client that counts tokens. */
function signsOf({ listing: { format, budget } }: Client): number {
  if (typeof budget.value === 'object' && budget.value?.countsTokens) return 0;
  const { line = '', nameOnly = line } = format;
  return line.length - nameOnly.length - '{description}'.length;
}

/** The entries that a client surely shows in full, with the names of the others, fit if it removes whole entries or texts. */
function assertFits({ client, entries, limit, outcomeOf, shortenedTo = 0 }: Listing): void {
  const { overflow } = client.listing;
  const costs = entries.inOrder.map((one) => {
    const outcome = outcomeOf(one);
    if (outcome === 'whole') return one.cost;
    if (outcome === 'shortened') return one.cost - one.ofDescription + shortenedTo + signsOf(client);
    return overflow.value === 'names-first' && outcome === 'name-only' ? one.cost - one.ofDescription : 0;
  });
  const used = costs.reduce((sum, cost) => sum + cost, 0);
  const names = entries.used - entries.ofDescriptions;
  if (overflow.value === 'stops' || overflow.value === 'stops-then-names') assert.ok(used <= limit.amount, client.id);
  if (overflow.value === 'shortens-evenly') assert.ok(used <= limit.total, client.id);
  if (overflow.value === 'names-first') assert.ok(used <= Math.max(limit.amount, names), client.id);
}

const isCountedByLine = (budget: Client['listing']['budget']['value']): boolean =>
  budget !== null && budget !== 'unknown' && budget.counts === 'line';

/** The lists of all clients, and the skill with the longest description. */
function shownLists({ analysis }: Workspace): unknown {
  const beside = 'file:///w/.claude/skills/one/SKILL.md';
  const lists = BUDGETED.map((client) => analysis.listings.find(client, beside)?.entries);
  return { lists, longest: analysis.listings.longestBeside(beside), owners: analysis.agentSkills.owners };
}

describe('the chain of a skill and a client', () => {
  const words = fc.array(fc.constantFrom('scenes', 'notes', 'merge', 'sort', 'people', 'the'), { maxLength: 6 });
  const parent = fc.constantFrom('.claude/skills', '.agents/skills', 'docs');
  const path = fc
    .tuple(parent, fc.constantFrom('one', 'two', 'three'))
    .map((names) => `file:///w/${names.join('/')}/SKILL.md`);
  const content = fc.tuple(fc.constantFrom('one', 'two', 'three'), words);
  const textOf = ([name, description]: readonly [string, readonly string[]]): string =>
    `---\nname: ${name}\ndescription: ${JSON.stringify(description.join(' '))}\n---\n\nDo $ARGUMENTS.\n`;
  const chainsIn = ({ analysis }: Workspace, client: string, request: string) =>
    [...analysis.graph.skills.keys()].sort().map((at) => {
      const file = analysis.file(at);
      assert.ok(file);
      return chosenView(analysis, file, { client, request, arguments: undefined, cases: [] });
    });

  it('equals the chain of a new workspace after edits, and names words of the request', () => {
    const edit = fc.tuple(path, fc.option(content));
    const client = fc.constantFrom(...clients.map(({ id }) => id));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), client, words, (edits, id, request) => {
        const texts = new Map<string, string>();
        const workspace = new Workspace();
        for (const [at, written] of edits) {
          if (written) texts.set(at, textOf(written));
          else texts.delete(at);
          const text = texts.get(at);
          workspace.apply(text === undefined ? { kind: 'delete', uri: at } : { kind: 'text', uri: at, text });
          chainsIn(workspace, id, request.join(' '));
        }
        const fresh = new Workspace();
        for (const [at, text] of texts) fresh.apply({ kind: 'text', uri: at, text });
        const chains = chainsIn(workspace, id, request.join(' '));
        assert.deepEqual(chains, chainsIn(fresh, id, request.join(' ')));
        for (const chain of chains) {
          assert.equal(chain?.steps.length, 5);
          for (const { word } of chain?.ranking?.decisive ?? [])
            assert.ok((request as readonly string[]).includes(word), word);
        }
      }),
    );
  });

  it('exists for any text and path', () => {
    fc.assert(
      fc.property(
        uri,
        text,
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 20 }),
        fc.constantFrom(...clients),
        (at, written, request, given, { id }) => {
          const workspace = new Workspace();
          workspace.apply({ kind: 'text', uri: at, text: written });
          const file = workspace.analysis.file(at);
          assert.ok(file);
          const query = {
            client: id,
            request,
            arguments: given,
            cases: [{ request, should: true, uri: at, span: { start: 0, end: 0 } }],
          };
          const view = chosenView(workspace.analysis, file, query);
          const end = view?.steps.findIndex(({ outcome }) => outcome === 'not-reached') ?? -1;
          assert.ok(end < 0 || view?.steps.slice(end).every(({ outcome }) => outcome === 'not-reached'));
          for (const { at: place } of view?.parts ?? []) assert.ok(place.span.end <= written.length);
        },
      ),
      cases(1_000),
    );
  });
});
