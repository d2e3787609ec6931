/**
 * Reacts to keystrokes. Applies the edit that follows one (`follow-up.ts`), and opens the list of suggestions at the
 * first letter of a word. VS Code does the latter only with quick suggestions, which are off in Markdown and in skills
 * because they would suggest snippets in prose.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, CompletionItem, CompletionList, CompletionParams } from 'vscode-languageclient';
import { INSTRUCTION_FILES } from '../../../server/src/protocol.ts';
import { type EditorPosition, type FollowUp, followUp, type TextChange } from './follow-up.ts';
import { selectorFor, servedGlobs } from './served-files.ts';

/** Applies the edit that follows a change, during the event of this change. */
export async function finishTyping({
  document,
  contentChanges,
  reason,
}: vscode.TextDocumentChangeEvent): Promise<void> {
  const [change, ...others] = contentChanges;
  const editor = vscode.window.activeTextEditor;
  if (reason !== undefined || others.length > 0 || !change || editor?.document !== document) return;
  // Runs for each change of each document.
  if (!/^$|^[-%#}]/.test(change.text) || !mayFinish(document)) return;
  const { text, rangeLength: removed, range } = change;
  const { line, character } = range.start;
  // During the event, the editor still has the old cursor.
  const cursor = [line, character + Math.min(1, text.length)] as const;
  await finish(editor, { text, removed, line, character }, cursor);
}

/** Closes a template tag that was typed before the extension was active. */
export async function finishEarlierTyping(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor?.document.isDirty || !mayFinish(editor.document)) return;
  const { line, character } = editor.selection.active;
  const before = editor.document.lineAt(line).text.slice(0, character);
  const [start = '', sign = ''] = /\{([%#])[^{}%#]*$/.exec(before) ?? [];
  const typed = { text: sign, removed: 0, line, character: character - start.length + 1 };
  if (sign !== '') await finish(editor, typed, [line, character]);
}

/** If the user types on in the meantime, the editor rejects the edit, and another edit is made for the new text. */
async function finish(editor: vscode.TextEditor, typed: TextChange, start: EditorPosition): Promise<void> {
  const { document } = editor;
  let cursor = start;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && vscode.window.activeTextEditor === editor; attempt++) {
    const edit = followUp(typed, document, cursor, document.languageId === 'skillmd');
    if (!edit || (await apply(editor, edit))) return;
    await typingPause(document);
    const { active } = editor.selection;
    cursor = [active.line, active.character];
  }
}

const mayFinish = (document: vscode.TextDocument): boolean =>
  document.fileName.endsWith('.md') &&
  vscode.languages.match(selectorFor(servedGlobs()), document) > 0 &&
  !isInstructions(document) &&
  closesBrackets(document);

/** The maximum number of edits for one change. */
const MAX_ATTEMPTS = 5;

/** Applies an edit, and returns false if the text has changed. A snippet leaves the cursor before the inserted text. */
function apply(editor: vscode.TextEditor, { from, to, text }: FollowUp): Thenable<boolean> {
  const replaced = new vscode.Range(...from, ...to);
  const options = { undoStopBefore: false, undoStopAfter: false };
  return text === ''
    ? editor.edit((builder) => builder.delete(replaced), options)
    : editor.insertSnippet(new vscode.SnippetString(`$0${text}`), replaced, options);
}

/** Returns whether a document contains the instructions of a project, which the extension reads only for names. */
const isInstructions = (document: vscode.TextDocument): boolean =>
  vscode.languages.match(
    INSTRUCTION_FILES.map((pattern) => ({ pattern })),
    document,
  ) > 0;

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
