import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { globTest } from '../../../server/src/io/globs.ts';
import { DEFAULT_FILES, globProblem, usableGlobs } from '../../../server/src/protocol.ts';
import { withoutHang } from '../../hang.ts';

describe('a glob in the settings', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['**/*.skill.md', ['a.skill.md', 'x/y/.a.skill.md'], ['a.md', 'a.skill.md/x']],
    ['**/skills/*.md', ['skills/a.md', 'x/skills/a.md'], ['skills/x/a.md', 'a.md']],
    ['**/*.skill.{yaml,yml}', ['a.skill.yml', 'x/a.skill.yaml'], ['a.skill.y', 'a.skill.{yaml,yml}']],
    ['{a,b/c}/**', ['a/x', 'b/c/x/y', 'a'], ['b/x']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd', 'cd/x'], ['b', 'ad']],
    ['docs', ['docs', 'docs/a/b.md'], ['x/docs', 'docsx']],
    ['docs/', ['docs/a'], ['x']],
    ['./a/*.md', ['a/x.md'], ['x.md']],
    ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/b/c/d']],
    ['a?[b-d].md', ['axb.md', 'ayd.md'], ['ax.md', 'axe.md', 'a/b.md']],
    [
      'app/(group)/+page*.md',
      ['app/(group)/+page.md', 'app/(group)/+pages.md'],
      ['app/group/+page.md', 'app/(group)/page.md'],
    ],
    ['+(a|b)*', ['+(a|b)', '+(a|b)x'], ['a', 'aa']],
    ['{a}*', ['{a}', '{a}b'], ['a']],
  ];
  for (const [glob, fit, others] of cases) {
    it(`\`${glob}\` matches ${fit.join(', ')} and not ${others.join(', ')}`, () => {
      const test = globTest([glob]);
      assert.deepEqual([...fit, ...others].filter(test), [...fit]);
    });
  }

  it('that begins with `!` excludes files', () => {
    const test = globTest(['**/*.md', '!drafts', '!**/x*.md']);
    assert.deepEqual(['a.md', 'drafts/a.md', 'b/xa.md', 'b/a.md'].filter(test), ['a.md', 'b/a.md']);
  });

  for (const [glob, problem] of [
    ['', /empty/],
    ['!', /empty/],
    [' ', /empty/],
    ['a'.repeat(501), /more than 500 characters/],
    ['{a,b}'.repeat(7), /braces expand to more than 64/],
    [`${'{'.repeat(60)}${'a,'.repeat(100)}${'}'.repeat(60)}`, /braces expand to more than 64/],
    ['x/*a*a*a*a', /more than 3 `\*`/],
  ] as const) {
    it(`is ignored if it is invalid: ${JSON.stringify(glob.slice(0, 30))}`, () => {
      assert.match(String(globProblem(glob)), problem);
      assert.ok(!globTest([glob])('a'));
    });
  }

  it('is matched quickly against any path', () => {
    const deep = `${'a/'.repeat(2000)}b`;
    const long = `${'a'.repeat(255)}/`.repeat(15);
    for (const glob of [
      '**/a/'.repeat(90),
      '*a*a*b',
      '*a*/'.repeat(15),
      '{aa,a}'.repeat(6),
      '+(a|aa)*',
      '((a+)+)+$*',
      '[z-a]*',
    ]) {
      const test = globTest([glob]);
      for (const path of [deep, long])
        assert.equal(
          withoutHang(() => test(path), glob),
          false,
        );
    }
  });
});

describe('the globs that the editor receives', () => {
  it('are only valid globs, or the default', () => {
    const slow = `**/${'*a'.repeat(30)}.md`;
    assert.deepEqual(usableGlobs(['a.md', slow, '{a,b}'.repeat(20), '', 5, null, ['x'], {}]), ['a.md']);
    assert.deepEqual(usableGlobs([]), []);
    const long = Array.from({ length: 1000 }, (_, at) => `${at}${'x'.repeat(400)}`);
    for (const files of [undefined, null, 'x', 5, {}, { length: 1 }, [slow], [null], long]) {
      assert.deepEqual(usableGlobs(files), DEFAULT_FILES);
    }
  });
});
