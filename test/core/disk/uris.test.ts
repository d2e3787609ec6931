/** URIs that name no file of this computer are never used as paths. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folderUri } from '../../../server/src/io/files.ts';
import { nodeFiles } from '../../../server/src/io/node-files.ts';
import { findPath, isUri, toPath, toUri } from '../../../server/src/io/paths.ts';
import { diskFoldersIn } from '../../../server/src/services/packing/disk-folder.ts';

const REMOTE = [
  'file://host/etc/hosts',
  'FILE://host/etc/hosts',
  'file://%68ost/etc/hosts',
  'file://localhost/etc/hosts',
  'file://127.0.0.1/etc/hosts',
  'file://user@/etc/hosts',
  'file://./etc/hosts',
  'file:////etc/hosts',
  'file:///%2Fetc/hosts',
  'file:///%2F%2Fetc/hosts',
  'file:///%5C%5Chost%5Cx',
  'file:\\\\host\\x',
  'file:///etc/hosts%00',
  'vscode-vfs://host/etc/hosts',
  'https://host/etc/hosts',
  '',
];

describe('a URI that names no file of this computer', () => {
  for (const uri of REMOTE) {
    it(`is refused (${uri})`, async () => {
      assert.throws(() => toPath(uri), { name: 'UserError', message: /is not a file on this computer/ });
      await assert.rejects(diskFoldersIn(async () => {})(uri), { name: 'UserError' });
      const scope = { folders: [uri], isReadDirectly: () => false };
      assert.equal((await nodeFiles.read(uri, scope)).kind, 'absent');
      assert.equal(await nodeFiles.exists(uri), false);
      assert.deepEqual(await nodeFiles.list(uri), []);
      assert.deepEqual(await nodeFiles.find([uri], ['**/*']), []);
    });
  }

  it('is not confused with a file of this computer', () => {
    for (const path of ['/etc/hosts', '/a b/%2F', '/a//b', '/ä']) assert.equal(findPath(toUri(path)), path);
    assert.equal(findPath('file:/x'), '/x');
    assert.deepEqual(['file://host/x', 'file:/x', 'file:\\\\host', 'C:\\x', 'c:/x', 'a:b', 'skills'].map(isUri), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

it('the URI of every file in a folder begins with the URI of the folder and a slash', () => {
  const folders = ['file:///w', 'file:///w/', 'file:///', 'memfs:/', 'memfs:/w', 'test://mount', 'test://mount/'];
  assert.deepEqual(
    folders.map((uri) => `${folderUri(uri)}/a.md`),
    [
      ...['file:///w/a.md', 'file:///w/a.md', 'file:///a.md', 'memfs:/a.md', 'memfs:/w/a.md'],
      ...['test://mount/a.md', 'test://mount/a.md'],
    ],
  );
  assert.equal(findPath(folderUri('file:///')), '/');
});
