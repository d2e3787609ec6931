/** Composes the declared samples of one skill, and says which failed for a reason that no other rule sees. */
import { findSampleFailures, type SampleOutcome } from '../../rules/sample-failures.ts';
import type { SampleFailure, WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Composing } from './composing.ts';
import { sampleRequests } from './sample-requests.ts';

/**
 * Undefined where nothing new is known: the file is no skill, its frontmatter does not parse, as in the midst of typing,
 * or `isStale` says so on the way. Rejects as `Composing` does.
 */
export async function composeSamples(
  composing: Composing,
  index: WorkspaceIndex,
  uri: string,
  isStale: () => boolean = () => false,
): Promise<readonly SampleFailure[] | undefined> {
  const document = index.documents.get(uri);
  if (!document?.isSkill || document.frontmatter.tree.broken) return undefined;
  const outcomes: SampleOutcome[] = [];
  for (const { sample, request } of sampleRequests(index, uri)) {
    const composed = await composing.compose(`sample ${sample} of ${uri}`, request, 'later');
    if (composed === 'superseded' || isStale()) return undefined;
    outcomes.push({ sample, errors: composed.result.ok ? [] : composed.result.errors });
  }
  return findSampleFailures(index, document, outcomes);
}
