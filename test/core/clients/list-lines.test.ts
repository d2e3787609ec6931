/** The entry of a skill in each client's list, compared with a file that a person checked against the sources. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { entriesOf, entryOf } from '../../../server/src/clients/matrix/budget.ts';
import {
  isFormKnown,
  isOrderKnown,
  type ListedAs,
  listLine,
  positionIn,
} from '../../../server/src/clients/matrix/list-line.ts';
import { type Subject, subjectOf } from '../../../server/src/clients/matrix/subject.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { rowAt } from './fixtures.ts';
import { outcomeOf } from './outcomes.ts';

const path = 'test/core/clients/list-lines.txt';

/** The workspace folder of these tests, as in every other test. */
const FOLDER = 'file:///w/.agents/skills';

const SHORT = ['description: >', "  Tidies <b>R&D</b> notes of a novelist's", '  team, if pages < 9.', 'license: MIT'];
const LONG = [`description: ${'A note < 9 & more. '.repeat(90)}`];

function subjectAt(uri: string, lines: readonly string[]): Subject {
  const { agentSkill } = new SkillFile(uri, ['---', 'name: tidy-notes', ...lines, '---', '', 'Merge.', ''].join('\n'))
    .summary;
  assert.ok(agentSkill);
  return subjectOf(uri, agentSkill);
}

const subject = (lines: readonly string[]): Subject => subjectAt(`${FOLDER}/tidy-notes/SKILL.md`, lines);

const whole: ListedAs = { outcome: 'whole' };

const isRefused = (client: Client): boolean =>
  /^(?:skipped|rejected)/.test(outcomeOf(client, 'description_too_long').value);

function blockOf(client: Client): string {
  const { format, order } = client.listing;
  const source = client.sources[format.source];
  const known = isFormKnown(client) ? 'exact' : format.line === undefined ? 'not known' : 'text not published';
  const head = [
    `## ${client.id}: ${known}${format.certainty ? ` (${format.certainty})` : ''}`,
    `${source?.where}, ${source?.checked}`,
    `order: ${order ? `${order.value}, ${client.sources[order.source]?.checked}` : 'not known'}`,
  ];
  if (format.line === undefined) return head.join('\n');
  const short = listLine(client, subject(SHORT), whole);
  const long = listLine(client, subject(LONG), whole);
  assert.ok(short && long);
  const cut = `cut after ${long.shown}${long.isExact ? '' : ' (not exact)'}`;
  const end = isRefused(client) ? 'not loaded' : long.isCut ? cut : 'not cut';
  const excerpt = isRefused(client) ? [] : [`${long.text.slice(0, 60)} [...] ${long.text.slice(-60)}`];
  return [...head, short.text, `-- 1,709 characters: ${end}`, ...excerpt].join('\n');
}

