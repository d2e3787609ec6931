/** Reads a skill's baseline from a commit. */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { textOf } from '../../disk/read-file.ts';
import { gitFor, TOO_LARGE } from '../git.ts';
import { textIn } from '../read-named.ts';
import { assertWorkTree, commitOf } from '../repository.ts';
import { Stop } from '../stop.ts';

const OTHERWISE = 'name the baseline with `--base-file FILE`';

/** The text that a file has in a commit; undefined where the commit does not have the file. */
export async function readFromGit(path: string, ref: string): Promise<string | undefined> {
  // Of a link, the file that it leads to is the one with a history.
  const real = await realpath(path);
  const name = basename(real);
  const git = await gitFor(real);
  if (!git) throw new Stop(`\`${name}\` is in no git repository: ${OTHERWISE}.`);
  await assertWorkTree(git, `\`${name}\``, OTHERWISE);
  const commit = await commitOf(git, ref, {
    option: `--base ${ref}`,
    otherwise: 'name a commit, or a file with `--base-file FILE`',
  });
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
