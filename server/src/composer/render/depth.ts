/**
 * Finds what is nested too deep for the engine: long chains of operators, filters and attributes, and of `elif`. The engine
 * follows them as far as the stack reaches, which differs between machines; this bound is below every stack.
 */
import type { Node } from '../../languages/minijinja/ast.ts';
import type { Expression } from '../../languages/minijinja/expression-ast.ts';
import { allNodes } from '../../languages/minijinja/nodes.ts';
import type { Span } from '../../text.ts';

/** How many operators, filters, attributes and the like one expression may apply to one another, and branches an `if` may have. */
export const MAX_DEPTH = 1_000;

/** The place of the first tag that goes beyond. */
export function findTooDeepTag(nodes: readonly Node[]): Span | undefined {
  for (const node of allNodes(nodes)) {
    if (!isLong(node) || !('tag' in node)) continue;
    if (node.kind === 'if') {
      const [late] = node.branches.slice(MAX_DEPTH);
      const deep = node.branches.find(({ condition }) => isTooDeep(condition)) ?? late;
      if (deep) return deep.tag.span;
    } else if (expressionsOf(node).some(isTooDeep)) return node.tag.span;
  }
  return undefined;
}

/** Whether the tree of an expression is too deep. Does not recurse itself. */
export function isTooDeep(expression: Expression): boolean {
  const pending: { readonly part: unknown; readonly depth: number }[] = [{ part: expression, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { part, depth } = next;
    if (typeof part !== 'object' || part === null) continue;
    // A level takes at least one character.
    if ('span' in part && !isLong(part as { readonly span: Span }, MAX_DEPTH - depth)) continue;
    if (depth > MAX_DEPTH) return true;
    const below = 'kind' in part ? depth + 1 : depth;
    for (const inner of Object.values(part)) pending.push({ part: inner, depth: below });
  }
  return false;
}

const isLong = ({ span }: { readonly span: Span }, than = MAX_DEPTH): boolean => span.end - span.start > than;

/** The expressions in the tag itself. */
function expressionsOf(node: Node): readonly Expression[] {
  const { body: _body, otherwise: _otherwise, tag: _tag, ...own } = node as Node & Record<string, unknown>;
  return Object.values(own).flat().filter(isObject) as unknown as readonly Expression[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
