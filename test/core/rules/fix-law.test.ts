/** The law of fixes on the rule pages: each offered fix, applied alone, removes its finding and adds none. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { fixEffects, HIDDEN } from './fix-effects.ts';
import { openCase, parsePage } from './page.ts';

describe('each fix removes its finding and adds none', () => {
  const seen = new Set<string>();
  for (const rule of rules) {
    it(`on the page of ${rule.name}`, () => {
      const { cases } = parsePage(readFileSync(`docs/rules/${rule.name}.md`, 'utf8'));
      for (const { kind, title, files } of cases) {
        if (kind === 'fixed') continue;
        for (const { finding, fix, isGone, added, path } of fixEffects(files, (all) => openCase(all, rule))) {
          const where = `"${fix.title}" in ${path}, ${title || kind}, for ${finding.rule}: ${finding.message}`;
          assert.ok(isGone, `${where}\nleaves the finding`);
          for (const one of added) {
            const pair = `${finding.rule} ${one.rule}`;
            assert.ok(HIDDEN.has(pair), `${where}\nadds ${one.rule}: ${one.message}`);
            seen.add(pair);
          }
        }
      }
    });
  }

  after(() => {
    // A filter runs only some of the pages.
    if (seen.size > HIDDEN.size / 2)
      assert.deepEqual(
        [...HIDDEN.keys()].filter((pair) => !seen.has(pair)),
        [],
      );
  });
});
