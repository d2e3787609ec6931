/** `docs/clients.md` is generated from the data; the test fails if it is out of date. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { pageTables } from './page.ts';

const path = 'docs/clients.md';
const BEGIN = '<!-- The tables are made of server/src/clients/facts/data. -->\n';

it('docs/clients.md has the generated tables: UPDATE_EXPECT=1 npm run test:core -- --filter core/clients', () => {
  const page = readFileSync(path, 'utf8');
  const at = page.indexOf(BEGIN) + BEGIN.length;
  assert.ok(at > BEGIN.length, 'the page has the mark where the tables begin');
  const expected = `${page.slice(0, at)}\n${pageTables()}\n`;
  if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, expected);
  else assert.equal(page, expected);
});
