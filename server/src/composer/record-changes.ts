/** Compares an invocation record with the skill files (docs/composer.md, "Replay"). */
import { isObject } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { SkillPackage } from '../skill/package.ts';
import type { ArtifactRef, InvocationRecord, SkillRef } from './composition.ts';
import { packagesOf, skillRef } from './record.ts';

/** The fields of a record that the comparison reads. */
export type ReadRecord = Pick<InvocationRecord, 'skillId' | 'skillVersion' | 'skills'> & {
  readonly usedArtifacts: readonly Pick<ArtifactRef, 'skill' | 'version' | 'id' | 'digest'>[];
};

/** A skill of the record or of the files: the same file, another text, or only on one side. */
export interface RecordedSkill {
  readonly state: 'unchanged' | 'changed' | 'missing' | 'added';
  readonly id: string;
  /** The version in the record; for an added skill, that of its file. */
  readonly version: string;
  /** The version of the file, if it is another one. */
  readonly newVersion: string | undefined;
  /** Undefined for a missing skill. */
  readonly uri: string | undefined;
  /** The used artifacts whose text has changed, or that are missing. */
  readonly artifacts: readonly { readonly id: string; readonly state: 'changed' | 'missing' }[];
}

/**
 * Returns the record in the output of `compose` or `run`, or the record itself; undefined if the value contains none.
 * Never throws.
 */
export function findRecord(output: Json): ReadRecord | undefined {
  const composition = isObject(output) && isObject(output.composition) ? output.composition : output;
  const record =
    isObject(composition) && isObject(composition.invocationRecord) ? composition.invocationRecord : output;
  if (!isObject(record)) return undefined;
  const { skillId, skillVersion, skills, usedArtifacts } = record;
  const isRecord =
    hasTexts(record, 'skillId', 'skillVersion') &&
    areAll(skills, 'id', 'version', 'digest') &&
    areAll(usedArtifacts, 'skill', 'version', 'id', 'digest');
  return isRecord ? ({ skillId, skillVersion, skills, usedArtifacts } as unknown as ReadRecord) : undefined;
}

const hasTexts = (value: Json, ...keys: readonly string[]): boolean =>
  isObject(value) && keys.every((key) => Object.hasOwn(value, key) && typeof value[key] === 'string');

const areAll = (list: Json | undefined, ...keys: readonly string[]): boolean =>
  Array.isArray(list) && list.every((item: Json) => hasTexts(item, ...keys));

/**
 * Returns the skills of a record in their order, then the skills that are now composed, too. `skillPackage` is the
 * package of the recorded skill; undefined if no file defines the skill. Never throws.
 */
export function recordChanges(
  { skills, usedArtifacts }: ReadRecord,
  skillPackage: SkillPackage | undefined,
): readonly RecordedSkill[] {
  const now = new Map((skillPackage ? packagesOf(skillPackage) : []).map((one) => [one, skillRef(one)]));
  const take = (fits: (ref: SkillRef) => boolean): SkillPackage | undefined => {
    const [found] = [...now].find(([, ref]) => fits(ref)) ?? [];
    if (found) now.delete(found);
    return found;
  };
  const pairs = new Map<SkillRef, SkillPackage>();
  // The closest files first, because a skill may be composed in several versions.
  for (const isFit of FITS) {
    for (const old of skills) {
      const found = pairs.has(old) ? undefined : take((ref) => isFit(old, ref));
      if (found) pairs.set(old, found);
    }
  }
  const compared = skills.map((old): RecordedSkill => {
    const { id, version, digest } = old;
    const file = pairs.get(old);
    if (!file) return { state: 'missing', id, version, newVersion: undefined, uri: undefined, artifacts: [] };
    const ref = skillRef(file);
    const own = usedArtifacts.filter((one) => one.skill === id && one.version === version);
    return {
      state: ref.digest === digest ? 'unchanged' : 'changed',
      ...{ id, version, uri: file.uri },
      newVersion: ref.version === version ? undefined : ref.version,
      artifacts: ref.digest === digest ? [] : changedArtifacts(own, file),
    };
  });
  const added = [...now].map(([{ uri }, { id, version }]): RecordedSkill => {
    return { state: 'added', id, version, newVersion: undefined, uri, artifacts: [] };
  });
  return [...compared, ...added];
}

const FITS: readonly ((old: SkillRef, now: SkillRef) => boolean)[] = [
  (old, now) => old.id === now.id && old.digest === now.digest,
  (old, now) => old.id === now.id && old.version === now.version,
  (old, now) => old.id === now.id,
];

function changedArtifacts(used: ReadRecord['usedArtifacts'], { artifacts }: SkillPackage): RecordedSkill['artifacts'] {
  return used.flatMap(({ id, digest }): RecordedSkill['artifacts'] => {
    const now = artifacts.find((one) => one.id === id);
    if (!now) return [{ id, state: 'missing' }];
    return now.digest === digest ? [] : [{ id, state: 'changed' }];
  });
}
