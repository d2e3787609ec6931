/** Conditions over an invocation, as `include_when` writes them (skill-format.md, section 5). */

import type { Json } from '../languages/yaml/node.ts';
import type { PackageArtifact, PackageExpression, Place, SkillPackage } from '../skill/package.ts';
import { span } from '../text.ts';
import type { ComposeError, ComposeRequest, Decision } from './composition.ts';
import { evaluateCondition } from './render.ts';

export type ConditionContext = Readonly<Record<string, Json>>;

/**
 * Variables of conditions: the parameters by name, and `parameters`, `scope`, `source`, `model`. A parameter that is
 * called like one of these four is reached through `parameters`, they could be reached in no other way.
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

export type Judgement =
  | { readonly ok: true; readonly holds: boolean }
  | { readonly ok: false; readonly message: string; readonly suggestion: string; readonly place: Place };

/** Whether a condition holds; without one, always. A failure's place is the offending part, where it stands there letter by letter. */
export function judge(uri: string, expression: PackageExpression | undefined, context: ConditionContext): Judgement {
  if (!expression) return { ok: true, holds: true };
  const result = evaluateCondition(expression.source, context);
  if (result.ok) return { ok: true, holds: result.value };
  const { valueStart } = expression;
  const { start, end } = result.failure.span;
  return {
    ok: false,
    message: result.failure.message,
    suggestion:
      result.failure.suggestion === undefined
        ? 'Correct the condition, or give the parameter that it asks for.'
        : `Did you mean \`${result.failure.suggestion}\`?`,
    place: { uri, span: valueStart === undefined ? expression.span : span(valueStart + start, valueStart + end) },
  };
}

/** The first Approach whose `include_when` holds; decisions for all; errors where a condition that had to be judged fails. */
export function chooseApproach(
  { uri, artifacts }: SkillPackage,
  context: ConditionContext,
): { approach: PackageArtifact | undefined; decisions: Decision[]; errors: ComposeError[] } {
  const decisions: Decision[] = [];
  const errors: ComposeError[] = [];
  let approach: PackageArtifact | undefined;
  for (const artifact of artifacts) {
    if (artifact.kind !== 'Approach') continue;
    const decide = (taken: boolean, reason: string) => decisions.push(approachDecision(uri, artifact, taken, reason));
    if (approach) {
      decide(false, `${approach.name} comes first`);
      continue;
    }
    const judgement = judge(uri, artifact.includeWhen, context);
    if (!judgement.ok) {
      decide(false, 'its include_when failed');
      errors.push(conditionError(artifact.id, judgement));
    } else if (judgement.holds) {
      approach = artifact;
      decide(true, artifact.includeWhen ? 'include_when was true' : 'it has no include_when');
    } else decide(false, 'include_when was false');
  }
  return { approach, decisions, errors };
}

export const approachDecision = (uri: string, artifact: PackageArtifact, taken: boolean, reason: string): Decision => ({
  uri,
  span: artifact.headingSpan,
  subject: 'approach',
  name: artifact.name,
  artifact: artifact.id,
  taken,
  reason,
});

/** A condition is an expression of the template language: one that fails is a malformed template. */
export const conditionError = (subject: string, judgement: Extract<Judgement, { ok: false }>): ComposeError => ({
  kind: 'MalformedTemplate',
  message: judgement.message,
  suggestion: judgement.suggestion,
  subject,
  ...judgement.place,
});
