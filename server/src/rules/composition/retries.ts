/** The retries of a skill and of its steps (docs/format.md, section 2, "Retry"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { composedSkills, nameOf, placeIn, resolvedSkill } from '../../analysis/composed-skills.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { insertEntry, removeEntry, removeItem } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, type YamlEntry } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { findSkillEntry, namesOf } from '../../skill/contract.ts';
import { callsIn, readExecution } from '../../skill/execution/execution.ts';
import { attemptsEntry } from '../../skill/retry.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { retryKeys } from '../../vocabulary/composition-keys.ts';
import { RETRIED_FAILURES, RUN_FAILURES } from '../../vocabulary/known-names.ts';
import { keysMeant } from '../../vocabulary/shape.ts';
import { effectiveContract } from '../../workspace/effective-contract.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

export interface DeclaredRetry {
  /** The key `retry` with its value. */
  readonly entry: YamlEntry;
  /** The skill that is retried; undefined if it is unknown, or while files are still being read. */
  readonly skill: IndexedSkill | undefined;
}

/** Returns the retry of the skill, or the older retry of its policy, and the retries of its steps. */
export function retriesIn(analysis: Analysis, file: SkillFile): readonly DeclaredRetry[] {
  const { root } = file.frontmatter.tree;
  const own = findEntry(root, 'retry') ?? findEntry(findValue(root, 'policy'), 'retry');
  const calls = callsIn(readExecution(file.text, findSkillEntry(root, 'execution')?.value));
  const composed = new Map(composedSkills(analysis, file).map(({ step, skill }) => [step, skill]));
  return [
    ...(own ? [{ entry: own, skill: resolvedSkill(analysis, file) }] : []),
    ...calls.flatMap(({ step, retry }) => (retry ? [{ entry: retry, skill: composed.get(step.name) }] : [])),
  ];
}

/** The keys that set the number of attempts. A misspelt one explains that the number is missing. */
const meansAttempts = ({ key }: YamlEntry): boolean =>
  keysMeant(String(key.value), retryKeys).some((name) => name === 'max_attempts' || name === 'attempts');

/** Reports a retry without a number of attempts, and a number that another key replaces. */
export function* checkAttempts(file: SkillFile, { entry: { key, value } }: DeclaredRetry): Iterable<Draft> {
  if (value.kind !== 'map') return;
  const attempts = attemptsEntry(value);
  const replaced = findEntry(value, 'attempts');
  if (!attempts) {
    if (value.entries.some(meansAttempts)) return;
    const [first] = value.entries;
    const where = first ? { before: String(first.key.value) } : {};
    yield {
      severity: 'warning',
      span: key.span,
      message: 'This retry has no effect, because it has no `max_attempts`. Add it, for example `max_attempts: 3`.',
      fixes: fixHere(file, 'Add `max_attempts: 3`', insertEntry(file.text, value, 'max_attempts', '3', where)),
    };
  } else if (replaced && replaced !== attempts) {
    yield {
      severity: 'warning',
      span: replaced.key.span,
      message: '`attempts` has no effect, because `max_attempts` is set. Remove it.',
      fixes: fixHere(file, 'Remove `attempts`', removeEntry(file.text, value, 'attempts')),
    };
  }
}

/** The length of the longest list for which fixes are offered, because each fix visits the whole list. */
const MAX_CODES = 200;

/** Reports a code that is misspelt or unknown, and an error that declares `retry: never`. */
export function* checkCodes(analysis: Analysis, file: SkillFile, { entry, skill }: DeclaredRetry): Iterable<Draft> {
  const codes = findValue(entry.value, 'retry_on');
  const listed = namesOf(codes);
  if (!skill || listed.length === 0) return;
  const { errors } = effectiveContract([skill, ...analysis.graph.closureOf(skill)], analysis.operationOfTool);
  const own = new Map(skill.summary.errors.map(({ code, retry }) => [code, retry]));
  for (const [index, { name, span }] of listed.entries()) {
    if (own.get(name) === 'never') {
      // Without its last code, the list would mean all errors.
      const isShort = codes?.kind === 'list' && codes.items.length > 1 && codes.items.length <= MAX_CODES;
      yield {
        // The steps can run, although the error is not declared to be retried.
        ...(skill.uri === file.uri ? {} : { severity: 'warning' as const }),
        span,
        message: `\`${name}\` is retried here, but the error declares \`retry: never\`. Remove it here, or change the error.`,
        related: placeIn(
          analysis,
          skill,
          (contract) => contract.errors.find((error) => error.name === name)?.retry,
          `\`${name}\` declares \`retry: never\` here.`,
        ),
        fixes: fixHere(file, `Do not retry on \`${name}\``, isShort ? removeItem(file.text, codes, index) : []),
      };
    }
    if (RUN_FAILURES.get(name)?.isRetried === false && !errors.has(name)) {
      const isShort = codes?.kind === 'list' && codes.items.length > 1 && codes.items.length <= MAX_CODES;
      yield {
        severity: 'warning',
        span,
        message: `A run that fails with \`${name}\` is never retried. Remove the code.`,
        fixes: fixHere(file, `Do not retry on \`${name}\``, isShort ? removeItem(file.text, codes, index) : []),
      };
      continue;
    }
    // A skill that declares no errors may have any error, and an error may come from the transport.
    if (errors.size === 0 || errors.has(name) || RUN_FAILURES.has(name)) continue;
    const retryable = [...[...errors.keys()].filter((code) => own.get(code) !== 'never'), ...RETRIED_FAILURES];
    const near = index < MAX_CODES ? nearestNames(name, retryable) : [];
    const owner = skill.uri === file.uri ? 'this skill' : `\`${nameOf(skill)}\``;
    yield {
      severity: near.length > 0 ? 'warning' : 'hint',
      span,
      message: `Unknown error \`${name}\`.${didYouMean(near) || ` Add it to the \`errors\` of ${owner}, or remove it.`}`,
      fixes: replaceName(file, [span], near),
    };
  }
}
