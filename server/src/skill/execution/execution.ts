/** An `execution` block as a tree of steps (docs/format.md, section 4). Unknown forms are left out. */
import {
  findValue,
  isNull,
  listItems,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import type { Span } from '../../text.ts';
import { type Named, namedOf } from '../contract.ts';

/** `$input.x`, `$step.output`, `$step.output.x`; `span` is the whole reference. */
export interface StepReference {
  readonly span: Span;
  /** What stands behind the `$`: `input` or a step. */
  readonly source: string;
  readonly path: readonly string[];
}

/** A condition as it is written. */
export interface Guard {
  readonly source: string;
  readonly span: Span;
  readonly references: readonly StepReference[];
}

/** One step, wherever it stands: in a list of steps, in a speculation, or as what decides one. */
export interface ExecutionStep {
  readonly kind: 'step';
  readonly step: Named;
  readonly inputs: YamlMap | undefined;
  /** Those of `inputs`. */
  readonly references: readonly StepReference[];
  readonly condition: Guard | undefined;
  /** Of a speculated step: decides whether it is still needed once `until` has ended. */
  readonly keepWhen: Guard | undefined;
}

export type ExecutionNode =
  | ExecutionStep
  | { readonly kind: 'parallel'; readonly steps: readonly ExecutionNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly ExecutionArm[] }
  | { readonly kind: 'speculate'; readonly steps: readonly ExecutionStep[]; readonly until: ExecutionStep | undefined };

/** One arm of a `when`, or its `else`, which has no condition and comes last, also where it is not written. */
export interface ExecutionArm {
  readonly condition: Guard | undefined;
  readonly steps: readonly ExecutionNode[];
}

export function readExecution(text: string, node: YamlNode | undefined): readonly ExecutionNode[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => readNode(text, item));
}

function readNode(text: string, item: YamlNode): readonly ExecutionNode[] {
  const value = (key: string) => findValue(item, key);
  const step = readStep(text, item);
  if (step) return [step];
  if (value('parallel')) return [{ kind: 'parallel', steps: readExecution(text, value('parallel')) }];
  if (value('speculate')) {
    const steps = listItems(value('speculate')).flatMap((one) => readStep(text, one) ?? []);
    return [{ kind: 'speculate', steps, until: readUntil(text, value('until')) }];
  }
  const when = value('when');
  if (when?.kind !== 'list') return [];
  const arms = when.items.map((arm) => ({
    condition: readGuard(text, findValue(arm, 'condition')),
    steps: readExecution(text, findValue(arm, 'steps')),
  }));
  return [{ kind: 'branch', arms: [...arms, { condition: undefined, steps: readExecution(text, value('else')) }] }];
}

function readStep(text: string, item: YamlNode): ExecutionStep | undefined {
  const step = namedOf(findValue(item, 'step'));
  const inputs = findValue(item, 'inputs');
  return (
    step && {
      kind: 'step',
      step,
      inputs: inputs?.kind === 'map' ? inputs : undefined,
      references: referencesIn(text, inputs),
      condition: readGuard(text, findValue(item, 'condition')),
      keepWhen: readGuard(text, findValue(item, 'keep_when')),
    }
  );
}

/** `until: NAME`, or a step. */
function readUntil(text: string, node: YamlNode | undefined): ExecutionStep | undefined {
  const step = namedOf(node);
  return step
    ? { kind: 'step', step, inputs: undefined, references: [], condition: undefined, keepWhen: undefined }
    : node && readStep(text, node);
}

function readGuard(text: string, node: YamlNode | undefined): Guard | undefined {
  if (node?.kind !== 'scalar' || isNull(node)) return undefined;
  return { source: String(node.value).trim(), span: node.span, references: referencesIn(text, node) };
}

/** The same tree without places, as other files may know it: a speculation runs beside what decides it. */
export type PlanNode =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'parallel'; readonly steps: readonly PlanNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly (readonly PlanNode[])[] };

export const planOf = (nodes: readonly ExecutionNode[]): readonly PlanNode[] => nodes.map(planNodeOf);

function planNodeOf(node: ExecutionNode): PlanNode {
  if (node.kind === 'step') return { kind: 'step', step: node.step.name };
  if (node.kind === 'branch') return { kind: 'branch', arms: node.arms.map(({ steps }) => planOf(steps)) };
  const until = node.kind === 'speculate' && node.until ? [node.until] : [];
  return { kind: 'parallel', steps: planOf([...node.steps, ...until]) };
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
