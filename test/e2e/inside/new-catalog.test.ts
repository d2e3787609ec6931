import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { open, workspaceFile } from './support.ts';

test.extended('a new catalog lists the tools of the skills below its folder, and is never overwritten', async () => {
  const folder = workspaceFile('new');
  const file = vscode.Uri.joinPath(folder, 'skills.config.yaml');
  const text = async (): Promise<string> => new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  await open('summarize-page.skill.md');
  try {
    const skill = vscode.Uri.joinPath(folder, 'wave.skill.md');
    const head =
      'name: wave\ndescription: Waves. Use it to greet.\nversion: 1.0.0\ninput_schema: {}\ntools: [raise_hand]\n';
    await vscode.workspace.fs.writeFile(skill, new TextEncoder().encode(`---\n${head}---\n\nWave.\n`));
    await vscode.window.showTextDocument(skill);
    await vscode.commands.executeCommand('skillComposer.newCatalog', folder);
    assert.match(await text(), /^tools:\n {2}- name: raise_hand {2}# wave$/m);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.path, file.path);
    // The cursor is at the description of the first tool.
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /raise_hand/);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('tools: []\n'));
    await vscode.commands.executeCommand('skillComposer.newCatalog', folder);
    assert.equal(await text(), 'tools: []\n');
  } finally {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  }
});
