import type { Draft } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue, nodeAt, stringOf, type YamlNode, type YamlScalar } from '../languages/yaml/node.ts';
import { removeItem } from '../languages/yaml/remove.ts';
import { namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { checkKeyTemplate } from './common/key-template.ts';
import { inUnitOf } from './common/policy-units.ts';
import { fixesOf, valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const invalidPolicy: Rule = {
  name: 'invalid-policy',
  code: 'invalid-policy',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file) {
    yield* checkShapes(file);
    const policy = findValue(file.frontmatter.tree.root, 'policy');
    if (policy?.kind !== 'map') return;
    yield* checkKeyTemplate(file, policy);
    yield* checkTimes(file, policy);
    yield* checkRetries(file, policy);
  },
};

/** Types and ranges; a value with a unit, `2s` or `5%`, is offered in the key's own. */
function* checkShapes(file: SkillFile): Iterable<Draft> {
  for (const { span, message, key, mends } of valueProblems(file, 'invalid-policy')) {
    const number = inUnitOf(key, file.text.slice(span.start, span.end));
    if (mends.length > 0 || number === undefined) yield { span, message, fixes: fixesOf(file, mends) };
    else {
      yield {
        span,
        message: `${message} In the unit of the key that would be \`${number}\`.`,
        fixes: [fixHere(file, `Replace with \`${number}\``, [{ span, newText: number }])],
      };
    }
  }
}

const PAIRS = [
  { low: 'p95_ms', high: 'p99_ms', why: '95 of 100 calls cannot take longer than 99 of them' },
  { low: 'p99_ms', high: 'timeout_ms', why: 'no call outlasts the timeout' },
  { low: 'p95_ms', high: 'timeout_ms', why: 'no call outlasts the timeout' },
] as const;

/** `p95 ≤ p99 ≤ timeout`. The last pair matters only where `p99_ms` is left out. */
function* checkTimes(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const times = {
    p95_ms: numberAt(policy, ['budget', 'p95_ms']),
    p99_ms: numberAt(policy, ['budget', 'p99_ms']),
    timeout_ms: numberAt(policy, ['timeout_ms']),
  };
  for (const { low, high, why } of PAIRS) {
    const [lower, upper] = [times[low], times[high]];
    if (!lower || !upper || lower.value <= upper.value || (low === 'p95_ms' && high === 'timeout_ms' && times.p99_ms))
      continue;
    const raise = fixHere(
      file,
      `Raise \`${high}\` to ${lower.node.source}`,
      setScalar(file.text, upper.node, lower.value),
    );
    const swap = fixHere(file, 'Swap the two', [
      ...setScalar(file.text, lower.node, upper.value),
      ...setScalar(file.text, upper.node, lower.value),
    ]);
    yield {
      span: lower.node.span,
      message: `\`${low}\` (${lower.node.source}) is above \`${high}\` (${upper.node.source}), but ${why}. Lower the one or raise the other.`,
      related: [{ uri: file.uri, span: upper.node.span, message: `\`${high}\` is set here.` }],
      fixes: high === 'p99_ms' ? [swap, raise] : [raise],
    };
  }
}

/** Finding the edit for each of very many codes would take long. */
const MAX_CODES = 200;

/** A retry of an error that its own declaration says no retry can help. */
function* checkRetries(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const retries = declaredRetries(findValue(file.frontmatter.tree.root, 'errors'));
  const codes = nodeAt(policy, ['retry', 'retry_on']);
  for (const [index, { name, span }] of namesOf(codes).entries()) {
    const retry = retries.get(name);
    if (!retry || stringOf(retry) !== 'never') continue;
    const edits = codes?.kind === 'list' && codes.items.length <= MAX_CODES ? removeItem(file.text, codes, index) : [];
    yield {
      span,
      message: `\`${name}\` is retried here, but the error says \`retry: never\`, that is, a retry cannot help. Remove it here, or change the error.`,
      related: [{ uri: file.uri, span: retry.span, message: `\`${name}\` says here that it is never retried.` }],
      fixes: edits.length > 0 ? [fixHere(file, `Do not retry on \`${name}\``, edits)] : [],
    };
  }
}

/** What each declared error says about retrying, by its code. */
function declaredRetries(errors: YamlNode | undefined): ReadonlyMap<string, YamlNode> {
  const items = errors?.kind === 'list' ? errors.items : [];
  return new Map(
    items.flatMap((item) => {
      const code = stringOf(findValue(item, 'code'));
      const retry = findValue(item, 'retry');
      return code !== undefined && retry ? [[code, retry] as const] : [];
    }),
  );
}

function numberAt(policy: YamlNode, path: readonly string[]): { node: YamlScalar; value: number } | undefined {
  const node = nodeAt(policy, path);
  // A negative time is reported for itself.
  if (node?.kind !== 'scalar' || typeof node.value !== 'number' || node.value < 0) return undefined;
  return { node, value: node.value };
}
