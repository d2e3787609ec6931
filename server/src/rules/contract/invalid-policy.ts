import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry, setScalar } from '../../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  nodeAt,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sliceOf } from '../../text.ts';
import { fixesOf, valueProblems } from '../any-file/shape-problems.ts';
import { checkAttempts, checkCodes, retriesIn } from '../composition/retries.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { checkLimits } from './call-limits.ts';
import { checkFallbacks } from './fallbacks.ts';
import { checkKeyTemplate } from './idempotency-key.ts';
import { inUnitOf } from './policy-units.ts';

export const invalidPolicy: Rule = {
  name: 'invalid-policy',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* checkShapes(file);
    yield* checkFallbacks(file, analysis);
    const { root } = file.frontmatter.tree;
    for (const retry of retriesIn(analysis, file)) {
      yield* checkAttempts(file, retry);
      yield* checkCodes(analysis, file, retry);
    }
    const policy = findValue(root, 'policy');
    if (policy?.kind !== 'map') return;
    yield* checkKeyTemplate(file, policy);
    yield* checkTimes(file, policy);
    yield* checkLimits(file, policy);
    const older = findEntry(policy, 'retry');
    if (older && findEntry(root, 'retry')) yield twoRetries(file, policy, older);
  },
};

/**
 * Reports values that have a wrong type or are out of range. The fix converts a value with a unit (`2s`, `5%`) to the
 * unit of the key.
 */
function* checkShapes(file: SkillFile): Iterable<Draft> {
  for (const { span, message, key, fixes } of valueProblems(file, 'invalid-policy')) {
    const number = inUnitOf(key, sliceOf(file.text, span));
    if (fixes.length > 0 || number === undefined) yield { span, message, fixes: fixesOf(file, fixes) };
    else {
      yield {
        span,
        message: `${message} Write \`${number}\`, in the unit of the key.`,
        fixes: fixHere(file, `Replace with \`${number}\``, [{ span, newText: number }]),
      };
    }
  }
}

const PAIRS = [
  { low: 'p95_ms', high: 'p99_ms' },
  { low: 'p99_ms', high: 'timeout_ms' },
  { low: 'p95_ms', high: 'timeout_ms' },
] as const;

/** Reports times that are not in the order `p95_ms ≤ p99_ms ≤ timeout_ms`. */
function* checkTimes(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const times = {
    p95_ms: numberAt(policy, ['budget', 'p95_ms']),
    p99_ms: numberAt(policy, ['budget', 'p99_ms']),
    timeout_ms: numberAt(policy, ['timeout_ms']),
  };
  for (const { low, high } of PAIRS) {
    const [lower, upper] = [times[low], times[high]];
    if (!lower || !upper || lower.value <= upper.value) continue;
    // If `p99_ms` is set, the two pairs with `p99_ms` cover this pair.
    if (low === 'p95_ms' && high === 'timeout_ms' && times.p99_ms) continue;
    const raised = setScalar(file.text, upper.node, lower.value);
    const raise = fixHere(file, `Raise \`${high}\` to ${lower.node.source}`, raised);
    const lowered = setScalar(file.text, lower.node, upper.value);
    const swap = fixHere(file, 'Swap the two', [...lowered, ...raised]);
    yield {
      span: lower.node.span,
      message: `\`${low}\` (${lower.node.source}) must not be greater than \`${high}\` (${upper.node.source}). Lower \`${low}\`, or raise \`${high}\`.`,
      related: [{ uri: file.uri, span: upper.node.span, message: `\`${high}\` is set here.` }],
      fixes: high === 'p99_ms' ? [...swap, ...raise] : raise,
    };
  }
}

function twoRetries(file: SkillFile, policy: YamlMap, { key }: YamlEntry): Draft {
  const newer = findSkillEntry(file.frontmatter.tree.root, 'retry');
  return {
    span: key.span,
    message:
      '`policy.retry` is an older spelling of `retry`, and both are set. Remove one of the two: `max_attempts` counts the first attempt, `attempts` does not.',
    related: newer ? [{ uri: file.uri, span: newer.key.span, message: '`retry` is set here.' }] : [],
    fixes: fixHere(file, 'Remove `policy.retry`', removeEntry(file.text, policy, 'retry')),
  };
}

function numberAt(policy: YamlNode, path: readonly string[]): { node: YamlScalar; value: number } | undefined {
  const node = nodeAt(policy, path);
  // `checkShapes` reports a negative time.
  if (node?.kind !== 'scalar' || typeof node.value !== 'number' || node.value < 0) return undefined;
  return { node, value: node.value };
}
