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
}

/** The skills folders of a client. */
export interface SkillsFolders {
  /** In the project, for example `.pi/skills`. */
  readonly project: string;
  /** In the home, for example `.pi/agent/skills`. */
  readonly home: string;
}

/**
 * Writes situations to a new workspace and a new home below `folder`, which is emptied first.
 *
 * @throws Error if the situations start in different folders
 */
export function writeWorkspace(folder: string, situations: readonly Situation[], skills: SkillsFolders): Place {
  rmSync(folder, { recursive: true, force: true });
  const [workspace, home] = [join(folder, 'work'), join(folder, 'home')].map((path) => {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  }) as [string, string];
  for (const { files } of situations) {
    for (const [path, content] of Object.entries(files)) {
      write(pathOf(path.replaceAll('{skills}', skills.project), workspace, home, skills), content, workspace);
    }
  }
  const starts = new Set(situations.map(({ start }) => start ?? ''));
  const [start = ''] = starts;
  if (starts.size > 1) throw new Error('Situations that start in different folders cannot share a workspace.');
  mkdirSync(join(workspace, start), { recursive: true });
  return { workspace, start: join(workspace, start), home };
}

function pathOf(path: string, workspace: string, home: string, skills: SkillsFolders): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  if (path.startsWith('home:')) return join(home, skills.home, path.slice('home:'.length));
  return path.startsWith('/') ? join(workspace, path) : join(workspace, skills.project, path);
}

function write(path: string, content: Content, workspace: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
  else symlinkSync(join(workspace, content.link), path);
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
