import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open } from './support.ts';

test('a finding contains the title of its preferred fix, which the preview shows without a request', async () => {
  const path = 'summarize-page.skill.md';
  const editor = await open(path);
  const { document } = editor;
  const key = document.positionAt(document.getText().indexOf('output_schema'));
  await editor.edit((edit) => edit.replace(new vscode.Range(key, key.translate(0, 'output'.length)), 'outpt'));
  const found = await eventually('a finding about the misspelt key', () => {
    const all: readonly (vscode.Diagnostic & { readonly data?: unknown })[] = vscode.languages.getDiagnostics(
      document.uri,
    );
    return all.find(({ message }) => message.includes('outpt_schema'));
  });
  assert.deepEqual(found.data, { fix: 'Rename to ‘output_schema’' });
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
});
