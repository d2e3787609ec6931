/** The installed skills of the served folders, from their lock files (docs/mcp.md, "list_skills"). */
import { isUserError } from '../../io/user-error.ts';
import { diskFolder } from '../../services/packing/disk-folder.ts';
import { uriAt } from '../../services/packing/folder-access.ts';
import { openLock } from '../../services/packing/installed.ts';
import { refuse } from './call.ts';
import type { ServedFolders } from './served-folders.ts';

/**
 * Returns the URIs of the installed skills. An invalid lock file counts as empty, or refuses the call if the answer
 * depends on it.
 */
export async function installedSkills(
  { root, account }: ServedFolders,
  { isRequired }: { readonly isRequired: boolean },
): Promise<ReadonlySet<string>> {
  const roots = account === undefined ? [root] : [root, account];
  const found = await Promise.all(
    roots.map(async (path) => {
      const folder = diskFolder(path, () => {});
      try {
        const { lock } = await openLock(folder);
        return [...lock.values()].map((one) => uriAt(folder, one.path));
      } catch (error) {
        if (!isUserError(error)) throw error;
        return isRequired ? refuse('unreadable', error.message) : [];
      }
    }),
  );
  return new Set(found.flat());
}
