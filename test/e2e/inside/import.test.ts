import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open, workspaceFile } from './support.ts';

test('an import opens the preview page, and writes nothing before confirmation', async () => {
  const source = workspaceFile('elsewhere');
  const file = vscode.Uri.joinPath(source, 'wave.skill.md');
  const head = 'name: wave\ndescription: Waves. Use it to greet.\nversion: 1.0.0\ninput_schema: {}\n';
  await open('summarize-page.skill.md');
  try {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`---\n${head}---\n\nWave.\n`));
    // The command ends when its page is closed.
    const done = vscode.commands.executeCommand('skillComposer.importSkills', source);
    const tab = await eventually('the page of the import', () => {
      const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
      return tabs.find(({ label }) => label === 'Import elsewhere');
    });
    assert.ok(tab.input instanceof vscode.TabInputWebview);
    await vscode.window.tabGroups.close(tab);
    await done;
    for (const path of ['skills.lock.json', 'skills']) {
      await assert.rejects(async () => vscode.workspace.fs.stat(workspaceFile(path)), `${path} is not there`);
    }
  } finally {
    await vscode.workspace.fs.delete(source, { recursive: true });
  }
});
