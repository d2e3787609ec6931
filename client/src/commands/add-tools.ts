/**
 * “Skill: Pull Tools from Servers…” asks the same questions as the command line, and starts servers only after
 * confirmation. “Skill: Add Tools from the Editor…” writes the editor's tools to the snapshot beside the catalog.
 */
import * as vscode from 'vscode';
import {
  EditorToolsRequest,
  PullToolsRequest,
  type ToolServerInput,
  type ToolServersReply,
  ToolServersRequest,
} from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { errorMessage } from '../plain-message.ts';
import type { LastPull } from '../views/status-bar.ts';
import { isLink } from './apply-saved.ts';
import { chooseWorkspaceFolder, writeText } from './choose-folder.ts';

export async function pullTools(
  server: SkillServer,
  lastPull: LastPull,
  output: vscode.LogOutputChannel,
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void showWarning(
      vscode.l10n.t('Servers can only be started and called in a trusted workspace. Trust this workspace first.'),
    );
    return;
  }
  const folder = await chooseWorkspaceFolder();
  if (folder === undefined) return;
  try {
    const problem = await pull(server, folder, lastPull, output);
    if (problem !== undefined) void showWarning(problem);
  } catch (error) {
    void showError(vscode.l10n.t('The tools were not pulled: {0}', errorMessage(error)));
  }
}

/** Returns the problem that the user has to fix first, if any. */
async function pull(
  server: SkillServer,
  folder: vscode.Uri,
  lastPull: LastPull,
  output: vscode.LogOutputChannel,
): Promise<string | undefined> {
  let plan = await server.send(ToolServersRequest, { folder: folder.toString() });
  if ('problem' in plan) return plan.problem;
  if (plan.inputs.length > 0) {
    const inputs = await askForInputs(plan.inputs);
    if (inputs === undefined) return undefined;
    plan = await server.send(ToolServersRequest, { folder: folder.toString(), inputs });
    if ('problem' in plan) return plan.problem;
  }
  if (plan.servers.length > 0 && !(await agrees(plan))) return undefined;
  const shown = plan.plan;
  const title = vscode.l10n.t('Pulling tools from servers');
  const reply = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    server.send(PullToolsRequest, { plan: shown }),
  );
  if ('problem' in reply) return reply.problem;
  for (const line of reply.lines) output.info(line);
  await lastPull.note(folder);
  void reportSnapshot(reply, output);
  return undefined;
}

/**
 * Returns the values by input ID; undefined if the user cancels. A server whose input has an empty value is skipped.
 */
async function askForInputs(inputs: readonly ToolServerInput[]): Promise<Record<string, string> | undefined> {
  const values: [string, string][] = [];
  for (const { id, description, initial, isPassword, options } of inputs) {
    const prompt = description ?? id;
    const title = `${vscode.l10n.t('Tools from servers')}: ${id}`;
    const value = options
      ? await vscode.window.showQuickPick([...options], { title, placeHolder: prompt, ignoreFocusOut: true })
      : await vscode.window.showInputBox({
          ...{ title, prompt, value: initial ?? '', password: isPassword, ignoreFocusOut: true },
        });
    if (value === undefined) return undefined;
    if (value !== '') values.push([id, value]);
  }
  return Object.fromEntries(values);
}

async function agrees({ servers }: Extract<ToolServersReply, { servers: unknown }>): Promise<boolean> {
  const go = vscode.l10n.t('Start and Pull');
  const detail = servers
    .map(({ name, file, what, details }) => [
      `${name} (${file})`,
      `    ${what}`,
      ...details.map((line) => `    ${line}`),
    ])
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  const question = vscode.l10n.t('Run these commands and call these addresses to list the tools?');
  return (await showWarning(question, { modal: true, detail }, go)) === go;
}

async function reportSnapshot(
  {
    tools,
    missed,
    breaking,
  }: { readonly tools: number; readonly missed: readonly string[]; readonly breaking: number },
  output: vscode.LogOutputChannel,
): Promise<void> {
  const show = vscode.l10n.t('Show Output');
  const lines = [
    tools === 1 ? vscode.l10n.t('The snapshot has 1 tool.') : vscode.l10n.t('The snapshot has {0} tools.', tools),
    ...(breaking > 0 ? [vscode.l10n.t('Changes that affect skills: {0}.', breaking)] : []),
    ...(missed.length > 1 ? [vscode.l10n.t('Servers that did not answer: {0}.', missed.length)] : missed),
  ];
  const isFine = lines.length === 1;
  const message = lines.join(' ');
  const chosen = await (isFine ? showInformation(message, show) : showWarning(message, show));
  if (chosen === show) output.show();
}

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: vscode.LanguageModelToolInformation;
}

export async function addEditorTools(server: SkillServer): Promise<void> {
  const folder = await chooseWorkspaceFolder();
  if (folder === undefined) return;
  const problem = await addTools(server, folder).catch(errorMessage);
  if (problem !== undefined) void showWarning(problem);
}

/** Returns the reason if nothing was written. */
async function addTools(server: SkillServer, uri: vscode.Uri): Promise<string | undefined> {
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
