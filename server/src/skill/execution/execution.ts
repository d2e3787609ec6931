/** Reads an `execution` as a tree of steps (docs/format.md, section 4). Skips unknown forms. */
import {
  findEntry,
  findValue,
  isNull,
  listItems,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import type { Span } from '../../text.ts';
import { type Named, namedOf } from '../contract.ts';
import { readRetry } from '../retry.ts';

/** `$input.x`, `$step.output`, `$step.output.x.y`; `span` is the whole reference. */
export interface StepReference {
  readonly span: Span;
  /** The name after the `$`: `input` or a step. */
  readonly source: string;
  /** The span of the source with its `$`. */
  readonly sourceSpan: Span;
  /** A condition, a value that is only the reference, or longer text. */
  readonly within: 'condition' | 'value' | 'text';
  readonly path: readonly Named[];
}

/** A condition of a step, as in the source. */
export interface Guard {
  readonly source: string;
  readonly span: Span;
  readonly references: readonly StepReference[];
}

/** A step that runs a skill: in a list of steps, in a speculation, or under `until`. */
export interface ExecutionStep {
  readonly kind: 'step';
  readonly step: Named;
  readonly inputs: YamlMap | undefined;
  /** The references in `inputs`. */
  readonly references: readonly StepReference[];
  readonly condition: Guard | undefined;
  /** The condition under which a speculated step is kept after `until` has ended. */
  readonly keepWhen: Guard | undefined;
  readonly retry: YamlEntry | undefined;
}

export type ExecutionNode =
  | ExecutionStep
  | { readonly kind: 'parallel'; readonly steps: readonly ExecutionNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly ExecutionArm[] }
  | { readonly kind: 'speculate'; readonly steps: readonly ExecutionStep[]; readonly until: ExecutionStep | undefined };

/** An arm of a `when`. The last arm is the `else`, which has no condition and exists even if the source has none. */
export interface ExecutionArm {
  readonly condition: Guard | undefined;
  readonly steps: readonly ExecutionNode[];
}

/**
 * Returns the steps of an `execution` in the file `text` (docs/format.md, section 4). Skips unknown forms; never
 * throws.
 */
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
      retry: findEntry(item, 'retry'),
    }
  );
}

/** Returns a step with nothing but its name. */
export const bareStep = (step: Named): ExecutionStep => ({
  kind: 'step',
  step,
  inputs: undefined,
  references: [],
  condition: undefined,
  keepWhen: undefined,
  retry: undefined,
});

/** Reads the step of `until`, which is a name or a step. */
function readUntil(text: string, node: YamlNode | undefined): ExecutionStep | undefined {
  const step = namedOf(node);
  return step ? bareStep(step) : node && readStep(text, node);
}

function readGuard(text: string, node: YamlNode | undefined): Guard | undefined {
  // A condition that is always true has no effect.
  if (node?.kind !== 'scalar' || isNull(node) || String(node.value).trim() === 'true') return undefined;
  return { source: String(node.value).trim(), span: node.span, references: referencesInGuard(text, node) };
}

/** Returns all steps that run a skill, at any depth, in order. Never throws. */
export const callsIn = (nodes: readonly ExecutionNode[]): readonly ExecutionStep[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'step') return [node];
    if (node.kind === 'branch') return node.arms.flatMap(({ steps }) => callsIn(steps));
    return [...callsIn(node.steps), ...(node.kind === 'speculate' && node.until ? [node.until] : [])];
  });

/**
 * The tree of steps without spans, for summaries. A speculation becomes a parallel group of its steps and its `until`.
 */
export type PlanNode =
  | {
      readonly kind: 'step';
      readonly step: string;
      /** The attempts of the step's own `retry`. */
      readonly attempts?: number;
    }
  | { readonly kind: 'parallel'; readonly steps: readonly PlanNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly (readonly PlanNode[])[] };

/** Returns a tree of steps without spans. */
export const planOf = (nodes: readonly ExecutionNode[]): readonly PlanNode[] => nodes.map(planNodeOf);

