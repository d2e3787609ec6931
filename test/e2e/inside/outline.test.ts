import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open } from './support.ts';

/** The names in all outlines of a document, once they contain the wanted names. */
async function outlineOf(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<readonly string[]> {
  return eventually(`the outline of ${document.fileName}`, async () => {
    const all = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    const names = (all ?? []).flatMap(namesOf);
    return wanted.every((name) => names.some((one) => one.includes(name))) ? names : undefined;
  });
}

const namesOf = ({ name, children }: vscode.DocumentSymbol): readonly string[] => [name, ...children.flatMap(namesOf)];

test.extended('each heading of a SKILL.md appears in the outline once', async () => {
  // VS Code's own outline of Markdown appears late the first time.
  const other = await vscode.workspace.openTextDocument({ language: 'markdown', content: '# No skill' });
  await outlineOf(other, 'No skill');
  const { document } = await open('agent/greet-people/SKILL.md');
  const names = await outlineOf(document, 'Greet people');
  const headings = names.filter((name) => name.includes('Greet people'));
  assert.equal(headings.length, 1, names.join(', '));
});

test.extended('the outline lists the headings of a skill that is not Markdown in VS Code', async () => {
  const { document } = await open('summarize-page.skill.md');
  await outlineOf(document, 'summarize-page', 'Summarize a page');
});
