/** An `execution` block with all that running it needs (docs/format.md, section 4). Unknown forms are left out. */
import { findValue, jsonOf, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { namedOf, namesOf } from './contract.ts';
import type { PackageStep, Retry } from './package.ts';
import { readExpression } from './package-body.ts';

export function readSteps(text: string, node: YamlNode | undefined): readonly PackageStep[] {
  return node?.kind === 'list' ? node.items.flatMap((item) => readStep(text, item)) : [];
}

function readStep(text: string, item: YamlNode): readonly PackageStep[] {
  const value = (key: string): YamlNode | undefined => findValue(item, key);
  const { span } = item;
  const step = namedOf(value('step'));
  if (step) {
    const inputs = value('inputs');
    return [
      {
        kind: 'step',
        name: step.name,
        span: step.span,
        condition: readExpression(text, value('condition')),
        inputs: inputs && jsonOf(inputs),
        retry: readRetry(value('retry')),
      },
    ];
  }
  if (value('parallel')) return [{ kind: 'parallel', span, steps: readSteps(text, value('parallel')) }];
  if (value('speculate')) {
    return [{ kind: 'speculate', span, steps: readSteps(text, value('speculate')), until: namedOf(value('until')) }];
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
