/** Fixes that map a value in the flow to a field. */

import type { MappingKey } from '../../analysis/data-flow/mappings.ts';
import { type Fix, fixHere } from '../../finding.ts';
import { formatScalar, insertEntry } from '../../languages/yaml/edit.ts';
import { findEntry, type YamlScalar } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineAt, lineBreakOf, lineEnd, sliceOf, span, type TextEdit } from '../../text.ts';

/**
 * Returns the fix that adds a pair to an entry's mapping, or no fix if the name is already mapped or the entry cannot
 * be edited.
 */
export function addMapping(file: SkillFile, entry: ComposesEntry, key: MappingKey, from: string, to: string): Fix[] {
  const edits = mappingEdits(file, entry, key, from, to);
  const what =
    key === 'input_mapping'
      ? `\`${from}\` to \`${to}\` of \`${entry.step}\``
      : `\`${from}\` of \`${entry.step}\` to \`${to}\``;
  return fixHere(file, `Map ${what}`, edits);
}

function mappingEdits(
  file: SkillFile,
  entry: ComposesEntry,
  key: MappingKey,
  from: string,
  to: string,
): readonly TextEdit[] {
  const { text } = file;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  const item = list?.kind === 'list' ? list.items.find((one) => contains(one.span, entry.span)) : undefined;
  if (!item || list?.kind !== 'list') return [];
  const pair = `{${formatScalar(from, true)}: ${formatScalar(to, true)}}`;
  if (item.kind === 'scalar') return list.flow ? wrapInFlow(text, item, key, pair) : wrapInBlock(file, item, key, pair);
  if (item.kind !== 'map') return [];
  const mapping = findEntry(item, key)?.value;
  if (!mapping) return insertEntry(text, item, key, pair, { after: findEntry(item, 'as') ? 'as' : 'skill' });
  if (mapping.kind === 'list' || findEntry(mapping, from)) return [];
  return insertEntry(text, mapping, from, formatScalar(to, true));
}

function wrapInFlow(text: string, { span: place }: YamlScalar, key: MappingKey, pair: string): readonly TextEdit[] {
  const source = sliceOf(text, place);
  return /^[*&!]/.test(source) ? [] : [{ span: place, newText: `{skill: ${source}, ${key}: ${pair}}` }];
}

function wrapInBlock(
  { text, lines }: SkillFile,
  { span: place }: YamlScalar,
  key: MappingKey,
  pair: string,
): readonly TextEdit[] {
  const line = lineAt(lines, place.start);
  const before = text.slice(lines[line], place.start);
  // An anchor or a tag before the name would then apply to the whole map.
  if (!/^ *(?:- +)+$/.test(before) || /^[*&!]/.test(text.slice(place.start)) || lineAt(lines, place.end) !== line)
    return [];
  const end = lineEnd(text, lines, line);
  const indent = ' '.repeat(before.length);
  return [
    { span: span(place.start, place.start), newText: 'skill: ' },
    { span: span(end, end), newText: `${lineBreakOf(text)}${indent}${key}: ${pair}` },
  ];
}
