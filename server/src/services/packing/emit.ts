/** Converts a skill for its target clients, when an editor requests it (docs/sharing.md, "In VS Code"). */

import type { Analysis } from '../../analysis/analysis.ts';
import { sourceUrisOf } from '../../analysis/converted-skills.ts';
import { convertedName } from '../../analysis/package-of.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { foldersForClients } from '../../clients/matrix/client-folders.ts';
import { UserError } from '../../io/user-error.ts';
import { MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import type { EmitPreviewReply, EmitProblem, EmitReply } from '../../protocol.ts';
import { originOf, sourcePath } from '../../skill/origin.ts';
import { fileNameOf, folderOf, isAgentSkillName } from '../../vocabulary/dialect.ts';
import { callNamesOf, dependentsOf } from '../../workspace/composition-lookups.ts';
import { type FolderAccess, isInsideFolder, uriAt } from './folder-access.ts';
import {
  type Emitting,
  failedPlan,
  fileFrom,
  goneProblems,
  isShareable,
  type PlannedSkill,
  planSkills,
  targetFoldersFor,
} from './plan-skills.ts';
import { textIn } from './source.ts';
import { writeWithoutProblems } from './write-plans.ts';

interface EmitOptions {
  readonly uri: string;
  /** Further skills to write, if `again` is false. */
  readonly more?: readonly string[] | undefined;
  /** The IDs of the clients; undefined for the target clients. */
  readonly clients?: readonly string[] | undefined;
  readonly again: boolean;
  readonly overwrite: readonly string[];
  /** The URIs of the files with unsaved changes. */
  readonly unsaved: readonly string[];
  readonly home: string | undefined;
}

/** Converts a skill for its target clients, for an editor. Returns also the URIs of the written and removed files. */
export async function emitFrom(
  analysis: Analysis,
  folder: FolderAccess,
  { uri, more = [], clients: asked, again, overwrite, unsaved, home }: EmitOptions,
): Promise<EmitReply & { readonly written: readonly string[] }> {
  const nameOf = (one: string): string => folder.relativePathOfUri(one);
  const sources = (again ? [uri, ...compositesOf(analysis, uri)] : [uri, ...more]).flatMap((one) => {
    const file = isInsideFolder(nameOf(one)) ? analysis.file(one) : undefined;
    return file && isShareable(file) ? [{ uri: one, text: file.text }] : [];
  });
  if (!again && sources.length === 0) {
    throw new UserError(
      'Only a `.skill.md`, a contract or a `SKILL.md` in the workspace folder can be converted for clients.',
    );
  }
  const named = asked?.flatMap((id) => findClient(id) ?? []);
  if (!again && (named ?? targetsBeside(analysis, uri).clients).length === 0) {
    const problem = 'No target clients. Choose clients first.';
    return { problem, needsClients: true, written: [] };
  }
  const emitting = emittingInto(folder, home);
  const planned: PlannedSkill[] = [];
  const ownProblems: EmitProblem[] = [];
  for (const source of sources) {
    const clients = named ?? targetsBeside(analysis, source.uri).clients;
    const own = again ? await convertedBefore(emitting, analysis, source.uri) : undefined;
    if (own?.size === 0) {
      if (source.uri === uri && analysis.file(uri)?.frontmatter.tree.broken && isConverted(analysis, uri, home)) {
        const problem = `The frontmatter of \`${nameOf(uri)}\` is invalid. Fix its YAML first.`;
        ownProblems.push({ problem, source: uri, uri, isForcible: false });
      }
      continue;
    }
    const open = textsIn(analysis, source.uri).filter((one) => unsaved.includes(one));
    for (const one of open) {
      const problem = `\`${nameOf(one)}\` has unsaved changes. Save it first.`;
      ownProblems.push({ problem, source: source.uri, uri: one, isForcible: false });
    }
    if (open.length > 0) continue;
    const targetFolders = targetFoldersFor(clients);
    const isBroken = analysis.findCatalog(source.uri)?.isBroken;
    if (isBroken && source.uri === uri) throw new UserError(BROKEN_CATALOG);
    const plans = isBroken
      ? [failedPlan({ ...emitting, targetFolders }, source, BROKEN_CATALOG)]
      : await planSkills({ ...emitting, targetFolders }, analysis, [source]);
    // Another file at the path of a new target is not a problem of a save.
    planned.push(...plans.filter(({ state, path }) => !own || state !== 'taken' || own.has(path)));
  }
  const plans = await writeWithoutProblems(emitting, planned, ({ path }) => overwrite.includes(uriAt(folder, path)));
  const good = plans.filter(({ problem }) => problem === undefined);
  const written = good.flatMap(({ write, remove, link }) => [
    ...(link ? [link.path] : []),
    ...write.map(({ path }) => path),
    ...remove,
  ]);
  return {
    targets: good.map(({ path }) => uriAt(folder, path)),
    isChanged: written.length > 0,
    problems: [
      ...ownProblems,
      ...plans.flatMap(({ problem, state, path, source, isForcible }) =>
        problem === undefined
          ? []
          : [{ problem, source, uri: state === 'failed' ? source : uriAt(folder, path), isForcible }],
      ),
      ...goneProblems(good).map(({ problem, source }) => ({
        ...{ problem, source, uri: source, isForcible: false, isConverted: true as const },
      })),
    ],
    written: written.map((path) => uriAt(folder, path)),
  };
}

/** Returns the text files of a target that the next conversion would change, with their next texts. Writes nothing. */
export async function previewEmit(
  analysis: Analysis,
  folder: FolderAccess,
  { uri, target, home }: { readonly uri: string; readonly target: string; readonly home: string | undefined },
): Promise<Extract<EmitPreviewReply, { files: unknown }>> {
  const emitting = emittingInto(folder, home);
  const file = isInsideFolder(emitting.fileOf(uri)) ? analysis.file(uri) : undefined;
  const path = emitting.fileOf(target);
  if (!file || !isShareable(file) || !isInsideFolder(path)) {
    throw new UserError('Only a skill that was converted in this workspace folder can be compared.');
  }
  if (analysis.findCatalog(uri)?.isBroken) throw new UserError(BROKEN_CATALOG);
  const parent = path.split('/').slice(0, -2).join('/');
  const known = targetFoldersFor(targetsBeside(analysis, uri).clients).find((one) => one.path === parent);
  const targetFolders = [known ?? { path: parent, clients: undefined }];
  const plans = await planSkills({ ...emitting, targetFolders }, analysis, [{ uri, text: file.text }]);
  const failed = plans.find(({ state }) => state === 'failed');
  if (failed?.problem !== undefined) throw new UserError(failed.problem);
  const plan = plans.find((one) => one.path === path);
  if (!plan) throw new UserError(`\`${emitting.fileOf(uri)}\` is now converted to another folder.`);
  return {
    files: plan.write.flatMap((one) => {
      const text = textIn(one.bytes);
      return text === undefined ? [] : [{ uri: uriAt(folder, one.path), text }];
    }),
  };
}

const emittingInto = (folder: FolderAccess, home: string | undefined): Omit<Emitting, 'targetFolders'> => {
  const nameOf = (one: string): string => folder.relativePathOfUri(one);
  return {
    ...{ folder, home, onlyGood: true },
    read: (one, most) => folder.read(nameOf(one), most),
    shown: (path) => path,
    fileOf: nameOf,
  };
};

/** Returns whether a file of the workspace was converted from a source whose own name is not known. */
function isConverted(analysis: Analysis, source: string, home: string | undefined): boolean {
  const name = fileNameOf(source);
  return [...analysis.index.files.values()].some(({ uri, text }) => {
    const file = isAgentSkillName(fileNameOf(uri)) && text.includes(name) ? analysis.file(uri) : undefined;
    return file !== undefined && originOf(file)?.source === sourcePath(folderOf(uri), source, home);
  });
}

const BROKEN_CATALOG = 'The catalog cannot be read. Fix it first.';

/** Returns the URIs of the files whose open text a conversion uses: the source, what it composes, and their catalogs. */
function textsIn(analysis: Analysis, source: string): readonly string[] {
  const sources = sourceUrisOf(analysis.graph, source);
  return [...new Set([...sources, ...sources.flatMap((uri) => analysis.findCatalog(uri)?.uri ?? [])])];
}

/** Returns the paths of the targets in the folders of the target clients that were converted from a source. */
async function convertedBefore(
  { folder, home }: Pick<Emitting, 'folder' | 'home'>,
  analysis: Analysis,
  source: string,
): Promise<ReadonlySet<string>> {
  const folders = foldersForClients(targetsBeside(analysis, source).clients);
  if ('without' in folders) return new Set();
  const found = new Set<string>();
  for (const { path: targetPath } of folders) {
    const base = `${targetPath}/${convertedName(analysis, source)}`;
    const path = `${base}/SKILL.md`;
    const file = fileFrom(uriAt(folder, path), await folder.read(path, MAX_ENTRY_BYTES));
    if (file && originOf(file)?.source === sourcePath(uriAt(folder, base), source, home)) found.add(path);
  }
  return found;
}

function compositesOf({ graph }: Analysis, uri: string): readonly string[] {
  const skill = graph.skills.get(uri);
  return skill ? [...dependentsOf(graph, callNamesOf(skill.summary))].sort() : [];
}
