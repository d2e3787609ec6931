/** Evaluates conditions on an invocation, such as `include_when` (docs/format.md, section 5). */

import { parseExpression } from '../languages/minijinja/parser.ts';
import { type NameUse, resolveScopes } from '../languages/minijinja/scopes.ts';
import type { Json } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import {
  type FileSpan,
  hasLoop,
  type PackageArtifact,
  type PackageExpression,
  type SkillPackage,
} from '../skill/package.ts';
import { span } from '../text.ts';
import type { ComposeError, Decision } from './composition.ts';
import type { ConditionContext } from './prepare.ts';
import type { TemplateEngine } from './render/engine.ts';
import { evaluateCondition } from './render/explain.ts';
import type { Explanation } from './render/rendering.ts';
import { undefinedInExpression } from './undefined-names.ts';

type Evaluated =
  | { readonly ok: true; readonly holds: boolean }
  | { readonly ok: false; readonly message: string; readonly suggestion: string; readonly place: FileSpan };

/**
 * Evaluates a condition in the file `uri`; a missing condition counts as true. The `place` of a failure is the failing
 * part if the file contains the expression without escapes, otherwise the whole expression. Never throws.
 */
export function evaluate(
  engine: TemplateEngine,
  uri: string,
  expression: PackageExpression | undefined,
  context: ConditionContext,
): Evaluated {
  if (!expression) return { ok: true, holds: true };
  const result = evaluateCondition(engine, expression.source, context);
  return result.ok ? { ok: true, holds: result.value } : refused(uri, expression, result.failure);
}

/** Like `evaluate`, but a name that the skill does not define is an error even if the engine accepts it. */
export function evaluateStrictly(
  engine: TemplateEngine,
  skillPackage: SkillPackage,
  expression: PackageExpression | undefined,
  context: ConditionContext,
): Evaluated {
  const unknown = expression && undefinedInExpression(skillPackage, expression.source, context);
  return unknown
    ? refused(skillPackage.uri, expression, unknown)
    : evaluate(engine, skillPackage.uri, expression, context);
}

function refused(uri: string, expression: PackageExpression, failure: Explanation): Evaluated {
  const { message, suggestion, span: part } = failure;
  const { valueStart } = expression;
  return {
    ok: false,
    message,
    suggestion:
      suggestion === undefined
        ? 'Correct the condition, or pass the parameter that it reads.'
        : `Did you mean \`${suggestion}\`?`,
    place: {
      uri,
      span: valueStart === undefined ? expression.span : span(valueStart + part.start, valueStart + part.end),
    },
  };
}

export interface ApproachChoice {
  readonly taken: boolean;
  /** A clause without a period, as in `Decision`. */
  readonly reason: string;
}

/**
 * Returns the first Approach that `choose` accepts, with a decision on each Approach of the skill (docs/composer.md,
 * step 5). `choose` is not called for the Approaches after the chosen Approach.
 */
export function firstApproach(
  skillPackage: SkillPackage,
  choose: (artifact: PackageArtifact) => ApproachChoice,
): { readonly approach: PackageArtifact | undefined; readonly decisions: readonly Decision[] } {
  const { uri, artifacts } = skillPackage;
  let approach: PackageArtifact | undefined;
  const decide = (artifact: PackageArtifact): ApproachChoice => {
    if (!hasLoop(skillPackage)) return { taken: false, reason: 'this skill runs without a model' };
    return approach ? { taken: false, reason: `${approach.name} comes first` } : choose(artifact);
  };
  const decisions = artifacts.flatMap((artifact): readonly Decision[] => {
    if (artifact.kind !== 'Approach') return [];
    const choice = decide(artifact);
    if (choice.taken) approach = artifact;
    const { headingSpan, name, id } = artifact;
    return [{ uri, span: headingSpan, subject: 'approach', name, artifact: id, ...choice }];
  });
  return { approach, decisions };
}

/**
 * Returns the reason for a decision on an artifact: whether its condition `holds`, and the values in `context` that the
 * condition reads.
 */
export const conditionReason = ({ includeWhen }: PackageArtifact, holds: boolean, context: ConditionContext): string =>
  includeWhen ? conditionInWords(includeWhen.source, holds, context) : 'always included';

/** Returns the first Approach whose `include_when` holds, with an error for each condition that cannot be evaluated. */
export function chooseApproach(
  engine: TemplateEngine,
  skillPackage: SkillPackage,
  context: ConditionContext,
): ReturnType<typeof firstApproach> & { readonly errors: readonly ComposeError[] } {
  const errors: ComposeError[] = [];
  const chosen = firstApproach(skillPackage, (artifact) => {
    const result = evaluateStrictly(engine, skillPackage, artifact.includeWhen, context);
    if (result.ok) return { taken: result.holds, reason: conditionReason(artifact, result.holds, context) };
    errors.push(conditionError(artifact.id, result));
    return { taken: false, reason: 'its include_when fails' };
  });
  return { ...chosen, errors };
}

/**
 * Returns the error for a failed condition; `subject` is the ID of the artifact. A condition that cannot be evaluated
 * counts as a malformed template.
 */
export const conditionError = (
  subject: string,
  { message, suggestion, place }: Extract<Evaluated, { ok: false }>,
): ComposeError => ({ kind: 'MalformedTemplate', message, suggestion, subject, ...place });

// A condition with the values that decided it, as in the reason of a decision.

type Context = Readonly<Record<string, Json>>;

/**
 * The maximum number of values in a reason, and the maximum length of each in UTF-16 code units, so that the reason is
 * easy to read.
 */
const MOST_VALUES = 4;
const LONGEST = 60;

/**
 * Returns `include_when is true` or `include_when is false`, then the condition, then the names that the condition
 * reads, with their values.
 */
function conditionInWords(source: string, holds: boolean, context: Context): string {
  const { undefinedUses } = resolveScopes(parseExpression(source));
  const values = new Map(undefinedUses.flatMap((use) => pathWithValue(use, context)));
  const clauses = [...values].slice(0, MOST_VALUES).map(([name, value]) => `${code(name)} is ${code(inWords(value))}`);
  return [`include_when is ${holds}: ${code(source)}`, ...(clauses.length > 0 ? [listed(clauses)] : [])].join(', and ');
}

/**
 * Returns the path that one use of a variable reads, or the path's longest prefix that has a value, together with that
 * value.
 */
function pathWithValue({ name, role, path }: NameUse, context: Context): readonly (readonly [string, Json])[] {
  if (role !== 'read' || !Object.hasOwn(context, name)) return [];
  let value = context[name] as Json;
  let written = name;
  for (const step of path) {
    if (step.called || typeof value !== 'object' || value === null || !Object.hasOwn(value, step.name)) break;
    value = (value as Readonly<Record<string, Json>>)[step.name] as Json;
    written += step.kind === 'index' ? `[${step.name}]` : `.${step.name}`;
  }
  return [[written, value]];
}

const inWords = (value: Json): string =>
  typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value);

/** Shortens a string to one line and encloses it in backticks. */
function code(text: string): string {
  const line = text
    .slice(0, LONGEST * 2)
    .replaceAll('`', "'")
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}
