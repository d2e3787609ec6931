/**
 * The status bar entry for a skill or a catalog: what the file is, whether a catalog applies to it, and whether the server
 * is still reading. A click opens the menu.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, State } from 'vscode-languageclient';
import {
  type AboutParams,
  type AboutReply,
  AboutRequest,
  SECTION,
  StatusNotification,
} from '../../../server/src/protocol.ts';
import { selectorFor, servedGlobs } from '../language-server/served-files.ts';
import { publishSkillCount } from './skill-count.ts';
import { type ServerState, statusText } from './status-text.ts';

export interface StatusBar extends vscode.Disposable {
  /** Shows the state of this client's server from now on. To be called before the client starts. */
  attach(client: BaseLanguageClient): void;
  /** What the server said about the file of the entry. */
  about(): AboutReply | undefined;
  /** The tooltip in one line. */
  summary(): string;
}

// The values of the enum, since importing it would load the client's library at activation.
const RUNNING: State.Running = 2;
const STARTING: State.Starting = 3;

export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem(`${SECTION}.status`, vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t('Skill');
  item.command = `${SECTION}.showMenu`;
  let client: BaseLanguageClient | undefined;
  let state: ServerState = 'starting';
  let file: vscode.Uri | undefined;
  let about: AboutReply | undefined;

  const show = (): void => {
    // Without a dialect the file is not a skill after all.
    if (file === undefined || (state === 'running' && about?.dialect === null)) {
      item.hide();
      return;
    }
    const { text, lines } = statusText(state, about);
    item.text = text;
    item.tooltip = lines.join('\n');
    item.accessibilityInformation = { label: lines.join(' ') };
    item.backgroundColor = state === 'stopped' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  const ask = async (): Promise<void> => {
    const before = { client, file };
    if (client === undefined || state !== 'running') return;
    const params: AboutParams = file === undefined ? {} : { uri: client.code2ProtocolConverter.asUri(file) };
    const reply = await client.sendRequest<AboutReply | null>(AboutRequest, params).catch(() => null);
    // The active editor or the server may have changed meanwhile.
    if (before.client !== client || before.file !== file) return;
    about = reply ?? about;
    show();
    publishSkillCount(about);
  };
  const followEditor = (): void => {
    const found = servedEditor(file);
    if (found?.toString() === file?.toString()) return;
    file = found;
    // From one skill to another, the old text stays until the server has answered.
    if (file === undefined) about = undefined;
    show();
    void ask();
  };
  const events = [
    vscode.window.onDidChangeActiveTextEditor(followEditor),
    vscode.window.onDidChangeVisibleTextEditors(followEditor),
    vscode.workspace.onDidOpenTextDocument(followEditor),
  ];
  return {
    attach(next) {
      client = next;
      state = 'starting';
      about = undefined;
      next.onDidChangeState(({ newState }) => {
        if (client !== next) return;
        state = newState === RUNNING ? 'running' : newState === STARTING ? 'starting' : 'stopped';
        show();
        void ask();
      });
      next.onNotification(StatusNotification, () => {
        if (client === next) void ask();
      });
      followEditor();
      show();
    },
    about: () => about,
    summary: () => statusText(state, about).lines.join(' · '),
    dispose() {
      for (const event of events) event.dispose();
      item.dispose();
    },
  };
}

/** The file of the active editor; if a panel or the output has the focus, the last file while it is visible. */
function servedEditor(last: vscode.Uri | undefined): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document;
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document);
  const isElsewhere = active === undefined || active.uri.scheme === 'output';
  const document = isElsewhere ? visible.find(({ uri }) => uri.toString() === last?.toString()) : active;
  return document && vscode.languages.match(selectorFor(servedGlobs()), document) > 0 ? document.uri : undefined;
}
