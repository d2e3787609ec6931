/** New frontmatter keys, where the format's own order has them. */
import type { Fix } from '../../finding.ts';
import { insertEntry } from '../../languages/yaml/edit.ts';
import { isNull } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';
import { skillKeys } from '../../vocabulary/skill-keys.ts';
import { fixHere } from '../rule.ts';

/** Adds a top-level key behind the last one that goes before it in the format's order, or its value where it is empty. */
export function insertKey({ text, frontmatter }: SkillFile, key: string, valueYaml: string): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  // `null` or `~`, which the key replaces.
  if (root && isNull(root) && root.span.start < root.span.end) {
    return [{ span: root.span, newText: `${key}: ${valueYaml}` }];
  }
  if (!root || isNull(root)) return insertEntry(text, frontmatter.content, key, valueYaml);
  if (root.kind !== 'map') return [];
  const empty = findSkillEntry(root, key)?.value;
  if (empty?.kind === 'scalar' && empty.value === null) {
    const { start, end } = empty.span;
    return [{ span: empty.span, newText: start === end && text[start - 1] === ':' ? ` ${valueYaml}` : valueYaml }];
  }
  const earlier = skillKeys.slice(
    0,
    skillKeys.findIndex(({ name }) => name === key),
  );
  const previous = earlier.reverse().find(({ name }) => findSkillEntry(root, name));
  const anchor = previous && findSkillEntry(root, previous.name);
  const [first] = root.entries;
  if (anchor) return insertEntry(text, root, key, valueYaml, { after: String(anchor.key.value) });
  return insertEntry(text, root, key, valueYaml, first ? { before: String(first.key.value) } : {});
}

/** The fix that adds `key: value`; none where there is no place for it. */
export const addKey = (file: SkillFile, key: string, valueYaml: string, title?: string): Fix[] =>
  fixHere(file, title ?? `Add \`${key}: ${valueYaml}\``, insertKey(file, key, valueYaml));
