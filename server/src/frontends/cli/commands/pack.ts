/** `skill-composer pack`. */

import { selectFiles } from '../../../io/select-files.ts';
import { toUserError, UserError } from '../../../io/user-error.ts';
import { didYouMean, inWords } from '../../../nearest.ts';
import { diskFolder } from '../../../services/packing/disk-folder.ts';
import { archiveKindOf, packTo } from '../../../services/packing/pack.ts';
import { isName, kebabName } from '../../../skill/kebab-name.ts';
import { showInvisible } from '../../../text.ts';
import { fileNameOf, isAgentSkillName } from '../../../vocabulary/dialect.ts';
import type { Console } from '../console.ts';

/** The maximum number of skills that a note names. */
const MAX_NAMED = 5;

export interface PackOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly out: string;
  /** The name of the plugin to write. */
  readonly plugin: string | undefined;
  /** Does not print the paths in the archive. */
  readonly quiet: boolean;
}

/** Writes the archive, and prints the paths in it. */
export async function runPack({ cwd, paths, out, plugin, quiet }: PackOptions, console: Console): Promise<number> {
  if (plugin !== undefined && !isName(plugin)) {
    const near = kebabName(plugin);
    throw new UserError(
      `\`--plugin ${plugin}\` is not the name of a plugin.${near === undefined ? ' Use lower-case letters, digits and single hyphens.' : didYouMean([near])}`,
    );
  }
  if (!archiveKindOf(out)) {
    throw new UserError(
      `\`--out ${out}\` is not the name of an archive. Write for example \`--out FILE.skill\` or \`--out FILE.tgz\`.`,
    );
  }
  const { named } = await selectFiles(cwd, paths);
  const folder = diskFolder(cwd);
  const wanted = new Set([...named].map((path) => folder.relativePath(path)));
  const outside = [...wanted].find((path) => path.startsWith('../'));
  if (outside !== undefined)
    throw new UserError(`\`${outside}\` is outside the working folder. Run \`pack\` in its folder, or use \`--cwd\`.`);
  const shown = paths.length === 0 ? 'The working folder' : paths.map((path) => `\`${path}\``).join(', ');
  const namedPaths = paths.length === 0 ? [''] : paths.map((path) => folder.relativePath(path));
  const packed = await packTo({ folder, out, wanted: () => wanted, namedPaths, shown, plugin }).catch(
    (error: unknown) => {
      throw toUserError(error, (reason) => `\`--out ${out}\` cannot be written: ${reason}.`);
    },
  );
  for (const one of packed.collected.leftOut) console.note(`Not packed: \`${one.path}\` ${one.why}.`);
  const skills = packed.paths.filter((path) => isAgentSkillName(fileNameOf(path)));
  if (plugin === undefined && archiveKindOf(out) === 'zip' && skills.length > 1) {
    const named = inWords(
      skills.slice(0, MAX_NAMED).map((path) => showInvisible(path)),
      'and',
    );
    console.note(
      `The archive contains ${skills.length} files \`SKILL.md\` (${named}${skills.length > MAX_NAMED ? ', …' : ''}). claude.ai accepts only one: to upload it there, pack one skill, and rename the others.`,
    );
  }
  if (!quiet) console.print(packed.paths.map((path) => `${showInvisible(path)}\n`).join(''));
  return 0;
}
