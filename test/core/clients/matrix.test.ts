/** A file produces every outcome that the client data defines, in the column of that outcome. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { type ClientRow, COLUMNS } from '../../../server/src/clients/matrix/cell.ts';
import { fixtureOf, rowFor, skillText } from './fixtures.ts';
import { CONDITIONS } from './outcomes.ts';

describe('every fault in every client', () => {
  for (const condition of CONDITIONS) {
    it(`${condition}: the cells of a row agree`, () => {
      for (const client of clients) {
        const { name, found, loaded, listed, chosen, cut, ignored } = rowFor(client, fixtureOf(client, condition));
        const told = `${client.id} ${name}`;
        assert.notEqual(found.outcome, 'no', told);
        if (loaded.outcome === 'no') {
          const others = [listed, chosen, cut, ignored].map(({ outcome }) => outcome);
          assert.deepEqual(others, ['no', 'nobody', 'no', 'no'], told);
          assert.ok(
            loaded.reasons.some(({ isLoss, cause }) => isLoss && cause),
            told,
          );
        } else if (listed.outcome === 'no') {
          assert.ok(
            listed.reasons.some(({ cause }) => cause),
            told,
          );
          assert.notEqual(chosen.outcome, 'model-or-name', told);
        }
        for (const column of COLUMNS) {
          const cell = { found, loaded, listed, chosen, cut, ignored }[column];
          const isSure = cell.outcome !== 'unknown';
          assert.ok(isSure || cell.reasons.length > 0 || column === 'listed', `${told}: ${column} says why`);
          if (cell.outcome === 'unknown') assert.ok(!cell.reasons.some(({ isLoss }) => isLoss), `${told}: no loss`);
          const texts = cell.reasons.map(({ text }) => text);
          assert.deepEqual(texts, [...new Set(texts)], `${told}: ${column} says everything once`);
        }
      }
    });
  }

  it('a valid skill is loaded and listed by every client with known facts', () => {
    for (const client of clients) {
      const text = skillText('name: tidy-notes', "description: Tidies a novelist's notes.");
      const row = rowFor(client, { folder: 'tidy-notes', text });
      assert.notEqual(row.found.outcome, 'no', client.id);
      assert.deepEqual(
        [row.loaded.outcome, row.listed.outcome, row.cut.outcome, row.ignored.outcome],
        ['yes', 'yes', 'no', 'no'],
        client.id,
      );
    }
  });
});

describe('a file that a client may load', () => {
  const sound = skillText('name: tidy-notes', "description: Tidies a novelist's notes.");
  const crlf = sound.replaceAll('\n', '\r\n');
  const colon = skillText('name: tidy-notes', 'description: Tidies notes: all of them.');
  const BOM = 'The file begins with a byte order mark';
  const CRLF = 'Lines end with CR and LF';
  for (const [what, text, causes] of [
    ['a byte order mark', `\uFEFF${sound}`, [BOM]],
    ['lines that end with CR and LF', crlf, [CRLF]],
    ['both', `\uFEFF${crlf}`, [BOM, CRLF]],
    ['a colon in a value', colon, ['A value without quotes contains a colon']],
    ['no frontmatter', 'Tidy the notes.\n', ['The file has no frontmatter']],
    ['an empty body', '---\nname: tidy-notes\ndescription: Tidies.\n---\n', ['The body is empty']],
    ['no end of the frontmatter', '---\nname: tidy-notes\ndescription: Tidies.\n', ['The frontmatter is not closed']],
  ] as const) {
    it(`says only what is true of the file, once: ${what}`, () => {
      const client = findClient('cursor');
      assert.ok(client);
      const { loaded } = rowFor(client, { folder: 'tidy-notes', text });
      assert.equal(loaded.outcome, 'unknown');
      assert.deepEqual(
        loaded.reasons.map(({ text: reason }) => reason.replace(/, and the result is not known.*$/, '')),
        causes,
      );
    });
  }
});

describe('the treatment of a file by clients', () => {
  const rowOf = (id: string, ...lines: readonly string[]): ClientRow => {
    const client = findClient(id);
    assert.ok(client);
    return rowFor(client, { folder: 'tidy-notes', text: skillText('name: tidy-notes', ...lines) });
  };

  it('a key can restrict a skill to people', () => {
    const row = rowOf('zed', 'description: Tidies notes.', 'disable-model-invocation: true');
    assert.deepEqual([row.listed.outcome, row.chosen.outcome], ['no', 'name']);
    assert.ok(row.listed.reasons.every(({ isIntended }) => isIntended));
  });

  it('`yes` is a boolean only for clients that document it', () => {
    const lines = ['description: Tidies notes.', 'disable-model-invocation: yes'];
    assert.equal(rowOf('claude-code', ...lines).listed.outcome, 'no');
    assert.equal(rowOf('pi', ...lines).listed.outcome, 'yes');
    assert.equal(rowOf('zed', ...lines).loaded.outcome, 'no', 'a wrong type');
  });

  it('a number is a string for clients that accept any scalar', () => {
    const loaded = (id: string, value: string) => {
      const client = findClient(id);
      assert.ok(client);
      const text = skillText(`name: ${value}`, 'description: Lists the chapters of that year.');
      return rowFor(client, { folder: '2024', text }).loaded.outcome;
    };
    assert.deepEqual(
      [loaded('codex', '2024'), loaded('goose', '2024'), loaded('roo-code', '2024')],
      ['yes', 'yes', 'no'],
    );
    assert.deepEqual([loaded('codex', '[2024]'), loaded('goose', '[2024]')], ['no', 'no']);
  });

  it('a skill that neither people nor models may call is never chosen', () => {
    const row = rowOf(
      'claude-code',
      'description: Tidies notes.',
      'disable-model-invocation: true',
      'user-invocable: false',
    );
    assert.equal(row.chosen.outcome, 'nobody');
    assert.equal(rowOf('crush', 'description: Tidies notes.').chosen.outcome, 'model', 'off where it is left out');
  });

  it('counts bytes for clients that count bytes', () => {
    const description = `description: ${'ä'.repeat(600)}`;
    assert.equal(rowOf('crush', description).loaded.outcome, 'no');
    assert.equal(rowOf('roo-code', description).loaded.outcome, 'yes');
  });

  it('counts descriptions together if the client shows them together', () => {
    const lines = [`description: ${'a'.repeat(1000)}`, `when_to_use: ${'b'.repeat(600)}`];
    const { cut } = rowOf('claude-code', ...lines);
    assert.deepEqual([cut.outcome, cut.reasons[0]?.cause?.key], ['yes', 'when_to_use']);
  });

  it('frontmatter after empty lines is valid for clients that skip them', () => {
    const text = `\n\n${skillText('name: tidy-notes', 'description: Tidies notes.')}`;
    const loaded = (id: string) => {
      const client = findClient(id);
      return client && rowFor(client, { folder: 'tidy-notes', text }).loaded.outcome;
    };
    assert.deepEqual([loaded('zed'), loaded('goose'), loaded('gemini-cli')], ['yes', 'yes', 'no']);
  });

  it('every reason has a source and a date', () => {
    for (const client of clients) {
      for (const condition of CONDITIONS) {
        const row = rowFor(client, fixtureOf(client, condition));
        for (const { source, checked, text } of COLUMNS.flatMap((column) => row[column].reasons)) {
          assert.match(`${checked} ${source}`, /^\d{4}-\d\d-\d\d ./, text);
        }
      }
    }
  });
});
