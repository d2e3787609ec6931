/** “Skill: New Skill…”: asks for a kind and a name, makes the file, and leaves the cursor in the description. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type NewSkillParams, NewSkillRequest, type NewSkillResult } from '../../server/src/protocol.ts';
import { isSkill } from './served-files.ts';

type Kind = NewSkillParams['kind'];

const kinds: readonly (vscode.QuickPickItem & { readonly skill: Kind })[] = [
  { skill: 'literal', label: 'Instructions', detail: 'Prose that goes to the model as it stands.' },
  { skill: 'template', label: 'Prompt template', detail: 'A prompt with variables and conditions.' },
  {
    skill: 'staged',
    label: 'Stages and an example',
    detail: 'A procedure in numbered stages, and an example to go by.',
  },
  { skill: 'contract', label: 'Tool contract', detail: 'What a tool takes, returns and promises, in YAML; no prompt.' },
  {
    skill: 'agent-skill',
    label: 'Agent Skill',
    detail: 'A folder with a SKILL.md, the open standard of coding agents.',
  },
];

/**
 * `place` is the folder that the command was called on, if any. Nothing is written unless all questions are answered, and
 * a file that is there already is never touched.
 */
export async function newSkill(client: BaseLanguageClient | undefined, place?: unknown): Promise<void> {
  if (!client?.isRunning()) {
    void vscode.window.showErrorMessage('The skill language server, which knows the templates, is not running.');
    return;
  }
  const chosen = await vscode.window.showQuickPick(kinds, { title: 'New Skill', placeHolder: 'What kind of skill?' });
  if (chosen === undefined) return;
  const kind = chosen.skill;
  const folder = place instanceof vscode.Uri ? place : ((await defaultFolder()) ?? (await askForFolder()));
  if (folder === undefined) return;
  const ask = (name: string): Promise<NewSkillResult> =>
    client.sendRequest<NewSkillResult>(NewSkillRequest, { kind, name } satisfies NewSkillParams);
  const name = await askForName(folder, ask);
  if (!name) return;
  try {
    await create(folder, await ask(name));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The skill “${name}” was not made: ${reason}`);
  }
}

/** The name, once it is valid and its file is not there yet. */
function askForName(folder: vscode.Uri, ask: (name: string) => Promise<NewSkillResult>): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'New Skill',
    prompt: `Its name, such as draft-scene. It goes to the folder ${folder.path.replace(/^.*\/(?=.)/, '')}.`,
    ignoreFocusOut: true,
    validateInput: async (name) => {
      // Nobody wants to be told off before the first letter.
      if (name === '') return undefined;
      const result = await ask(name);
      if ('problem' in result) return plain(result.problem);
      return (await isThere(vscode.Uri.joinPath(folder, result.fileName))) ? taken(result.fileName) : undefined;
    },
  });
}

/** These places show no Markdown. */
const plain = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”');

const taken = (fileName: string): string => `${fileName} is there already: give another name.`;

async function create(folder: vscode.Uri, result: NewSkillResult): Promise<void> {
  if ('problem' in result) throw new Error(plain(result.problem));
  const { fileName, text, description } = result;
  const file = vscode.Uri.joinPath(folder, fileName);
  // It may have come about since the name was typed.
  if (await isThere(file)) throw new Error(taken(fileName));
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, '..'));
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(file);
  const selection = new vscode.Range(document.positionAt(description.start), document.positionAt(description.end));
  // Selected, so that what is typed takes its place.
  await vscode.window.showTextDocument(document, { selection });
}

/** Beside the skill in the active editor, else `skills`, else the workspace folder; undefined without a workspace. */
async function defaultFolder(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const owner = active && vscode.workspace.getWorkspaceFolder(active.uri);
  if (active && !active.isUntitled && isSkill(active)) {
    // A `SKILL.md` has its folder to itself.
    const beside = vscode.Uri.joinPath(active.uri, active.uri.path.endsWith('/SKILL.md') ? '../..' : '..');
    if (owner === undefined || vscode.workspace.getWorkspaceFolder(beside)) return beside;
  }
  const root = owner ?? vscode.workspace.workspaceFolders?.[0];
  if (root === undefined) return undefined;
  const skills = vscode.Uri.joinPath(root.uri, 'skills');
  return (await isThere(skills)) ? skills : root.uri;
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'New Skill',
    openLabel: 'Make the Skill Here',
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0];
}

const isThere = async (uri: vscode.Uri): Promise<boolean> => {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
};
