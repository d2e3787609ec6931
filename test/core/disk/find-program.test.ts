import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { programPaths } from '../../../server/src/io/git.ts';

describe('the search for a program', () => {
  const cases: readonly [string, NodeJS.Platform, string, string, readonly string[]][] = [
    ['reads the folders of PATH in order', 'linux', '/usr/bin:/bin', '/ws', ['/usr/bin/git', '/bin/git']],
    ['ignores the current folder', 'linux', '.::bin:../bin:/bin', '/ws', ['/bin/git']],
    ['ignores the workspace', 'linux', '/ws/node_modules/.bin:/ws:/wsx:/ws/../bin', '/ws', ['/wsx/git', '/bin/git']],
    ['ignores no folder if the workspace is the root', 'linux', '/bin', '/', ['/bin/git']],
    [
      'finds only `.exe` and `.com` files on Windows',
      'win32',
      'C:\\Git\\cmd',
      'C:\\ws',
      ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\cmd\\git.com'],
    ],
    [
      'ignores folders that depend on the current drive on Windows',
      'win32',
      '\\bin;C:bin;.;;bin;"D:\\My Git";%SystemRoot%',
      'C:\\ws',
      ['D:\\My Git\\git.exe', 'D:\\My Git\\git.com'],
    ],
    ['ignores every spelling of the workspace on Windows', 'win32', 'c:\\WS\\bin;C:/ws/bin', 'C:\\ws', []],
    [
      'reads a network share on Windows',
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
