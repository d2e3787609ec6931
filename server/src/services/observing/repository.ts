/** A git repository for a workspace. */
import { execFileSync } from 'node:child_process';

/**
 * Makes a workspace a repository: clients look for its root, and some list the files that git knows. Runs no hooks, and
 * reads no settings of the user or the system. Throws an Error if git is not installed or fails.
 */
export function makeRepository(workspace: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: workspace,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: workspace },
    });
  git('init', '-q', '--template=');
  git('add', '-A');
  git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-q', '--allow-empty', '-m', 'lab');
}
