import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { open } from './support.ts';

test("an agent's tool reads a skill as it is in the editor, unsaved", async () => {
  const { document } = await open('tested/welcome-guest.skill.md');
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(document.getText().length), '\nSay #tool:no_such_tool.\n');
  await vscode.workspace.applyEdit(edit);
  try {
    const input = { skill: 'welcome-guest' };
    const result = await vscode.lm.invokeTool('skill_check', { input, toolInvocationToken: undefined });
    const [part] = result.content;
    const reply = JSON.parse(part instanceof vscode.LanguageModelTextPart ? part.value : '');
    assert.ok(reply.ok, JSON.stringify(reply));
    assert.match(JSON.stringify(reply.findings), /no_such_tool/);
    const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('skill_'));
    assert.deepEqual(names.sort(), ['skill_check', 'skill_compose', 'skill_match']);
  } finally {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
});
