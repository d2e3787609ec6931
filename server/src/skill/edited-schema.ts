/** Schemas of a file that is being edited: one whose text is unchanged is not read again, even where it has moved. */
import { ParsedSchema } from '../languages/schema/parsed-schema.ts';
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import type { YamlNode, YamlTree } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { SkillContract } from './contract.ts';

/** Reads a schema, or takes it over from the file before the edit. */
export function schemaReader(
  text: string,
  tree: YamlTree,
  before: {
    readonly text: string;
    readonly head: { readonly frontmatter: Frontmatter; readonly contract: SkillContract };
  },
): (node: YamlNode, side: 'input' | 'output') => Schema {
  return (node, side) => {
    const { contract, frontmatter } = before.head;
    const known = contract[side]?.schema;
    const isKnown =
      known instanceof ParsedSchema &&
      !tree.broken &&
      !frontmatter.tree.broken &&
      withLine(text, node.span) === withLine(before.text, known.span);
    return isKnown && !refersOutside(text, node.span)
      ? known.movedBy(node.span.start - known.span.start)
      : parseSchema(node);
  };
}

/**
 * The text of a node from the beginning of its line, by which its first key is indented, to where the next text begins: a
 * block of text may end with empty lines.
 */
function withLine(text: string, { start, end }: Span): string {
  const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  let next = end;
  while (next < text.length && /\s/.test(text[next] as string)) next++;
  return text.slice(line, next);
}

/** An alias refers to a node that is written somewhere else. */
const refersOutside = (text: string, { start, end }: Span): boolean => text.slice(start, end).includes('*');
