/** “Skill: Choose Clients…”: a list of all clients, whose ticked ones become the target clients (docs/clients.md). */
import * as vscode from 'vscode';
import {
  type ClientCandidate,
  type ClientChoiceReply,
  ClientChoiceRequest,
  SECTION,
  SetClientsRequest,
} from '../../../server/src/protocol.ts';
import { activeSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { openFile, skillOf } from '../panels/command-target.ts';
import { errorMessage } from '../plain-message.ts';
import { namesText } from '../views/workspace-entry.ts';
import { chooseRoot, offerCommand } from './choose-folder.ts';
import { editCatalog } from './edit-catalog.ts';

type Server = Pick<SkillServer, 'send'>;

/** The setting with the target clients, below `SECTION`. */
const SETTING = 'agentSkills.clients';

/**
 * Lets the user choose the target clients for a skill, the active skill or a workspace folder, and saves them. `target` is
 * the argument of the command: a URI, or an object with a URI.
 */
export async function chooseClients(server: Server, target?: unknown): Promise<void> {
  const place = await placeOf(target);
  if (!place) return;
  try {
    const choice = await server.send(ClientChoiceRequest, { uri: place.toString() });
    const picked = choice && (await pick(choice));
    if (!picked || isEqual(picked, choice.chosen)) return;
    const saved = await save(server, place, picked);
    if (saved) await report(server, place, choice, picked, saved);
  } catch (error) {
    void showError(vscode.l10n.t('The clients were not saved: {0}', errorMessage(error)));
  }
}

/** Returns the file or the workspace folder whose clients are chosen; undefined without one, or if the user cancelled. */
async function placeOf(target: unknown): Promise<vscode.Uri | undefined> {
  const file = skillOf(target) ?? activeSkill()?.uri;
  if (file && vscode.workspace.getWorkspaceFolder(file)) return file;
  if (vscode.workspace.workspaceFolders?.length) {
    return chooseRoot(vscode.l10n.t('Choose Clients'), async (root) => root);
  }
  const message = vscode.l10n.t('This command needs a folder. Open a folder first.');
  void offerCommand(showError, message, vscode.l10n.t('Open Folder…'), 'vscode.openFolder');
  return undefined;
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();

interface ClientItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Returns the IDs of the ticked clients, the ones that stay first; undefined if the user cancelled. */
async function pick(choice: ClientChoiceReply): Promise<readonly string[] | undefined> {
  const { candidates, chosen, automatic } = choice;
  const itemOf = (candidate: ClientCandidate): ClientItem => ({
    id: candidate.id,
    label: candidate.name,
    description:
      candidate.folders.length > 0 || candidate.framework ? evidenceText(candidate) : knowledgeText(candidate),
    picked: chosen.includes(candidate.id),
  });
  const isDetected = ({ folders, framework }: ClientCandidate): boolean =>
    folders.length > 0 || framework?.isUsed === true;
  const isOther = (candidate: ClientCandidate): boolean => !isDetected(candidate) && !candidate.framework;
  const isUnused = (candidate: ClientCandidate): boolean => !isDetected(candidate) && !isOther(candidate);
  const separator = (label: string): ClientItem => ({ id: '', label, kind: vscode.QuickPickItemKind.Separator });
  const items = [
    ...group(separator(vscode.l10n.t('Detected')), candidates.filter(isDetected).map(itemOf)),
    ...group(separator(vscode.l10n.t('Other clients')), candidates.filter(isOther).map(itemOf)),
    ...group(separator(vscode.l10n.t('Frameworks')), candidates.filter(isUnused).map(itemOf)),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    title: vscode.l10n.t('For which clients are your skills?'),
    placeHolder:
      automatic.length > 0
        ? vscode.l10n.t('If none is ticked, clients are detected: {0}', namesText(automatic))
        : vscode.l10n.t('If none is ticked, clients are detected from the folders'),
  });
  const ids =
    picked &&
    (await withFolders(
      choice,
      picked.map(({ id }) => id),
    ));
  return ids && [...chosen.filter((id) => ids.includes(id)), ...ids.filter((id) => !chosen.includes(id))];
}

/** Asks for the folder of each framework that was just ticked; undefined if the user cancelled. */
async function withFolders(
  { candidates, chosen, skillFolders, folderPattern }: ClientChoiceReply,
  ids: readonly string[],
): Promise<readonly string[] | undefined> {
  const named: string[] = [];
  for (const id of ids) {
    const candidate = candidates.find((one) => one.id === id);
    if (!candidate?.framework || chosen.includes(id)) {
      named.push(id);
      continue;
    }
    const other = { label: vscode.l10n.t('Another folder…'), path: undefined };
    const { named: inSources } = candidate.framework;
    const items = [
      ...inSources.map(({ folder, file, line }) => ({
        ...{ label: folder, path: folder, description: vscode.l10n.t('named in {0}', `${file}:${line}`) },
      })),
      ...skillFolders
        .filter(({ path }) => !inSources.some(({ folder }) => folder === path))
        .map(({ path, skills }) => ({ label: path, path, description: skillsText(skills) })),
    ];
    const title = vscode.l10n.t('The folder of skills in {0}', candidate.name);
    const placeHolder = vscode.l10n.t(
      'The folder that your program names in {0}',
      candidate.framework.names.replaceAll('`', ''),
    );
    const folder =
      items.length > 0 ? await vscode.window.showQuickPick([...items, other], { title, placeHolder }) : other;
    if (!folder) return undefined;
    const path = folder.path ?? (await askForPath(title, placeHolder, new RegExp(folderPattern)));
    if (path === undefined) return undefined;
    named.push(`${id}:${path.trim()}`);
  }
  return [...new Set(named)];
}

const askForPath = (title: string, prompt: string, pattern: RegExp): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    ...{ title, prompt, value: 'skills', ignoreFocusOut: true },
    validateInput: (path) =>
      pattern.test(path.trim())
        ? undefined
        : vscode.l10n.t('Enter a path below the folder of the workspace, such as src/skills.'),
  });

