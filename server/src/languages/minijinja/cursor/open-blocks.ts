/** The blocks that are open at a place: those that an end tag there could close. */
import type { Node, Template, TemplateExpression } from '../ast.ts';
import { BLOCK_KINDS } from '../keywords.ts';
import { bodiesOf } from '../nodes.ts';
import type { OpenBlock } from './model.ts';

/** `offset` is where a tag begins. */
export function openBlocksAt(parsed: Template | TemplateExpression, offset: number): readonly OpenBlock[] {
  const open: OpenBlock[] = [];
  let nodes: readonly Node[] = parsed.kind === 'template' ? parsed.nodes : [];
  for (;;) {
    const node = nodes.find((candidate) => candidate.kind in BLOCK_KINDS && isOpenAt(candidate, offset));
    if (node === undefined) return open;
    const kind = BLOCK_KINDS[node.kind as keyof typeof BLOCK_KINDS];
    const bodies = bodiesOf(node);
    const within = bodies.findLastIndex(({ span }) => span.start <= offset);
    const inElse =
      (node.kind === 'if' || node.kind === 'for') && node.otherwise !== undefined && within === bodies.length - 1;
    open.push({
      kind,
      span: node.span,
      name: node.kind === 'block' || node.kind === 'macro' ? node.name.text : undefined,
      takesElse: (kind === 'if' || kind === 'for') && !inElse,
      takesElif: kind === 'if' && !inElse,
    });
    nodes = bodies[within]?.nodes ?? [];
  }
}

/** Open from behind the opening tag up to the end of the closing one. */
function isOpenAt(node: Node, offset: number): boolean {
  return 'tag' in node && node.tag.span.end <= offset && offset <= node.span.end && !isBehind(node, offset);
}

/** Behind a closing tag nothing is open; a block without one reaches as far as its body. */
function isBehind(node: Node, offset: number): boolean {
  return offset === node.span.end && bodiesOf(node).at(-1)?.span.end !== node.span.end;
}
