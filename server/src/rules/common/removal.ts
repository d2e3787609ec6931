/** Taking a name out again: an item of a list, or a reference in prose. */
import type { Fix } from '../../finding.ts';
import type { YamlList, YamlNode } from '../../languages/yaml/node.ts';
import { removeItem } from '../../languages/yaml/remove.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, type TextEdit } from '../../text.ts';
import { fixHere } from '../rule.ts';

/** Removes the item that holds `place` from the list under a frontmatter key. */
export function removeFromList(file: SkillFile, key: string, place: Span, title: string): Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, key)?.value;
  if (list?.kind !== 'list') return [];
  return removeFrom(file, list, place, title);
}

export function removeFrom(file: SkillFile, list: YamlList, place: Span, title: string): Fix[] {
  const item = list.items.findIndex((candidate: YamlNode) => contains(candidate.span, place));
  return item < 0 ? [] : [fixHere(file, title, removeItem(file.text, list, item))];
}

/** Removes a `#kind:name` reference together with one blank that it leaves doubled. */
export function removeReference({ text }: SkillFile, { start, end }: Span): TextEdit {
  const doubled = /[ \t]/.test(text[start - 1] ?? '') && /[ \t.,;:]/.test(text[end] ?? '');
  return { span: { start: doubled ? start - 1 : start, end }, newText: '' };
}
