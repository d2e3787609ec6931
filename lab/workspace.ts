/** Writes situations into a temporary workspace and a temporary home. */
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place, SkillsFolders } from '../server/src/services/observing/observed-client.ts';
import type { Content, Situation } from './situations/situation.ts';

/**
 * Writes situations to a new workspace and a new home below `folder`, which is emptied first. A situation may also
 * write beside the workspace, in `folder/elsewhere`.
 *
 * @throws Error if the situations start in different folders
 */
export function writeWorkspace(folder: string, situations: readonly Situation[], skills: SkillsFolders): Place {
  empty(folder);
  const [workspace, home] = [join(folder, 'work'), join(folder, 'home')].map((path) => {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  }) as [string, string];
  for (const situation of situations) writeFiles(situation, { workspace, home }, skills);
  const starts = new Set(situations.map(({ start }) => start ?? ''));
  const [start = ''] = starts;
  if (starts.size > 1) throw new Error('Situations that start in different folders cannot share a workspace.');
  mkdirSync(join(workspace, start), { recursive: true });
  return { workspace, start: join(workspace, start), home };
}

/** Removes a folder. A process that has just ended may still write into it. */
function empty(folder: string): void {
  for (let left = 10; ; left -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
}

/** Writes the files of a situation into a workspace that exists. */
export function writeFiles(
  { files }: Situation,
  { workspace, home }: Pick<Place, 'workspace' | 'home'>,
  skills: SkillsFolders,
): void {
  for (const [path, content] of Object.entries(files)) {
    write(pathOf(path.replaceAll('{skills}', skills.project), workspace, home, skills), content, workspace, skills);
  }
}

function pathOf(path: string, workspace: string, home: string, skills: SkillsFolders): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  if (path.startsWith('home:')) return join(home, skills.home, path.slice('home:'.length));
  return path.startsWith('/') ? join(workspace, path) : join(workspace, skills.project, path);
}

function write(path: string, content: Content, workspace: string, { project }: SkillsFolders): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
  else symlinkSync(join(workspace, content.link.replaceAll('{skills}', project)), path);
}
