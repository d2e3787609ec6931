/** Fixes that take a name out again: an item of a list, or references in prose. */
import type { Fix } from '../../finding.ts';
import { removeItem } from '../../languages/yaml/remove.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, type TextEdit } from '../../text.ts';
import { fixHere } from '../rule.ts';
import type { Mention } from './mentions.ts';

/** Removes the item that holds `place` from the list under a frontmatter key. */
export function removeFromList(file: SkillFile, key: string, place: Span, title: string, safe = false): Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, key)?.value;
  if (list?.kind !== 'list') return [];
  const item = list.items.findIndex((candidate) => contains(candidate.span, place));
  return item < 0 ? [] : fixHere(file, title, removeItem(file.text, list, item), safe);
}

/** Removes the mentions that are references; none where the first of them is not one. */
export function removeReferences(file: SkillFile, mentions: readonly Mention[]): Fix[] {
  if (!mentions[0]?.isReference) return [];
  const edits = mentions.flatMap(({ span, isReference }) => (isReference ? [removalOf(file.text, span)] : []));
  return fixHere(file, 'Remove the reference', edits);
}

/** The reference together with one blank that it leaves doubled. */
function removalOf(text: string, { start, end }: Span): TextEdit {
  const doubled = /[ \t]/.test(text[start - 1] ?? '') && /[ \t.,;:]/.test(text[end] ?? '');
  return { span: { start: doubled ? start - 1 : start, end }, newText: '' };
}
