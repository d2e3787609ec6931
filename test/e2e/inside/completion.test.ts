import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open, workspaceFile } from './support.ts';

/** The first hundred completion items, with their documentation, that VS Code offers at a position in a skill. */
async function completed(path: string, line: number, character: number): Promise<readonly vscode.CompletionItem[]> {
  const { document } = await open(path);
  const place = new vscode.Position(line, character);
  const command = 'vscode.executeCompletionItemProvider';
  return eventually(`completion in ${path}`, async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, document.uri, place, '#', 100);
    return list.items.length > 0 ? list.items : undefined;
  });
}

test('a key in the completion list has documentation, and ranges for inserting and replacing', async () => {
  const items = await completed('summarize-page.skill.md', 3, 0);
  const item = items.find(({ label }) => label === 'owner');
  assert.ok(item?.documentation instanceof vscode.MarkdownString, 'VS Code asks for the words of an item');
  assert.match(item.documentation.value, /^\*\*owner\*\* · text/);
  // VS Code's setting `editor.suggest.insertMode` selects one of the ranges.
  assert.ok(item.range && 'replacing' in item.range);
  assert.ok(item.range.inserting.isEqual(new vscode.Range(3, 0, 3, 0)));
  assert.ok(item.range.replacing.isEqual(new vscode.Range(3, 0, 3, 'version'.length)));
});

test('the key `$schema` of a manifest is offered once: by VS Code, which offers it in each JSON file', async () => {
  const path = 'tested/pack/.claude-plugin/plugin.json';
  await vscode.workspace.fs.writeFile(workspaceFile(path), new TextEncoder().encode('{\n  "name": "pack",\n  ""\n}\n'));
  try {
    const labels = await eventually('keys of both servers', async () => {
      const items = await completed(path, 2, 3);
      const all = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      return all.includes('keywords') && all.includes('$schema') ? all : undefined;
    });
    assert.equal(labels.filter((label) => label === '$schema').length, 1);
  } finally {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(workspaceFile('tested/pack'), { recursive: true });
  }
});
