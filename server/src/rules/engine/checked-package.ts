/** The skills that the composer refuses because of errors that `check` reports. */
import type { Analysis } from '../../analysis/analysis.ts';
import { promptNeeds } from '../../analysis/data-flow/prompt-needs.ts';
import { packageOf } from '../../analysis/package-of.ts';
import type { SkillPackage } from '../../skill/package.ts';
import type { Span } from '../../text.ts';
import {
  compositionFaults,
  faultsOfComposedSkill,
  firstFaultOfComposedSkill,
} from '../composition/composition-faults.ts';
import { rules } from './index.ts';

/**
 * Returns the package of the skill at `uri` with its faults (docs/composer.md, step 1); undefined if the index has no
 * such skill. Never throws.
 */
export const checkedPackageOf = (analysis: Analysis, uri: string): SkillPackage | undefined =>
  packageOf(analysis, uri, (file, isPart) =>
    (isPart ? faultsOfComposedSkill : compositionFaults)(analysis, file, rules),
  );

/** Returns the first fault of a skill or of a skill that it composes, because of which no invocation can succeed. */
export function firstFaultOf(
  analysis: Analysis,
  uri: string,
): { readonly uri: string; readonly span: Span; readonly message: string } | undefined {
  const skill = analysis.graph.skills.get(uri);
  for (const one of [uri, ...(skill ? analysis.graph.closureOf(skill).map((composed) => composed.uri) : [])]) {
    const fault = analysis.file(one) && firstFaultOfComposedSkill(analysis, one, rules);
    if (fault) return { uri: one, span: fault.span, message: fault.message };
  }
  return undefined;
}

/**
 * Returns a text that changes if the findings of the composites of a skill may change because of its body: no invocation of
 * the skill can succeed (`broken-composed-skill`), or its prompt needs an input.
 */
export const effectOnComposites = (analysis: Analysis, uri: string): string =>
  JSON.stringify([
    firstFaultOfComposedSkill(analysis, uri, rules) !== undefined,
    ...[...promptNeeds(analysis, uri).keys()].toSorted(),
  ]);
