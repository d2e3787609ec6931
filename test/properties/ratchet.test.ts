/** The measured limits in a baseline fall and never rise, over random histories of a file. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CheckOptions, runCheck } from '../../server/src/frontends/cli/commands/check.ts';
import { NO_COLORS, outputTo } from '../../server/src/frontends/cli/console.ts';
import { NO_PROGRESS } from '../../server/src/io/stderr.ts';
import { cases } from '../random.ts';
import { temporaryFolder } from '../temporary.mjs';

const FILE = '.agents/skills/long/SKILL.md';
const body = (lines: number): string =>
  `---\nname: long\ndescription: Reads pages.\n---\n\n${'Read the page aloud.\n'.repeat(lines)}`;

/** Returns whether the finding is shown. `writes` updates the baseline. */
async function isShown(cwd: string, writes: boolean): Promise<boolean> {
  let printed = '';
  const options: CheckOptions = {
    ...{ cwd, paths: [], config: undefined, format: 'json', out: [], fix: false, failOn: 'error', quiet: false },
    ...{ overrides: {}, changed: undefined, shard: { index: 0, count: 1 }, today: '2026-01-01' },
    baseline: writes ? { writeBaseline: true } : {},
  };
  await runCheck(options, {
    ...{ colors: NO_COLORS, progress: NO_PROGRESS, isTerminal: false },
    ...{ ask: async () => undefined, confirm: async () => undefined, printError: () => {}, note: () => {} },
    ...outputTo((text) => {
      printed += text;
    }, false),
  });
  const { findings } = JSON.parse(printed) as { findings: readonly { rule: string }[] };
  return findings.some(({ rule }) => rule === 'agent-skill-body-size');
}

test('a baseline allows a measure to fall but not to rise', async () => {
  const step = fc.record({ lines: fc.integer({ min: 495, max: 512 }), writes: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const cwd = temporaryFolder();
      try {
        mkdirSync(join(cwd, FILE, '..'), { recursive: true });
        /** The limit in the baseline; undefined if the baseline has no limit for the file. */
        let allowed: number | undefined;
        for (const [at, { lines, writes }] of steps.entries()) {
          writeFileSync(join(cwd, FILE), body(lines));
          const isWrong = lines > 500;
          if (writes) allowed = isWrong ? Math.min(lines, allowed ?? lines) : undefined;
          const expected = isWrong && (allowed === undefined || lines > allowed);
          assert.equal(await isShown(cwd, writes), expected, `step ${at}: ${lines} lines, ${allowed} allowed`);
        }
      } finally {
        rmSync(cwd, { recursive: true, force: true });
      }
    }),
    cases(12),
  );
});
