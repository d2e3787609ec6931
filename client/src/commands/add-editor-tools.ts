/** “Skill: Add Tools from the Editor…”: writes the editor's tools to the snapshot beside the catalog. */
import * as vscode from 'vscode';
import { EditorToolsRequest } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showWarning } from '../notify.ts';
import { errorMessage } from '../plain-message.ts';
import { isLink } from './apply-saved.ts';
import { chooseWorkspaceFolder, writeText } from './choose-folder.ts';

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: vscode.LanguageModelToolInformation;
}

export async function addEditorTools(server: SkillServer): Promise<void> {
  const folder = await chooseWorkspaceFolder();
  if (folder === undefined) return;
  const problem = await take(server, folder).catch(errorMessage);
  if (problem !== undefined) void showWarning(problem);
}

/** Returns the reason if nothing was written. */
async function take(server: SkillServer, uri: vscode.Uri): Promise<string | undefined> {
  const folder = uri.toString();
  const known = await server.send(EditorToolsRequest, { folder });
  if ('problem' in known) return known.problem;
  const chosen = await choose(new Set(known.taken));
  if (chosen === undefined) return undefined;
  if (chosen === 'none')
    return vscode.l10n.t('The editor currently has no tools. Start a chat or an MCP server, and try again.');
  const tools = chosen.map(({ tool: { name, description, inputSchema } }) => ({
    name,
    description,
    ...(inputSchema && { inputSchema }),
  }));
  const reply = await server.send(EditorToolsRequest, { folder, tools });
  if ('problem' in reply) return reply.problem;
  const file = vscode.Uri.parse(reply.uri);
  if (await isLink(file)) {
    return vscode.l10n.t(
      '{0} was not written, because it is a symbolic link or is in a linked folder.',
      vscode.workspace.asRelativePath(file),
    );
  }
  await writeText(file, reply.text);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('{0} contains {1} tools from the editor.', vscode.workspace.asRelativePath(file), tools.length),
    5000,
  );
  return undefined;
}

async function choose(taken: ReadonlySet<string>): Promise<readonly ToolItem[] | 'none' | undefined> {
  const items = [...vscode.lm.tools]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool): ToolItem => ({ label: tool.name, detail: tool.description, picked: taken.has(tool.name), tool }));
  if (items.length === 0) return 'none';
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Add Tools from the Editor'),
    placeHolder: vscode.l10n.t('Select the tools that skills in this workspace can use'),
    canPickMany: true,
    matchOnDetail: true,
  });
}
