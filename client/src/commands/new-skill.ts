/** “Skill: New Skill…”: asks for a kind and a name, writes the file, and selects its description. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ClientChoiceRequest,
  kindBeside,
  type ListedSkill,
  type NewSkillParams,
  type NewSkillReply,
  NewSkillRequest,
  SkillsRequest,
  sendRequest,
} from '../../../server/src/protocol.ts';
import { showError } from '../notify.ts';
import { columnForFiles } from '../panels/command-target.ts';
import { errorMessage, plainMessage } from '../plain-message.ts';
import { besideActiveSkill, chooseFolderForSkill, exists, writeText } from './choose-folder.ts';
import { completeStep } from './first-steps.ts';

type Kind = NewSkillParams['kind'];

type KindItem = vscode.QuickPickItem & { readonly skill?: Kind };

/** Returns the kinds of skills. A function is required, because strings are translated only after activation. */
const kinds = (): readonly KindItem[] => [
  { label: vscode.l10n.t('Atomic'), kind: vscode.QuickPickItemKind.Separator },
  {
    skill: 'literal',
    iconPath: new vscode.ThemeIcon('note'),
    label: vscode.l10n.t('Instructions'),
    description: '*.skill.md',
    detail: vscode.l10n.t('Text that the model receives unchanged.'),
  },
  {
    skill: 'template',
    iconPath: new vscode.ThemeIcon('symbol-variable'),
    label: vscode.l10n.t('Prompt template'),
    description: '*.skill.md',
    detail: vscode.l10n.t('A prompt with variables and conditions.'),
  },
  {
    skill: 'staged',
    iconPath: new vscode.ThemeIcon('list-ordered'),
    label: vscode.l10n.t('Stages and an example'),
    description: '*.skill.md',
    detail: vscode.l10n.t('A procedure in numbered stages, with an example.'),
  },
  { label: vscode.l10n.t('Composed of other skills'), kind: vscode.QuickPickItemKind.Separator },
  {
    skill: 'composite',
    iconPath: new vscode.ThemeIcon('layers'),
    label: vscode.l10n.t('Composite'),
    description: '*.skill.md',
    detail: vscode.l10n.t('Runs atomic skills one after another and passes on their results.'),
  },
  {
    skill: 'workflow',
    iconPath: new vscode.ThemeIcon('type-hierarchy'),
    label: vscode.l10n.t('Workflow'),
    description: '*.skill.md',
    detail: vscode.l10n.t('Runs skills that can themselves be composites.'),
  },
  { label: vscode.l10n.t('Other formats'), kind: vscode.QuickPickItemKind.Separator },
  {
    skill: 'agent-skill',
    iconPath: new vscode.ThemeIcon('folder'),
    label: vscode.l10n.t('Agent Skill'),
    description: 'SKILL.md',
    detail: vscode.l10n.t('A folder with a SKILL.md, in the open format of coding agents.'),
  },
  {
    skill: 'contract',
    iconPath: new vscode.ThemeIcon('tools'),
    label: vscode.l10n.t('Tool contract'),
    description: '*.skill.yaml',
    detail: vscode.l10n.t('The input, output and effects of a tool, in YAML, without a prompt.'),
  },
];

/**
 * Creates a skill. `place` is the folder that the command was called on, if any. Writes nothing until all questions are
 * answered, and never changes an existing file.
 */
export async function newSkill(client: BaseLanguageClient | undefined, place?: unknown): Promise<void> {
  const title = vscode.l10n.t('New Skill');
  if (!client?.isRunning()) {
    void showError(vscode.l10n.t('The skill language server is not running. Restart it.'));
    return;
  }
  const chosen = await chooseKind(client, title, place instanceof vscode.Uri ? place : besideActiveSkill());
  if (!chosen) return;
  const { kind, composes } = chosen;
  const targetsIn = async (root: vscode.Uri): Promise<readonly string[]> =>
    (await sendRequest(client, ClientChoiceRequest, { uri: root.toString() }))?.chosen ?? [];
  const folder =
    place instanceof vscode.Uri ? place : await chooseFolderForSkill(title, kind === 'agent-skill', targetsIn);
  if (folder === undefined) return;
  const ask = (name: string): Promise<NewSkillReply> => sendRequest(client, NewSkillRequest, { kind, name, composes });
  const name = await askForName(title, folder, ask);
  if (!name) return;
  try {
    await create(folder, await ask(name));
  } catch (error) {
    void showError(vscode.l10n.t('The skill “{0}” was not created: {1}', name, errorMessage(error)));
  }
}

/** Returns the highest level of the skills that a kind of skill can compose; undefined if it composes no skills. */
const maxLevelOfComposed = (kind: Kind): number | undefined => ({ composite: 1, workflow: 2 })[kind as string];

interface ChosenKind {
  readonly kind: Kind;
  /** The URIs of the skills to compose. */
  readonly composes: readonly string[];
}

