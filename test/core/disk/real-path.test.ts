/** Folders that requests name are inside the workspace after links are resolved. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { toUri } from '../../../server/src/io/paths.ts';
import { assertInsideOf, realPathOf } from '../../../server/src/io/real-path.ts';
import { diskFoldersIn } from '../../../server/src/services/packing/disk-folder.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { MemoryClient } from '../packing/memory-client.ts';
import { beforeEachStep, restoreSteps } from './steps.ts';

const folder = temporaryFolder();
afterEach(restoreSteps);

describe('the real path of a file', () => {
  it('resolves links above a file that does not exist yet, and is undefined through a link to nothing', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'));
    assert.equal(await realPathOf(join(folder, 'link/a/b.md')), join(folder, 'real/a/b.md'));
    assert.equal(await realPathOf(join(folder, 'real')), join(folder, 'real'));
    for (const path of ['dangling', 'dangling/a', 'link/../dangling/a'])
      assert.equal(await realPathOf(join(folder, path)), undefined);
  });
});

describe('a write below a workspace folder', () => {
  it('stays inside if the named folder is exchanged for a link at any step', async () => {
    let written = 0;
    for (let at = -1; at < 20; at++) {
      const [work, outside] = [join(folder, `work-${at}`), join(folder, `outside-${at}`)];
      for (const one of [join(work, 'sub'), outside]) mkdirSync(one, { recursive: true });
      writeFileSync(join(outside, 'a.md'), 'theirs\n');
      const opened = await diskFoldersIn(assertInsideOf(() => [toUri(work)]))(toUri(join(work, 'sub')));
      const exchange = (step: number): void => {
        if (step !== at) return;
        renameSync(join(work, 'sub'), join(work, 'moved'));
        symlinkSync(outside, join(work, 'sub'));
      };
      beforeEachStep(exchange);
      exchange(-1);
      const write = [{ path: 'a.md', bytes: Buffer.from('ours\n'), isExecutable: false }];
      const done = await opened.write({ write, remove: [] }, async () => true).catch(() => 'refused');
      restoreSteps();
      if (done === 'written') written++;
      assert.deepEqual(readdirSync(outside), ['a.md'], `step ${at}`);
      assert.equal(readFileSync(join(outside, 'a.md'), 'utf8'), 'theirs\n');
      const own = existsSync(join(work, 'moved')) ? 'moved' : 'sub';
      if (own === 'sub') assert.equal(readFileSync(join(work, 'sub/a.md'), 'utf8'), 'ours\n');
    }
    assert.ok(written > 0);
  });

  it('in a browser is refused outside the workspace, in each spelling', async () => {
    const client = new MemoryClient();
    const openFolder = client.openFolderIn(['memory:/w', 'memory:/x/']);
    for (const uri of [
      'memory:/w',
      'memory:/w/',
      'memory:/w/sub',
      'memory:/w/sub/..',
      'memory:/other/../w',
      'memory:/x',
    ])
      assert.match((await openFolder(uri)).uri, /^memory:\/(?:w(?:\/sub)?|x\/)$/, uri);
    for (const uri of [
      ...['memory:/', 'memory:/w2', 'memory:/w/..', 'memory:/w/sub/../../y', 'memory:/w/%2e%2e/y', 'memory:/W'],
      ...['memory://host/w', 'other:/w', 'file:///w', '', 'w', '/w', 'memory:/w/..%2fy'],
    ])
      await assert.rejects(openFolder(uri), { name: 'UserError', message: /is outside the workspace/ }, uri);
  });
});
