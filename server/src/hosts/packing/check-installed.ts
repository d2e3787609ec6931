/** Whether what lies there is what the lock says, and what it may do otherwise (docs/installing.md, "Checking"). */
import { type CapabilityChange, capabilityChanges } from '../../packing/difference.ts';
import { futureOf } from '../../packing/future.ts';
import { surveyOf } from '../../packing/survey.ts';
import { isUnreadableSkill } from '../../packing/unit.ts';
import type { Index } from '../../workspace/workspace-index.ts';
import { type Installed, openLock, readInstalled } from './installed.ts';
import { type Place, uriAt } from './place.ts';

export interface CheckedSkill {
  readonly name: string;
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly state: 'edited' | 'missing' | 'added' }[];
  readonly changes: readonly CapabilityChange[];
}

export async function checkInstalled(place: Place, index: Index): Promise<readonly CheckedSkill[]> {
  const { lock } = await openLock(place);
  const installed = await readInstalled(place, lock);
  const readable = installed.filter(({ file }) => file && !isUnreadableSkill(file));
  const units = readable.map(({ unit }) => unit);
  const future = futureOf(index, units, [], (path) => uriAt(place, path));
  const byUri = new Map(units.map((unit) => [unit.uri, unit]));
  return installed.map(({ key, before, unit, file }) => {
    const skill = byUri.has(unit.uri) ? future.graph.skills.get(unit.uri) : undefined;
    const digests = new Map(unit.files.map(({ path, digest }) => [path, digest]));
    const changes: readonly CapabilityChange[] = skill
      ? capabilityChanges(
          future,
          unit.uri,
          { capabilities: before.capabilities, digests: before.files },
          { capabilities: surveyOf(future, skill, byUri).capabilities, digests },
        )
      : file
        ? [{ kind: 'other', text: 'its frontmatter is not valid YAML, so nobody can say what it may do' }]
        : [];
    return { name: key, path: before.path, files: filesOf(before.files, digests), changes };
  });
}

function filesOf(locked: Installed['before']['files'], now: ReadonlyMap<string, string>): CheckedSkill['files'] {
  const paths = [...new Set([...locked.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => {
    const [before, digest] = [locked.get(path), now.get(path)];
    if (before === digest) return [];
    return [{ path, state: digest === undefined ? 'missing' : before === undefined ? 'added' : 'edited' } as const];
  });
}

export const isAsLocked = ({ files, changes }: CheckedSkill): boolean => files.length === 0 && changes.length === 0;
