/** Reads a skill's baseline from a commit. */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { textOf } from '../../disk/read-file.ts';
import { type Git, gitFor, TOO_LARGE } from '../git.ts';
import { textIn } from '../read-named.ts';
import { Stop } from '../stop.ts';

const OTHERWISE = 'name the baseline with `--base-file FILE`';

/** The text that a file has in a commit; undefined where the commit does not have the file. */
export async function readFromGit(path: string, ref: string): Promise<string | undefined> {
  // Of a link, the file that it leads to is the one with a history.
  const real = await realpath(path);
  const name = basename(real);
  const git = await gitFor(real);
  if (!git) throw new Stop(`\`${name}\` is in no git repository: ${OTHERWISE}.`);
  await assertWorkTree(git, name);
  const commit = await commitOf(git, ref);
  const entry = await git('ls-tree', '-z', commit, '--', name);
  if (!entry.ok) throw new Stop(`\`${ref}\` cannot be read: ${entry.reason}. Fetch it whole, or ${OTHERWISE}.`);
  if (entry.stdout === '') return undefined;
  const [mode = '', , object = ''] = entry.stdout.split(/[ \t]/);
  if (!mode.startsWith('100')) throw new Stop(`\`${name}\` is no file in \`${ref}\`: ${OTHERWISE}.`);
  const blob = await git('cat-file', 'blob', object);
  if (blob.ok) return textIn(textOf(blob.bytes), `${ref}:${name}`);
  if (blob.reason === TOO_LARGE) throw new Stop(`\`${name}\` cannot be read from \`${ref}\`: ${TOO_LARGE}.`);
  throw new Stop(
    `\`${name}\` is in \`${ref}\`, but its content is not in this clone (${blob.reason}). A clone with \`--filter\` lacks it: run \`git show ${ref}:./${name}\` once, which fetches it, or ${OTHERWISE}.`,
  );
}

async function assertWorkTree(git: Git, name: string): Promise<void> {
  const { ok, stdout, reason } = await git('rev-parse', '--is-inside-work-tree');
  if (ok && stdout.trim() === 'true') return;
  if (/dubious ownership/.test(reason)) {
    throw new Stop(
      `Git does not read the repository of \`${name}\`, since it belongs to another user: if you trust it, add it to git's \`safe.directory\`, or ${OTHERWISE}.`,
    );
  }
  throw new Stop(`\`${name}\` is in no work tree that git can read${reason && ` (${reason})`}: ${OTHERWISE}.`);
}

async function commitOf(git: Git, ref: string): Promise<string> {
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit.ok) return commit.stdout.trim();
  const isKnown = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', ref)).ok;
  const isShallow = (await git('rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';
  const reason = isKnown
    ? 'it is no commit, or its commit is missing in this clone'
    : ref === 'HEAD'
      ? 'there is no commit yet'
      : `there is no such commit${isShallow ? ' in this shallow clone (`git fetch --unshallow` fetches all)' : ''}`;
  throw new Stop(`\`--base ${ref}\`: ${reason}. Name a commit, or a file with \`--base-file FILE\`.`);
}
