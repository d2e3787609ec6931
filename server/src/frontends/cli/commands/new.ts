/** `skill-composer new`. */
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findFiles } from '../../../io/find-files.ts';
import { isFolder } from '../../../io/paths.ts';
import { isThere } from '../../../io/read-file.ts';
import { reasonOf, UserError } from '../../../io/user-error.ts';
import { createFile } from '../../../io/write-file.ts';
import { CLIENT_SKILL_FOLDERS } from '../../../protocol.ts';
import { KINDS, type Kind, scaffold } from '../../../scaffold/scaffold.ts';
import { isName, kebabName, namesProblem } from '../../../skill/kebab-name.ts';
import { showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import { parseWord } from '../option-values.ts';

export interface NewOptions {
  readonly cwd: string;
  /** The name, or a title such as `PDF Forms`. */
  readonly name: string;
  /** Undefined for the kind that the skills of the working folder have. */
  readonly kind: string | undefined;
  readonly description: string | undefined;
  /** The folder for the skill. */
  readonly path: string | undefined;
}

/** Creates a skill file and prints its path, relative to the working folder. Never overwrites a file. */
export async function runNew(options: NewOptions, console: Console): Promise<number> {
  const { cwd, name: title, description } = options;
  const isPath = /[\\/]/.test(title);
  const name = isName(title) || isPath ? title : (kebabName(title) ?? title);
  const usual = options.kind === undefined ? await usualKind(cwd) : undefined;
  const kind = usual ?? parseWord(options.kind ?? '', KINDS, '--kind');
  const made = scaffold({ kind, name, title, description });
  if ('problem' in made) throw new UserError(made.problem);
  const file = join(await folderFor(options, kind), made.fileName);
  const shown = relative(cwd, file).replaceAll(sep, '/');
  await createFile(file, made.text).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await isThere(file))) {
      throw new UserError(`\`${shown}\` already exists. Use another name or another folder.`);
    }
    const isFile = error.code === 'EEXIST' || error.code === 'ENOTDIR';
    const reason = isFile ? 'a file has the same name as its folder' : reasonOf(error);
    throw new UserError(`\`${shown}\` cannot be written: ${reason}.`);
  });
  console.print(`${showInvisible(shown)}\n`);
  if (usual === 'agent-skill') console.note(`A \`SKILL.md\`, like the other skills here. ${OTHER_KIND}`);
  return 0;
}

const OTHER_KIND = '`--kind literal` makes a `.skill.md`, which agents read only after `convert`.';

/** Returns `agent-skill` for a folder in which agents find skills, and which has no skills of the own format. */
async function usualKind(cwd: string): Promise<Kind> {
  const { paths } = await findFiles(cwd, ['**/*.skill.{md,yaml}', '**/SKILL.md']);
  if (paths.length > 0) return paths.every((path) => basename(path) === 'SKILL.md') ? 'agent-skill' : 'literal';
  for (const folder of CLIENT_SKILL_FOLDERS) if (await isFolder(join(cwd, folder))) return 'agent-skill';
  return 'literal';
}

async function folderFor({ cwd, path }: NewOptions, kind: Kind): Promise<string> {
  if (path !== undefined) {
    const folder = resolve(cwd, path);
    const names = path.split(sep).filter((name) => !['', '.', '..'].includes(name));
    const problem = (await isFolder(folder)) || isAbsolute(path) ? undefined : namesProblem(names.join('/'));
    if (problem !== undefined) throw new UserError(`\`${path}\` ${problem}. Use another folder.`);
    return folder;
  }
  const ofClients = kind === 'agent-skill' ? CLIENT_SKILL_FOLDERS : [];
  for (const folder of ['skills', ...ofClients]) if (await isFolder(join(cwd, folder))) return join(cwd, folder);
  return join(cwd, ofClients[0] ?? '');
}
