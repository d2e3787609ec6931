/** The words of requests and skills (docs/matching.md, "Words"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsPhrase, matchesPattern } from '../../../server/src/matching/search-index.ts';
import { termsOf, unitsOf } from '../../../server/src/matching/words.ts';
import { withoutHang } from '../../hang.ts';

const keys = (text: string): readonly string[] => termsOf(text).map(({ key }) => key);
const says = (request: string, phrase: string): boolean => containsPhrase(unitsOf(request), phrase);
const fits = (request: string, pattern: string): boolean => matchesPattern(unitsOf(request), pattern);

test('treats forms of an English word as one word', () => {
  for (const forms of [
    ['merge', 'merges', 'merged', 'merging'],
    ['dependency', 'dependencies'],
    ['translate', 'translation', 'translations', 'translating'],
    ['organise', 'organize', 'organization'],
    ['plan', 'planned', 'planning', 'plans'],
    ['deploy', 'deployment'],
  ]) {
    assert.equal(new Set(forms.flatMap(keys)).size, 1, forms.join());
  }
  assert.notDeepEqual(keys('class'), keys('clay'));
  assert.notDeepEqual(keys('king'), keys('k'));
});

test('skips stop words, punctuation and control characters', () => {
  assert.deepEqual(keys('please could you do it for me?'), []);
  assert.deepEqual(keys('\u0000\u001b[31m "…" \u202e ---'), ['31m']);
  assert.deepEqual(keys('draft-scene_outline'), ['draft', 'scen', 'outlin']);
});

test('ignores case, accents and width', () => {
  assert.deepEqual(keys('Über STRASSE ＰＤＦ'), keys('uber straße pdf'));
});

test('splits text without spaces into pairs of characters', () => {
  assert.deepEqual(keys('議事録を'), ['議事', '事録', '録を']);
  assert.deepEqual(keys('合同 PDF文件'), ['合同', 'pdf', '文件']);
  assert.deepEqual(keys('ลบไฟล์').length, 5);
  assert.deepEqual(keys('字'), ['字']);
  assert.deepEqual(keys('がぎ'), ['がぎ']);
});

test('a phrase matches if its words are in order, even with other words between them', () => {
  assert.ok(says('please outline the whole scene for me', 'outline a scene'));
  assert.ok(says('what would she ever say to him', 'what would she say'));
  assert.ok(!says('a scene to outline', 'outline a scene'));
  assert.ok(!says('outline the siege', 'outline a scene'));
  assert.ok(!says('outline the scene', 'how should this scene go'));
  assert.ok(!says('anything', ''));
});

test('a phrase in a script without spaces matches only without gaps', () => {
  assert.ok(says('请帮我合并文件', '合并文件'));
  assert.ok(!says('合并两个文件', '合并文件'));
});

test('a placeholder matches one to six words', () => {
  assert.ok(fits('please outline the siege of the mill', 'outline {scene}'));
  assert.ok(fits('why is my query so slow?', 'why is {query} so slow'));
  assert.ok(fits('outline it', 'outline {scene}'));
  assert.ok(!fits('outline', 'outline {scene}'));
  assert.ok(!fits('outline one two three four five six seven', 'outline {scene}'));
  assert.ok(!fits('outline the siege and then publish it', 'outline {scene} quickly'));
  assert.ok(fits('把报告翻译成中文', '把{文件}翻译成中文'));
});

test('a pattern with only placeholders matches nothing', () => {
  assert.ok(!fits('anything at all', '{anything}'));
  assert.ok(!fits('anything at all', '{a}{b}'));
  assert.ok(fits('what if the harbour froze', 'what if {change}'));
});

test('matches every pattern quickly', () => {
  const request = 'a b '.repeat(500);
  for (const pattern of [
    '{x}'.repeat(59),
    `${'{x} a '.repeat(25)}z`,
    '(a+)+$',
    '{'.repeat(10_000),
    '{}'.repeat(9_999),
  ]) {
    const name = pattern.slice(0, 20);
    assert.ok(!withoutHang(() => fits(request, pattern), name), name);
  }
});
