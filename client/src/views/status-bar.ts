/**
 * The entry in the status bar for a skill or a catalog: it shows the kind of the file, its catalog, and whether the server
 * is still reading; a click opens the menu. Also the language status item about pulled tools.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, State } from 'vscode-languageclient';
import {
  type AboutReply,
  AboutRequest,
  onNotification,
  SECTION,
  StatusNotification,
  sendRequest,
} from '../../../server/src/protocol.ts';
import type { FirstSteps } from '../commands/first-steps.ts';
import { selectorFor, servedGlobs } from '../language-server/served-files.ts';
import { columnForFiles } from '../panels/command-target.ts';
import { plainMessage } from '../plain-message.ts';
import { createWorkspaceEntry } from './workspace-entry.ts';

export interface StatusBar extends vscode.Disposable {
  /** Shows the state of this client's server. Must be called before the client starts. */
  attach(client: BaseLanguageClient): void;
  /** Returns what the server knows about the file that the entry shows. */
  about(): AboutReply | undefined;
  /** The tooltip in one line. */
  summary(): string;
}

// The values of the enum `State`. Importing the enum would load the client library at activation.
const RUNNING: State.Running = 2;
const STARTING: State.Starting = 3;

export function createStatusBar(firstSteps: FirstSteps): StatusBar {
  const item = vscode.window.createStatusBarItem(`${SECTION}.status`, vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t('Skill');
  item.command = `${SECTION}.showMenu`;
  const workspace = createWorkspaceEntry();
  let client: BaseLanguageClient | undefined;
  let state: ServerState = 'starting';
  let file: vscode.Uri | undefined;
  let about: AboutReply | undefined;

  const show = (): void => {
    // Without a dialect, the file is not a skill.
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
    const params = file === undefined ? {} : { uri: client.code2ProtocolConverter.asUri(file) };
    const reply = await sendRequest(client, AboutRequest, params).catch(() => null);
    // The active editor or the server may have changed meanwhile.
    if (before.client !== client || before.file !== file) return;
    about = reply ?? about;
    show();
    publishSkillCount(about);
    workspace.show(about);
    if (about) void firstSteps.follow(about);
  };
  const followEditor = (): void => {
    const found = servedEditor(file);
    if (found?.toString() === file?.toString()) return;
    file = found;
    // When another skill becomes active, the old text stays until the server has replied.
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
        if (state !== 'running') workspace.show(undefined);
        void ask();
      });
      onNotification(next, StatusNotification, () => {
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
      workspace.dispose();
    },
  };
}

/**
 * Returns the file of the active editor. If a panel or the output has the focus, returns the last file if it is still
 * visible.
 */
function servedEditor(last: vscode.Uri | undefined): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document;
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document);
  const isElsewhere = active === undefined || active.uri.scheme === 'output';
  const document = isElsewhere ? visible.find(({ uri }) => uri.toString() === last?.toString()) : active;
  return document && vscode.languages.match(selectorFor(servedGlobs()), document) > 0 ? document.uri : undefined;
}

// Context keys for views and the palette.

/** Publishes whether the workspace has skills. `hasNoSkills` is set only after the whole workspace was read. */
function publishSkillCount(about: AboutReply | undefined): void {
  const skills = about?.skills ?? 0;
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasSkills`, skills > 0);
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasOwnFormat`, about?.hasOwnFormat === true);
  void vscode.commands.executeCommand(
    'setContext',
    `${SECTION}.hasNoSkills`,
    hasFolder && about?.ready === true && skills === 0,
  );
}

/** The text of the status bar entry about a file, its catalog and the index. */
interface StatusText {
  /** The text of the entry, with icon codes such as `$(error)`. */
  readonly text: string;
  /** The text with details and without icons, one sentence per line. */
  readonly lines: readonly string[];
}

type ServerState = 'starting' | 'running' | 'stopped';

function statusText(state: ServerState, about: AboutReply | undefined): StatusText {
  if (state === 'stopped') {
    const line = vscode.l10n.t('The skill language server is not running.');
    return { text: `$(error) ${vscode.l10n.t('Skill')}`, lines: [line] };
  }
  if (state === 'starting' || about === undefined) {
    return { text: `$(loading~spin) ${vscode.l10n.t('Skill')}`, lines: [vscode.l10n.t('The server is starting.')] };
  }
  const name = dialectName(about.dialect);
  const icon = about.ready ? '$(book)' : '$(loading~spin)';
  return { text: `${icon} ${labelOf(about)}`, lines: [name, ...catalogLines(about), indexLine(about)] };
}

/**
 * Returns the label. For a composer skill with a catalog it describes the known tools, because the editor's language entry
 * already shows “Skill”.
 */
function labelOf({ dialect, catalog }: AboutReply): string {
  if (dialect !== 'composer' || catalog === null) return dialectName(dialect);
  if (!catalog.toolsKnown) return vscode.l10n.t('Unknown tools');
  return catalog.tools === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', catalog.tools);
}

/** Returns the name of a dialect for users. */
function dialectName(dialect: AboutReply['dialect']): string {
  switch (dialect) {
    case 'agent-skill':
      return vscode.l10n.t('Agent Skill');
    case 'contract':
      return vscode.l10n.t('Skill Contract');
    case 'catalog':
      return vscode.l10n.t('Skill Catalog');
    default:
      return vscode.l10n.t('Skill');
  }
}

