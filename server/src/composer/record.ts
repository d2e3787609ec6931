/** Makes the invocation record: the used artifacts and the read skills (docs/composer.md, step 8). */
import { nextPackages, type SkillPackage } from '../skill/package.ts';
import type { ArtifactRef, Assertion, ComposeRequest, Decision, InvocationRecord, SkillRef } from './composition.ts';

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
export function packagesOf(skillPackage: SkillPackage): readonly SkillPackage[] {
  const found = new Map<string, SkillPackage>();
  const open = [skillPackage];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next.uri)) continue;
    found.set(next.uri, next);
    open.push(...nextPackages(next).toReversed());
  }
  return [...found.values()];
}

/** Returns a skill as records list it. */
export const skillRef = ({ id, version, digest }: SkillPackage): SkillRef => ({
  id: id ?? '',
  version: version ?? UNVERSIONED,
  digest,
});

/** Returns the record of an invocation, which may have failed (docs/composer.md, step 8). */
export const recordOf = (
  { skillPackage, invocationSource, threadId, channelId }: ComposeRequest,
  outcome: Pick<InvocationRecord, 'error' | 'usedArtifacts' | 'expectedToolCalls' | 'declaredInterrupts'>,
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
