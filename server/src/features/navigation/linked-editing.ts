/** Linked editing of the two names in `{% block x %}…{% endblock x %}`. */
import type { Range } from 'vscode-languageserver-types';
import type { Node, Template } from '../../languages/minijinja/ast.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span, touches } from '../../text.ts';
import type { Locate } from '../locate.ts';
import { findTemplate } from '../symbol/template-values.ts';

export function linkedEditingRanges(
  file: SkillFile,
  offset: number,
  locate: Locate,
): { readonly ranges: Range[]; readonly wordPattern: string } | null {
  const here = findTemplate(file, offset);
  const pair = here && findPair(file.text, here.template, here.template.nodes, offset);
  if (!pair) return null;
  return { ranges: pair.map((place) => locate.range(file, place)), wordPattern: '[A-Za-z_]\\w*' };
}

function findPair(
  text: string,
  template: Template,
  nodes: readonly Node[],
  offset: number,
): readonly [Span, Span] | undefined {
  for (const node of nodes) {
    if (!('body' in node) || !touches(node.span, offset)) continue;
    if (node.kind === 'block' || node.kind === 'macro') {
      const end = endName(text, template, node.span.end);
      const isPair = end && sliceOf(text, end) === node.name.text;
      if (isPair && (touches(node.name.span, offset) || touches(end, offset))) return [node.name.span, end];
    }
    const inside = findPair(text, template, node.body.nodes, offset);
    if (inside) return inside;
  }
  return undefined;
}

/** Returns the name in the closing tag that ends at the offset `end`, if the tag has a name. */
function endName(text: string, { tags }: Template, end: number): Span | undefined {
  const tag = tags.find((one) => one.span.end === end);
  const source = tag && sliceOf(text, tag.content);
  const match = source ? /^\s*end(?:block|macro)\s+([A-Za-z_]\w*)\s*$/.exec(source) : undefined;
  if (!tag || !match?.[1] || !source) return undefined;
  const start = tag.content.start + source.lastIndexOf(match[1]);
  return span(start, start + match[1].length);
}
