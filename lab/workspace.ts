/** Writes situations into a temporary workspace and a temporary home. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Content, Situation } from './situations/situation.ts';

/** The folders of a run. */
export interface Place {
  readonly workspace: string;
  /** The folder where the client starts. */
  readonly start: string;
  readonly home: string;
  /** The folder that has the packages in `node_modules`; undefined for a prediction. */
  readonly installed?: string;
}

/** The skills folders of a client. */
export interface SkillsFolders {
  /** In the project, for example `.pi/skills`. */
  readonly project: string;
  /** In the home, for example `.pi/agent/skills`. */
  readonly home: string;
}

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

/** Makes a workspace a repository: clients look for its root, and some list the files that git knows. */
export function commit({ workspace }: Place): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: workspace,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: workspace },
    });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-q', '--allow-empty', '-m', 'lab');
}
