/** `skill-composer pack`. */
import { showInvisible } from '../../../text.ts';
import { diskPlace } from '../../node/disk-folder.ts';
import { selectFiles } from '../../node/select-files.ts';
import { archiveKindOf, packTo } from '../../packing/pack.ts';
import { isUserError, reasonOf, UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

export interface PackOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly out: string;
  /** Does not print the paths in the archive. */
  readonly quiet: boolean;
}

/** Writes the archive, and prints the paths in it. */
export async function runPack({ cwd, paths, out, quiet }: PackOptions, console: Console): Promise<number> {
  if (!archiveKindOf(out)) {
    throw new UserError(
      `\`--out ${out}\` is not the name of an archive. Write for example \`--out FILE.skill\` or \`--out FILE.tgz\`.`,
    );
  }
  const { named } = await selectFiles(cwd, paths);
  const place = diskPlace(cwd);
  const wanted = new Set([...named].map((path) => place.relativePath(path)));
  const outside = [...wanted].find((path) => path.startsWith('../'));
  if (outside !== undefined)
    throw new UserError(`\`${outside}\` is outside the working folder. Run \`pack\` in its folder, or use \`--cwd\`.`);
  const shown = paths.length === 0 ? 'The working folder' : paths.map((path) => `\`${path}\``).join(', ');
  const places = paths.length === 0 ? [''] : paths.map((path) => place.relativePath(path));
  const packed = await packTo({ place, out, wanted: () => wanted, places, shown }).catch((error: unknown) => {
    throw isUserError(error) ? error : new UserError(`\`--out ${out}\` cannot be written: ${reasonOf(error)}.`);
  });
  for (const one of packed.collected.leftOut) console.note(`Not packed: \`${one.path}\` ${one.why}.`);
  if (!quiet) console.print(packed.paths.map((path) => `${showInvisible(path)}\n`).join(''));
  return 0;
}
