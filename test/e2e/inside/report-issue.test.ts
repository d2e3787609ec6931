import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { open } from './support.ts';

test.extended('an issue report contains versions and numbers, but no file contents', async () => {
  const hasForm = (await vscode.commands.getCommands(true)).includes('workbench.action.openIssueReporter');
  // The form is a separate window that tests cannot read. A VS Code without the form shows the report as a document.
  if (hasForm) return;
  await open('summarize-page.skill.md');
  await vscode.commands.executeCommand('skillComposer.reportIssue');
  const text = vscode.window.activeTextEditor?.document.getText() ?? '';
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  assert.match(text, /\| Server \| \d+\.\d+\.\d+ \|/);
  assert.match(text, /\| Template engine \| MiniJinja \d+\.\d+\.\d+ \|/);
  assert.match(text, /\| Files \| .*\b1 catalog\b.* \|/);
  assert.doesNotMatch(text, /summarize|wiki|read_page|file:/i);
});
