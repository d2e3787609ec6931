/** Composes the declared samples of one skill, and says which failed for a reason that no other rule sees. */
import type { Analysis } from '../../analysis/analysis.ts';
import { findSampleFailures, type SampleOutcome } from '../../rules/sample-failures.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import type { Composing } from './composing.ts';
import { sampleRequests } from './sample-requests.ts';

/**
 * Undefined where nothing new is known: the file is no skill, its frontmatter does not parse, as in the midst of typing,
 * or `isOutdated` says so on the way. Rejects as `Composing` does.
 */
export async function composeSamples(
  composing: Composing,
  analysis: Analysis,
  uri: string,
  isOutdated: () => boolean = () => false,
): Promise<readonly SampleFailure[] | undefined> {
  const file = analysis.file(uri);
  if (!file?.isSkill || file.frontmatter.tree.broken) return undefined;
  const outcomes: SampleOutcome[] = [];
  for (const { sample, request } of sampleRequests(analysis, uri)) {
    const composed = await composing.compose(`sample ${sample} of ${uri}`, request, 'later');
    if (composed === 'superseded' || isOutdated()) return undefined;
    outcomes.push({ sample, errors: composed.result.ok ? [] : composed.result.errors });
  }
  return findSampleFailures(analysis, file, outcomes);
}
