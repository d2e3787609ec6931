/** Writes planned conversions of skills (docs/sharing.md). */
import { toUserError, UserError, userMessage } from '../../io/user-error.ts';
import { MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { fileDigest } from '../../skill/origin.ts';
import type { FolderAccess } from './folder-access.ts';
import type { Emitting, PlannedSkill } from './plan-skills.ts';

/**
 * Writes all plans or nothing, and returns the paths of the written and of the removed files. Throws a `UserError` for a
 * plan with a problem that `force` does not override.
 */
export async function writePlans(
  { folder }: Pick<Emitting, 'folder'>,
  plans: readonly PlannedSkill[],
  force: boolean,
): Promise<{ readonly written: readonly string[]; readonly removed: readonly string[] }> {
  const refused = plans.find(({ problem, isForcible }) => problem !== undefined && !(force && isForcible));
  if (refused) {
    const problem = `Not converted: ${refused.problem}`;
    throw new UserError(problem, [problem, refused.advice].join(' ').trim());
  }
  const change = {
    write: plans.flatMap(({ write }) => write),
    same: plans.flatMap(({ same }) => same),
    remove: plans.flatMap(({ remove }) => remove),
  };
  const cannot = (error: unknown): never => {
    throw toUserError(error, (reason) => `Not converted: ${reason}.`);
  };
  const links = plans.flatMap(({ link }) => link ?? []);
  const undo = links.length > 0 ? await folder.links?.write(links).catch(cannot) : undefined;
  if (change.write.length + change.remove.length > 0) {
    const done = await folder
      .write(change, () => isUnchanged(folder, plans))
      .catch(async (error: unknown) => {
        await undo?.();
        return cannot(error);
      });
    if (done === 'changed') {
      await undo?.();
      throw new UserError('Not converted: another program changed the target in the meantime. Convert again.');
    }
  }
  return { written: [...links, ...change.write].map(({ path }) => path), removed: change.remove };
}

/**
 * Writes the plans without a problem, and those whose problem `forces` overrides. Returns the plans as they are now,
 * with the problems of writing. Throws no `UserError`.
 */
export async function writeWithoutProblems(
  emitting: Pick<Emitting, 'folder' | 'shown'>,
  planned: readonly PlannedSkill[],
  forces: (plan: PlannedSkill) => boolean,
): Promise<readonly PlannedSkill[]> {
  const plans = planned.map((plan): PlannedSkill => {
    const { problem, advice: _, ...rest } = plan;
    return problem !== undefined && plan.isForcible && forces(plan) ? rest : plan;
  });
  const isFree = ({ problem }: PlannedSkill): boolean => problem === undefined;
  const write = (some: readonly PlannedSkill[]): Promise<string | undefined> =>
    writePlans(emitting, some, false).then(() => undefined, userMessage);
  const free = plans.filter(isFree);
  const first = await write(free);
  if (first === undefined) return plans;
  // Writes the others although one of the targets cannot be written.
  const done: PlannedSkill[] = [];
  for (const plan of plans) {
    const problem = !isFree(plan) ? undefined : free.length === 1 ? first : await write([plan]);
    done.push(problem === undefined ? plan : { ...plan, state: 'failed', path: emitting.shown(plan.path), problem });
  }
  return done;
}

async function isUnchanged(folder: FolderAccess, plans: readonly PlannedSkill[]): Promise<boolean> {
  for (const { before } of plans) {
    for (const [path, digest] of before) {
      const read = await folder.read(path, MAX_ENTRY_BYTES);
      if ((typeof read === 'object' ? fileDigest(read.bytes) : read) !== digest) return false;
    }
  }
  return true;
}
