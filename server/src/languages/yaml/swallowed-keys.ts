/** Finds keys that are inside a value because a line break is missing. */
import { lineBreakOf, lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { mapEntries, type YamlTree } from './node.ts';

/** Keys that are inside a value because a line break is missing: `description: … . license: MIT`. */
export interface SwallowedKeys {
  readonly names: readonly string[];
  /** Edits that put each key on its own line. */
  readonly edits: readonly TextEdit[];
}

/** The number of UTF-16 code units at the start of a value that are searched for keys. */
const MAX_VALUE = 10_000;

/**
 * Returns the `known` keys that are missing from the root map but are inside a value that YAML cannot read; undefined
 * if there are no such keys. `value` is a span in `text`. Never throws.
 */
export function findSwallowedKeys(
  text: string,
  { root }: YamlTree,
  value: Span,
  known: Iterable<string>,
): SwallowedKeys | undefined {
  const written = sliceOf(text, value).slice(0, MAX_VALUE);
  const key = /^[ \t]*[\w-]+:[ \t]+$/.exec(text.slice(lineStart(text, value.start), value.start))?.[0];
  // Only a value in the root map is searched: an indented key belongs to another map.
  if (key === undefined || /^[ \t]/.test(key)) return undefined;
  const missing = new Set(known);
  for (const entry of mapEntries(root)) missing.delete(String(entry.key.value));
  const found = [...written.matchAll(SWALLOWED)].filter(
    ({ groups: { before = '', name = '' } = {} }) => missing.has(name) && (isCompound(name) || endsSentence(before)),
  );
  if (found.length === 0) return undefined;
  const edits = found.map(({ index, groups: { before = '', gap = '' } = {} }) => {
    const start = value.start + index + before.length;
    return { span: span(start, start + gap.length), newText: lineBreakOf(text) };
  });
  return { names: found.map(({ groups }) => groups?.name ?? ''), edits };
}

/** A key after a space, or directly after the end of a sentence in scripts that have no space between sentences. */
const SWALLOWED = /(?<before>\S(?=[ \t])|[。！？])(?<gap>[ \t]*)(?<name>[A-Za-z][\w-]*):(?=[ \t]|$)/g;

/** Returns whether the key has several words. `allowed-tools` cannot be a word in a sentence; `version` can. */
const isCompound = (name: string): boolean => /[-_]/.test(name);

const endsSentence = (character: string): boolean => /[.!?;)\]"'。！？]/.test(character);
