/** What was used, what is likely to be called, and the invocation record (docs/composer.md, step 8). */
import type { PackageArtifact, PackageReference, SkillPackage } from '../skill/package.ts';
import type { ArtifactRef, ComposeRequest, InvocationRecord, Segment } from './composition.ts';
import type { Framing } from './find-framing.ts';

const UNVERSIONED = '0.0.0';

/** Exactly the artifacts whose text is in the prompt, in its order. */
export function usedArtifacts(
  { artifacts, version }: SkillPackage,
  segments: readonly Segment[],
): readonly ArtifactRef[] {
  const ids = new Set(
    segments.flatMap(({ artifact, kind }) => (artifact !== undefined && kind !== 'fixed' ? [artifact] : [])),
  );
  return [...ids].flatMap((id) => {
    const artifact = artifacts.find((candidate) => candidate.id === id);
    return artifact ? [{ id, kind: artifact.kind, name: artifact.name, version: version ?? UNVERSIONED }] : [];
  });
}

/** The tools that the approach names, in its order; without an approach those that the framing names. Each once. */
export function expectedToolCalls(
  { skillPackage }: ComposeRequest,
  framing: Framing,
  approach: PackageArtifact | undefined,
  available: readonly string[],
): readonly string[] {
  const inFraming = framing.kind === 'template' ? framing.template.references : skillPackage.proseReferences;
  const named = toolsIn(approach ? approach.references : inFraming);
  const sequence = named.length > 0 ? named : (approach?.tools ?? []).map(({ name }) => name);
  return [...new Set(sequence)].filter((name) => available.includes(name));
}

const toolsIn = (references: readonly PackageReference[]): readonly string[] =>
  references.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []));

/** What is recorded of every invocation, failed ones included. */
export const recordOf = (
  { skillPackage: { id, version }, invocationSource }: ComposeRequest,
  outcome: Pick<InvocationRecord, 'error' | 'usedArtifacts' | 'expectedToolCalls'>,
): InvocationRecord => ({
  skillId: id ?? '',
  skillVersion: version ?? UNVERSIONED,
  invocationSource,
  ...outcome,
  succeeded: outcome.error === null,
});
