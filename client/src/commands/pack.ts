/** “Skill: Pack…”: writes an archive with skills and their dependencies, and reports its contents and location. */
import * as vscode from 'vscode';
import { type PackReply, PackRequest, SECTION, SkillsRequest } from '../../../server/src/protocol.ts';
import { findFiles } from '../language-server/find-files.ts';
import { activeSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { errorMessage } from '../plain-message.ts';
import { chooseWorkspaceFolder, offerCommand } from './choose-folder.ts';

/** The skills or folders to pack, and the suggested name of the archive. */
export interface ToPack {
  readonly uris: readonly vscode.Uri[];
  readonly name: string;
}

export async function packSkills(
  server: Pick<SkillServer, 'send' | 'serverPathFor'>,
  given: ToPack | undefined,
): Promise<void> {
  const chosen = given ?? (await choose());
  const [first] = chosen?.uris ?? [];
  if (!chosen || !first) return;
  const folder = vscode.workspace.getWorkspaceFolder(first)?.uri;
  if (!folder || server.serverPathFor(folder) === undefined) {
    void showError(vscode.l10n.t('Only skills in a workspace folder on this machine can be packed.'));
    return;
  }
  if (!(await hasSkills(server, chosen.uris))) {
    const message = vscode.l10n.t('{0} has no skills to pack. Create or import a skill first.', nameOf(first));
    void offerCommand(showInformation, message, vscode.l10n.t('New Skill…'), `${SECTION}.newSkill`);
    return;
  }
  if (!(await confirmUnsaved(folder))) return;
  const out = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Pack Skills'),
    saveLabel: vscode.l10n.t('Pack'),
    defaultUri: vscode.Uri.joinPath(folder, `${chosen.name}.skill`),
    filters: { [vscode.l10n.t('Skills, as a zip')]: ['skill', 'zip'], [vscode.l10n.t('Skills, as a tar')]: ['tgz'] },
  });
  const word = out && server.serverPathFor(out);
  if (!out || word === undefined) return;
  try {
    const uris = chosen.uris.map((uri) => uri.toString());
    const reply = await server.send(PackRequest, { folder: folder.toString(), uris, out: word });
    if ('problem' in reply) void showError(reply.problem);
    else await reportPacked(reply, out);
  } catch (error) {
    void showError(vscode.l10n.t('Nothing was packed: {0}', errorMessage(error)));
  }
}

/** Asks whether to pack the active skill or all skills of a workspace folder. */
async function choose(): Promise<ToPack | undefined> {
  const folder = await chooseWorkspaceFolder();
  if (!folder) return undefined;
  const all = { uris: [folder], name: nameOf(folder) };
  const active = activeSkill()?.uri;
  if (!active || !vscode.workspace.getWorkspaceFolder(active)) return all;
  const one = { uris: [active], name: skillNameOf(active) };
  const items = [
    { label: one.name, description: vscode.l10n.t('with its dependencies'), toPack: one },
    { label: vscode.l10n.t('All skills of {0}', all.name), description: '', toPack: all },
  ];
  const placeHolder = vscode.l10n.t('Select what to pack');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.toPack;
}

/** Returns whether files or folders contain skills or legacy packages; true if the server does not respond. */
async function hasSkills(server: Pick<SkillServer, 'send'>, places: readonly vscode.Uri[]): Promise<boolean> {
  const isInPlace = (uri: string): boolean => places.some((place) => `${uri}/`.startsWith(`${place}/`));
  const skills = (await server.send(SkillsRequest, {}).catch(() => null))?.skills;
  if (!skills || skills.some(({ uri }) => isInPlace(uri))) return true;
  const packages = await Promise.all(places.map((place) => findFiles(place, ['**/*.skill.json'])));
  return packages.flat().some(({ path }) => path.endsWith('.skill.json'));
}

const nameOf = ({ path }: vscode.Uri): string => path.replace(/\/$/, '').replace(/^.*\//, '');

/** Returns the name of a skill: from its file name or, for a `SKILL.md`, from its folder. */
export function skillNameOf(uri: vscode.Uri): string {
  const name = nameOf(uri);
  if (/^skill\.md$/i.test(name)) return nameOf(vscode.Uri.joinPath(uri, '..'));
  return name.replace(/\.(?:skill\.(?:md|yaml|yml)|md)$/i, '');
}

/** Asks whether to save unsaved files, because files are packed from disk. Returns false to cancel. */
async function confirmUnsaved(folder: vscode.Uri): Promise<boolean> {
  const isSaved = vscode.workspace.textDocuments.every(
    ({ isDirty, uri }) => !isDirty || uri.scheme !== folder.scheme || !uri.path.startsWith(`${folder.path}/`),
  );
  if (isSaved) return true;
  const save = vscode.l10n.t('Save All and Pack');
  const anyway = vscode.l10n.t('Pack');
  const message = vscode.l10n.t(
    'Some files have unsaved changes. The archive would contain their last saved versions.',
  );
  const answer = await showWarning(message, save, anyway);
  return answer === anyway || (answer === save && vscode.workspace.saveAll(false));
}

async function reportPacked(
  { paths, leftOut }: Exclude<PackReply, { problem: string }>,
  out: vscode.Uri,
): Promise<void> {
  const show = vscode.l10n.t('Show Contents');
  const reveal = vscode.l10n.t('Show the Folder');
  const message =
    paths.length === 1
      ? vscode.l10n.t('Packed 1 file into `{0}`: {1}', nameOf(out), placeOf(out))
      : vscode.l10n.t('Packed {1} files into `{0}`: {2}', nameOf(out), paths.length, placeOf(out));
  const answer = await showInformation(message, show, ...(isShownSomewhere(out) ? [reveal] : []));
  if (answer === reveal) await vscode.commands.executeCommand(revealCommand(out), out);
  if (answer !== show) return;
  const items: vscode.QuickPickItem[] = [
    ...paths.map((path) => ({ label: path })),
    ...(leftOut.length > 0 ? [{ label: vscode.l10n.t('Not packed'), kind: vscode.QuickPickItemKind.Separator }] : []),
    ...leftOut.map(({ path, why }) => ({ label: path, detail: why })),
  ];
  await vscode.window.showQuickPick(items, { title: nameOf(out) });
}

/** Returns the path of a file on this machine, or else the path relative to the workspace. */
const placeOf = (uri: vscode.Uri): string =>
  uri.scheme === 'file' ? uri.fsPath : vscode.workspace.asRelativePath(uri);

/** Returns whether the location of a file can be shown. In a browser, only the explorer can show it. */
const isShownSomewhere = (uri: vscode.Uri): boolean =>
  vscode.env.uiKind === vscode.UIKind.Desktop || vscode.workspace.getWorkspaceFolder(uri) !== undefined;

/**
 * Returns the command that shows a file in the explorer, or in the system's file manager if it is outside the
 * workspace.
 */
const revealCommand = (uri: vscode.Uri): string =>
  vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
