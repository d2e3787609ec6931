/** The anchors of headings, by GitHub's rules. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { anchorsIn, findAnchor } from '../../../server/src/skill-folder/misread-fences.ts';

const fileOf = (text: string) => new SkillFile('file:///a/guide.md', text);
const anchors = (text: string) => anchorsIn(fileOf(text)).headings.map(({ anchor }) => anchor);

test('an anchor is the text of its heading in lower case, without punctuation and with hyphens for spaces', () => {
  const of = (heading: string) => anchors(`## ${heading}\n`)[0];
  assert.equal(of('What it is'), 'what-it-is');
  assert.equal(of('A — B & C'), 'a--b--c');
  assert.equal(of('1. Set-up: `npm_i`!'), '1-set-up-npm_i');
  assert.equal(of('🚀 Los geht’s, Ärger'), '-los-gehts-ärger');
  assert.equal(of('[The guide](https://x.org/a_b) **now**'), 'the-guide-now');
  assert.equal(of('_Told_ in snake_case'), 'told-in-snake_case');
  assert.equal(of('使用说明 (v2)'), '使用说明-v2');
  assert.equal(of('<a name="x"></a>Tone'), 'tone');
  assert.equal(of('Salt &amp; pepper'), 'salt--pepper');
});

test('anchors of equal headings are numbered, and skip anchors that already exist', () => {
  assert.deepEqual(anchors('# A\n\n# A\n\n# A-1\n\n# A\n'), ['a', 'a-1', 'a-1-1', 'a-2']);
});

test('finds anchors in HTML ids, explicit names and quoted headings, regardless of case', () => {
  const file = fileOf(
    '# Tone {#how}\n\n<a id="Old-Name"></a>\n\n> ## In a quote\n\n<h2 align=center id=deep>Deep</h2>\n',
  );
  for (const anchor of ['how', 'tone', 'Tone', 'user-content-tone', 'old-name', 'in-a-quote', 'deep']) {
    assert.ok(findAnchor(file, anchor), anchor);
  }
  assert.equal(findAnchor(file, 'tones'), undefined);
});
