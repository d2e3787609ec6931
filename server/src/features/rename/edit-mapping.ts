/** Adds pairs to the mappings in `composes`, and removes them. */
import { formatScalar, insertEntry } from '../../languages/yaml/edit.ts';
import { findEntry, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { removeEntry } from '../../languages/yaml/remove.ts';
import type { ComposesEntry } from '../../skill/contract.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, contains, sliceOf, type TextEdit } from '../../text.ts';

export type MappingKey = 'input_mapping' | 'output_mapping';

const itemOf = ({ frontmatter }: SkillFile, entry: ComposesEntry): YamlNode | undefined => {
  const list = findSkillEntry(frontmatter.tree.root, 'composes')?.value;
  return list?.kind === 'list' ? list.items.find((item) => contains(item.span, entry.span)) : undefined;
};

const mappingOf = (entry: ComposesEntry, side: MappingKey): YamlMap | undefined =>
  side === 'input_mapping' ? entry.inputMapping : entry.outputMapping;

/** Adds `key: value` to an entry's mapping; nothing where that cannot be done without rewriting more. */
export function addPair(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
  value: string,
): readonly TextEdit[] {
  const { text } = file;
  const item = itemOf(file, entry);
  const mapping = mappingOf(entry, side);
  if (mapping) return insertEntry(text, mapping, key, formatScalar(value, true));
  const pair = `{${formatScalar(key, true)}: ${formatScalar(value, true)}}`;
  if (item?.kind === 'map') return insertEntry(text, item, side, pair);
  if (item?.kind !== 'scalar') return [];
  return [{ span: item.span, newText: `{skill: ${sliceOf(text, item.span)}, ${side}: ${pair}}` }];
}

/**
 * Removes a pair if adding it again would give the same bytes, so that a rename and its undoing leave the file as it was.
 * Undefined where the pair has to stay.
 */
export function dropPair(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
  value: string,
): readonly TextEdit[] | undefined {
  const { text, uri } = file;
  const index = file.contract.composes.indexOf(entry);
  return removals(file, entry, side, key).find((edits) => {
    if (edits.length === 0) return false;
    const without = new SkillFile(uri, applyEdits(text, edits));
    const same = without.contract.composes[index];
    if (!same || same.name !== entry.name) return false;
    const added = addPair(without, same, side, key, value);
    return added.length > 0 && applyEdits(without.text, added) === text;
  });
}

function removals(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
): readonly (readonly TextEdit[])[] {
  const { text } = file;
  const item = itemOf(file, entry);
  const mapping = mappingOf(entry, side);
  if (item?.kind !== 'map' || !mapping) return [];
  if (mapping.entries.length > 1) return [removeEntry(text, mapping, key)];
  const name = findEntry(item, 'skill')?.value;
  const bare = name && item.entries.length === 2 ? [{ span: item.span, newText: sliceOf(text, name.span) }] : [];
  return [bare, removeEntry(text, item, side)];
}
