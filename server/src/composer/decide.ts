/** Decisions on artifacts, as a composition lists them. */
import type { PackageArtifact } from '../skill/package.ts';
import type { Decision } from './composition.ts';

export const artifactDecision = (
  uri: string,
  { headingSpan, name, id }: PackageArtifact,
  taken: boolean,
  reason: string,
): Decision => ({ subject: 'artifact', uri, span: headingSpan, name, artifact: id, taken, reason });
