/**
 * The entry in the status bar, beside a skill or a catalog: what the file is, whether a catalog governs it, and whether
 * the server is still reading. A click opens the menu.
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
import { type ServerState, statusText } from './status-text.ts';
import { showWelcome } from './welcome.ts';

export interface StatusBar extends vscode.Disposable {
  /** Shows how this client's server is, from now on; called before the client starts. */
  attach(client: BaseLanguageClient): void;
  /** What is known of the file that the entry stands for. */
  about(): AboutReply | undefined;
  /** As the entry's tooltip, in one line. */
  summary(): string;
}

// Of the client's library the types alone: it is loaded when a server is started.
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
    // A Markdown file in `skills` may turn out to be none.
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
    const asked = { client, file };
    if (client === undefined || state !== 'running') return;
    const params: AboutParams = file === undefined ? {} : { uri: client.code2ProtocolConverter.asUri(file) };
    const reply = await client.sendRequest<AboutReply | null>(AboutRequest, params).catch(() => null);
    // Another editor may have come to the front while the server was busy.
    if (asked.client !== client || asked.file !== file) return;
    about = reply ?? about;
    show();
    showWelcome(about);
  };
  const follow = (): void => {
    const found = servedEditor(file);
    if (found?.toString() === file?.toString()) return;
    file = found;
    // Between two skills, what is said of the one stays until the server has told of the other.
    if (file === undefined) about = undefined;
    show();
    void ask();
  };
  const events = [
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.window.onDidChangeVisibleTextEditors(follow),
    vscode.workspace.onDidOpenTextDocument(follow),
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
      follow();
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

/** The file of the active editor; where a panel or the output has the focus, the last one as long as it is in sight. */
function servedEditor(last: vscode.Uri | undefined): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document;
  const inSight = vscode.window.visibleTextEditors.map(({ document }) => document);
  const isElsewhere = active === undefined || active.uri.scheme === 'output';
  const document = isElsewhere ? inSight.find(({ uri }) => uri.toString() === last?.toString()) : active;
  return document && vscode.languages.match(selectorFor(servedGlobs()), document) > 0 ? document.uri : undefined;
}
