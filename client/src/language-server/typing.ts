/**
 * Reacts to keystrokes. Applies the edit that follows one (`follow-up.ts`), and opens the list of suggestions at the
 * first letter of a word. VS Code does the latter only with quick suggestions, which are off in Markdown and in skills
 * because they would suggest snippets in prose.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, CompletionItem, CompletionList, CompletionParams } from 'vscode-languageclient';
import { INSTRUCTION_FILES } from '../../../server/src/protocol.ts';
import { followUp } from './follow-up.ts';

export async function finishTyping({
  document,
  contentChanges,
  reason,
}: vscode.TextDocumentChangeEvent): Promise<void> {
  const [change, ...others] = contentChanges;
  const editor = vscode.window.activeTextEditor;
  if (reason !== undefined || others.length > 0 || !change || editor?.document !== document) return;
  if (!document.fileName.endsWith('.md') || isInstructions(document) || !closesBrackets(document)) return;
  const { text, rangeLength: removed, range } = change;
  const hasTemplates = document.languageId === 'skillmd';
  const edit = followUp({ text, removed, ...place(range.start) }, document, hasTemplates);
  if (!edit) return;
  const replaced = new vscode.Range(...edit.from, ...edit.to);
  // The editor rejects a deletion and a snippet if the text has changed. A snippet leaves the cursor before the
  // inserted text.
  const options = { undoStopBefore: false, undoStopAfter: false };
  if (edit.text === '') await editor.edit((builder) => builder.delete(replaced), options);
  else await editor.insertSnippet(new vscode.SnippetString(`$0${edit.text}`), replaced, options);
}

/** Returns whether a document contains the instructions of a project, which the extension reads only for names. */
const isInstructions = (document: vscode.TextDocument): boolean =>
  vscode.languages.match(
    INSTRUCTION_FILES.map((pattern) => ({ pattern })),
    document,
  ) > 0;

const place = ({ line, character }: vscode.Position): { readonly line: number; readonly character: number } => ({
  line,
  character,
});

const closesBrackets = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration('editor', document).get('autoClosingBrackets') !== 'never';

type Answer = CompletionItem[] | CompletionList | null;

export async function suggestAtWord(
  client: BaseLanguageClient,
  { document, contentChanges, reason }: vscode.TextDocumentChangeEvent,
): Promise<void> {
  const [change, ...others] = contentChanges;
  if (reason !== undefined || others.length > 0 || !change || !/^[a-z]$/i.test(change.text)) return;
  if (!change.range.isEmpty || !isWithoutQuickSuggestions(document)) return;
  const { line, character } = change.range.start;
  if (/[\w-]$/.test(document.lineAt(line).text.slice(0, character))) return;
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const params: CompletionParams = { textDocument, position: { line, character: character + 1 } };
  const answer = await client.sendRequest<Answer>('textDocument/completion', params);
  const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
  if (items.length === 0) return;
  await typingPause(document);
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return;
  // The cursor may have left the word in the meantime.
  const { active, isEmpty } = editor.selection;
  const typed = document.lineAt(active.line).text.slice(character, active.character);
  if (!isEmpty || active.line !== line || !/^[\w-]+$/.test(typed)) return;
  await vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
}

const PAUSE_MILLISECONDS = 40;

/** Resolves when the document has not changed for a moment. A list that opens during typing consumes the next Enter. */
async function typingPause(document: vscode.TextDocument): Promise<void> {
  for (let version = -1; version !== document.version; ) {
    ({ version } = document);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}

/** Returns true if the editor may open suggestions while the user types, but does not open them for words. */
function isWithoutQuickSuggestions(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration('editor', document);
  if (settings.get('suggestOnTriggerCharacters') === false) return false;
  const quick = settings.get<unknown>('quickSuggestions');
  const kinds = typeof quick === 'object' && quick !== null ? Object.values(quick) : [quick];
  return kinds.every((kind) => kind === 'off' || kind === false);
}