const skillsText = (skills: number): string =>
  skills === 1 ? vscode.l10n.t('1 skill') : vscode.l10n.t('{0} skills', skills);

const group = (separator: ClientItem, items: readonly ClientItem[]): readonly ClientItem[] =>
  items.length > 0 ? [separator, ...items] : [];

/** Returns the folders with skills that a client reads, for example "6 skills in .claude/skills", or a framework's package. */
function evidenceText({ folders, framework }: ClientCandidate): string {
  const [first] = framework?.named ?? [];
  if (framework?.isUsed && first) {
    const at = `${first.file}:${first.line}`;
    return vscode.l10n.t('{0} in package.json, {1} in {2}', framework.package, first.folder, at);
  }
  if (framework?.isUsed) return vscode.l10n.t('{0} in package.json', framework.package);
  if (framework) return framework.package;
  return folders
    .map(({ path, skills }) =>
      skills === 1 ? vscode.l10n.t('1 skill in {0}', path) : vscode.l10n.t('{0} skills in {1}', skills, path),
    )
    .join(', ');
}

function knowledgeText({ isObserved, asOf, archived }: ClientCandidate): string {
  if (archived !== null) return vscode.l10n.t('development ended on {0}', archived);
  return isObserved ? vscode.l10n.t('observed: {0}', asOf) : vscode.l10n.t('read: {0}', asOf);
}

/** The places where a choice was saved. */
interface Saved {
  readonly catalog: vscode.Uri | undefined;
  readonly isInSettings: boolean;
}

/** Saves the target clients. Returns undefined if nothing was saved, after a message with the reason. */
async function save(server: Server, place: vscode.Uri, clients: readonly string[]): Promise<Saved | undefined> {
  const reply = await server.send(SetClientsRequest, { uri: place.toString(), clients: [...clients] });
  if (!reply) return undefined;
  if ('problem' in reply) {
    const open = vscode.l10n.t('Open the Catalog');
    if ((await showWarning(reply.problem, open)) === open) await openFile(vscode.Uri.parse(reply.uri));
    return undefined;
  }
  const catalog = reply.catalog ? vscode.Uri.parse(reply.catalog.uri) : undefined;
  if (catalog && reply.catalog) await editCatalog(catalog, reply.catalog.edits);
  if (reply.settings) await saveSetting(reply.settings);
  return { catalog, isInSettings: reply.settings !== null };
}

/**
 * Saves the clients in the settings of the workspace. An empty list is written only if it must hide the clients of the
 * user's settings.
 */
async function saveSetting(clients: readonly string[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const ofUser = settings.inspect<readonly string[]>(SETTING)?.globalValue ?? [];
  const value = clients.length > 0 || ofUser.length > 0 ? [...clients] : undefined;
  await settings.update(SETTING, value, vscode.ConfigurationTarget.Workspace);
}

/** Says in one line which clients were saved, and where. The buttons restore the earlier clients, and show the new ones. */
async function report(
  server: Server,
  place: vscode.Uri,
  { candidates, chosen, automatic }: ClientChoiceReply,
  picked: readonly string[],
  { catalog, isInSettings }: Saved,
): Promise<void> {
  const nameOf = (id: string): string => {
    const [framework = '', folder = ''] = id.split(':');
    const named = candidates.find((one) => one.id === framework)?.name ?? id;
    return candidates.find((one) => one.id === id)?.name ?? `${named} (${folder})`;
  };
  const where = catalog && !isInSettings ? vscode.workspace.asRelativePath(catalog) : placeText();
  const message =
    picked.length > 0
      ? vscode.l10n.t('Target clients: {0}. Saved in {1}.', namesText(picked.map(nameOf)), where)
      : automatic.length > 0
        ? vscode.l10n.t('Target clients are detected: {0}. Removed from {1}.', namesText(automatic), where)
        : vscode.l10n.t('Target clients are detected. Removed from {0}.', where);
  const [undo, open] = [vscode.l10n.t('Undo'), vscode.l10n.t('Open')];
  const answer = await showInformation(message, undo, open);
  if (answer === undo) await save(server, place, chosen);
  if (answer !== open) return;
  if (catalog) await openFile(catalog);
  else {
    await vscode.commands.executeCommand('workbench.action.openWorkspaceSettings', {
      query: `@id:${SECTION}.${SETTING}`,
    });
  }
}

/** Returns the name of the workspace settings, which apply to every folder of a window. */
const placeText = (): string =>
  (vscode.workspace.workspaceFolders?.length ?? 0) > 1
    ? vscode.l10n.t('the workspace settings, for all folders')
    : vscode.l10n.t('the workspace settings');
