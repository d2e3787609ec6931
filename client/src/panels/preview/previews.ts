/** All previews of a window: the commands that open them, the editor that they follow, and their restoration. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { registerCommand } from '../../commands/first-steps.ts';
import { activeSkill, isSkill } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { fileRangeOf, hasWorkspaceScheme } from '../../locations.ts';
import type { Models } from '../../views/testing/model/editor-model.ts';
import { hasTab, isWindowEmpty, openFile, pickSkill, skillOf } from '../command-target.ts';
import { STATE_VERSIONS, savedState } from '../kit/saved-state.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { readMessage } from '../read-message.ts';
import { followDebugSessions } from './debug-sessions.ts';
import { type PageState, type PreviewRequest, restoredState } from './messages.ts';
import { type InitialPreview, type PreviewContext, PreviewPanel } from './panel.ts';
import { servePromptDocuments } from './prompt-documents.ts';
import { savePromptOfSample } from './save-prompt.ts';
import { followScrolling } from './scrolling.ts';

const viewType = `${SECTION}.preview`;

export function servePreviews(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
  models: Models,
): vscode.Disposable {
  const previews = new Set<PreviewPanel>();
  let count = 0;
  const documents = servePromptDocuments(server);
  const scrollsWithEditor = (): boolean =>
    vscode.workspace.getConfiguration(SECTION).get('preview.scrollWithEditor', true);
  const scrolling = followScrolling((place) => {
    for (const preview of previews) preview.post({ type: 'visible', place });
  }, scrollsWithEditor);
  const debugSessions = followDebugSessions(server, () => {
    for (const preview of previews) preview.followDebugging();
  });
  /** The last active file. No editor is active while a preview has the focus. */
  let active = activeFile();
  const previewContext: PreviewContext = {
    server,
    documents,
    log,
    models,
    activeSkill: () => (active && isSkill(active) ? active.uri : undefined),
    cursor: () => {
      const editor = vscode.window.activeTextEditor;
      return editor && hasWorkspaceScheme(editor.document.uri)
        ? fileRangeOf(editor.document.uri, editor.selection)
        : null;
    },
    scrolling,
    debugged: debugSessions.of,
  };

  const register = (panel: vscode.WebviewPanel, initial: InitialPreview): PreviewPanel => {
    const preview = new PreviewPanel(panel, `preview-${++count}`, initial, previewContext);
    previews.add(preview);
    panel.onDidDispose(() => previews.delete(preview));
    panel.webview.html = pageShell(panel.webview, context, 'preview');
    return preview;
  };
  const make = (skill: vscode.Uri | undefined, locked: boolean, asked: PreviewRequest | undefined): PreviewPanel => {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // Setting the options later would reload the page.
    const panel = vscode.window.createWebviewPanel(
      viewType,
      vscode.l10n.t('Skill Preview'),
      column,
      pageOptions(context),
    );
    return register(panel, { skill: skill?.toString(), locked, asked });
  };
  const openSkill = (): vscode.Uri | undefined => {
    const skill = previewContext.activeSkill();
    return skill && hasTab(skill) ? skill : undefined;
  };
  const open = async (target: PreviewTarget, locked: boolean): Promise<void> => {
    const picked = target.skill ?? openSkill() ?? (await pickSkill(server));
    if (picked === undefined) return;
    const skill = picked === 'none' ? undefined : picked;
    if (skill && isWindowEmpty()) await openFile(skill);
    const existing = [...previews].find(
      (preview) => preview.isLocked === locked && (!locked || preview.skill === skill?.toString()),
    );
    if (existing === undefined) return void make(skill, locked, askedOf(target));
    if (skill) existing.show(skill, askedOf(target));
    existing.panel.reveal(undefined, true);
  };

  /** Saves the prompt in a preview. Without a preview, saves the prompt of a sample that the user selects. */
  const keep = async (target: PreviewTarget): Promise<void> => {
    const skill = target.skill ?? previewContext.activeSkill();
    const all = [...previews];
    const preview =
      all.find(({ panel }) => panel.active) ?? all.find((one) => one.panel.visible && one.skill === skill?.toString());
    if (preview && target.sample === undefined) return preview.keepPrompt();
    const picked = skill ?? (await pickSkill(server));
    if (picked === undefined || picked === 'none') return;
    await savePromptOfSample(server, picked.toString(), target.sample);
  };

  const followActiveEditor = (): void => {
    const file = activeFile();
    if (file === undefined) return;
    active = file;
    for (const preview of previews) {
      // The debugger opens the files of composed skills.
      const isDebugged = debugSessions.of(preview.skill)?.files.includes(file.uri.toString());
      if (preview.isLocked || isDebugged) continue;
      if (isSkill(file)) preview.show(file.uri);
      else preview.showNoSkill(file.uri);
    }
  };
  const sendCursor = ({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void => {
    const { uri } = textEditor.document;
    if (previews.size === 0 || !hasWorkspaceScheme(uri)) return;
    // If the page caused the selection, the page must not scroll.
    const byHand = kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command;
    const scroll = byHand && scrollsWithEditor();
    const place = fileRangeOf(uri, textEditor.selection);
    for (const preview of previews) preview.post({ type: 'cursor', place, scroll });
  };

  return vscode.Disposable.from(
    documents,
    scrolling,
    debugSessions,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        panel.webview.options = pageOptions(context);
        const kept = readMessage(restoredState, savedState<PageState>(state, STATE_VERSIONS.preview));
        const skill = kept?.uri ?? previewContext.activeSkill()?.toString();
        register(panel, { skill, locked: kept?.locked ?? false, asked: kept?.asked });
      },
    }),
    registerCommand(`${SECTION}.openPreview`, (target?: unknown) => open(targetOf(target), false)),
    registerCommand(`${SECTION}.openLockedPreview`, (target?: unknown) => open(targetOf(target), true)),
    registerCommand(`${SECTION}.keepPrompt`, (target?: unknown) => keep(targetOf(target))),
    vscode.window.onDidChangeActiveTextEditor(followActiveEditor),
    vscode.window.onDidChangeTextEditorSelection(sendCursor),
    publishOpenSkills(),
    hideMarkdownButton(),
  );
}

