import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open, workspaceFile } from './support.ts';

interface GitExtension {
  getAPI(version: 1): Git;
}

interface Git {
  openRepository(root: vscode.Uri): Promise<unknown>;
  getRepository(root: vscode.Uri): unknown;
}

const PATH = 'fetch-page.skill.yaml';

const breaking = (): readonly vscode.Diagnostic[] =>
  vscode.languages
    .getDiagnostics(workspaceFile(PATH))
    .filter(({ code }) => (typeof code === 'object' ? code.value : code) === 'breaking-change');

test('an open contract is compared with git’s HEAD, and again when HEAD moves', async () => {
  const root = workspaceFile('.');
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', root.fsPath, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]);
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  assert.ok(extension, 'the git extension is there');
  const repositories: Git = (await extension.activate()).getAPI(1);
  git('init', '--quiet');
  try {
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
    const { document } = await open(PATH);
    await repositories.openRepository(root);
    const edit = new vscode.WorkspaceEdit();
    const line = document.lineAt(document.getText().split('\n').indexOf('  text: string'));
    edit.replace(document.uri, line.range, '  title: string');
    await vscode.workspace.applyEdit(edit);
    const [finding] = await eventually('a finding', () => (breaking().length > 0 ? breaking() : undefined), 30_000);
    assert.match(finding?.message ?? '', /Since `1\.0\.0`, the output `text` was removed.*at least `2\.0\.0`/);
    await document.save();
    git('commit', '--quiet', '--all', '--message', 'second');
    await vscode.commands.executeCommand('git.refresh');
    await eventually('the finding to go', () => (breaking().length === 0 ? true : undefined), 30_000);
  } finally {
    rmSync(workspaceFile('.git').fsPath, { recursive: true, force: true });
    // Otherwise the skills of later tests would be compared with this HEAD.
    await vscode.commands.executeCommand('git.refresh');
    await eventually('the repository to be closed', () => repositories.getRepository(root) === null || undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  }
});
