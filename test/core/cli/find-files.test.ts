import assert from 'node:assert/strict';
import { it } from 'node:test';
import { URI } from 'vscode-uri';
import { pathFrom, uriOf } from '../../../server/src/hosts/cli/find-files.ts';

const PATHS = [
  '/skills/a_b-c.skill.md',
  '/a/~x/.agents/..b',
  '/a b/ß/%41/c+d#e?.md',
  '/C:/x.md',
  '//server/share/x.md',
  '/a//b/',
  '/',
];

it('a path has the URI that the library gives it, and a URI its path', () => {
  for (const path of PATHS) {
    const uri = URI.file(path).toString();
    assert.equal(uriOf(path), uri);
    assert.equal(pathFrom(uri), URI.parse(uri).fsPath);
  }
});
