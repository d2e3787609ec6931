/** The declared samples of a skill as requests to the composer. */
import type { Analysis } from '../../analysis/analysis.ts';
import { packageOf, surroundingsOf } from '../../analysis/package-of.ts';
import type { ComposeRequest } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';

export interface SampleRequest {
  readonly sample: string;
  readonly request: ComposeRequest;
}

/** The first `most` of them; none where the file declares no samples, or cannot be read. */
export function sampleRequests(
  analysis: Analysis,
  uri: string,
  most = Number.POSITIVE_INFINITY,
): readonly SampleRequest[] {
  if (!analysis.index.files.get(uri)?.hasSamples) return [];
  const skillPackage = packageOf(analysis, uri);
  if (!skillPackage) return [];
  const surroundings = surroundingsOf(analysis, uri);
  const names = new Set(skillPackage.samples.map(({ name }) => name));
  return [...names].slice(0, most).map((sample) => ({
    sample,
    request: prepareRequest(skillPackage, surroundings, sample).request,
  }));
}
