/** `skill-composer pack`. */
import { relative, resolve, sep } from 'node:path';
import { replaceBytes } from '../../disk/write-tree.ts';
import { pack } from '../../packing/pack.ts';
import { openSource, type Source } from '../../packing/source.ts';
import type { Console } from '../console.ts';
import { orStop } from '../or-stop.ts';
import { selectFiles } from '../selection.ts';
import { reasonOf, Stop } from '../stop.ts';

export interface PackOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly out: string;
  /** Does not tell what is in the archive. */
  readonly quiet: boolean;
}

/** Writes the archive, and prints the paths in it. */
export async function runPack({ cwd, paths, out, quiet }: PackOptions, console: Console): Promise<number> {
  const kind = /\.(?:skill|zip)$/i.test(out) ? 'zip' : /\.(?:tgz|tar\.gz)$/i.test(out) ? 'tgz' : undefined;
  if (!kind) throw new Stop(`\`--out ${out}\` has no ending of an archive: call it FILE.skill or FILE.tgz.`);
  const { named } = await selectFiles(cwd, paths);
  const wanted = new Set([...named].map((path) => relative(cwd, path).replaceAll(sep, '/')));
  const outside = [...wanted].find((path) => path.startsWith('../'));
  if (outside !== undefined)
    throw new Stop(`\`${outside}\` is outside the working folder: run \`pack\` there, or with \`--cwd\`.`);
  const shown = paths.length === 0 ? 'The working folder' : paths.map((path) => `\`${path}\``).join(', ');
  const path = resolve(cwd, out);
  const packed = await orStop(async () => pack(await openWithout(cwd, path), { paths: wanted }, kind, shown));
  await replaceBytes(path, packed.bytes).catch((error: unknown) => {
    throw new Stop(`\`--out ${out}\` cannot be written: ${reasonOf(error)}.`);
  });
  for (const one of packed.collected.leftOut) console.note(`Not packed: \`${one.path}\` ${one.why}.`);
  if (!quiet) console.printExact(packed.paths.map((path) => `${path}\n`).join(''));
  return 0;
}

/** An archive that an earlier run has left is no part of a skill. */
async function openWithout(cwd: string, out: string): Promise<Source> {
  const source = await openSource(cwd, '.');
  const own = relative(cwd, out).replaceAll(sep, '/');
  return { ...source, paths: source.paths.filter((path) => path !== own) };
}
