import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { open, workspaceFile } from './support.ts';

const keep = (sample: string): Thenable<unknown> =>
  vscode.commands.executeCommand('skillComposer.keepTestedPrompt', {
    uri: workspaceFile('tested/welcome-guest.skill.md').toString(),
    sample,
  });

test.extended(
  'saving a prompt writes it beside the skill, and the expectation into the sample as one undo step',
  async () => {
    const { document } = await open('tested/welcome-guest.skill.md');
    const before = document.getText();
    const file = workspaceFile('tested/__prompts__/welcome-guest.eve.txt');
    try {
      await keep('eve');
      assert.match(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), /Welcome Eve warmly\./);
      assert.equal(
        document.getText(),
        before.replace('{guest: Eve}\n', '{guest: Eve}\n    expect: {snapshot: true}\n'),
      );
      assert.ok(document.isDirty);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), before);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.workspace.fs.delete(file);
    }
  },
);

test('a saved prompt is never written through a link', async () => {
  await open('tested/welcome-guest.skill.md');
  const { fs } = vscode.workspace;
  const target = workspaceFile('elsewhere');
  const folder = workspaceFile('tested/__prompts__');
  const aside = workspaceFile('tested/aside');
  const { symlinkSync, unlinkSync } = await import('node:fs');
  await fs.createDirectory(target);
  await fs.rename(folder, aside);
  symlinkSync(target.fsPath, folder.fsPath);
  try {
    await keep('eve');
    assert.deepEqual(await fs.readDirectory(target), []);
  } finally {
    unlinkSync(folder.fsPath);
    await fs.rename(aside, folder);
    await fs.delete(target, { recursive: true });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
});
