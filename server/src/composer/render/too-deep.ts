/**
 * What the engine could follow only as far as the stack reaches, which differs from machine to machine and from run to
 * run: long chains of operators, filters and attributes, and of `elif`. It is refused before, at a bound that every stack
 * holds; 2.11 ends between 2,000 and 5,000 levels in Node.
 */
import type { Node } from '../../languages/minijinja/ast.ts';
import type { Expression } from '../../languages/minijinja/expression-ast.ts';
import { allNodes } from '../../languages/minijinja/nodes.ts';
import type { Span } from '../../text.ts';

/** How many operators, filters, attributes and the like one expression may apply to one another, and branches an `if` may have. */
export const MAX_LEVELS = 1_000;

/** The first tag that goes beyond. */
export function findTooDeep(nodes: readonly Node[]): Span | undefined {
  for (const node of allNodes(nodes)) {
    if (!isLong(node) || !('tag' in node)) continue;
    if (node.kind === 'if') {
      const [late] = node.branches.slice(MAX_LEVELS);
      const deep = node.branches.find(({ condition }) => isTooDeep(condition)) ?? late;
      if (deep) return deep.tag.span;
    } else if (expressionsOf(node).some(isTooDeep)) return node.tag.span;
  }
  return undefined;
}

/** Whether the tree of an expression is too high; nothing here may recurse either. */
export function isTooDeep(expression: Expression): boolean {
  const pending: { readonly part: unknown; readonly level: number }[] = [{ part: expression, level: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { part, level } = next;
    if (typeof part !== 'object' || part === null) continue;
    // A level takes a character at least, so that nearly all are passed over unseen.
    if ('span' in part && !isLong(part as { readonly span: Span }, MAX_LEVELS - level)) continue;
    if (level > MAX_LEVELS) return true;
    const below = 'kind' in part ? level + 1 : level;
    for (const inner of Object.values(part)) pending.push({ part: inner, level: below });
  }
  return false;
}

const isLong = ({ span }: { readonly span: Span }, than = MAX_LEVELS): boolean => span.end - span.start > than;

/** What stands in the tag itself. */
function expressionsOf(node: Node): readonly Expression[] {
  const { body: _body, otherwise: _otherwise, tag: _tag, ...own } = node as Node & Record<string, unknown>;
  return Object.values(own).flat().filter(isObject) as unknown as readonly Expression[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