describe('the entry of a skill in a list', () => {
  it('equals the checked text: UPDATE_EXPECT=1 npm run test:core -- --filter core/clients', () => {
    const text = `${clients.map(blockOf).join('\n\n')}\n`;
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, text);
    else assert.equal(text, readFileSync(path, 'utf8'));
  });

  const lineOf = (id: string, of: Subject, listed: ListedAs) => listLine(findClient(id) as Client, of, listed);

  it('is undefined for a skill that the list drops', () => {
    assert.equal(lineOf('codex', subject(SHORT), { outcome: 'dropped' }), undefined);
  });

  it('has no description, or a shorter one, if the list is over its budget', () => {
    const codex = (listed: ListedAs) => lineOf('codex', subject(SHORT), listed);
    const file = '(file: r1/tidy-notes/SKILL.md)';
    assert.deepEqual(codex({ outcome: 'name-only' }), {
      text: `- tidy-notes: ${file}`,
      isExact: false,
      shown: 0,
      isCut: true,
    });
    assert.deepEqual(codex({ outcome: 'shortened', shortenedTo: 12 }), {
      text: `- tidy-notes: Tidies <b>R& ${file}`,
      isExact: false,
      shown: 12,
      isCut: true,
    });
    const openclaw = lineOf('openclaw', subject(SHORT), { outcome: 'shortened', shortenedTo: 12 });
    assert.match(openclaw?.text ?? '', /<description>Tidies &lt;b\.\.\.<\/description>/);
    assert.equal(lineOf('vscode', subject(SHORT), { outcome: 'name-only' })?.text, 'tidy-notes');
  });

  it('has the first line of the description, without further keys, if the client shortens it to this line', () => {
    const both = subject(['description: |', '  Tidies notes.', '  Use it when it rains.', 'when_to_use: On Mondays.']);
    const line = lineOf('qwen-code', both, { outcome: 'first-line' });
    assert.match(line?.text ?? '', /\nTidies notes\. \(project\)\n/);
    assert.deepEqual([line?.shown, line?.isCut], ['Tidies notes.'.length, true]);
    const single = lineOf('qwen-code', subject(SHORT), { outcome: 'first-line' });
    assert.equal(single?.isCut, false);
  });

  it('has a text of the body without a description, if the client takes one', () => {
    const kimi = lineOf('kimi-cli', subject(['license: MIT']), whole);
    assert.deepEqual([kimi?.text.split('\n').at(-1), kimi?.isCut], ['  - Description: Merge.', false]);
    assert.equal(lineOf('cline', subject(['license: MIT']), whole)?.isExact, true);
  });

  it('is not cut if the list of the client never contains descriptions', () => {
    const cline = lineOf('cline', subject(SHORT), whole);
    assert.deepEqual([cline?.text, cline?.shown, cline?.isCut], ['tidy-notes', 0, false]);
  });

  it('counts the shown characters as the file contains them', () => {
    const spaced = subject(['description: "  Tidies   notes."']);
    assert.equal(lineOf('codex', spaced, { outcome: 'shortened', shortenedTo: 8 })?.shown, '  Tidies   n'.length);
    const tagged = subject([`description: <b>Tidies</b> ${'n'.repeat(1100)}`]);
    assert.equal(lineOf('vscode', tagged, whole)?.shown, 1024 + '<b></b>'.length);
  });

  it('writes the path of the file as the client does', () => {
    const at = (id: string, uri: string) => {
      const line = lineOf(id, subjectAt(uri, ['description: Tidies notes.']), whole);
      return `${/(?:<location>|<file>|file: )(.*?)(?:<|\))/.exec(line?.text ?? '')?.[1]} ${line?.isExact}`;
    };
    // An invented home folder of a user on Linux.
    const user = ['', 'home', 'ann'].join('/');
    const home = `file://${user}/my%20notes/.agents/skills/tidy-notes/SKILL.md`;
    const windows = 'file:///c%3A/Users/Ann/.agents/skills/tidy-notes/SKILL.md';
    assert.equal(at('vscode', home), `${user}/my notes/.agents/skills/tidy-notes/SKILL.md true`);
    assert.equal(at('vscode', windows), 'c:\\Users\\Ann\\.agents\\skills\\tidy-notes\\SKILL.md true');
    // The number of the folder depends on the other folders.
    assert.equal(at('codex', windows), 'r1/tidy-notes/SKILL.md false');
    assert.equal(at('codex', `${FOLDER}/notes/tidy-notes/SKILL.md`), 'r1/notes/tidy-notes/SKILL.md false');
    // The place of the user's home is guessed.
    assert.equal(at('openclaw', home), '~/my notes/.agents/skills/tidy-notes/SKILL.md false');
    assert.equal(at('openclaw', windows), '~/.agents/skills/tidy-notes/SKILL.md false');
    assert.equal(at('openclaw', `${FOLDER}/tidy-notes/SKILL.md`), '/w/.agents/skills/tidy-notes/SKILL.md true');
  });

  it('contains the description and the keys beside it', () => {
    const both = subject(['description: Tidies notes.', 'when_to_use: When it rains.']);
    assert.match(lineOf('qwen-code', both, whole)?.text ?? '', /\nTidies notes\. — When it rains\. \(project\)\n/);
    assert.equal(lineOf('claude-code', both, whole)?.text, '- tidy-notes: Tidies notes. - When it rains.');
    assert.doesNotMatch(lineOf('codex', both, whole)?.text ?? '', /rains/);
  });
});

