/** A file that nobody edits is kept as next to nothing, and whoever looks at it sees what it says. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseSkill, type SkillDocument, stored, unread } from '../../server/src/skill/document.ts';
import { keptSummary } from '../../server/src/skill/kept-summary.ts';
import { type SkillSummary, sameFromAfar, sameSummary } from '../../server/src/skill/summary.ts';
import { RUNS } from './corpus.ts';
import { damagedSample } from './mutate.ts';

const runs = { numRuns: Math.round(150 * RUNS) };

const KEYS = [
  ...['text', 'lines', 'frontmatter', 'contract', 'body', 'metadata', 'examples', 'templates', 'conditions'],
  ...['problems', 'suppressions', 'isSkill', 'dialect', 'uri'],
] as const;

const partsOf = (document: SkillDocument): unknown => KEYS.map((key) => document[key as keyof SkillDocument]);

const uriOf = (path: string): string => `file:///w/${path}`;

describe('a closed document', () => {
  test('says the same of a file as one that keeps it', () => {
    fc.assert(
      fc.property(damagedSample, ({ path, text }) => {
        const uri = uriOf(path);
        const whole = parseSkill(uri, text);
        const read = parseSkill(uri, text, undefined, () => text);
        const { isSkill, hasSamples, summary } = read;
        for (const one of [read, unread(read), stored({ uri, isSkill, hasSamples, summary }, () => text)]) {
          assert.deepEqual(partsOf(one), partsOf(whole));
        }
      }),
      runs,
    );
  });

  test('is of one text while it is looked at, even where the file changes meanwhile', () => {
    fc.assert(
      fc.property(damagedSample, damagedSample, ({ path, text }, { text: other }) => {
        const uri = uriOf(path);
        const { isSkill, hasSamples, summary } = parseSkill(uri, text);
        let now = text;
        const document = stored({ uri, isSkill, hasSamples, summary }, () => now);
        const { length } = document.text;
        now = other;
        assert.equal(document.text.length, length);
        assert.equal(document.frontmatter.bodyStart <= length, true);
        assert.deepEqual(document.lines, parseSkill(uri, text).lines);
        assert.equal(unread(document).text, text);
      }),
      runs,
    );
  });

  test('keeps a summary that says the same', () => {
    fc.assert(
      fc.property(damagedSample, damagedSample, ({ path, text }, other) => {
        const { summary } = parseSkill(uriOf(path), text);
        const kept = keptSummary(summary);
        const values = Object.fromEntries(Object.keys(summary).map((key) => [key, kept[key as keyof SkillSummary]]));
        const { execution, ...rest } = summary;
        const { execution: keptExecution, ...keptRest } = values;
        assert.deepEqual(keptRest, rest);
        // What has no value in it may be without its key.
        assert.equal(JSON.stringify(keptExecution), JSON.stringify(execution));
        assert.ok(sameSummary(kept, summary) && sameSummary(summary, kept));
        const { summary: another } = parseSkill(uriOf(other.path), other.text);
        assert.equal(sameSummary(kept, keptSummary(another)), sameSummary(summary, another));
        assert.equal(sameFromAfar(kept, another), sameFromAfar(summary, another));
      }),
      runs,
    );
  });
});
