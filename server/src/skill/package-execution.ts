/** An `execution` block with all that running it needs (docs/format.md, section 4). Unknown forms are left out. */
import { findValue, jsonOf, listItems, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { namedOf, namesOf } from './contract.ts';
import type { PackageCall, PackageStep, Retry } from './package.ts';
import { readExpression } from './package-body.ts';

export function readSteps(text: string, node: YamlNode | undefined): readonly PackageStep[] {
  return node?.kind === 'list' ? node.items.flatMap((item) => readStep(text, item)) : [];
}

function readStep(text: string, item: YamlNode): readonly PackageStep[] {
  const value = (key: string): YamlNode | undefined => findValue(item, key);
  const { span } = item;
  const call = readCall(text, item);
  if (call) return [call];
  if (value('parallel')) return [{ kind: 'parallel', span, steps: readSteps(text, value('parallel')) }];
  if (value('speculate')) {
    const steps = listItems(value('speculate')).flatMap((one) => readCall(text, one) ?? []);
    return [{ kind: 'speculate', span, steps, until: readUntil(text, value('until')) }];
  }
  const when = value('when');
  if (when?.kind !== 'list') return [];
  const arms = when.items.map((arm) => ({
    condition: readExpression(text, findValue(arm, 'condition')),
    steps: readSteps(text, findValue(arm, 'steps')),
  }));
  const otherwise = value('else');
  const last = otherwise ? [{ condition: undefined, steps: readSteps(text, otherwise) }] : [];
  return [{ kind: 'branch', span, arms: [...arms, ...last] }];
}

function readCall(text: string, item: YamlNode): PackageCall | undefined {
  const step = namedOf(findValue(item, 'step'));
  const inputs = findValue(item, 'inputs');
  return (
    step && {
      kind: 'step',
      name: step.name,
      span: step.span,
      condition: readExpression(text, findValue(item, 'condition')),
      keepWhen: readExpression(text, findValue(item, 'keep_when')),
      inputs: inputs && jsonOf(inputs),
      retry: readRetry(findValue(item, 'retry')),
    }
  );
}

function readUntil(text: string, node: YamlNode | undefined): PackageCall | undefined {
  const step = namedOf(node);
  if (!step) return node && readCall(text, node);
  const { name, span } = step;
  return { kind: 'step', name, span, condition: undefined, keepWhen: undefined, inputs: undefined, retry: undefined };
}

/** `max_attempts` counts the first try, `attempts` does not. */
export function readRetry(node: YamlNode | undefined): Retry | undefined {
  if (node?.kind !== 'map') return undefined;
  const again = numberOf(findValue(node, 'attempts'));
  const maxAttempts = numberOf(findValue(node, 'max_attempts')) ?? (again === undefined ? undefined : again + 1);
  if (maxAttempts === undefined || maxAttempts < 2) return undefined;
  return {
    maxAttempts,
    backoff: stringOf(findValue(node, 'backoff')),
    retryOn: namesOf(findValue(node, 'retry_on')).map(({ name }) => name),
  };
}
