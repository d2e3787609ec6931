import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open } from './support.ts';

test('a conversion opens beside its source as an unsaved document', async () => {
  await open('summarize-page.skill.md');
  try {
    void vscode.commands.executeCommand('skillComposer.convert');
    const document = await eventually('the result', async () => {
      // The first item of the list is the folder of the open standard.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.scheme === 'skill-converted');
      return editor?.document;
    });
    assert.equal(document.uri.path, '/summarize-page/SKILL.md');
    assert.match(document.getText(), /^name: summarize-page$/m);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('skill-converted'), undefined);
  } finally {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
});