describe('the position of a skill in a list', () => {
  const uris = ['b/a-b', 'a/c', 'b/a'].map((name) => `file:///w/${name}/SKILL.md`);
  const inOrder = (client: Client) => entriesOf(uris.map((uri) => entryOf(client, subjectAt(uri, SHORT)))).inOrder;

  it('follows the order of the client', () => {
    const orderOf = (id: string) => {
      const client = findClient(id) as Client;
      const entries = inOrder(client);
      return uris.map((uri) => positionIn(client, entries, uri)?.at);
    };
    // A name that is equal in all files is ordered by the path of the file.
    // The client lists four skills of its own before them.
    assert.deepEqual(orderOf('codex'), [6, 5, 7]);
    assert.deepEqual(orderOf('crush'), [3, 1, 2]);
    assert.deepEqual(orderOf('zed'), [2, 1, 3]);
  });

  it('is undefined if the order is not known, or the skill is not listed', () => {
    for (const client of clients) {
      const position = positionIn(client, inOrder(client), uris[0] ?? '');
      const ofClient = client.listing.builtIn?.value.skills.length ?? 0;
      assert.equal(position?.of, isOrderKnown(client) ? 3 + ofClient : undefined, client.id);
      assert.equal(positionIn(client, inOrder(client), 'file:///w/other/SKILL.md'), undefined);
    }
  });
});

it('Claude Code shows a second name only if no other skill has it', () => {
  const client = findClient('claude-code') as Client;
  const [first, second] = (['n-second', 'n-third'] as const).map((name, at) => {
    const uri = `file:///w/.claude/skills/${at === 0 ? 'n-first' : 'n-second'}/SKILL.md`;
    const { agentSkill } = new SkillFile(uri, `---\nname: ${name}\ndescription: Sorts.\n---\n`).summary;
    assert.ok(agentSkill);
    return subjectOf(uri, agentSkill);
  }) as [Subject, Subject];
  const lineOf = (subject: Subject, others: readonly Subject[] | undefined) => {
    const rivals = others && { files: [subject, ...others].map(({ file }) => file) };
    const { text = '', isExact } = listLine(client, subject, { outcome: 'whole' }, rivals) ?? {};
    return [text.includes('('), isExact];
  };
  assert.deepEqual(lineOf(first, [second]), [false, true]);
  assert.deepEqual(lineOf(second, [first]), [true, true]);
  assert.deepEqual(lineOf(first, []), [true, true]);
  assert.deepEqual(lineOf(first, undefined), [true, false]);
});

it('counts all characters of a very long description', () => {
  const long = subject([`description: ${'Sorts. '.repeat(4_000).trim()}`]);
  const length = 4_000 * 7 - 1;
  const whole: ListedAs = { outcome: 'whole' };
  const [cuts, lists] = ['claude-code', 'gemini-cli'].map((id) => findClient(id) as Client) as [Client, Client];
  assert.equal(listLine(lists, long, whole)?.shown, length);
  assert.ok(entryOf(lists, long).cost > length);
  const text = ['---', 'name: tidy-notes', `description: ${'Sorts. '.repeat(4_000).trim()}`, '---', ''].join('\n');
  const { cut } = rowAt(cuts, '.claude/skills/tidy-notes/SKILL.md', text);
  assert.match(cut.reasons[0]?.text ?? '', / of 27,999 characters/);
});
