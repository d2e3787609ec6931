/** A client at a pseudo-terminal (lab/session.ts). */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Session, textOf } from '../../../lab/session.ts';
import { temporaryFolder } from '../../temporary.mjs';

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

const PROGRAM =
  'printf "Do you trust it?\\n"; read -r key; printf "Ready\\n"; read -r line; test -t 0 && printf "typed: %s\\n" "$line"; sleep 30';

describe('the text of a screen', () => {
  it('has spaces and line breaks where the cursor moved', () => {
    assert.equal(textOf('\x1b[1mDo\x1b[22m\x1b[4Gyou\x1b[1Ctrust\x1b[2;1Hthis?\r\n'), 'Do you trust\nthis?\n\n');
  });
});

describe('a session at a terminal', { skip: !hasScript }, () => {
  it('answers a question, types a text, and ends the client', async () => {
    const home = join(temporaryFolder(), 'session');
    mkdirSync(home, { recursive: true });
    const run = {
      workspace: home,
      start: home,
      home,
      installed: home,
      program: 'sh',
      path: [],
      model: '',
      context: 1,
      prompt: '',
      isApproved: false,
    };
    const session = new Session(run, {
      start: () => ({ args: ['-c', PROGRAM] }),
      ready: /Ready/,
      dialogs: [{ text: /Do you trust [^?]*\?/, keys: ['\r'] }],
    });
    try {
      assert.deepEqual(await session.start(), ['Do you trust it?']);
      await session.type('hello');
      assert.ok(await session.until(() => session.screen.includes('typed: hello'), 10_000), session.screen);
    } finally {
      await session.end();
    }
  });
});