function planNodeOf(node: ExecutionNode): PlanNode {
  if (node.kind === 'step') {
    const attempts = readRetry(node.retry?.value)?.maxAttempts;
    return { kind: 'step', step: node.step.name, ...(attempts !== undefined && { attempts }) };
  }
  if (node.kind === 'branch') return { kind: 'branch', arms: node.arms.map(({ steps }) => planOf(steps)) };
  const until = node.kind === 'speculate' && node.until ? [node.until] : [];
  return { kind: 'parallel', steps: planOf([...node.steps, ...until]) };
}

/** A reference such as `$step.output.x`, with the source and the path as groups. A hyphen belongs to a name. */
export const REFERENCE = /\$([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*)*)/g;

/** Like `REFERENCE`. In a value, a name after a dot may begin with a digit. */
const REFERENCE_IN_VALUE = /\$([A-Za-z_][\w-]*)((?:\.\w[\w-]*)*)/g;

/**
 * A value that is only a reference, in letters of any script. In longer text, the letters after a reference may belong to
 * the text, because not all scripts separate words with spaces.
 */
const WHOLE_REFERENCE = /^\$([\p{L}_][\p{L}\p{M}\p{N}_-]*)((?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*)$/u;

/** A reference in a string, at an offset of the string. */
interface FoundReference {
  readonly index: number;
  readonly whole: string;
  readonly source: string;
  /** The path with its dots, such as `.output.x`. */
  readonly rest: string;
}

/** Returns the references in a condition, outside of its strings. Never throws. */
export const referencesInCondition = (source: string): readonly FoundReference[] =>
  matchesOf(withoutStrings(source), REFERENCE);

/**
 * Returns the references in a value of `inputs` (docs/format.md, section 4, "Execution"). In longer text, a `$` before a
 * word without a dot is text. Never throws.
 */
export function referencesInValue(value: string): readonly FoundReference[] {
  const [whole, source = '', rest = ''] = WHOLE_REFERENCE.exec(value.trim()) ?? [];
  if (whole !== undefined) return [{ index: value.indexOf('$'), whole, source, rest }];
  return matchesOf(value, REFERENCE_IN_VALUE).filter(({ rest: path }) => path !== '');
}

const matchesOf = (text: string, pattern: RegExp): readonly FoundReference[] =>
  [...text.matchAll(pattern)].map(({ index, 0: whole, 1: source = '', 2: rest = '' }) => {
    return { index, whole, source, rest };
  });

/** Replaces the strings in a condition with spaces, so that all offsets stay the same. */
function withoutStrings(source: string): string {
  if (!/["']/.test(source)) return source;
  let quote = '';
  let masked = '';
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? '';
    const isQuote = quote === '' ? character === '"' || character === "'" : character === quote;
    masked += quote === '' && !isQuote ? character : ' ';
    if (isQuote) quote = quote === '' ? character : '';
    else if (quote !== '' && character === '\\' && at + 1 < source.length) {
      masked += ' ';
      at++;
    }
  }
  return masked;
}

/** Returns the references `$step.output` in a value of the file `text`, at any depth. Never throws. */
export function referencesIn(text: string, node: YamlNode | undefined): StepReference[] {
  if (node?.kind === 'list') return node.items.flatMap((item) => referencesIn(text, item));
  if (node?.kind === 'map') return node.entries.flatMap(({ value }) => referencesIn(text, value));
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const { value } = node;
  const found = referencesInValue(value);
  const isWhole = found.length === 1 && found[0]?.whole === value.trim();
  return placed(text, node, found, isWhole ? 'value' : 'text');
}

/** Returns the references in a condition of the file `text`. Never throws. */
export const referencesInGuard = (text: string, node: YamlScalar): StepReference[] =>
  typeof node.value === 'string' ? placed(text, node, referencesInCondition(node.value), 'condition') : [];

function placed(
  text: string,
  node: YamlScalar,
  found: readonly FoundReference[],
  within: StepReference['within'],
): StepReference[] {
  const placeOf = sourceSpans(text, node);
  return found.map(({ index, whole, source, rest }) => {
    let at = index + 1 + source.length;
    const sourceSpan = placeOf(index, at);
    const path = rest.split('.').slice(1);
    return {
      span: placeOf(index, index + whole.length),
      source,
      sourceSpan,
      within,
      path: path.map((name) => {
        const start = at + 1;
        at = start + name.length;
        return { name, span: placeOf(start, at) };
      }),
    };
  });
}
