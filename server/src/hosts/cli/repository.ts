/** What a repository says of itself before anything is read from it. */
import type { Git } from './git.ts';
import { Stop } from './stop.ts';

/** `what` names what is in the work tree, `otherwise` what else somebody can do. */
export async function assertWorkTree(git: Git, what: string, otherwise: string): Promise<void> {
  const { ok, stdout, reason } = await git('rev-parse', '--is-inside-work-tree');
  if (ok && stdout.trim() === 'true') return;
  if (/dubious ownership/.test(reason)) {
    throw new Stop(
      `Git does not read the repository of ${what}, since it belongs to another user: if you trust it, add it to git's \`safe.directory\`, or ${otherwise}.`,
    );
  }
  throw new Stop(`${capitalised(what)} is in no work tree that git can read${reason && ` (${reason})`}: ${otherwise}.`);
}

interface Asked {
  readonly option: string;
  readonly otherwise: string;
}

/** The commit that a word names; throws a `Stop` where there is none. */
export async function commitOf(git: Git, ref: string, { option, otherwise }: Asked): Promise<string> {
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit.ok) return commit.stdout.trim();
  const isKnown = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', ref)).ok;
  const reason = isKnown
    ? 'it is no commit, or its commit is missing in this clone'
    : ref === 'HEAD'
      ? 'there is no commit yet'
      : `there is no such commit${(await isShallow(git)) ? ' in this shallow clone (`git fetch --unshallow` fetches all)' : ''}`;
  throw new Stop(`\`${option}\`: ${reason}. ${capitalised(otherwise)}.`);
}

/** Whether older commits were left out when it was cloned. */
export const isShallow = async (git: Git): Promise<boolean> =>
  (await git('rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';

const capitalised = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
