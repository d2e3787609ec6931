/** A walk over an execution block that records the steps that have run before each reference. */
import { Set as PersistentSet } from 'immutable';
import { type Span, sliceOf, span } from '../../text.ts';
import { findSkillEntry, type Named } from '../contract.ts';
import type { SkillFile } from '../skill-file.ts';
import { type ExecutionNode, type ExecutionStep, type Guard, readExecution, type StepReference } from './execution.ts';

/** The names of steps that have run. The set is persistent, because every reference keeps its own version of it. */
type CompletedSteps = PersistentSet<string>;

export interface VisitedReference extends StepReference {
  /** The steps that have certainly run when the reference is read. */
  readonly ran: CompletedSteps;
}

export interface VisitedCondition {
  readonly span: Span;
  /** The steps that have certainly run when the condition is evaluated. */
  readonly ran: CompletedSteps;
}

export interface Visit {
  readonly steps: readonly Named[];
  readonly references: readonly VisitedReference[];
  readonly conditions: readonly VisitedCondition[];
}

/** Returns the steps and references of the execution block, in order, or undefined if the file has no such block. */
export function visitExecution(file: SkillFile): Visit | undefined {
  const entry = findSkillEntry(file.frontmatter.tree.root, 'execution');
  if (entry?.value.kind !== 'list') return undefined;
  const walk: StepWalk = { steps: [], references: [], conditions: [] };
  visitAll(readExecution(file.text, entry.value), PersistentSet(), walk);
  return walk;
}

interface StepWalk extends Visit {
  readonly steps: Named[];
  readonly references: VisitedReference[];
  readonly conditions: VisitedCondition[];
}

/**
 * Visits `nodes` in order, and returns the names of the steps that these nodes run. `before` contains the steps that
 * have already run.
 */
function visitAll(nodes: readonly ExecutionNode[], before: CompletedSteps, walk: StepWalk): readonly string[] {
  let ran = before;
  const added: string[] = [];
  const run = (names: readonly string[]) => {
    for (const name of names) added.push(name);
    ran = ran.union(names);
  };
  const note = (found: readonly StepReference[]) => {
    for (const reference of found) walk.references.push({ ...reference, ran });
  };
  const noteCondition = (guard: Guard | undefined) => {
    if (!guard) return;
    walk.conditions.push({ span: guard.span, ran });
    note(guard.references);
  };
  const visitStep = (step: ExecutionStep) => {
    note(step.references);
    noteCondition(step.condition);
    walk.steps.push(step.step);
  };
  for (const node of nodes) {
    if (node.kind === 'step') {
      visitStep(node);
      run([node.step.name]);
      continue;
    }
    if (node.kind === 'branch') {
      for (const arm of node.arms) noteCondition(arm.condition);
      // A later step may use the output of an arm, although it is known only at run time whether the arm runs.
      run(node.arms.flatMap((arm) => visitAll(arm.steps, ran, walk)));
      continue;
    }
    if (node.kind === 'parallel') {
      // Parallel steps cannot read each other's output.
      run(node.steps.flatMap((step) => visitAll([step], ran, walk)));
      continue;
    }
    const { until } = node;
    for (const step of node.steps) visitStep({ ...step, condition: undefined });
    if (until) {
      visitStep(until);
      run([until.step.name]);
    }
    // The `keep_when` conditions are evaluated after `until` has ended. A `condition` is meant as `keep_when`.
    for (const { keepWhen, condition } of node.steps) noteCondition(keepWhen ?? condition);
    run(node.steps.map(({ step }) => step.name));
  }
  return added;
}

/** Returns the spans of a step's name in the execution block, in steps and in references. */
export function stepNames(file: SkillFile, name: string): readonly Span[] {
  const visit = visitExecution(file);
  const references = (visit?.references ?? []).filter(({ source }) => source === name);
  return [
    ...(visit?.steps ?? []).filter((step) => step.name === name).map(({ span }) => span),
    // An alias has the references of its anchor, which are renamed there.
    ...references
      .filter(({ sourceSpan }) => sliceOf(file.text, sourceSpan) === `$${name}`)
      .map(({ sourceSpan: { start, end } }) => span(start + 1, end)),
  ];
}
