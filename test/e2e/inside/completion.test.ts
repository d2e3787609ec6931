import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open } from './support.ts';

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

test('a key in the completion list has documentation and a range', async () => {
  const items = await completed('summarize-page.skill.md', 3, 0);
  const item = items.find(({ label }) => label === 'owner');
  assert.ok(item?.documentation instanceof vscode.MarkdownString, 'VS Code asks for the words of an item');
  assert.match(item.documentation.value, /^\*\*owner\*\* · text/);
  assert.ok(item.range instanceof vscode.Range && item.range.isEqual(new vscode.Range(3, 0, 3, 'version'.length)));
});
