/** The clients from which a user chooses the target clients, with the reasons for each one (docs/clients.md, "Choose clients"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { ownersOfPlugins } from '../../analysis/plugin-losses.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { Client, Framework } from '../../clients/facts/client.ts';
import { clients, frameworks } from '../../clients/facts/clients.ts';
import { FRAMEWORK_FOLDER } from '../../clients/facts/framework-folder.ts';
import { placeIn, skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { isObserved } from '../../clients/matrix/prediction.ts';
import type { Subject } from '../../clients/matrix/subject.ts';
import type {
  CandidateFolder,
  CandidateFramework,
  ClientCandidate,
  ClientChoiceReply,
} from '../../protocol/client-choice.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import type { FrameworkPrograms } from './framework-calls.ts';

const NO_PROGRAMS: FrameworkPrograms = { packages: new Set(), folders: [] };

/**
 * Returns all clients for the skills that have the same catalog as `uri`, a file or `FOLDER/`, in the same workspace
 * folder. First the detected clients: those whose own folder or plugin contains skills, then those that read other folders.
 *
 * @param programs the npm packages that programs of the workspace folder depend on, and the folders that they name
 */
export function clientChoice(
  analysis: Analysis,
  uri: string,
  programs: FrameworkPrograms = NO_PROGRAMS,
): ClientChoiceReply {
  const catalog = analysis.findCatalog(uri)?.uri ?? null;
  const root = analysis.index.graph.roots.find((one) => uri.startsWith(`${one}/`));
  const subjects = [...analysis.agentSkills.subjects].filter(
    (subject) =>
      (root === undefined || subject.uri.startsWith(`${root}/`)) &&
      (analysis.findCatalog(subject.uri)?.uri ?? null) === catalog,
  );
  const { clients: targets, isChosen } = targetsBeside(analysis, uri);
  const chosen = isChosen ? targets.map(({ id }) => id) : [];
  const withFolders = targets.filter(({ framework, dirs }) => framework && dirs.value.length > 0);
  const all = [...clients, ...(isChosen ? withFolders : []), ...frameworks];
  const shipped = subjects
    .filter((subject) => !skillsFolderOf(subject))
    .map((subject) => ({ subject, owners: ownersOfPlugins(subject) }));
  const found = all.map((client) => {
    const ofPlugins = shipped.filter(({ owners }) => owners.includes(client)).map(({ subject }) => subject);
    const folders = [...foldersWithSkills(client, subjects), ...foldersOfSkills(ofPlugins, root)];
    return { client, folders, isOwner: ofPlugins.length > 0 };
  });
  const rank = ({ client, folders, isOwner }: (typeof found)[number]): number => {
    if (isOwner) return 0;
    if (folders.length > 0) return folders.some(({ path }) => client.ownFolders.includes(path)) ? 0 : 1;
    if (chosen.includes(client.id)) return 2;
    return client.framework && !programs.packages.has(client.framework.package) ? 5 : client.framework ? 3 : 4;
  };
  const named = certainFolders(programs.folders, subjects, root);
  return {
    candidates: found
      .sort((a, b) => rank(a) - rank(b))
      .map(({ client, folders }) => candidateOf(client, folders, { ...programs, folders: named })),
    chosen,
    skillFolders: foldersOfSkills(subjects, analysis.findCatalog(uri)?.folder ?? root),
    folderPattern: `^${FRAMEWORK_FOLDER}$`,
    automatic: analysis.agentSkills.owners.map(({ name }) => name),
    catalog: analysis.clients === undefined ? catalog : null,
  };
}

const candidateOf = (
  client: Client,
  folders: readonly CandidateFolder[],
  programs: FrameworkPrograms,
): ClientCandidate => ({
  id: client.id,
  name: client.name,
  folders,
  isObserved: isObserved(client),
  asOf: client.asOf,
  archived: client.archived ?? null,
  framework:
    client.framework && client.dirs.value.length === 0 ? frameworkOf(client.id, client.framework, programs) : null,
});

const frameworkOf = (
  id: string,
  { package: of, names }: Framework,
  { packages, folders }: FrameworkPrograms,
): CandidateFramework => ({
  ...{ package: of, names },
  isUsed: packages.has(of),
  named: folders.filter(({ framework }) => framework === id).map(({ folder, file, line }) => ({ folder, file, line })),
});

/** Returns the named folders without those of single skills, in which a framework looks for no other ones. */
const certainFolders = (
  folders: FrameworkPrograms['folders'],
  subjects: readonly Subject[],
  root: string | undefined,
): FrameworkPrograms['folders'] => {
  const ofSkills = new Set(subjects.map(({ uri }) => folderOf(uri)));
  const paths = [...ofSkills].map((uri) => decoded(uri.slice((root ?? '').length + 1)));
  return folders.filter(({ program, folder }) => !paths.includes(program === '' ? folder : `${program}/${folder}`));
};

/** Returns the folders above the folders of skills, relative to a folder, first those that no client reads. */
function foldersOfSkills(subjects: readonly Subject[], root: string | undefined): readonly CandidateFolder[] {
  const counts = new Map<string, { readonly path: string; skills: number; readonly isRead: boolean }>();
  for (const subject of subjects) {
    const above = folderOf(folderOf(subject.uri));
    if (root === undefined || !above.startsWith(`${root}/`)) continue;
    const path = decoded(above.slice(root.length + 1));
    const known = counts.get(path) ?? { path, skills: 0, isRead: skillsFolderOf(subject) !== undefined };
    known.skills++;
    counts.set(path, known);
  }
  return [...counts.values()]
    .sort((a, b) => Number(a.isRead) - Number(b.isRead) || b.skills - a.skills || (a.path < b.path ? -1 : 1))
    .map(({ path, skills }) => ({ path, skills }));
}

/**
 * Returns the folders that a client always reads, with the number of skills in each of them, its own folders first. An
 * archived client counts only in its own folders.
 */
function foldersWithSkills(client: Client, subjects: readonly Subject[]): readonly CandidateFolder[] {
  const counts = new Map<string, number>();
  for (const subject of subjects) {
    const dir = placeIn(client, subject)?.dir;
    const isOwn = dir !== undefined && client.ownFolders.includes(dir.path);
    if (!dir || dir.conditional || (client.archived && !isOwn)) continue;
    counts.set(dir.path, (counts.get(dir.path) ?? 0) + 1);
  }
  const isOwn = (path: string): number => Number(client.ownFolders.includes(path));
  return [...counts]
    .map(([path, skills]) => ({ path, skills }))
    .sort((a, b) => isOwn(b.path) - isOwn(a.path) || b.skills - a.skills || (a.path < b.path ? -1 : 1));
}
