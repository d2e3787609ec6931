/** The text that a fix must keep: the byte order mark, line endings, comments, the order of keys, quotes. */
import assert from 'node:assert/strict';
import type { Fix } from '../../server/src/finding.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits, overlaps, type TextEdit } from '../../server/src/text.ts';
import { shown } from './opened.ts';

/** The kinds of line endings in the text. */
function lineEndsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\r\n|\n|\r/g) ?? []);
}

const topKeys = ({ frontmatter: { tree } }: SkillFile): readonly string[] =>
  tree.root?.kind === 'map' ? tree.root.entries.map(({ key }) => String(key.value)) : [];

const isSubsequence = (part: readonly string[], whole: readonly string[]): boolean => {
  let at = 0;
  for (const item of whole) if (at < part.length && part[at] === item) at++;
  return at === part.length;
};

/** Returns the text after the fix, and checks that the rest of the text is unchanged. */
export function checkSurvival(before: SkillFile, { title }: Fix, edits: readonly TextEdit[]): string {
  const text = applyEdits(before.text, edits);
  const where = () => `"${title}": ${JSON.stringify(edits)} in ${shown(before.text)}`;
  if (before.text.startsWith('\uFEFF')) assert.ok(text.startsWith('\uFEFF'), `byte order mark, ${where()}`);
  const ends = lineEndsOf(before.text);
  // If both `\r` and `\n` occur alone, removing the text between them joins them to one line ending, `\r\n`.
  if (ends.size > 0 && !(ends.has('\r') && ends.has('\n'))) {
    for (const end of lineEndsOf(text)) assert.ok(ends.has(end), `line end ${JSON.stringify(end)}, ${where()}`);
  }
  const after = new SkillFile(before.uri, text);
  // Text that becomes frontmatter may be broken YAML, which is then reported.
  if (before.frontmatter.tree.broken || (before.body && !before.frontmatter.open)) return text;
  assert.ok(!after.frontmatter.tree.broken, `the YAML is broken afterwards, ${where()} gives ${shown(text)}`);
  const cut = (span: { start: number; end: number }) => edits.some((edit) => overlaps(edit.span, span));
  const kept = before.frontmatter.tree.comments.filter((comment) => !cut(comment.span)).map((comment) => comment.text);
  const comments = after.frontmatter.tree.comments.map((comment) => comment.text);
  assert.ok(isSubsequence(kept, comments), `comments, ${where()} gives ${shown(text)}`);
  // A duplicate key may be removed once, or renamed once.
  const all = topKeys(before);
  const keys = all.filter((key) => all.indexOf(key) === all.lastIndexOf(key));
  const left = topKeys(after);
  const surviving = keys.filter((key) => left.includes(key));
  assert.ok(isSubsequence(surviving, left), `the order of keys, ${where()} gives ${shown(text)}`);
  return text;
}
