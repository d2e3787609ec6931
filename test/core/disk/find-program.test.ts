import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { programPaths } from '../../../server/src/hosts/node/git.ts';

describe('the folders that are searched for a program', () => {
  const cases: readonly [string, NodeJS.Platform, string, string, readonly string[]][] = [
    ['in the folders of PATH, in their order', 'linux', '/usr/bin:/bin', '/ws', ['/usr/bin/git', '/bin/git']],
    ['not in the current folder', 'linux', '.::bin:../bin:/bin', '/ws', ['/bin/git']],
    ['not in the workspace', 'linux', '/ws/node_modules/.bin:/ws:/wsx:/ws/../bin', '/ws', ['/wsx/git', '/bin/git']],
    ['anywhere, where the workspace is the root', 'linux', '/bin', '/', ['/bin/git']],
    [
      'on Windows as programs alone',
      'win32',
      'C:\\Git\\cmd',
      'C:\\ws',
      ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\cmd\\git.com'],
    ],
    [
      'on Windows in no folder that depends on the current drive',
      'win32',
      '\\bin;C:bin;.;;bin;"D:\\My Git";%SystemRoot%',
      'C:\\ws',
      ['D:\\My Git\\git.exe', 'D:\\My Git\\git.com'],
    ],
    ['on Windows not in the workspace, however it is written', 'win32', 'c:\\WS\\bin;C:/ws/bin', 'C:\\ws', []],
    [
      'on Windows on a share',
      'win32',
      '\\\\host\\share',
      'C:\\ws',
      ['\\\\host\\share\\git.exe', '\\\\host\\share\\git.com'],
    ],
  ];
  for (const [name, platform, path, workspace, expected] of cases) {
    it(name, () => assert.deepEqual(programPaths('git', { path, platform, workspace }), expected));
  }
});
