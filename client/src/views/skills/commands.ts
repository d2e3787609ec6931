/** The commands on an item of the view of skills. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { packSkills, skillNameOf, type ToPack } from '../../commands/pack.ts';
import { errorMessage } from '../../error-message.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { showInformation } from '../../notify.ts';
import { skillOf } from '../../panels/command-target.ts';
import type { GroupNode, SkillModel } from './model.ts';

export function serveSkillCommands(
  model: SkillModel,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const onSkill = (command: string, run: (file: vscode.Uri) => Promise<unknown>): vscode.Disposable =>
    vscode.commands.registerCommand(`${SECTION}.${command}`, async (target?: unknown) => {
      const file = skillOf(target);
      if (file) await run(file).catch((error: unknown) => log.warn(`${command}: ${errorMessage(error)}`));
    });
  return vscode.Disposable.from(
    onSkill('revealSkill', async (file) => vscode.commands.executeCommand('revealInExplorer', file)),
    onSkill('copySkillName', async (file) => {
      const name = model.skill(file.toString())?.name;
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    }),
    onSkill('renameSkill', (file) => rename(file, server)),
    vscode.commands.registerCommand(`${SECTION}.packSkills`, (target?: unknown) =>
      packSkills(server, toPack(target, model)),
    ),
  );
}

/** What a row stands for, or a file or a folder of the explorer; undefined where the command was called on nothing. */
function toPack(target: unknown, model: SkillModel): ToPack | undefined {
  if ((target as Partial<GroupNode> | undefined)?.kind === 'group') {
    const group = target as GroupNode;
    const uris = model.membersOf(group).map(({ uri }) => vscode.Uri.parse(uri));
    return { uris, name: group.key.replace(/^.*\//, '') || 'skills' };
  }
  const uri = skillOf(target);
  return uri && { uris: [uri], name: model.skill(uri.toString())?.name ?? skillNameOf(uri) };
}

/** Opens the skill at its name, and begins the editor's own rename, which changes every mention. */
async function rename(file: vscode.Uri, server: SkillServer): Promise<void> {
  const at = (await server.skillDetails({ uri: file.toString() }))?.nameRange?.start;
  if (!at) {
    const message = vscode.l10n.t('This skill has no `name` that could be renamed: write one into its frontmatter.');
    void showInformation(message);
    return;
  }
  await vscode.window.showTextDocument(file, { preview: false, selection: new vscode.Range(at, at) });
  await vscode.commands.executeCommand('editor.action.rename', [file, at]);
}
