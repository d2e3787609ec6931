/** The imported skills and their changes since the import, from the lock files of the workspace. */
import * as vscode from 'vscode';
import { InstalledRequest, type InstalledSkill, SECTION } from '../../../../server/src/protocol.ts';
import { exists } from '../../commands/choose-folder.ts';
import { registerCommand } from '../../commands/first-steps.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { shownOrigin } from '../../locations.ts';
import { showInformation } from '../../notify.ts';
import { columnForFiles, skillOf } from '../../panels/command-target.ts';
import type { ImportSkills } from '../../panels/import/imports.ts';
import { coalesce } from '../../panels/kit/schedule.ts';
import { errorMessage } from '../../plain-message.ts';

interface ImportedSkills extends vscode.Disposable {
  readonly find: (uri: string) => InstalledSkill | undefined;
  /** Requests the imported skills now, and from then on after each change. */
  readonly refresh: () => void;
  /** The URIs of the skills whose state changed. */
  readonly onDidChange: vscode.Event<readonly string[]>;
}

export function followImported(server: SkillServer, log: vscode.LogOutputChannel): ImportedSkills {
  const changed = new vscode.EventEmitter<readonly string[]>();
  let known: ReadonlyMap<string, InstalledSkill> = new Map();
  const ask = async ({ uri }: vscode.WorkspaceFolder): Promise<readonly InstalledSkill[]> => {
    const reply = await server.send(InstalledRequest, { folder: uri.toString() });
    if ('skills' in reply) return reply.skills;
    log.warn(reply.problem);
    return [];
  };
  const fail = (error: unknown): void => log.debug(`imported: ${errorMessage(error)}`);
  const refresh = coalesce(async () => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => server.serverPathFor(uri) !== undefined,
    );
    const skills = (await Promise.all(folders.map(ask))).flat();
    const before = known;
    known = new Map(skills.map((skill) => [skill.uri, skill]));
    const other = [...new Set([...before.keys(), ...known.keys()])].filter(
      (uri) => JSON.stringify(before.get(uri)) !== JSON.stringify(known.get(uri)),
    );
    if (other.length > 0) changed.fire(other);
  }, fail);
  const watcher = vscode.workspace.createFileSystemWatcher('**/skills.lock.json');
  let isAsked = false;
  const again = (): void => {
    if (isAsked) refresh();
  };
  const disposables = vscode.Disposable.from(
    changed,
    watcher,
    watcher.onDidCreate(again),
    watcher.onDidChange(again),
    watcher.onDidDelete(again),
    // Any saved file, such as a script, can belong to an imported skill.
    vscode.workspace.onDidSaveTextDocument(again),
  );
  return {
    find: (uri) => known.get(uri),
    refresh: () => {
      isAsked = true;
      refresh();
    },
    onDidChange: changed.event,
    dispose: () => disposables.dispose(),
  };
}

/** Returns whether the skill is unchanged since its import. */
export const isAsImported = ({ files, changes }: InstalledSkill): boolean => files.length + changes.length === 0;

/** Registers the commands of an imported skill: show its changes, and update it from its source. */
export function serveImportedCommands(imported: ImportedSkills, importSkills: ImportSkills): vscode.Disposable {
  const onImported = (
    command: string,
    run: (skill: InstalledSkill, folder: vscode.Uri) => Promise<unknown>,
  ): vscode.Disposable =>
    registerCommand(`${SECTION}.${command}`, async (target?: unknown) => {
      const uri = skillOf(target);
      const skill = uri && imported.find(uri.toString());
      const folder = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri;
      if (skill && folder) await run(skill, folder);
    });
  return vscode.Disposable.from(
    onImported('checkImported', showDifferences),
    onImported('updateImported', async ({ origin }, folder) => {
      const source = vscode.Uri.joinPath(folder, origin);
      // The source may have been deleted, or may be on another machine. The user then selects another source.
      await importSkills((await exists(source)) ? source : undefined);
    }),
  );
}

/** Lists the changes since the import. Selecting an entry opens its file. */
async function showDifferences(skill: InstalledSkill, folder: vscode.Uri): Promise<void> {
  if (isAsImported(skill)) {
    void showInformation(
      vscode.l10n.t('This skill has not changed since its import from `{0}`.', shownOrigin(skill, folder)),
    );
    return;
  }
  const items = [
    ...skill.changes.map(({ text }) => ({ label: text.replaceAll('`', ''), uri: vscode.Uri.parse(skill.uri) })),
    ...skill.files.map(({ path, state }) => ({
      label: path,
      description: STATES[state](),
      uri: vscode.Uri.joinPath(folder, path),
    })),
  ];
  const title = vscode.l10n.t('Changed since the import');
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked && (await exists(picked.uri))) {
    await vscode.commands.executeCommand('vscode.open', picked.uri, columnForFiles(picked.uri));
  }
}

const STATES = {
  edited: () => vscode.l10n.t('edited'),
  missing: () => vscode.l10n.t('deleted'),
  added: () => vscode.l10n.t('added'),
};
