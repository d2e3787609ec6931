/** Moves top-level keys of a `SKILL.md` under its `metadata`, as the texts that the standard wants there. */
import { formatScalar, insertEntry } from '../../../languages/yaml/edit.ts';
import { findEntry, type YamlEntry, type YamlMap, type YamlNode } from '../../../languages/yaml/node.ts';
import { removeEntry } from '../../../languages/yaml/remove.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { overlaps, type Span, sliceOf, span, type TextEdit } from '../../../text.ts';
import { nameOf } from './entries.ts';

export interface Move {
  /** The keys that move. A key whose value has no form as text stays where it is. */
  readonly moved: readonly string[];
  readonly edits: readonly TextEdit[];
}

/** More keys than this are not moved. */
const MAX_MOVED = 50;

const NOTHING: Move = { moved: [], edits: [] };

export function moveUnderMetadata(file: SkillFile, entries: readonly YamlEntry[]): Move {
  const { text, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (root?.kind !== 'map' || root.flow) return NOTHING;
  const metadata = findEntry(root, 'metadata')?.value;
  if (metadata && (metadata.kind !== 'map' || metadata.entries.length === 0)) return NOTHING;
  const moving = entries.slice(0, MAX_MOVED).flatMap((entry) => {
    const valueYaml = textOf(text, entry.value);
    const isFree = root.entries.filter((other) => nameOf(other) === nameOf(entry)).length === 1;
    if (valueYaml === undefined || !isFree || findEntry(metadata, nameOf(entry)) || hasComment(file, entry)) return [];
    return [{ entry, valueYaml }];
  });
  const removals = moving.flatMap(({ entry }) => removeEntry(text, root, nameOf(entry)));
  if (moving.length === 0 || removals.length !== moving.length) return NOTHING;
  const insertions = metadata ? into(text, metadata, moving) : below(text, root, moving);
  if (insertions.length === 0) return NOTHING;
  return { moved: moving.map(({ entry }) => nameOf(entry)), edits: [...insertions, ...removals] };
}

interface Moving {
  readonly entry: YamlEntry;
  readonly valueYaml: string;
}

const into = (text: string, metadata: YamlMap, moving: readonly Moving[]): readonly TextEdit[] =>
  moving.flatMap(({ entry, valueYaml }) => insertEntry(text, metadata, nameOf(entry), valueYaml));

/** A new `metadata` behind the last key that stays. */
function below(text: string, root: YamlMap, moving: readonly Moving[]): readonly TextEdit[] {
  const last = root.entries.filter((entry) => !moving.some((one) => one.entry === entry)).at(-1);
  if (!last) return [];
  const block = moving.map(({ entry, valueYaml }) => `\n  ${formatScalar(nameOf(entry), true)}: ${valueYaml}`).join('');
  return insertEntry(text, root, 'metadata', block, { after: nameOf(last) });
}

/** The value as YAML on one line that is a text to every reader; undefined where it has no such form. */
function textOf(text: string, value: YamlNode): string | undefined {
  if (value.kind === 'scalar') {
    if (value.value === null || value.style === 'literal' || value.style === 'folded') return undefined;
    const source = sliceOf(text, value.span);
    if (/[\r\n]/.test(source)) return undefined;
    return typeof value.value === 'string' ? source : `"${value.source}"`;
  }
  if (value.kind === 'map' || value.items.length === 0) return undefined;
  const words = value.items.map((item) => (item.kind === 'scalar' && item.value !== null ? String(item.value) : ''));
  return words.some((word) => word === '' || /[,\r\n]/.test(word)) ? undefined : formatScalar(words.join(', '));
}

/** A comment within or beside the entry would be lost. */
function hasComment({ text, frontmatter }: SkillFile, { span: place }: YamlEntry): boolean {
  const lineEnd = text.slice(place.end).search(/[\r\n]|$/);
  const lines: Span = span(place.start, place.end + lineEnd);
  return frontmatter.tree.comments.some((comment) => overlaps(comment.span, lines));
}
