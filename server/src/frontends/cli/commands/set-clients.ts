/** `skill-composer clients --set`: saves the target clients in the catalog (docs/clients.md, "Choose clients"). */
import { join, relative, resolve, sep } from 'node:path';
import { catalogEdits, type SavedChoice, saveChoice } from '../../../features/clients/set-clients.ts';
import { namesInUse } from '../../../features/workspace-facts.ts';
import type { FileEdits } from '../../../finding.ts';
import { isFolder, isWithin, toUri } from '../../../io/paths.ts';
import { openProject, type Project } from '../../../io/project.ts';
import { reasonOf, UserError } from '../../../io/user-error.ts';
import { createFile, replaceFile } from '../../../io/write-file.ts';
import { listed } from '../../../nearest.ts';
import { scaffoldCatalog } from '../../../scaffold/scaffold.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { applyEdits, showInvisible } from '../../../text.ts';
import { CATALOG_NAME } from '../../../vocabulary/dialect.ts';
import type { Console } from '../console.ts';
import { clientCalled } from './clients.ts';

export interface SetClientsOptions {
  readonly cwd: string;
  /** The folder or the file whose catalog is changed; the working folder by default. */
  readonly path: string | undefined;
  /** The IDs of clients with commas between them, or `auto`. */
  readonly set: string;
  readonly quiet: boolean;
}

/** The word that removes the clients, so that they are detected again. */
const AUTO = 'auto';

/**
 * Writes the target clients to the catalog of a path, and prints a line about it. Creates a missing catalog in the folder,
 * because the command line reads no settings of an editor. Returns the exit status.
 */
export async function runSetClients(
  { cwd, path = '.', set, quiet }: SetClientsOptions,
  console: Console,
): Promise<number> {
  const ids = idsIn(set);
  const { progress } = console;
  const opened = openProject({ cwd, paths: [path], config: undefined, progress, mayBeEmpty: true });
  const project = await opened.finally(() => progress.end());
  const { analysis } = project.workspace;
  const full = resolve(cwd, path);
  const isOfFolder = await isFolder(full);
  const saved = saveChoice(analysis, isOfFolder ? `${toUri(full)}/` : toUri(full), ids);
  if ('problem' in saved) throw new UserError(saved.problem);
  if (!saved.catalog && saved.settings && !isOfFolder && !isWithin(cwd, full)) {
    throw new UserError(`\`${path}\` has no catalog. Name the folder in which to create one.`);
  }
  const file = await write(project, saved, isOfFolder ? full : cwd);
  const names = (ids.length > 0 ? ids.map((id) => clientCalled(id)) : analysis.agentSkills.owners).map(
    ({ name }) => name,
  );
  const targets = names.length > 0 ? listed(names) : 'none';
  if (!quiet) console.print(`Target clients${ids.length > 0 ? '' : ', detected'}: ${targets}. ${file}\n`);
  return 0;
}

/** Returns the IDs in a value of `--set`; none for `auto`. Throws a `UserError` for an unknown one. */
function idsIn(set: string): readonly string[] {
  const words = set.split(/[,\s]+/).filter(Boolean);
  if (words.length === 0)
    throw new UserError('`--set` needs the IDs of clients, such as `claude-code,codex`, or `auto`.');
  if (words.length === 1 && words[0]?.toLowerCase() === AUTO) return [];
  return [...new Set(words.map((word) => clientCalled(word, '--set').id))];
}

/** Writes a choice, and returns a sentence about the file. */
async function write(project: Project, { catalog, settings }: SavedChoice, folder: string): Promise<string> {
  if (catalog) return edit(project, catalog);
  // Without a catalog, an editor would use its settings.
  return settings ? create(project, settings, folder) : 'Nothing was changed.';
}

async function edit({ workspace, pathOf, fileOf }: Project, { uri, edits }: FileEdits): Promise<string> {
  const old = workspace.index.files.get(uri)?.text ?? '';
  const text = applyEdits(old, edits);
  const shown = showInvisible(fileOf(uri));
  const result = await replaceFile(pathOf(uri), { old, text }).catch((error: unknown) => {
    throw new UserError(`\`${shown}\` cannot be written: ${reasonOf(error)}.`);
  });
  if (result === 'changed') {
    throw new UserError(`\`${shown}\` was not changed, because it is a link, or another program changed it.`);
  }
  return `Saved in \`${shown}\`.`;
}

async function create({ cwd, workspace }: Project, ids: readonly string[], folder: string): Promise<string> {
  const path = join(folder, CATALOG_NAME);
  const before = scaffoldCatalog(namesInUse(workspace.analysis, toUri(folder)));
  const edits = catalogEdits(new SkillFile(toUri(path), before), ids);
  if (typeof edits === 'string') throw new UserError(edits);
  const shown = showInvisible(relative(cwd, path).replaceAll(sep, '/'));
  await createFile(path, applyEdits(before, edits)).catch((error: unknown) => {
    throw new UserError(`\`${shown}\` cannot be written: ${reasonOf(error)}.`);
  });
  return `Saved in the new file \`${shown}\`.`;
}
