/** Conditions over an invocation, as `include_when` has them (docs/format.md, section 5). */

import { parseExpression } from '../languages/minijinja/parser.ts';
import { resolveScopes, type Use } from '../languages/minijinja/scopes.ts';
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
import type { ComposeError, ComposeRequest, Decision } from './composition.ts';
import type { TemplateEngine } from './render/engine.ts';
import { evaluateCondition } from './render/explain.ts';
import type { Explanation } from './render/rendering.ts';
import { undefinedInExpression } from './undefined-names.ts';

export type ConditionContext = Readonly<Record<string, Json>>;

/**
 * Variables of conditions: the parameters by name, and `parameters`, `scope`, `source`, `model`. These four go before
 * parameters of their names, which are reached through `parameters`.
 */
export function conditionContext(
  parameters: Readonly<Record<string, Json>>,
  { channelId, invocationSource, model }: Pick<ComposeRequest, 'channelId' | 'invocationSource' | 'model'>,
): Record<string, Json> {
  return {
    ...parameters,
    parameters,
    scope: channelId === undefined ? 'workspace' : 'channel',
    source: invocationSource,
    model: model ?? null,
  };
}

type Evaluated =
  | { readonly ok: true; readonly holds: boolean }
  | { readonly ok: false; readonly message: string; readonly suggestion: string; readonly place: FileSpan };

/** Whether a condition holds; without one, always. A failure's place is the offending part, if the file has it letter by letter. */
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

/** The same, where a name that the skill does not have is an error also if the engine lets it pass. */
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
        ? 'Correct the condition, or give the parameter that it asks for.'
        : `Did you mean \`${suggestion}\`?`,
    place: {
      uri,
      span: valueStart === undefined ? expression.span : span(valueStart + part.start, valueStart + part.end),
    },
  };
}

export interface Choice {
  readonly taken: boolean;
  /** As in `Decision`. */
  readonly reason: string;
}

/** The first Approach that `choose` takes, with a decision on each; it is not asked about those behind. */
export function firstApproach(
  skillPackage: SkillPackage,
  choose: (artifact: PackageArtifact) => Choice,
): { readonly approach: PackageArtifact | undefined; readonly decisions: readonly Decision[] } {
  const { uri, artifacts } = skillPackage;
  let approach: PackageArtifact | undefined;
  const decide = (artifact: PackageArtifact): Choice => {
    if (!hasLoop(skillPackage)) return { taken: false, reason: 'no model works in this shape' };
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

/** Why an artifact's condition lets it be taken, or not. */
export const conditionReason = ({ includeWhen }: PackageArtifact, holds: boolean, context: ConditionContext): string =>
  includeWhen ? conditionInWords(includeWhen.source, holds, context) : 'it has no include_when';

/** The first Approach whose `include_when` holds; errors where a condition that had to be evaluated fails. */
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
    return { taken: false, reason: 'its include_when failed' };
  });
  return { ...chosen, errors };
}

/** A condition is an expression of the template language: one that fails is a malformed template. */
export const conditionError = (
  subject: string,
  { message, suggestion, place }: Extract<Evaluated, { ok: false }>,
): ComposeError => ({ kind: 'MalformedTemplate', message, suggestion, subject, ...place });

// A condition with the values that decided it, as the reason of a decision gives it.

type Context = Readonly<Record<string, Json>>;

/** More values, or longer ones, make a reason hard to read. */
const MOST_VALUES = 4;
const LONGEST = 60;

/** `include_when is false`, then the condition as written, and each name that it asks for with its value. */
function conditionInWords(source: string, holds: boolean, context: Context): string {
  const { free } = resolveScopes(parseExpression(source));
  const values = new Map(free.flatMap((use) => givenTo(use, context)));
  const told = [...values].slice(0, MOST_VALUES).map(([name, value]) => `${code(name)} is ${code(inWords(value))}`);
  return [`include_when is ${holds}: ${code(source)}`, ...(told.length > 0 ? [listed(told)] : [])].join(', and ');
}

/** The path that a use takes, as far as there is a value. */
function givenTo({ name, role, path }: Use, context: Context): readonly (readonly [string, Json])[] {
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

/** On one line, cut, and in backticks. */
function code(text: string): string {
  const line = text
    .slice(0, LONGEST * 2)
    .replaceAll('`', "'")
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}
