/**
 * “Enable in This Workspace” and “Disable in This Workspace”: edits the catalog. Offers to create a missing
 * catalog.
 */
import * as vscode from 'vscode';
import { SetEnabledRequest } from '../../../server/src/protocol.ts';
import { activeSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { openFile, skillOf } from '../panels/command-target.ts';
import { errorMessage } from '../plain-message.ts';
import { editCatalog } from './edit-catalog.ts';

/** Enables or disables a skill. `makeCatalog` creates a catalog in the folder. */
export async function setSkillEnabled(
  server: SkillServer,
  target: unknown,
  enabled: boolean,
  makeCatalog: (folder: vscode.Uri) => Promise<unknown>,
): Promise<void> {
  const file = skillOf(target) ?? activeSkill()?.uri;
  if (!file) return;
  try {
    if (!(await write(server, file, enabled)) && (await offerCatalog(file, makeCatalog))) {
      await write(server, file, enabled);
    }
  } catch (error) {
    void showError(vscode.l10n.t('The catalog was not changed: {0}', errorMessage(error)));
  }
}

/** Edits the catalog. Returns false if no catalog applies to the skill. */
async function write(server: SkillServer, file: vscode.Uri, enabled: boolean): Promise<boolean> {
  const reply = await server.send(SetEnabledRequest, { uri: file.toString(), enabled });
  if (!reply || reply.kind === 'no-catalog') return reply === null;
  if (reply.kind === 'nothing') {
    const catalog = vscode.Uri.parse(reply.catalog);
    const message = vscode.l10n.t('{0} cannot be changed automatically. Edit it yourself.', 'skills.config.yaml');
    const open = vscode.l10n.t('Open the Catalog');
    if ((await showWarning(message, open)) === open) await openFile(catalog);
    return true;
  }
  await editCatalog(vscode.Uri.parse(reply.uri), reply.edits);
  return true;
}

async function offerCatalog(file: vscode.Uri, makeCatalog: (folder: vscode.Uri) => Promise<unknown>): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.Uri.joinPath(file, '..');
  const make = vscode.l10n.t('Create Catalog');
  const message = vscode.l10n.t('A catalog is needed to enable or disable skills, and this workspace has none.');
  if ((await showInformation(message, make)) !== make) return false;
  await makeCatalog(folder);
  return true;
}
