/** A run of a client (docs/observing.md, "What is started"), with a program in its place. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { runObserve } from '../../../server/src/frontends/cli/commands/observe.ts';
import { problemIn } from '../../../server/src/frontends/lsp/handlers/observing.ts';
import { claudeCode } from '../../../server/src/services/observing/clients/claude-code.ts';
import { observe } from '../../../server/src/services/observing/observe.ts';
import { FAITHFUL, installed, plainSkill } from '../../protocol/fake-client.ts';

const BODY = 'The body, of which this is the longest line.\nA second line of it.';
const COPIES = {
  copies: [{ path: '.claude/skills/pdf/SKILL.md', bytes: Buffer.from(plainSkill('pdf', 'Merges.', BODY)) }],
  skills: ['.claude/skills/pdf/SKILL.md'],
  ...{ installed: 0, leftOut: [], others: { agents: 0, commands: 0, plugins: 0 } },
};

/** Runs a script in the place of Claude Code. */
const observing = (script: string) =>
  observe({
    ...{ client: claudeCode, program: join(installed(script), 'claude'), version: '2.1.332' },
    ...{ facts: findClient('claude-code') as Client, copies: COPIES, onStep: () => undefined },
    ...{ milliseconds: 60_000, endMilliseconds: 100 },
  });

describe('a run of a client', { skip: process.platform === 'win32' && 'not on Windows' }, () => {
  it('ends a client that does not end after the last answer, and keeps what it sent', async () => {
    const { isEnded, list, comparison, delivered } = await observing(`${FAITHFUL} setTimeout(() => {}, 600000);`);
    assert.equal(isEnded, true);
    assert.equal(list?.entries.length, 1);
    assert.deepEqual(
      [comparison.skills, delivered].map((texts) => texts.map(({ verdict }) => verdict)),
      [['same'], ['same']],
    );
  });

  it('finds a delivered text by the lines that the client did not change', async () => {
    const { delivered } = await observing(
      "converse(listOf(names.map(entry)), (name) => read(name).replace(/The.*/, '***'));",
    );
    const [{ verdict, seen } = { verdict: undefined, seen: undefined }] = delivered;
    assert.equal(verdict, 'different');
    assert.match(seen ?? '', /\*{3}\nA second line of it\./);
  });
});

describe('the problem of a run for an editor', () => {
  it('is the message of the command line, whatever Node.js prints after it', () => {
    assert.equal(
      problemIn(
        'skill-composer: a warning\n(node:1) Warning: x\nskill-composer: `PATH` has no program.\n(Use `node --trace-warnings`)\n',
      ),
      '`PATH` has no program.',
    );
    assert.equal(problemIn('    at main (cli.cjs:1:1)\n\nNode.js v24.0.0\n'), 'The run was ended.');
  });
});

describe('observe on Windows', () => {
  it('says that it does not run there before it lists or starts a client', async () => {
    const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
    const options = { cwd: '.', path: '.', config: undefined, format: 'json', output: undefined } as const;
    const how = { yes: true, dryRun: true, program: undefined, seconds: 1, others: [] };
    Object.defineProperty(process, 'platform', { ...own, value: 'win32' });
    try {
      for (const client of [undefined, 'claude-code']) {
        const run = runObserve({ ...options, ...how, client }, {} as Parameters<typeof runObserve>[1]);
        await assert.rejects(run, /does not run on Windows[^.]*\. Use WSL\.$/);
      }
    } finally {
      Object.defineProperty(process, 'platform', own);
    }
  });
});
