/** The key `skills` of an agent, whose skills a client hands over before the task (docs/clients.md, "Agents"). */
import { findValue, listItems, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../../text.ts';

/** An item of `skills`. */
export interface PreloadedSkill {
  /** The item as it is written, without quotes. */
  readonly text: string;
  readonly span: Span;
  /** The name of a skill, with that of a plugin before it, if the item may be one. */
  readonly name: string | undefined;
}

/** The largest number of items that are read. */
const MAX_ITEMS = 200;

/** Returns the items of `skills` in text order: those of a list, or the words of a text. Never throws. */
export function skillsOfAgent(file: SkillFile): readonly PreloadedSkill[] {
  const value = findValue(file.frontmatter.tree.root, 'skills');
  const nodes = value?.kind === 'list' ? listItems(value) : value ? [value] : [];
  return nodes.flatMap((node) => itemsIn(file.text, node)).slice(0, MAX_ITEMS);
}

/** A word between commas and spaces, which separate the skills in a text. */
const WORD = /[^\s,"']+/g;

function itemsIn(text: string, node: YamlNode): readonly PreloadedSkill[] {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const written = sliceOf(text, node.span);
  // The words of a text with escapes or of a block are at other places than in its value.
  if (!written.includes(node.value)) return [];
  return [...written.matchAll(WORD)].slice(0, MAX_ITEMS).map(({ 0: word, index }) => {
    const start = node.span.start + index;
    return { text: word, span: span(start, start + word.length), name: isSkillName(word) ? word : undefined };
  });
}

const isSkillName = (word: string): boolean => !/[/\\*]|^[.:]|:$/.test(word);
