/** Which parsed files are kept: all that are open, and of the others those that were asked for last. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ParsedFiles } from '../../../server/src/analysis/parsed-files.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

const entryOf = (name: string, text = `---\nname: ${name}\n---\n`) =>
  new SkillFile(`file:///w/${name}.skill.md`, text).entry;
const MANY = Array.from({ length: 200 }, (_, n) => entryOf(`s${n}`));

describe('a parsed file', () => {
  it('is kept while its text stays the same', () => {
    const files = new ParsedFiles();
    const file = files.get(entryOf('a'));
    assert.equal(files.get(entryOf('a')), file);
    assert.notEqual(files.get(entryOf('a', 'Other text.')), file);
    assert.equal(files.last(file.uri)?.text, 'Other text.');
  });

  it('is kept as long as it is open, however many others are asked for', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepOpen(file);
    for (const source of MANY) files.get(source);
    assert.equal(files.get(entryOf('a')), file);
    files.close(file.uri);
    assert.equal(files.last(file.uri), undefined);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is awaited is kept until somebody asks for it, however many others are asked for before', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepAwaited(file);
    for (const source of MANY) files.get(source);
    assert.equal(files.get(entryOf('a')), file);
    for (const source of MANY) files.get(source);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is awaited is not kept for another text, nor once it is closed', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepAwaited(file);
    assert.equal(files.get(entryOf('a', 'Other text.')).text, 'Other text.');
    files.keepAwaited(file);
    files.close(file.uri);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is open gives way to another text of the same file', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepOpen(file);
    assert.equal(files.get(entryOf('a', 'Other text.')).text, 'Other text.');
    assert.equal(files.get(entryOf('a')), file);
  });

  it('that is closed is kept among a bounded number, those that were asked for last', () => {
    const files = new ParsedFiles();
    const first = files.get(entryOf('a'));
    const kept = () => MANY.filter(({ uri }) => files.last(uri)).length;
    for (const source of MANY.slice(0, 50)) files.get(source);
    assert.equal(kept(), 50);
    assert.equal(files.get(entryOf('a')), first, 'asked for again');
    for (const source of MANY.slice(50, 100)) files.get(source);
    assert.equal(files.last(first.uri), first);
    for (const source of MANY) files.get(source);
    assert.equal(files.last(first.uri), undefined);
    assert.ok(kept() < 100);
    assert.ok(MANY.slice(-50).every(({ uri }) => files.last(uri)));
  });
});
