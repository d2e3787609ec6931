/** Cases of `evals/` as they are put to a model: the skill with the request of the case (docs/testing.md, "With a model"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { packageOf, surroundingsOf } from '../../analysis/package-of.ts';
import type { ComposeRequest, Composition } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { EvalCase } from '../../testing/evals.ts';
import type { Composing } from '../composing/composing.ts';

export interface ComposedCase {
  readonly request: ComposeRequest;
  readonly composition: Composition;
}

/** Undefined where there is no prompt to ask. Rejects where nothing can be composed. */
export async function composeCase(
  analysis: Analysis,
  { uri }: SkillFile,
  { name, prompt }: EvalCase,
  composing: Composing,
): Promise<ComposedCase | undefined> {
  const skillPackage = packageOf(analysis, uri);
  if (!skillPackage) return undefined;
  const surroundings = surroundingsOf(analysis, uri);
  const { request } = prepareRequest(skillPackage, surroundings, undefined, { request: prompt });
  const composed = await composing.compose(`eval ${name} of ${uri}`, request);
  if (composed === 'superseded' || !composed.result.ok) return undefined;
  return { request, composition: composed.result.composition };
}
