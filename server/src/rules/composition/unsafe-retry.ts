import type { Analysis } from '../../analysis/analysis.ts';
import { nameOf, placeIn } from '../../analysis/composed-skills.ts';
import type { Fix, RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatScalar, insertEntry, setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, type Json, type YamlMap } from '../../languages/yaml/node.ts';
import type { SkillContract } from '../../skill/contract.ts';
import { addKey } from '../../skill/insert-key.ts';
import { attemptsOf } from '../../skill/retry.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { operationRank, strongestOperation } from '../../workspace/effective-contract.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { retriesIn } from './retries.ts';

/** Reports a retry of a skill that writes, or may write, and is not idempotent. */
export const unsafeRetry: Rule = {
  name: 'unsafe-retry',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2, "Retry"' },
  dialects: SKILLS,
  *check(file, analysis) {
    for (const { entry, skill } of retriesIn(analysis, file)) {
      const attempts = attemptsOf(entry.value);
      if (!skill || !attempts || attempts.max < 2) continue;
      const { span } = attempts.node;
      const writer = findWriter(analysis, skill);
      if (writer) {
        const { by, why, related } = writer;
        const [who, where] = by.uri === file.uri ? ['this skill', ''] : [`\`${nameOf(by)}\``, ` in \`${nameOf(by)}\``];
        const message = `Retrying may repeat side effects: ${who} ${why} and is not declared idempotent. Add \`policy.idempotent: true\` or an \`idempotency_key\`${where}.`;
        yield { span, message, related, fixes: fixesOf(analysis.file(by.uri)) };
      } else if (skill.uri === file.uri && !isRepeatable(skill.summary.policy) && !isKnown(analysis, skill)) {
        const message =
          'Retrying may repeat side effects if this skill writes. Declare `operation` or `policy.idempotent: true`.';
        yield { severity: 'hint', span, message, fixes: fixesOf(file) };
      }
    }
  },
};

/** A skill that writes and is not idempotent. */
interface Writer extends Writes {
  readonly by: IndexedSkill;
}

interface Writes {
  /** A verb phrase, such as: has the operation `WRITE`. */
  readonly why: string;
  readonly related: readonly RelatedLocation[];
}

/**
 * Returns the first skill in the closure of `root` that writes and is not idempotent. An idempotent skill includes the
 * skills that it composes.
 */
function findWriter(analysis: Analysis, root: IndexedSkill): Writer | undefined {
  const seen = new Set([root.uri]);
  const waiting = [root];
  // The list grows during the iteration.
  for (const by of waiting) {
    if (isRepeatable(by.summary.policy)) continue;
    const writes = findWrites(analysis, by);
    if (writes) return { by, ...writes };
    for (const { skill } of analysis.graph.composedSkillsOf(by)) {
      if (!seen.has(skill.uri)) waiting.push(skill);
      seen.add(skill.uri);
    }
  }
  return undefined;
}

/**
 * Returns how the skill itself writes, without its composed skills. A composite must declare the operation and the
 * effects of its composed skills, so its own declaration counts only if none of them writes.
 */
function findWrites(analysis: Analysis, by: IndexedSkill): Writes | undefined {
  const { graph, operationOfTool } = analysis;
  const { summary } = by;
  const tool = summary.tools.find((name) => operationOfTool(by.uri, name) === 'WRITE');
  if (tool !== undefined) {
    const why = `may call the tool \`${tool}\` with the operation \`WRITE\``;
    return {
      why,
      related: placeIn(
        analysis,
        by,
        ({ tools }) => tools.find(({ name }) => name === tool),
        `\`${nameOf(by)}\` ${why}`,
      ),
    };
  }
  const closure = graph.closureOf(by);
  const isDeclared = summary.operation === 'WRITE';
  if (isDeclared && strongestOperation(closure, operationOfTool)?.name !== 'WRITE') {
    const why = 'has the operation `WRITE`';
    return { why, related: placeIn(analysis, by, ({ operation }) => operation, `\`${nameOf(by)}\` ${why}`) };
  }
  if (isDeclared || !mutates(by) || closure.some(mutates)) return undefined;
  const why = 'has the effect `Mutate`';
  const effect = ({ effects }: SkillContract) => effects.find(({ name }) => name === 'Mutate');
  return { why, related: placeIn(analysis, by, effect, `\`${nameOf(by)}\` ${why}`) };
}

const mutates = ({ summary }: IndexedSkill): boolean => summary.effects.includes('Mutate');

/** Returns whether it is known what the skill itself does: it declares this, or all its tools have an operation. */
function isKnown({ operationOfTool }: Analysis, { uri, summary }: IndexedSkill): boolean {
  const { dialect, operation, declaresEffects, tools, composes, isTool } = summary;
  if (operationRank(operation) >= 0 || declaresEffects) return true;
  // A model without tools can only answer, and a composite without tools only runs its composed skills.
  const hasOnlyTools = dialect === 'composer' || composes.length > 0 || tools.length > 0;
  return !isTool && hasOnlyTools && tools.every((tool) => operationOfTool(uri, tool) !== undefined);
}

/**
 * Returns whether a policy declares that calls may be repeated. A value of a wrong type counts as true;
 * `invalid-policy` reports it.
 */
function isRepeatable(policy: Json): boolean {
  if (policy === null) return false;
  if (typeof policy !== 'object' || Array.isArray(policy)) return true;
  const { idempotent = null, idempotency_key: key = null } = policy as Readonly<Record<string, Json>>;
  return (idempotent !== null && idempotent !== false) || (key !== null && typeof key !== 'object');
}

/**
 * Returns the fixes in the file of the skill that writes. If the author declares that the skill is not idempotent, the
 * fix that adds `idempotency_key` is first.
 */
function fixesOf(file: SkillFile | undefined): readonly Fix[] {
  if (!file) return [];
  const { text, contract, frontmatter } = file;
  const policy = findValue(frontmatter.tree.root, 'policy');
  if (policy?.kind !== 'map') return addKey(file, 'policy', '{idempotent: true}', 'Declare `idempotent: true`');
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
