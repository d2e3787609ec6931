/** A value that swallowed the keys behind it because a line break was lost: `description: … . license: MIT`. */
import { mapEntries } from '../../../languages/yaml/node.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { lineBreakOf, lineStart, type Span, sliceOf, span, type TextEdit } from '../../../text.ts';
import { knownAgentSkillKeys } from '../../../vocabulary/agent-skill-lookup.ts';
import { tableOf } from '../../../vocabulary/tables.ts';

export interface SwallowedKeys {
  readonly names: readonly string[];
  /** Gives each of them a line of its own. */
  readonly edits: readonly TextEdit[];
}

/** More of a value is not looked at. */
const MAX_VALUE = 10_000;

/** The known keys within a value that YAML cannot read; undefined without any. */
export function findSwallowedKeys(file: SkillFile, value: Span): SwallowedKeys | undefined {
  const { text, frontmatter } = file;
  const written = sliceOf(text, value).slice(0, MAX_VALUE);
  const key = /^[ \t]*[\w-]+:[ \t]+$/.exec(text.slice(lineStart(text, value.start), value.start))?.[0];
  // Only a value at the margin: what is indented belongs to a map of its own.
  if (key === undefined || /^[ \t]/.test(key)) return undefined;
  const known = new Set(file.dialect === 'agent-skill' ? knownAgentSkillKeys() : tableOf(file.dialect).map(nameOf));
  for (const entry of mapEntries(frontmatter.tree.root)) known.delete(String(entry.key.value));
  const found = [...written.matchAll(/(\S)([ \t]+)([A-Za-z][\w-]*):(?=[ \t]|$)/g)].filter(
    ([, before, , name]) => known.has(name as string) && (isCompound(name as string) || endsSentence(before as string)),
  );
  if (found.length === 0) return undefined;
  const edits = found.map((match) => {
    const start = value.start + match.index + 1;
    return { span: span(start, start + (match[2] as string).length), newText: lineBreakOf(text) };
  });
  return { names: found.map((match) => match[3] as string), edits };
}

const nameOf = ({ name }: { readonly name: string }): string => name;

/** `allowed-tools` is no word of a sentence, which `version` may be. */
const isCompound = (name: string): boolean => /[-_]/.test(name);

const endsSentence = (character: string): boolean => /[.!?;)\]"'。！？]/.test(character);