/** Returns the lines about the catalog; none for Agent Skills, whose clients define the tools. */
function catalogLines({ catalog, dialect }: AboutReply): readonly string[] {
  if (dialect === 'agent-skill') return [];
  if (catalog === null)
    return [
      vscode.l10n.t(
        'Tool names are not checked. A catalog, the file skills.config.yaml, would list the tools that exist.',
      ),
    ];
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(catalog.uri));
  if (!catalog.toolsKnown) {
    return [
      vscode.l10n.t('The catalog {0} is invalid or does not list its tools, so tool names are not checked.', path),
    ];
  }
  return [
    catalog.tools === 1
      ? vscode.l10n.t('Catalog: {0}, 1 tool', path)
      : vscode.l10n.t('Catalog: {0}, {1} tools', path, catalog.tools),
  ];
}

function indexLine({ ready, inWorkspace: skills }: AboutReply): string {
  if (!ready) return vscode.l10n.t('Reading the workspace: {0} skills so far.', skills);
  return skills === 1
    ? vscode.l10n.t('1 skill in the workspace.')
    : vscode.l10n.t('{0} skills in the workspace.', skills);
}

// The menu of the entry.

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments?: readonly unknown[];
}

export async function showMenu(status: StatusBar): Promise<void> {
  const title = vscode.l10n.t('Skill Composer');
  const chosen = await vscode.window.showQuickPick(entries(status), { title, placeHolder: status.summary() });
  if (chosen?.command === undefined) return;
  await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
}

function entries(status: StatusBar): MenuItem[] {
  const about = status.about();
  const isSkill = about !== undefined && about.dialect !== null && about.dialect !== 'catalog';
  const preview = entry('open-preview', vscode.l10n.t('Open Skill Preview'), `${SECTION}.openPreview`);
  const graph = entry('type-hierarchy', vscode.l10n.t('Show Composition Graph'), `${SECTION}.showGraph`);
  const catalog = about?.catalog
    ? {
        ...entry('library', vscode.l10n.t('Open the Catalog'), 'vscode.open'),
        description: vscode.workspace.asRelativePath(vscode.Uri.parse(about.catalog.uri)),
        arguments: [vscode.Uri.parse(about.catalog.uri), columnForFiles(vscode.Uri.parse(about.catalog.uri))],
      }
    : entry('library', vscode.l10n.t('New Catalog…'), `${SECTION}.newCatalog`);
  const ofSkills = [...(isSkill ? [preview] : []), ...(about !== undefined && about.skills > 0 ? [graph] : [])];
  return [
    ...(ofSkills.length > 0 ? [...ofSkills, separator()] : []),
    ...(about?.dialect === 'catalog' ? [] : [catalog]),
    ...(about !== undefined && about.skills > 0
      ? [entry('checklist', vscode.l10n.t('Choose Clients…'), `${SECTION}.chooseClients`)]
      : []),
    entry('new-file', vscode.l10n.t('New Skill…'), `${SECTION}.newSkill`),
    separator(),
    entry('output', vscode.l10n.t('Show Output'), `${SECTION}.showOutput`),
    entry('debug-restart', vscode.l10n.t('Restart Language Server'), `${SECTION}.restartServer`),
    entry(
      'settings-gear',
      vscode.l10n.t('Open Settings'),
      'workbench.action.openSettings',
      '@ext:skill-composer.skill-composer',
    ),
    entry('report', vscode.l10n.t('Report Issue…'), `${SECTION}.reportIssue`),
  ];
}

const entry = (icon: string, label: string, command: string, ...args: readonly unknown[]): MenuItem => ({
  iconPath: new vscode.ThemeIcon(icon),
  label,
  command,
  arguments: args,
});

const separator = (): MenuItem => ({ label: '', kind: vscode.QuickPickItemKind.Separator });

// The language status item that shows when tools were last pulled from servers on this machine.

export interface LastPull extends vscode.Disposable {
  /** Records that the tools of a folder have just been pulled. */
  note(folder: vscode.Uri): Promise<void>;
}

const KEY = 'lastPulls';

/** Stores the times in the workspace state, not in a file, because they apply to this machine only. */
export function showLastPull(state: vscode.Memento): LastPull {
  const item = vscode.languages.createLanguageStatusItem(`${SECTION}.lastPull`, [...selectorFor(servedGlobs())]);
  item.name = vscode.l10n.t('Tools from servers');
  item.command = { command: `${SECTION}.pullTools`, title: vscode.l10n.t('Pull Again') };
  const times = (): Readonly<Record<string, number>> => state.get(KEY, {});
  const show = (): void => {
    const all = times();
    const lines = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }, _, folders) => {
      const time = all[uri.toString()];
      if (time === undefined) return [];
      const when = new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
      return [folders.length > 1 ? `${plainMessage(name)}: ${when}` : when];
    });
    item.text = lines.length > 0 ? vscode.l10n.t('Tools pulled') : vscode.l10n.t('Tools not pulled on this machine');
    item.detail = lines.join(' · ');
  };
  show();
  return {
    async note(folder) {
      await state.update(KEY, { ...times(), [folder.toString()]: Date.now() });
      show();
    },
    dispose: () => item.dispose(),
  };
}
