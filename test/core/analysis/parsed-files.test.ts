/** The cache of parsed files: it keeps all open files, and the most recently used closed files. */
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

  it('is kept while it is open, regardless of how many other files are requested', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepOpen(file);
    for (const source of MANY) files.get(source);
    assert.equal(files.get(entryOf('a')), file);
    files.close(file.uri);
    assert.equal(files.last(file.uri), undefined);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is awaited is kept until it is requested', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepAwaited(file);
    for (const source of MANY) files.get(source);
    assert.equal(files.get(entryOf('a')), file);
    for (const source of MANY) files.get(source);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is awaited is dropped when it is closed or requested with different text', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepAwaited(file);
    assert.equal(files.get(entryOf('a', 'Other text.')).text, 'Other text.');
    files.keepAwaited(file);
    files.close(file.uri);
    assert.notEqual(files.get(entryOf('a')), file);
  });

  it('that is open is kept, but not returned for different text', () => {
    const files = new ParsedFiles();
    const file = new SkillFile(entryOf('a').uri, entryOf('a').text);
    files.keepOpen(file);
    assert.equal(files.get(entryOf('a', 'Other text.')).text, 'Other text.');
    assert.equal(files.get(entryOf('a')), file);
  });

  it('that is closed is kept while it is one of the most recently requested files', () => {
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
