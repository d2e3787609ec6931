/** Decisions on artifacts and on prose, as a composition lists them. */
import type { PackageArtifact, Passage } from '../skill/package.ts';
import { span } from '../text.ts';
import type { Decision } from './composition.ts';

export const artifactDecision = (
  uri: string,
  { headingSpan, name, id }: PackageArtifact,
  taken: boolean,
  reason: string,
): Decision => ({ subject: 'artifact', uri, span: headingSpan, name, artifact: id, taken, reason });

/** Prose that goes nowhere; `artifact` is the one in which it stands. */
export function proseDecision(uri: string, passage: Passage, reason: string, artifact?: PackageArtifact): Decision {
  const place = span(passage[0]?.span.start ?? 0, passage.at(-1)?.span.end ?? 0);
  const name = artifact?.name ?? 'text outside of artifacts';
  return { subject: 'prose', uri, span: place, name, artifact: artifact?.id, taken: false, reason };
}
