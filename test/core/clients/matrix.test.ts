/** A file produces every outcome that the client data defines, in the column of that outcome. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClientRow, COLUMNS, type Reason } from '../../../server/src/agent-skills/cell.ts';
import { conditionsOf } from '../../../server/src/agent-skills/conditions.ts';
import type { Condition, Outcome } from '../../../server/src/vocabulary/client.ts';
import { clients, findClient } from '../../../server/src/vocabulary/clients.ts';
import { fixtureOf, rowFor, skillText, subjectFor } from './fixtures.ts';

const SKIPPED: readonly Outcome[] = ['skipped_with_message', 'skipped_silently', 'rejected'];

const reasonsFor = (row: ClientRow, condition: Condition): readonly Reason[] =>
  COLUMNS.flatMap((column) => row[column].reasons).filter(({ cause }) => cause?.kind === condition);

describe('every outcome of every client', () => {
  for (const client of clients) {
    for (const [key, fact] of Object.entries(client.outcomes)) {
      const condition = key as Condition;
      it(`${client.id}: ${condition} is ${fact.value}`, () => {
        const fixture = fixtureOf(client, condition);
        const row = rowFor(client, fixture);
        const reasons = reasonsFor(row, condition);
        if (condition === 'duplicate_name') {
          assertTwin(row, reasons);
          return;
        }
        assert.ok(
          conditionsOf(client, subjectFor(client, fixture)).some(({ kind }) => kind === condition),
          'the fixture reaches the condition',
        );
        const tells = (column: (typeof COLUMNS)[number]) =>
          row[column].reasons.some(({ cause }) => cause?.kind === condition);
        if (fact.value === 'ok') {
          // A file without another defect is loaded, whatever the client reports about its folder.
          assert.equal(reasons.filter(({ isLoss }) => isLoss).length, 0);
          if (condition === 'unknown_key') assert.equal(row.ignored.outcome, 'yes');
          return;
        }
        if (SKIPPED.includes(fact.value)) {
          assert.deepEqual([row.loaded.outcome, row.listed.outcome, row.chosen.outcome], ['no', 'no', 'nobody']);
          assert.ok(tells('loaded'));
        } else if (fact.value === 'hidden_from_model') {
          assert.equal(row.listed.outcome, 'no');
          assert.ok(tells('listed'));
        } else if (fact.value === 'truncated') {
          assert.equal(row.cut.outcome, 'yes');
          assert.ok(tells('cut'));
        } else if (fact.value === 'unknown') {
          assert.ok(COLUMNS.some((column) => row[column].outcome === 'unknown' && tells(column)));
        } else {
          assert.notEqual(row.loaded.outcome, 'no');
          assert.ok(tells('loaded') || tells('ignored'));
        }
        if (fact.loses && fact.loses !== 'value') assert.ok(tells('listed'), 'the row reports the loss');
        if (fact.value === 'renamed' && condition !== 'missing_name') assert.ok(tells('ignored'));
      });
    }
  }

  /** The shadowed file is not loaded. If the order is unknown, nothing is reported. */
  function assertTwin(row: ClientRow, reasons: readonly Reason[]): void {
    const { precedence, dirs, outcomes } = row.client;
    const paths = new Set(
      dirs.value
        .filter(({ at, conditional }) => !conditional && at !== 'home' && at !== 'elsewhere')
        .map(({ path }) => path),
    );
    if (paths.size === 0 || (row.client.identity === 'folder' && paths.size < 2)) {
      assert.equal(reasons.length, 0);
      return;
    }
    assert.ok(reasons.length > 0, 'the row names the other file');
    const isKnown = precedence.value !== 'unknown' && outcomes.duplicate_name?.value !== 'unknown';
    const expected =
      !isKnown || (precedence.value !== 'both' && paths.size < 2)
        ? 'unknown'
        : precedence.value === 'both'
          ? 'yes'
          : 'no';
    assert.equal(row.loaded.outcome, expected);
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
    assert.equal(rowOf('vscode', ...lines).listed.outcome, 'yes');
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
      for (const condition of Object.keys(client.outcomes)) {
        const row = rowFor(client, fixtureOf(client, condition as Condition));
        for (const { source, checked, text } of COLUMNS.flatMap((column) => row[column].reasons)) {
          assert.match(`${checked} ${source}`, /^\d{4}-\d\d-\d\d ./, text);
        }
      }
    }
  });
});
