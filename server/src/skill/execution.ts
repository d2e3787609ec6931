/** An `execution` block as a tree of steps (docs/format.md, section 4). Unknown forms are left out. */
import { findValue, isNull, type YamlMap, type YamlNode, type YamlScalar } from '../languages/yaml/node.ts';
import { sourceSpans } from '../languages/yaml/source-spans.ts';
import type { Span } from '../text.ts';
import { type Named, namedOf } from './contract.ts';

/** `$input.x`, `$step.output`, `$step.output.x`; `span` is the whole reference. */
export interface StepReference {
  readonly span: Span;
  /** What stands behind the `$`: `input` or a step. */
  readonly source: string;
  readonly path: readonly string[];
}

export type ExecutionNode =
  | {
      readonly kind: 'step';
      readonly step: Named;
      readonly references: readonly StepReference[];
      readonly inputs: YamlMap | undefined;
      /** True where a condition decides whether the step runs. */
      readonly isConditional: boolean;
    }
  | { readonly kind: 'parallel'; readonly steps: readonly ExecutionNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly ExecutionArm[] }
  | { readonly kind: 'speculate'; readonly steps: readonly ExecutionNode[]; readonly until: Named | undefined };

/** One arm of a `when`, or its `else`, which has no condition. */
export interface ExecutionArm {
  readonly references: readonly StepReference[];
  readonly steps: readonly ExecutionNode[];
}

export function readExecution(text: string, node: YamlNode | undefined): readonly ExecutionNode[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => readNode(text, item));
}

function readNode(text: string, item: YamlNode): readonly ExecutionNode[] {
  const value = (key: string) => findValue(item, key);
  const step = namedOf(value('step'));
  if (step) {
    const inputs = value('inputs');
    const condition = value('condition');
    return [
      {
        kind: 'step',
        step,
        references: [...referencesIn(text, inputs), ...referencesIn(text, condition)],
        inputs: inputs?.kind === 'map' ? inputs : undefined,
        isConditional: condition !== undefined && !isNull(condition),
      },
    ];
  }
  if (value('parallel')) return [{ kind: 'parallel', steps: readExecution(text, value('parallel')) }];
  if (value('speculate')) {
    return [{ kind: 'speculate', steps: readExecution(text, value('speculate')), until: namedOf(value('until')) }];
  }
  const when = value('when');
  if (when?.kind !== 'list') return [];
  const arms = when.items.map((arm) => ({
    references: referencesIn(text, findValue(arm, 'condition')),
    steps: readExecution(text, findValue(arm, 'steps')),
  }));
  return [{ kind: 'branch', arms: [...arms, { references: [], steps: readExecution(text, value('else')) }] }];
}

/** The same tree without places: the steps by name, as other files may know them. */
export type PlanNode =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'parallel'; readonly steps: readonly PlanNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly (readonly PlanNode[])[] }
  | { readonly kind: 'speculate'; readonly steps: readonly PlanNode[]; readonly until: string | undefined };

export const planOf = (nodes: readonly ExecutionNode[]): readonly PlanNode[] => nodes.map(planNodeOf);

function planNodeOf(node: ExecutionNode): PlanNode {
  if (node.kind === 'step') return { kind: 'step', step: node.step.name };
  if (node.kind === 'branch') return { kind: 'branch', arms: node.arms.map(({ steps }) => planOf(steps)) };
  const steps = planOf(node.steps);
  return node.kind === 'parallel' ? { kind: 'parallel', steps } : { kind: 'speculate', steps, until: node.until?.name };
}

const REFERENCE = /\$([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*)*)/g;

/** The references in a value, however deep. */
export function referencesIn(text: string, node: YamlNode | undefined): StepReference[] {
  if (node?.kind === 'list') return node.items.flatMap((item) => referencesIn(text, item));
  if (node?.kind === 'map') return node.entries.flatMap(({ value }) => referencesIn(text, value));
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  return referencesInScalar(text, node, node.value);
}

function referencesInScalar(text: string, node: YamlScalar, value: string): StepReference[] {
  const placeOf = sourceSpans(text, node);
  return [...value.matchAll(REFERENCE)].map((match) => ({
    span: placeOf(match.index, match.index + match[0].length),
    source: match[1] ?? '',
    path: (match[2] ?? '').split('.').filter((part) => part !== ''),
  }));
}
