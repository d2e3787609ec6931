/** `skill-composer new`. */
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findClient } from '../../../clients/facts/clients.ts';
import { findFiles } from '../../../io/find-files.ts';
import { isFolder, toUri } from '../../../io/paths.ts';
import { isThere, readFound } from '../../../io/read-file.ts';
import { reasonOf, UserError } from '../../../io/user-error.ts';
import { createFile } from '../../../io/write-file.ts';
import { CLIENT_SKILL_FOLDERS, kindBeside } from '../../../protocol.ts';
import { KINDS, type Kind, scaffold } from '../../../scaffold/scaffold.ts';
import { isName, kebabName, namesProblem } from '../../../skill/kebab-name.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { showInvisible } from '../../../text.ts';
import { CATALOG_NAME } from '../../../vocabulary/dialect.ts';
import { parseCatalog } from '../../../workspace/catalog.ts';
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
  const usual = options.kind === undefined ? await usualKind(options) : undefined;
  const kind = usual?.kind ?? parseWord(options.kind ?? '', KINDS, '--kind');
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
  if (usual) console.note(showInvisible(usual.note));
  return 0;
}

/** The largest number of folders that are searched for other skills. */
const MOST_FOLDERS = 2_000;

/** Returns the kind that the skills in the target folder have, or else those of the working folder. */
async function usualKind({ cwd, path }: NewOptions): Promise<{ readonly kind: Kind; readonly note: string }> {
  const exist = await Promise.all(CLIENT_SKILL_FOLDERS.map((folder) => isFolder(join(cwd, folder))));
  const ofClients = CLIENT_SKILL_FOLDERS.find((_, at) => exist[at]);
  const { paths, isCut } = await findFiles(cwd, ['**/*.skill.{md,yaml}', '**/SKILL.md'], { mostFolders: MOST_FOLDERS });
  const slashed = (one: string): string => one.replaceAll(sep, '/');
  const folder = slashed(resolve(cwd, path ?? ''));
  const beside = kindBeside(folder, paths.map(slashed));
  const kind = beside ?? (ofClients === undefined ? 'literal' : 'agent-skill');
  const isOf = (one: string): boolean => (basename(one) === 'SKILL.md') === (kind === 'agent-skill');
  const [same] = paths.filter(isOf);
  const searched = same === undefined && isCut ? SEARCHED : '';
  const reason =
    same !== undefined
      ? paths.every(isOf) && kind === 'agent-skill'
        ? 'like the other skills here'
        : `like \`${slashed(relative(cwd, same))}\``
      : kind === 'agent-skill'
        ? `because \`${ofClients ?? slashed(relative(cwd, folder))}\` exists`
        : 'the default';
  const other = kind === 'agent-skill' ? OTHER_KIND : '`--kind agent-skill` makes a `SKILL.md`.';
  return { kind, note: `A \`${kind === 'agent-skill' ? 'SKILL.md' : '.skill.md'}\`, ${reason}. ${other}${searched}` };
}

const OTHER_KIND = '`--kind literal` makes a `.skill.md`, which agents read only after `convert`.';
const SEARCHED = ` Only the first ${MOST_FOLDERS.toLocaleString('en')} folders were searched for skills.`;

async function folderFor({ cwd, path }: NewOptions, kind: Kind): Promise<string> {
  if (path !== undefined) {
    const folder = resolve(cwd, path);
    const names = path.split(sep).filter((name) => !['', '.', '..'].includes(name));
    const problem = (await isFolder(folder)) || isAbsolute(path) ? undefined : namesProblem(names.join('/'));
    if (problem !== undefined) throw new UserError(`\`${path}\` ${problem}. Use another folder.`);
    return folder;
  }
  if (kind !== 'agent-skill') return (await isFolder(join(cwd, 'skills'))) ? join(cwd, 'skills') : cwd;
  if (kindBeside(cwd.replaceAll(sep, '/'), []) !== undefined) return cwd;
  const { first, others } = await frameworkFolders(cwd);
  if (first !== undefined) return join(cwd, first);
  for (const folder of ['skills', ...CLIENT_SKILL_FOLDERS, ...others])
    if (await isFolder(join(cwd, folder))) return join(cwd, folder);
  return join(cwd, others[0] ?? CLIENT_SKILL_FOLDERS[0] ?? '');
}

/** Returns the folders of the frameworks in the catalog; `first` if the first target client is a framework. */
async function frameworkFolders(cwd: string): Promise<{ readonly first?: string; readonly others: readonly string[] }> {
  const path = join(cwd, CATALOG_NAME);
  const content = await readFound(path, { folders: [toUri(cwd)], isReadDirectly: () => false });
  if (content.kind !== 'text') return { others: [] };
  const { clients = [] } = parseCatalog(new SkillFile(toUri(path), content.text)).agentSkills;
  const named = clients.map((id) => {
    const client = findClient(id);
    return client?.framework ? client.dirs.value[0]?.path : undefined;
  });
  return { ...(named[0] !== undefined && { first: named[0] }), others: named.filter((one) => one !== undefined) };
}
