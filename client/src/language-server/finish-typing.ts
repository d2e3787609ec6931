/** Applies the edit that follows a keystroke (`follow-up.ts`), unless the text has changed meanwhile. */
import * as vscode from 'vscode';
import { followUp } from './follow-up.ts';

export async function finishTyping({
  document,
  contentChanges,
  reason,
}: vscode.TextDocumentChangeEvent): Promise<void> {
  const [change, ...others] = contentChanges;
  const editor = vscode.window.activeTextEditor;
  if (reason !== undefined || others.length > 0 || !change || editor?.document !== document) return;
  if (!document.fileName.endsWith('.md') || !closesBrackets(document)) return;
  const { text, rangeLength: removed, range } = change;
  const edit = followUp({ text, removed, ...place(range.start) }, document);
  if (!edit) return;
  const replaced = new vscode.Range(...edit.from, ...edit.to);
  // The editor rejects a deletion and a snippet if the text has changed. A snippet leaves the cursor before the
  // inserted text.
  const options = { undoStopBefore: false, undoStopAfter: false };
  if (edit.text === '') await editor.edit((builder) => builder.delete(replaced), options);
  else await editor.insertSnippet(new vscode.SnippetString(`$0${edit.text}`), replaced, options);
}

const place = ({ line, character }: vscode.Position): { readonly line: number; readonly character: number } => ({
  line,
  character,
});

const closesBrackets = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration('editor', document).get('autoClosingBrackets') !== 'never';
