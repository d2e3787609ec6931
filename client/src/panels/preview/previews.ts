/** All previews of a window: the commands that open them, whom they follow, and how a reload brings them back. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { isSkill } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { isOfWorkspace } from '../reveal.ts';
import type { WirePlace } from './messages.ts';
import { isPageState } from './messages-checks.ts';
import { type Beginning, createPreview, type Preview, type Shared } from './panel.ts';
import { servePromptDocuments } from './prompt-documents.ts';
import { followScrolling } from './scrolling.ts';

const viewType = `${SECTION}.preview`;

export function servePreviews(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const previews = new Set<Preview>();
  const documents = servePromptDocuments(server);
  const scrollsWithEditor = (): boolean =>
    vscode.workspace.getConfiguration(SECTION).get('preview.scrollWithEditor', true);
  const scrolling = followScrolling((place) => {
    for (const { post } of previews) post({ type: 'visible', place });
  }, scrollsWithEditor);
  /** The last file that was active: a click into a preview leaves no editor active, and the file still the author's. */
  let active = activeFile();
  const shared: Shared = {
    server,
    documents,
    log,
    activeSkill: () => (active && isSkill(active) ? active.uri : undefined),
    cursor: () => {
      const editor = vscode.window.activeTextEditor;
      return editor && isOfWorkspace(editor.document.uri) ? placeOf(editor.document.uri, editor.selection) : null;
    },
    scrolling,
  };

  const adopt = (panel: vscode.WebviewPanel, beginning: Beginning): Preview => {
    const preview = createPreview(panel, beginning, shared);
    previews.add(preview);
    panel.onDidDispose(() => previews.delete(preview));
    panel.webview.html = pageShell(panel.webview, context);
    return preview;
  };
  const make = (skill: vscode.Uri | undefined, locked: boolean, sample: string | undefined): Preview => {
    const asked = sample === undefined ? undefined : { sample, without: [] };
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // The page is loaded once: options that are set afterwards would load it a second time.
    const panel = vscode.window.createWebviewPanel(
      viewType,
      vscode.l10n.t('Skill Preview'),
      column,
      pageOptions(context),
    );
    return adopt(panel, { skill: skill?.toString(), locked, asked });
  };
  const open = (target: Target, locked: boolean): void => {
    const skill = target.skill ?? shared.activeSkill();
    const existing = [...previews].find(
      (preview) => preview.isLocked() === locked && (!locked || preview.skill() === skill?.toString()),
    );
    if (existing === undefined) return void make(skill, locked, target.sample);
    if (skill) existing.show(skill, target.sample);
    existing.panel.reveal(undefined, true);
  };

  const follow = (): void => {
    const file = activeFile();
    if (file === undefined) return;
    active = file;
    for (const preview of previews) {
      if (preview.isLocked()) continue;
      if (isSkill(file)) preview.show(file.uri);
      else preview.showNoSkill(file.uri);
    }
  };
  const tellCursor = ({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void => {
    const { uri } = textEditor.document;
    if (previews.size === 0 || !isOfWorkspace(uri)) return;
    // What a click in the page has selected must not scroll the page in turn.
    const byHand = kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command;
    const scroll = byHand && scrollsWithEditor();
    for (const { post } of previews) post({ type: 'cursor', place: placeOf(uri, textEditor.selection), scroll });
  };

  return vscode.Disposable.from(
    documents,
    scrolling,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        panel.webview.options = pageOptions(context);
        const known = isPageState(state) ? state : undefined;
        const skill = known?.uri ?? shared.activeSkill()?.toString();
        adopt(panel, { skill, locked: known?.locked ?? false, asked: known?.asked });
      },
    }),
    vscode.commands.registerCommand(`${SECTION}.openPreview`, (target?: unknown) => open(targetOf(target), false)),
    vscode.commands.registerCommand(`${SECTION}.openLockedPreview`, (target?: unknown) => open(targetOf(target), true)),
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.window.onDidChangeTextEditorSelection(tellCursor),
    knowOpenSkills(),
  );
}

interface Target {
  readonly skill: vscode.Uri | undefined;
  readonly sample: string | undefined;
}

/** A command comes with nothing, with a file from a menu, or with what a code lens says: `{uri, sample?}`. */
function targetOf(argument: unknown): Target {
  if (argument instanceof vscode.Uri) return { skill: argument, sample: undefined };
  const { uri, sample } = (argument ?? {}) as { readonly uri?: unknown; readonly sample?: unknown };
  return {
    skill: typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined,
    sample: typeof sample === 'string' ? sample : undefined,
  };
}

function activeFile(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isOfWorkspace(document.uri) ? document : undefined;
}

function placeOf(uri: vscode.Uri, { start, end }: vscode.Range): WirePlace {
  const position = ({ line, character }: vscode.Position) => ({ line, character });
  return { uri: uri.toString(), range: { start: position(start), end: position(end) } };
}

/** Menus and keys ask this list, since which files are skills is a setting, and no condition of theirs reads globs. */
function knowOpenSkills(): vscode.Disposable {
  const tell = (): void => {
    // Paths, since a remote window has other schemes than its extensions; on Windows the two ways to write one differ.
    const open = vscode.workspace.textDocuments.filter(isSkill).flatMap(({ uri }) => [uri.fsPath, uri.path]);
    void vscode.commands.executeCommand('setContext', `${SECTION}.openSkills`, open);
  };
  tell();
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(tell),
    vscode.workspace.onDidCloseTextDocument(tell),
    vscode.workspace.onDidChangeWorkspaceFolders(tell),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.files`)) tell();
    }),
  );
}
