/**
 * Suggestions from the first letter of a word on. VS Code does not ask a server at a letter, whatever the server says: that
 * is for its quick suggestions, which are off in Markdown and in skills, since they would call up snippets in prose.
 * So the server is asked whether it has something to say at the word, and the editor's list opens only where it has.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, CompletionItem, CompletionList, CompletionParams } from 'vscode-languageclient';

type Answer = CompletionItem[] | CompletionList | null;

export async function suggestAtWord(
  client: BaseLanguageClient,
  { document, contentChanges, reason }: vscode.TextDocumentChangeEvent,
): Promise<void> {
  const [change, ...others] = contentChanges;
  if (reason !== undefined || others.length > 0 || !change || !/^[a-z]$/i.test(change.text)) return;
  if (!change.range.isEmpty || !isLeftToUs(document)) return;
  const { line, character } = change.range.start;
  if (/[\w-]$/.test(document.lineAt(line).text.slice(0, character))) return;
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const params: CompletionParams = { textDocument, position: { line, character: character + 1 } };
  const answer = await client.sendRequest<Answer>('textDocument/completion', params);
  const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
  if (items.length === 0) return;
  await pause(document);
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return;
  // Whoever has typed on is in the same word, or wants no suggestions for it any more.
  const { active, isEmpty } = editor.selection;
  const typed = document.lineAt(active.line).text.slice(character, active.character);
  if (!isEmpty || active.line !== line || !/^[\w-]+$/.test(typed)) return;
  await vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
}

/** Of a list that opens when the cursor has left the word already, the next Enter would take an item. */
const PAUSE_MS = 40;

/** Resolves once nobody types. */
async function pause(document: vscode.TextDocument): Promise<void> {
  for (let version = -1; version !== document.version; ) {
    ({ version } = document);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Where the editor suggests at words itself, or may not suggest unasked, there is nothing to add. */
function isLeftToUs(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration('editor', document);
  if (settings.get('suggestOnTriggerCharacters') === false) return false;
  const quick = settings.get<unknown>('quickSuggestions');
  const kinds = typeof quick === 'object' && quick !== null ? Object.values(quick) : [quick];
  return kinds.every((kind) => kind === 'off' || kind === false);
}