/** Asks for a kind and, for a kind that composes skills, for these skills. Undefined if the user cancelled. */
async function chooseKind(
  client: BaseLanguageClient,
  title: string,
  folder: vscode.Uri | undefined,
): Promise<ChosenKind | undefined> {
  let placeHolder = vscode.l10n.t('Select the kind of skill');
  const items = await orderedKinds(client, folder);
  for (;;) {
    const kind = (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.skill;
    if (kind === undefined) return undefined;
    const most = maxLevelOfComposed(kind);
    if (most === undefined) return { kind, composes: [] };
    const parts = await partsUpTo(client, most);
    if (parts.length > 0) {
      const composes = await chooseParts(parts, title);
      return composes && { kind, composes };
    }
    placeHolder = vscode.l10n.t('The workspace has no skills to compose yet. Select another kind first');
  }
}

/**
 * Returns the kinds, *Agent Skill* first in a folder of such skills. Without a folder, one such skill in the workspace is
 * enough: its author has an agent.
 */
async function orderedKinds(client: BaseLanguageClient, folder: vscode.Uri | undefined): Promise<readonly KindItem[]> {
  const all = (await sendRequest(client, SkillsRequest, {}))?.skills ?? [];
  const own = all.filter(({ isInWorkspace }) => isInWorkspace);
  const items = kinds();
  const isStandard = folder
    ? kindBeside(
        folder.toString(),
        own.map(({ uri }) => uri),
      ) === 'agent-skill'
    : own.some(({ dialect }) => dialect === 'agent-skill');
  if (!isStandard) return items;
  const first = items.filter(({ skill }) => skill === 'agent-skill');
  return [...first, ...items.filter((item) => !first.includes(item))];
}

async function partsUpTo(client: BaseLanguageClient, most: number): Promise<readonly ListedSkill[]> {
  const all = (await sendRequest(client, SkillsRequest, {}))?.skills ?? [];
  const parts = all.filter(({ level, isDeprecated }) => level !== null && level <= most && !isDeprecated);
  return parts.sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the URIs of at least one skill; undefined if the user cancelled. */
async function chooseParts(parts: readonly ListedSkill[], title: string): Promise<readonly string[] | undefined> {
  let placeHolder = vscode.l10n.t('Select the skills to compose');
  for (;;) {
    const chosen = await vscode.window.showQuickPick(parts.map(partItem), { title, placeHolder, canPickMany: true });
    if (chosen?.length !== 0) return chosen?.map(({ uri }) => uri);
    placeHolder = vscode.l10n.t('Select at least one skill to compose');
  }
}

const partItem = ({ name, version, uri }: ListedSkill): vscode.QuickPickItem & { readonly uri: string } => ({
  label: name,
  description: [...(version === null ? [] : [version]), vscode.workspace.asRelativePath(vscode.Uri.parse(uri))].join(
    ' · ',
  ),
  uri,
});

/** Returns a valid name whose file does not exist yet; undefined if the user cancelled. */
async function askForName(
  title: string,
  folder: vscode.Uri,
  ask: (name: string) => Promise<NewSkillReply>,
): Promise<string | undefined> {
  const example = vscode.l10n.t('Draft scene');
  const ofExample = await ask(example);
  if ('problem' in ofExample) {
    void showError(plainMessage(ofExample.problem));
    return undefined;
  }
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Name, for example “{0}” for {1}', example, shownFile(folder, ofExample.fileName)),
    ignoreFocusOut: true,
    validateInput: async (name) => {
      if (name === '') return undefined;
      const result = await ask(name);
      if ('problem' in result) return plainMessage(result.problem);
      if (await exists(vscode.Uri.joinPath(folder, result.fileName))) return existsMessage(result.fileName);
      const message = vscode.l10n.t('Creates {0}', shownFile(folder, result.fileName));
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
}

/** Returns the path of a new file, with the name of its workspace folder. */
const shownFile = (folder: vscode.Uri, fileName: string): string =>
  vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, fileName), true);

const existsMessage = (fileName: string): string => vscode.l10n.t('{0} already exists. Enter another name.', fileName);

/** Writes the file and opens it in a permanent tab. */
async function create(folder: vscode.Uri, result: NewSkillReply): Promise<void> {
  if ('problem' in result) throw new Error(result.problem);
  const { fileName, text, description } = result;
  const file = vscode.Uri.joinPath(folder, fileName);
  // The file may have been created since the name was checked.
  if (await exists(file)) throw new Error(existsMessage(fileName));
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, '..'));
  await writeText(file, text);
  const document = await vscode.workspace.openTextDocument(file);
  const selection = new vscode.Range(document.positionAt(description.start), document.positionAt(description.end));
  await vscode.window.showTextDocument(document, { selection, preview: false, viewColumn: columnForFiles() });
  completeStep('newSkill');
}
