/** What one can do with an imported skill: see what is other than it came, and take in a newer version. */
import * as vscode from 'vscode';
import { type InstalledSkill, SECTION } from '../../../../server/src/protocol.ts';
import { isThere } from '../../commands/choose-folder.ts';
import { showInformation } from '../../notify.ts';
import { skillOf } from '../../panels/command-target.ts';
import type { ImportSkills } from '../../panels/import/imports.ts';
import { shownOrigin } from '../../places.ts';
import { type ImportedSkills, isAsImported } from './imported.ts';

export function serveImportedCommands(imported: ImportedSkills, importSkills: ImportSkills): vscode.Disposable {
  const onImported = (
    command: string,
    run: (skill: InstalledSkill, folder: vscode.Uri) => Promise<unknown>,
  ): vscode.Disposable =>
    vscode.commands.registerCommand(`${SECTION}.${command}`, async (target?: unknown) => {
      const uri = skillOf(target);
      const skill = uri && imported.find(uri.toString());
      const folder = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri;
      if (skill && folder) await run(skill, folder);
    });
  return vscode.Disposable.from(
    onImported('checkImported', showDifferences),
    onImported('updateImported', async ({ origin }, folder) => {
      const source = vscode.Uri.joinPath(folder, origin);
      // Where it came from may be gone, or of another machine: then the user says where the newer one is.
      await importSkills((await isThere(source)) ? source : undefined);
    }),
  );
}

/** Lists what is other than it came; an entry that is a file opens it. */
async function showDifferences(skill: InstalledSkill, folder: vscode.Uri): Promise<void> {
  if (isAsImported(skill)) {
    void showInformation(
      vscode.l10n.t('It has not changed since it was imported from `{0}`.', shownOrigin(skill, folder)),
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
  if (picked && (await isThere(picked.uri))) await vscode.commands.executeCommand('vscode.open', picked.uri);
}

const STATES = {
  edited: () => vscode.l10n.t('was edited since'),
  missing: () => vscode.l10n.t('is not there any more'),
  added: () => vscode.l10n.t('was not imported'),
};
