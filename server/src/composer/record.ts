/** Makes the invocation record: the used artifacts and the likely tool calls (docs/composer.md, step 8). */
import { nextPackages, type PackageArtifact, type PackageReference, type SkillPackage } from '../skill/package.ts';
import type { ArtifactRef, Assertion, ComposeRequest, Decision, InvocationRecord, SkillRef } from './composition.ts';
import type { Framing } from './find-framing.ts';

const UNVERSIONED = '0.0.0';

/**
 * Returns the artifacts that the decisions mark as taken, in the order of the decisions. These artifacts include the
 * approaches of composed skills (docs/composer.md, step 8).
 */
export function usedArtifacts(skillPackage: SkillPackage, decisions: readonly Decision[]): readonly ArtifactRef[] {
  const packages = new Map(packagesOf(skillPackage).map((one) => [one.uri, one]));
  return decisions.flatMap(({ uri, artifact: id, taken }) => {
    const owner = taken && id !== undefined ? packages.get(uri) : undefined;
    const artifact = owner?.artifacts.find((candidate) => candidate.id === id);
    if (!owner || !artifact) return [];
    const { kind, name, digest } = artifact;
    const { id: skill, version } = skillRef(owner);
    return [{ skill, id: artifact.id, kind, name, version, digest }];
  });
}

/** Returns the output checks that the skill's `used` artifacts declare, in the order of `used`. */
export const assertionsOf = ({ uri, artifacts }: SkillPackage, used: readonly ArtifactRef[]): readonly Assertion[] =>
  used.flatMap(({ id }) => {
    const artifact = artifacts.find((one) => one.id === id);
    return (artifact?.assertions ?? []).map(({ span, json, isInvalid }) => ({
      ...{ uri, span, artifact: id, assertion: json },
      ...(isInvalid && { isInvalid }),
    }));
  });

/** Returns the skill, then all skills of its closure, each once. */
function packagesOf(skillPackage: SkillPackage): readonly SkillPackage[] {
  const found = new Map<string, SkillPackage>();
  const open = [skillPackage];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next.uri)) continue;
    found.set(next.uri, next);
    open.push(...nextPackages(next).toReversed());
  }
  return [...found.values()];
}

const skillRef = ({ id, version, digest }: SkillPackage): SkillRef => ({
  id: id ?? '',
  version: version ?? UNVERSIONED,
  digest,
});

/**
 * Returns the tools to which the approach (or, without an approach, the framing) refers, each once, in the order of the
 * text; if the text refers to no tools, returns the approach's `tools` (docs/composer.md, step 8). Names that are not
 * in `available` are left out.
 */
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

/** Returns the record of an invocation, which may have failed (docs/composer.md, step 8). */
export const recordOf = (
  { skillPackage, invocationSource, threadId, channelId }: ComposeRequest,
  outcome: Pick<InvocationRecord, 'error' | 'usedArtifacts' | 'expectedToolCalls'>,
): InvocationRecord => ({
  skillId: skillRef(skillPackage).id,
  skillVersion: skillRef(skillPackage).version,
  skills: packagesOf(skillPackage).map(skillRef),
  invocationSource,
  threadId: threadId ?? null,
  channelId: channelId ?? null,
  ...outcome,
  succeeded: outcome.error === null,
});
