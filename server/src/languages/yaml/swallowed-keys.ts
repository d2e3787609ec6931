/** A value that swallowed the keys behind it because a line break was lost: `description: … . license: MIT`. */
import { lineBreakOf, lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { mapEntries, type YamlTree } from './node.ts';

export interface SwallowedKeys {
  readonly names: readonly string[];
  /** Gives each of them a line of its own. */
  readonly edits: readonly TextEdit[];
}

/** More of a value is not looked at. */
const MAX_VALUE = 10_000;

/** The keys within a value that YAML cannot read, of the `known` ones that stand nowhere else; undefined without any. */
export function findSwallowedKeys(
  text: string,
  { root }: YamlTree,
  value: Span,
  known: Iterable<string>,
): SwallowedKeys | undefined {
  const written = sliceOf(text, value).slice(0, MAX_VALUE);
  const key = /^[ \t]*[\w-]+:[ \t]+$/.exec(text.slice(lineStart(text, value.start), value.start))?.[0];
  // Only a value at the margin: what is indented belongs to a map of its own.
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

/** A key behind a blank, or right behind the end of a sentence in a script that writes no blank there. */
const SWALLOWED = /(?<before>\S(?=[ \t])|[。！？])(?<gap>[ \t]*)(?<name>[A-Za-z][\w-]*):(?=[ \t]|$)/g;

/** `allowed-tools` is no word of a sentence, which `version` may be. */
const isCompound = (name: string): boolean => /[-_]/.test(name);

const endsSentence = (character: string): boolean => /[.!?;)\]"'。！？]/.test(character);
