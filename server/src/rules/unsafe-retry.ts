import type { Analysis } from '../analysis/analysis.ts';
import type { Draft, Fix } from '../finding.ts';
import { formatScalar, insertEntry, setScalar } from '../languages/yaml/edit.ts';
import { findEntry, findValue, isNull, type YamlMap, type YamlNode } from '../languages/yaml/node.ts';
import { findSkillEntry, namedOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { composedSkills, nameOf, placeIn } from './common/composed-skills.ts';
import { addKey } from './common/insert-key.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const unsafeRetry: Rule = {
  name: 'unsafe-retry',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* checkSteps(analysis, file);
    const { root } = file.frontmatter.tree;
    const policy = findValue(root, 'policy');
    const attempts = attemptsOf(findValue(root, 'retry')) ?? attemptsOf(findValue(policy, 'retry'));
    if (!attempts || (policy && policy.kind !== 'map' && !isNull(policy)) || isRepeatable(policy)) return;
    yield {
      span: attempts.span,
      message:
        'Retrying may repeat side effects, and this skill is not declared idempotent. Add `policy.idempotent: true` or an `idempotency_key`.',
      fixes:
        policy?.kind === 'map'
          ? fixesOf(file, policy)
          : addKey(file, 'policy', '{idempotent: true}', 'Declare `idempotent: true`'),
    };
  },
};

/** Returns the number in a `retry` map that causes a retry; undefined without a retry. */
const attemptsOf = (retry: YamlNode | undefined): YamlNode | undefined =>
  aboveLimit(retry, 'attempts', 0) ?? aboveLimit(retry, 'max_attempts', 1);

/** Reports retries of steps whose skill writes and is not declared idempotent. */
function* checkSteps(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  if (execution?.kind !== 'list') return;
  const composed = new Map(composedSkills(analysis, file).map((composedSkill) => [composedSkill.step, composedSkill]));
  for (const step of stepsIn(execution)) {
    const attempts = attemptsOf(findValue(step, 'retry'));
    const composedSkill = attempts && composed.get(namedOf(findValue(step, 'step'))?.name ?? '');
    const writer = composedSkill && analysis.file(composedSkill.skill.uri);
    if (!attempts || !writer || composedSkill.skill.summary.operation !== 'WRITE') continue;
    const policy = findValue(writer.frontmatter.tree.root, 'policy');
    if (isRepeatable(policy)) continue;
    const name = nameOf(composedSkill.skill);
    yield {
      span: attempts.span,
      message: `Retrying may repeat side effects, and \`${name}\` has the operation \`WRITE\` and is not declared idempotent. Add \`policy.idempotent: true\` or an \`idempotency_key\` to it, or remove the retry.`,
      related: placeIn(
        analysis,
        composedSkill.skill,
        (contract) => contract.operation,
        `\`${name}\` has the operation \`WRITE\``,
      ),
      fixes:
        policy === undefined ? addKey(writer, 'policy', '{idempotent: true}', `Declare \`${name}\` idempotent`) : [],
    };
  }
}

/** Returns every step of an execution block, at any depth. */
function* stepsIn(node: YamlNode): Generator<YamlNode> {
  // Recursion could overflow the stack, because blocks may be nested very deep.
  const waiting = [node];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (findValue(at, 'step')) yield at;
    else if (at.kind === 'list') for (const item of [...at.items].reverse()) waiting.push(item);
    else if (at.kind === 'map') for (const { value } of [...at.entries].reverse()) waiting.push(value);
  }
}

function aboveLimit(retry: YamlNode | undefined, key: string, limit: number): YamlNode | undefined {
  const node = findValue(retry, key);
  return node?.kind === 'scalar' && typeof node.value === 'number' && node.value > limit ? node : undefined;
}

/**
 * Returns whether a policy declares that calls may be repeated. A value of a wrong type counts as true;
 * `invalid-policy` reports it.
 */
function isRepeatable(policy: YamlNode | undefined): boolean {
  const idempotent = findValue(policy, 'idempotent');
  const isFalse = idempotent?.kind === 'scalar' && (idempotent.value === false || idempotent.value === null);
  return (idempotent !== undefined && !isFalse) || namedOf(findValue(policy, 'idempotency_key')) !== undefined;
}

/**
 * Returns the fixes. If the author declares that the skill is not idempotent, the fix that adds `idempotency_key` is
 * first.
 */
function fixesOf(file: SkillFile, policy: YamlMap): readonly Fix[] {
  const { text, contract } = file;
  const declared = findEntry(policy, 'idempotent')?.value;
  const inputs = (contract.input?.schema.fields ?? []).map(({ name }) => `{${name}}`).join(':');
  const where = declared ? { after: 'idempotent' } : firstOf(policy);
  const key = inputs === '' ? [] : insertEntry(text, policy, 'idempotency_key', formatScalar(inputs, true), where);
  const declare =
    declared?.kind === 'scalar'
      ? setScalar(text, declared, true)
      : insertEntry(text, policy, 'idempotent', 'true', firstOf(policy));
  const fixes = [
    ...fixHere(file, 'Declare `idempotent: true`', declare),
    ...fixHere(file, 'Add an `idempotency_key` built from the inputs', key),
  ];
  return declared ? fixes.reverse() : fixes;
}

function firstOf({ entries: [first] }: YamlMap) {
  return first ? { before: String(first.key.value) } : {};
}
