/** The patterns of `.gitignore` files mean the same as in git. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { IgnoreFile } from '../../../server/src/io/gitignore.ts';
import { withoutHang } from '../../hang.ts';
import { cases } from '../../random.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

/** Returns what our reading says: the parents of an excluded path are excluded, too. */
function excludedBy(text: string, path: string): boolean {
  const file = new IgnoreFile(text);
  const names = path.replace(/\/$/, '').split('/');
  return names.some((_, at) => {
    const isFolder = at < names.length - 1 || path.endsWith('/');
    return file.excludes(names.slice(0, at + 1), isFolder) === true;
  });
}

const bare = (path: string): string => path.replace(/\/$/, '');

describe('a .gitignore file', () => {
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['build', ['build', 'build/', 'a/build/x'], ['builds', 'a/rebuild']],
    ['build/', ['build/', 'a/build/x'], ['build', 'a/build']],
    ['/build', ['build', 'build/x'], ['a/build']],
    ['a/b', ['a/b', 'a/b/c'], ['x/a/b']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'a/']],
    ['**/a', ['a', 'x/y/a'], ['b']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['x/a/b']],
    ['*.md\n!keep.md', ['a.md', 'x/a.md'], ['keep.md', 'x/keep.md']],
    ['/*\n!/a', ['b', 'b/x'], ['a', 'a/x']],
    ['\\#a\n\\!b', ['#a', '!b'], ['a', 'b']],
    ['# a\n\n   ', [], ['# a', 'a', '   ']],
    ['a  \nb\\ ', ['a', 'b '], ['a  ', 'b']],
    ['a[b-d]?', ['abx', 'adx'], ['aex', 'ab']],
    ['a[!b]', ['ac'], ['ab', 'a']],
    ['a[[:digit:]]', ['a1'], ['ax']],
    ['a[', [], ['a[', 'a']],
    ['**', ['a', 'a/b'], []],
    ['a\r', ['a'], ['a\r']],
    ['*', ['a', '.hidden'], []],
    ['été/', ['été/', 'été/x'], ['ete/']],
  ];
  for (const [text, excluded, others] of rows) {
    it(`with ${JSON.stringify(text)} excludes ${excluded.join(', ') || 'nothing'}, and not ${others.join(', ')}`, () => {
      assert.deepEqual(
        [...excluded, ...others].filter((path) => excludedBy(text, path)),
        excluded,
      );
    });
  }

  it('is read as git reads it', () => {
    const folder = temporaryFolder();
    assert.equal(spawnSync('git', ['init', '-q'], { cwd: folder }).status, 0);
    const name = fc.stringMatching(/^(?:[abc]|\.a|ab|b a){1,2}$/).filter((one) => !/^ | $/.test(one));
    const path = fc.tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean());
    const part = fc.stringMatching(/^(?:[abc]|\*|\?|\[a-b\]|\[!a\]|\.a|\\a|ab){1,3}$/);
    const line = fc
      .tuple(
        fc.constantFrom('', '!', '/', '!/', '**/'),
        fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', '/**', ' ', '/*'),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.array(path, { minLength: 1, maxLength: 20 }),
        (lines, paths) => {
          const text = `${lines.join('\n')}\n`;
          rmSync(join(folder, 'tree'), { recursive: true, force: true });
          writeFiles(folder, { 'tree/.gitignore': text });
          // A name may be that of a file and of a folder: the second one is left out.
          const all = paths.flatMap(([names, isFolder]) => {
            const path = join(folder, 'tree', ...names);
            try {
              mkdirSync(isFolder ? path : dirname(path), { recursive: true });
              if (!isFolder) writeFileSync(path, '', { flag: 'wx' });
              return [names.join('/') + (isFolder ? '/' : '')];
            } catch {
              return [];
            }
          });
          const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
            ...{ cwd: join(folder, 'tree'), input: all.map(bare).join('\0'), encoding: 'utf8' },
          });
          const ignored = new Set(stdout.split('\0'));
          assert.deepEqual(
            all.filter((one) => excludedBy(text, one)),
            all.filter((one) => ignored.has(bare(one))),
          );
        },
      ),
      cases(500),
    );
  });

  it('is matched quickly with any content', () => {
    const name = 'a'.repeat(255);
    for (const line of [
      '*a'.repeat(120),
      '**/'.repeat(900),
      '**/'.repeat(3e5),
      'a/'.repeat(4e5),
      '*/**/'.repeat(2e5),
      '**/a*b/x\n'.repeat(9e3),
      '*a*a*b/'.repeat(200),
      '[a-'.repeat(300),
      ' '.repeat(9e5),
    ]) {
      withoutHang(() => new IgnoreFile(line).excludes(Array<string>(15).fill(name), false));
    }
  });
});
