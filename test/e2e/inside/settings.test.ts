/** Completion of the extension's settings in VS Code's `settings.json`. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open, workspaceFile } from './support.ts';

const PATH = '.vscode/settings.json';

/** The item with this label that VS Code offers between the quotes after `before`, and all labels of the list. */
async function completed(document: vscode.TextDocument, before: string, wanted: string) {
  const place = document.positionAt(document.getText().indexOf(before) + before.length + 1);
  return eventually(`${wanted} after ${before}`, async () => {
    const command = 'vscode.executeCompletionItemProvider';
    const all = [document.uri, place, undefined, 200] as const;
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(command, ...all);
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    const item = items[labels.indexOf(wanted)];
    return item && { item, labels };
  });
}

test.extended('settings.json completes rules with descriptions, severities and code lenses', async () => {
  const text = '{"skillComposer.rules": {"": "off", "missing-key": ""}, "skillComposer.codeLens": [""]}\n';
  await vscode.workspace.fs.writeFile(workspaceFile(PATH), Buffer.from(text));
  try {
    const { document } = await open(PATH);
    const rule = await completed(document, '.rules": {', 'unknown-tool');
    assert.ok(rule.item.documentation instanceof vscode.MarkdownString);
    assert.match(rule.item.documentation.value, /^Default: `error`\. /);
    const severity = await completed(document, '"missing-key": ', '"off"');
    for (const word of ['hint', 'info', 'warning', 'error']) assert.ok(severity.labels.includes(`"${word}"`), word);
    await completed(document, '.codeLens": [', '"composedBy"');
  } finally {
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(workspaceFile(PATH));
  }
});