interface PreviewTarget {
  readonly skill: vscode.Uri | undefined;
  readonly sample: string | undefined;
  readonly request: string | undefined;
}

/**
 * Returns the target of a command. A code lens can also pass a sample, and the search for skills can also pass a
 * request.
 */
function targetOf(argument: unknown): PreviewTarget {
  const { sample, request } = (argument ?? {}) as { readonly sample?: unknown; readonly request?: unknown };
  return {
    skill: skillOf(argument),
    sample: typeof sample === 'string' ? sample : undefined,
    request: typeof request === 'string' ? request : undefined,
  };
}

/**
 * Returns the preview request for a target. If the target contains a user's request, the server generates the
 * parameters.
 */
function askedOf({ sample, request }: PreviewTarget): PreviewRequest | undefined {
  if (sample !== undefined) return { sample, without: [] };
  return request === undefined ? undefined : { invocation: { request, source: 'agent-selected' }, without: [] };
}

/** Returns the document of the active editor. For the older side of a diff, returns the document of the newer side. */
function activeFile(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || hasWorkspaceScheme(document.uri)) return document;
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  if (!(activeTab?.input instanceof vscode.TabInputTextDiff)) return undefined;
  const { modified } = activeTab.input;
  const isModified = ({ uri }: vscode.TextDocument): boolean => uri.toString() === modified.toString();
  return hasWorkspaceScheme(modified) ? vscode.workspace.textDocuments.find(isModified) : undefined;
}

/**
 * Hides the Markdown preview's button while the active editor shows a `SKILL.md`, which would have two equal buttons.
 * VS Code's key for other previews of Markdown is never set without need, because another extension may set it.
 */
function hideMarkdownButton(): vscode.Disposable {
  let isHidden = false;
  const set = (isShown: boolean): void => {
    if (isShown === isHidden) return;
    isHidden = isShown;
    void vscode.commands.executeCommand('setContext', 'hasCustomMarkdownPreview', isHidden || undefined);
  };
  const update = (): void => set(activeSkill()?.languageId === 'markdown');
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    onDidChangeSkills(update),
    new vscode.Disposable(() => set(false)),
  );
}

/** Calls a function when a document may become a skill, or may no longer be one. */
const onDidChangeSkills = (changed: () => void): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.files`)) changed();
    }),
  );

/** Sets the context key that lists the open skills, because `when` clauses cannot evaluate the globs in a setting. */
function publishOpenSkills(): vscode.Disposable {
  const publish = (): void => {
    // Use paths, because a remote window and its extensions use different schemes. On Windows, `fsPath` and `path`
    // differ.
    const open = vscode.workspace.textDocuments.filter(isSkill).flatMap(({ uri }) => [uri.fsPath, uri.path]);
    void vscode.commands.executeCommand('setContext', `${SECTION}.openSkills`, open);
  };
  publish();
  return onDidChangeSkills(publish);
}
