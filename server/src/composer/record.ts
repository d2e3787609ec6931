/** What was used, what is likely to be called, and the invocation record (docs/composer.md, step 8). */
import type { PackageArtifact, PackageReference, SkillPackage } from '../skill/package.ts';
import type { ArtifactRef, Assertion, ComposeRequest, Decision, InvocationRecord, SkillRef } from './composition.ts';
import type { Framing } from './find-framing.ts';

const UNVERSIONED = '0.0.0';

/** The artifacts that the decisions call taken, in their order: those of the skill, and approaches of composed skills. */
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

/** The checks on an output that the used artifacts of the skill declare, in their order. */
export const assertionsOf = ({ uri, artifacts }: SkillPackage, used: readonly ArtifactRef[]): readonly Assertion[] =>
  used.flatMap(({ id }) => {
    const artifact = artifacts.find((one) => one.id === id);
    return (artifact?.assertions ?? []).map(({ span, json }) => ({ uri, span, artifact: id, assertion: json }));
  });

/** The skill, and behind it all that it composes at any depth, each once. */
function packagesOf(skillPackage: SkillPackage): readonly SkillPackage[] {
  const found = new Map<string, SkillPackage>();
  const open = [skillPackage];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next.uri)) continue;
    found.set(next.uri, next);
    const composed = next.composes.flatMap((entry) => (typeof entry.package === 'string' ? [] : [entry.package]));
    open.push(...composed.reverse());
  }
  return [...found.values()];
}

const skillRef = ({ id, version, digest }: SkillPackage): SkillRef => ({
  id: id ?? '',
  version: version ?? UNVERSIONED,
  digest,
});

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
