/** A walk over an execution block that knows, at every reference, which steps have run by then. */
import { findSkillEntry, type Named } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { type ExecutionNode, readExecution, type StepReference } from '../skill/execution.ts';

export interface VisitedReference extends StepReference {
  /** The steps that have run for certain when the reference is read. */
  readonly ran: ReadonlySet<string>;
}

export interface Visit {
  readonly steps: readonly Named[];
  readonly references: readonly VisitedReference[];
}

/** Undefined where the document has no execution block. */
export function visitExecution(document: SkillDocument): Visit | undefined {
  const entry = findSkillEntry(document.frontmatter.tree.root, 'execution');
  if (entry?.value.kind !== 'list') return undefined;
  const steps: Named[] = [];
  const references: VisitedReference[] = [];
  visitAll(readExecution(document.text, entry.value), new Set(), steps, references);
  return { steps, references };
}

/** Visits steps in order; gives back what has run after the last one. */
function visitAll(
  nodes: readonly ExecutionNode[],
  before: ReadonlySet<string>,
  steps: Named[],
  references: VisitedReference[],
): ReadonlySet<string> {
  let ran = before;
  const note = (found: readonly StepReference[]) => {
    for (const reference of found) references.push({ ...reference, ran });
  };
  for (const node of nodes) {
    if (node.kind === 'step') {
      note(node.references);
      steps.push(node.step);
      ran = new Set([...ran, node.step.name]);
      continue;
    }
    if (node.kind === 'branch') {
      for (const arm of node.arms) note(arm.references);
      // A later step may use what an arm made: whether the arm runs is decided only at run time.
      const after = node.arms.map((arm) => visitAll(arm.steps, ran, steps, references));
      ran = new Set(after.flatMap((names) => [...names]));
      continue;
    }
    // Steps side by side do not see one another.
    const after = node.steps.map((step) => visitAll([step], ran, steps, references));
    ran = new Set([...ran, ...after.flatMap((names) => [...names])]);
    if (node.kind === 'speculate' && node.until) steps.push(node.until);
  }
  return ran;
}
