/** What runs side by side: a node where it begins, and one where all of it has ended. */
import type { Span } from '../../text.ts';
import type { ShapeContext } from './context.ts';
import { addNode, type OpenEdge, takeNumbered } from './graph.ts';

interface Group<Arm> {
  readonly kind: 'parallel' | 'speculate';
  readonly label: string;
  readonly span: Span;
  readonly arms: readonly Arm[];
  /** Adds an arm; one that adds nothing gives back the edges that it was given. */
  readonly add: (context: ShapeContext, open: readonly OpenEdge[], arm: Arm) => readonly OpenEdge[];
}

interface Added {
  /** The place of the group's first node. */
  readonly at: number;
  /** Where each arm ends; none for an arm that adds nothing. */
  readonly ends: readonly (readonly OpenEdge[])[];
  readonly open: readonly OpenEdge[];
}

export function addGroup<Arm>(context: ShapeContext, open: readonly OpenEdge[], group: Group<Arm>): Added {
  const { graph, skillPackage } = context;
  const { uri } = skillPackage;
  const { kind, label, span, arms, add } = group;
  const id = takeNumbered(graph, kind);
  const join = takeNumbered(graph, 'join');
  const at = graph.nodes.length;
  const start = addNode(graph, open, { id, kind, label, uri, span, join });
  const ends = sideBySide(context, arms, (own, arm) => {
    const done = add(own, start, arm);
    return done === start ? [] : done;
  });
  const all = ends.flat();
  const last = addNode(graph, all.length > 0 ? all : start, { id: join, kind: 'join', label: 'Join', uri, span });
  return { at, ends, open: last };
}

/** No arm knows the outputs of another; what follows may know all of them. */
export function sideBySide<Arm>(
  context: ShapeContext,
  arms: readonly Arm[],
  add: (context: ShapeContext, arm: Arm) => readonly OpenEdge[],
): readonly (readonly OpenEdge[])[] {
  const before = new Set(context.runtimeNames);
  return arms.map((arm) => {
    const own = { ...context, runtimeNames: new Set(before) };
    const ends = add(own, arm);
    for (const name of own.runtimeNames) context.runtimeNames.add(name);
    return ends;
  });
}
