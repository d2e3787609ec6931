/** Entries of lists, and texts that belong to a situation (lab/messages.ts, services/observing/read-list.ts). */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CLIENTS } from '../../../lab/clients/index.ts';
import { belongsTo, messagesOf } from '../../../lab/messages.ts';
import { seenTwice } from '../../../lab/observation.ts';
import { SITUATIONS } from '../../../lab/situations/index.ts';
import type { Situation } from '../../../lab/situations/situation.ts';
import { newStrings, readList, tidied } from '../../../server/src/services/observing/read-list.ts';

const PLACE = { workspace: '/runs/work', start: '/runs/work', home: '/runs/home' };

const clientOf = (id: string) => {
  const client = CLIENTS.find((one) => one.id === id);
  assert.ok(client);
  return client;
};

const situationOf = (id: string): Situation => {
  const situation = SITUATIONS.get(id);
  assert.ok(situation);
  return situation;
};

describe('the list in a request', () => {
  it('is the string with the most entries, without the paths of the run', () => {
    const entry = (name: string) =>
      `<skill>\n    <name>${name}</name>\n    <location>/runs/work/${name}/SKILL.md</location>\n  </skill>`;
    const strings = [
      { path: 'messages.0.content', text: `A prompt.\n\n<skills>\n  ${entry('a')}\n  ${entry('b')}\n</skills>` },
      { path: 'messages.1.content', text: entry('c') },
    ];
    const list = readList(clientOf('pi'), strings, PLACE);
    assert.equal(list?.place, 'messages.0.content');
    assert.deepEqual(
      list.entries.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.match(list.entries[0]?.text ?? '', /\{workspace\}\/a\/SKILL\.md/);
    assert.equal(list.before, '<skills>\n  ');
    assert.equal(list.after, '\n</skills>');
  });

  it('is only in the part that a client names', () => {
    const text = 'Calls skills, one by one. Available skills: a b, c.\n- not an entry, as well.';
    const list = readList(clientOf('cline-cli'), [{ path: 'tools.0.function.description', text }], PLACE);
    assert.deepEqual(
      list?.entries.map(({ name }) => name.trim()),
      ['a b', 'c'],
    );
  });

  it('is followed by a text of 160 characters, which has no part of a path of the run', () => {
    const entry = 'a [Enabled]\n  Description: A.\n  Location:    /runs/work/a/SKILL.md';
    const after = (length: number): string | undefined => {
      const text = `Discovered Agent Skills:\n\n${entry}\n\n${'x'.repeat(length)} /runs/work/b`;
      return readList(clientOf('qoder-cli'), [{ path: 'output', text }], PLACE)?.after.replace(/x+/, 'x');
    };
    assert.equal(after(152), '\n\nx ');
    assert.equal(after(147), '\n\nx {workspace}');
    assert.equal(after(100), '\n\nx {workspace}/b');
  });

  it('is undefined without an entry', () => {
    assert.equal(readList(clientOf('pi'), [{ path: 'messages.0.content', text: 'hello' }], PLACE), undefined);
  });
});

describe('a text', () => {
  it('belongs to a situation whose word it contains', () => {
    assert.ok(belongsTo('- s01-plain: Sorts apples.', situationOf('s01-plain')));
    assert.ok(!belongsTo('- s01-plain: Sorts apples.', situationOf('s02-no-name')));
    assert.ok(!belongsTo('pineapples', situationOf('s01-plain')));
  });

  it('has names for the folders of the run', () => {
    assert.equal(tidied('/runs/work/a and /runs/home/b', PLACE), '{workspace}/a and {home}/b');
    assert.equal(tidied('/runs/elsewhere/a', PLACE), '{elsewhere}/a');
    assert.equal(tidied('file:///runs/work and %2Fruns%2Fwork%2Fa', PLACE), 'file://{workspace} and {workspace}%2Fa');
    assert.equal(
      tidied('/runs/work-2/a /packages/x', { ...PLACE, installed: '/packages' }),
      '/runs/work-2/a {installed}/x',
    );
  });

  it('has no frames of a spinner, because their number depends on the time', () => {
    assert.equal(tidied('◒  Discovering skills…◇  Found 20 skills', PLACE), '◇  Found 20 skills');
  });
});

it('the new strings of a request are those that an earlier one lacks, without IDs', () => {
  const request = (body: object) =>
    ({ protocol: 'chat', path: '', body: body as never, tools: [], results: 0, resultPaths: [] }) as const;
  const first = request({ messages: [{ role: 'user', content: 'hello' }] });
  const second = request({
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'tool', content: 'a body' },
    ],
  });
  assert.deepEqual(newStrings(second, first, PLACE), [{ place: 'messages.1.content', text: 'a body' }]);
});

it('a value that differs between two runs varies', () => {
  assert.deepEqual(seenTwice(['a'], ['a']), ['a']);
  assert.deepEqual(seenTwice(['a'], ['b']), { varies: [['a'], ['b']] });
});

describe('the situations', () => {
  it('have words that no other situation in the same workspace has', () => {
    const all = [...SITUATIONS.values()].filter(({ id }) => /^s/i.test(id));
    for (const situation of all) {
      for (const other of all) {
        if (other === situation) continue;
        const shared = other.words.filter((word) => belongsTo(word, situation));
        assert.deepEqual(shared, [], `${situation.id} and ${other.id}`);
      }
    }
  });
});

describe('the messages of an output', () => {
  const messages = (output: string) => messagesOf(output, situationOf('s03-folder'));

  it('include the lines with the reason, up to the next message', () => {
    const output = `[Skills] Invalid skill metadata in s03-folder/SKILL.md:
The name must match the folder
[Skills] Done
Skipped s03-folder
  - too short
  - too plain

  indented`;
    assert.deepEqual(messages(output), [
      '[Skills] Invalid skill metadata in s03-folder/SKILL.md:\nThe name must match the folder',
      'Skipped s03-folder\n- too short\n- too plain',
    ]);
  });

  it('do not include quoted lines of the files', () => {
    assert.deepEqual(messages('Bad s03-folder at line 2:\n  2 | name: s03-other\n     ^'), [
      'Bad s03-folder at line 2:\n^',
    ]);
    assert.deepEqual(messages('name: s03-other'), []);
  });
});

it('no observation has a path of this checkout', () => {
  for (const name of readdirSync('lab/observations')) {
    const text = readFileSync(join('lab', 'observations', name), 'utf8');
    assert.ok(![process.cwd(), encodeURIComponent(process.cwd())].some((path) => text.includes(path)), name);
    assert.doesNotMatch(text, /\/out\/lab\/(?:runs|installed)\//, name);
  }
});
