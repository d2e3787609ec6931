/** Links of a `SKILL.md` to files and headings: their targets, and the headings that completion offers. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { completion } from '../../../../server/src/features/completion/completion.ts';
import { findPath } from '../../../../server/src/features/completion/paths.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { definition, documentLinks } from '../../../../server/src/features/navigation/definition.ts';
import { SkillFolder } from '../../../../server/src/skill-folder/skill-folder.ts';
import { applyEdits } from '../../../../server/src/text.ts';
import { folderOf } from '../../../../server/src/vocabulary/dialect.ts';
import { withCursor } from '../../with-cursor.ts';

const SKILL = 'file:///w/tidy/SKILL.md';
const STYLE = 'file:///w/tidy/references/style.md';

function open(marked: string) {
  const { text, offset } = withCursor(`---\nname: tidy\ndescription: Tidies.\n---\n\n${marked}\n\n## The end\n`);
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: SKILL, text });
  const style = '# Style\n\n## Tone\n\n## Tone\n\n<a id="old"></a>\n';
  const folder = new SkillFolder(folderOf(SKILL), [{ path: 'references/style.md', text: style }]);
  workspace.apply({ kind: 'folder', uri: SKILL, folder });
  workspace.apply({ kind: 'exists', uri: STYLE, exists: true });
  const { analysis } = workspace;
  const file = analysis.file(SKILL);
  assert.ok(file);
  return { analysis, file, offset };
}

/** The targets of Go to Definition at the cursor: the file and the line, counted from 1. */
function leads(marked: string): readonly string[] {
  const { analysis, file, offset } = open(marked);
  return definition(analysis, file, offset, utf16, false).map((place) => {
    assert.ok('uri' in place);
    return `${place.uri.slice('file:///w/tidy/'.length)}:${place.range.start.line + 1}`;
  });
}

test('goes from a link to the file, and from an anchor to the heading', () => {
  assert.deepEqual(leads('See [it](references/st$0yle.md).'), ['references/style.md:1']);
  assert.deepEqual(leads('See [it](references/style.md#to$0ne-1).'), ['references/style.md:5']);
  assert.deepEqual(leads('See [it](refer$0ences/style.md#tone).'), ['references/style.md:3']);
  assert.deepEqual(leads('See [it](references/style.md#o$0ld).'), ['references/style.md:7']);
  assert.deepEqual(leads('See [it](#the-$0end).'), ['SKILL.md:8']);
  assert.deepEqual(leads('Read `references/st$0yle.md`.'), ['references/style.md:1']);
  assert.deepEqual(leads('See [it](#the-en$0).'), []);
});

test('the target of a document link with an anchor contains the line of the heading', () => {
  const { analysis, file } = open('[a](references/style.md#tone) [b](references/style.md) [c](#the-end) [d](#no)$0');
  assert.deepEqual(
    documentLinks(analysis, file, utf16).map(({ target }) => target),
    [`${STYLE}#L3`, STYLE, `${SKILL}#L8`],
  );
});

/** The offered headings, and the line after the first heading is accepted. */
function offered(marked: string) {
  const { analysis, file, offset } = open(marked);
  assert.equal(findPath(file, offset), undefined);
  const answer = completion(analysis, file, offset, utf16);
  const items = Array.isArray(answer) ? answer : answer.items;
  const edit = items[0]?.textEdit;
  const taken =
    edit && 'range' in edit
      ? applyEdits(file.text, [
          {
            span: { start: utf16.offset(file, edit.range.start), end: utf16.offset(file, edit.range.end) },
            newText: edit.newText,
          },
        ]).split('\n')[5]
      : undefined;
  return { labels: items.map(({ label }) => label), taken };
}

test('offers the headings of the linked file after `#`', () => {
  assert.deepEqual(offered('[it](references/style.md#$0)').labels, ['style', 'tone', 'tone-1']);
  assert.deepEqual(offered('[it](#$0)').labels, ['the-end']);
  assert.equal(offered('[it](#th$0ing) and on').taken, '[it](#the-end) and on');
  assert.equal(offered('[it](references/style.md#x$0 "Title")').taken, '[it](references/style.md#style "Title")');
  assert.deepEqual(offered('[it](references/no.md#$0)').labels, []);
  assert.deepEqual(offered('[it](https://example.com/a#$0)').labels, []);
});
