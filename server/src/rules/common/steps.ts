/** A walk over an execution block that knows, at every reference, which steps have run by then. */
import { Set as PersistentSet } from 'immutable';
import { findSkillEntry, type Named } from '../../skill/contract.ts';
import {
  type ExecutionNode,
  type ExecutionStep,
  readExecution,
  type StepReference,
} from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';

/** Persistent, since every reference keeps its own, and there may be thousands of steps. */
type Ran = PersistentSet<string>;

export interface VisitedReference extends StepReference {
  /** The steps that have run for certain when the reference is read. */
  readonly ran: Ran;
}

export interface Visit {
  readonly steps: readonly Named[];
  readonly references: readonly VisitedReference[];
}

/** Undefined where the document has no execution block. */
export function visitExecution(file: SkillFile): Visit | undefined {
  const entry = findSkillEntry(file.frontmatter.tree.root, 'execution');
  if (entry?.value.kind !== 'list') return undefined;
  const steps: Named[] = [];
  const references: VisitedReference[] = [];
  visitAll(readExecution(file.text, entry.value), PersistentSet(), steps, references);
  return { steps, references };
}

/** Visits steps in order; gives back what has run after the last one beyond what had run `before`. */
function visitAll(
  nodes: readonly ExecutionNode[],
  before: Ran,
  steps: Named[],
  references: VisitedReference[],
): readonly string[] {
  let ran = before;
  const added: string[] = [];
  const run = (names: readonly string[]) => {
    for (const name of names) added.push(name);
    ran = ran.union(names);
  };
  const note = (found: readonly StepReference[]) => {
    for (const reference of found) references.push({ ...reference, ran });
  };
  const visitStep = (step: ExecutionStep) => {
    note(step.references);
    note(step.condition?.references ?? []);
    steps.push(step.step);
  };
  for (const node of nodes) {
    if (node.kind === 'step') {
      visitStep(node);
      run([node.step.name]);
      continue;
    }
    if (node.kind === 'branch') {
      for (const arm of node.arms) note(arm.condition?.references ?? []);
      // A later step may use what an arm made: whether the arm runs is decided only at run time.
      run(node.arms.flatMap((arm) => visitAll(arm.steps, ran, steps, references)));
      continue;
    }
    if (node.kind === 'parallel') {
      // Steps side by side do not see one another.
      run(node.steps.flatMap((step) => visitAll([step], ran, steps, references)));
      continue;
    }
    const { until } = node;
    for (const step of until ? [...node.steps, until] : node.steps) visitStep(step);
    if (until) run([until.step.name]);
    // What is still needed is asked once `until` has ended.
    for (const { keepWhen } of node.steps) note(keepWhen?.references ?? []);
    run(node.steps.map(({ step }) => step.name));
  }
  return added;
}

/** Where an execution block names a step, alone or in a reference; the name itself. */
export function stepNames(file: SkillFile, name: string): readonly Span[] {
  const visit = visitExecution(file);
  const references = (visit?.references ?? []).filter(({ source }) => source === name);
  return [
    ...(visit?.steps ?? []).filter((step) => step.name === name).map(({ span }) => span),
    ...references.map(({ span: { start } }) => span(start + 1, start + 1 + name.length)),
  ];
}
