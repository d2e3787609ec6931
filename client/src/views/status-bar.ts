/**
 * The entries in the status bar. The first is for a skill or a catalog, and shows the kind of the file, its catalog, and
 * whether the server is still reading; a click opens the menu. The second shows how many skills the target clients list.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, State } from 'vscode-languageclient';
import {
  type AboutReply,
  AboutRequest,
  type ListsStatus,
  onNotification,
  SECTION,
  StatusNotification,
  sendRequest,
  UnlistedRequest,
  type UnlistedSkill,
} from '../../../server/src/protocol.ts';
import { selectorFor, servedGlobs } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { rangeOf } from '../locations.ts';
import { columnForFiles } from '../panels/command-target.ts';

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

export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem(`${SECTION}.status`, vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t('Skill');
  item.command = `${SECTION}.showMenu`;
  const lists = createListsEntry();
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
    lists.show(about?.lists ?? null);
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
        if (state !== 'running') lists.show(null);
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
      lists.dispose();
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
  const { skills: targeted = 0, withoutTarget = 0 } = about?.lists ?? {};
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasAgentSkills`, targeted + withoutTarget > 0);
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasSkills`, skills > 0);
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
 * Returns the label. For a composer skill it describes the known tools, because the editor's language entry already
 * shows “Skill”.
 */
function labelOf({ dialect, catalog }: AboutReply): string {
  if (dialect !== 'composer') return dialectName(dialect);
  if (catalog === null) return vscode.l10n.t('No catalog');
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
  if (catalog === null) return [vscode.l10n.t('No catalog found, so tool names are not checked.')];
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

function indexLine({ ready, skills }: AboutReply): string {
  if (!ready) return vscode.l10n.t('Reading the workspace: {0} skills so far.', skills);
  return skills === 1
    ? vscode.l10n.t('1 skill in the workspace.')
    : vscode.l10n.t('{0} skills in the workspace.', skills);
}

// The number of skills that the target clients list (docs/clients.md, "Skills that are not listed").

/** Returns the numbers as text, such as "12 skills, 2 not listed". Names the cut skills only if all are listed. */
export function listCountText({
  skills,
  notListed,
  cut,
  isMinimum,
}: Omit<ListsStatus, 'withoutTarget' | 'clients'>): string {
  if (notListed === 0 && cut > 0) {
    return isMinimum
      ? vscode.l10n.t('{0} skills, at least {1} cut', skills, cut)
      : skills === 1
        ? vscode.l10n.t('1 skill, cut')
        : vscode.l10n.t('{0} skills, {1} cut', skills, cut);
  }
  if (notListed === 0) return skills === 1 ? vscode.l10n.t('1 skill') : vscode.l10n.t('{0} skills', skills);
  return skills === 1
    ? vscode.l10n.t('1 skill, not listed')
    : vscode.l10n.t('{0} skills, {1} not listed', skills, notListed);
}

/** Returns names as a list in the language of the editor. */
export const namesText = (names: readonly string[]): string =>
  new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(names);

interface ListsEntry extends vscode.Disposable {
  /** Shows the numbers; hides the entry if they are not known, or if no skill has a target client. */
  show(lists: ListsStatus | null): void;
}

function createListsEntry(): ListsEntry {
  // A window without such skills never creates the entry.
  let item: vscode.StatusBarItem | undefined;
  return {
    show(lists) {
      if (!lists || lists.skills === 0) {
        item?.hide();
        return;
      }
      // The left side is for the workspace, the right side for the active file.
      item ??= vscode.window.createStatusBarItem(`${SECTION}.lists`, vscode.StatusBarAlignment.Left, 10);
      item.name = vscode.l10n.t('Skills That Are Not Listed');
      item.command = `${SECTION}.showUnlistedSkills`;
      const lines = listLines(lists);
      item.text = `$(book) ${listCountText(lists)}`;
      item.tooltip = lines.join('\n');
      item.accessibilityInformation = { label: [`${listCountText(lists)}.`, ...lines].join(' ') };
      item.backgroundColor = lists.notListed > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      item.show();
    },
    dispose: () => item?.dispose(),
  };
}

/** Returns the tooltip: a line for each client with a loss, a line for the others, and what a click does. */
function listLines({ notListed, cut, withoutTarget, clients }: ListsStatus): readonly string[] {
  const lossy = clients.filter((client) => client.notListed + client.cut > 0);
  const others = clients.filter((client) => !lossy.includes(client)).map(({ name }) => name);
  return [
    ...lossy.map((client) => {
      const losses = [
        client.notListed > 0 ? vscode.l10n.t('{0} of {1} not listed', client.notListed, client.skills) : '',
        client.cut === 0
          ? ''
          : client.isMinimum
            ? vscode.l10n.t('at least {0} cut', client.cut)
            : vscode.l10n.t('{0} cut', client.cut),
      ];
      return `${client.name}: ${losses.filter(Boolean).join(', ')}.`;
    }),
    ...(others.length === 0 ? [] : [vscode.l10n.t('No loss is known for {0}.', namesText(others))]),
    ...(withoutTarget === 0 ? [] : [vscode.l10n.t('Agent Skills without a target client: {0}.', withoutTarget)]),
    notListed + cut > 0
      ? vscode.l10n.t('Click to see the skills and the reasons.')
      : vscode.l10n.t('Click to show all skills.'),
  ];
}

/**
 * “Skill: Skills That Are Not Listed…”: lists the skills with the clients and the reasons, and opens a file at the cause.
 * If every skill is listed completely, shows the view of all skills.
 */
export async function showUnlistedSkills(server: Pick<SkillServer, 'send'>): Promise<void> {
  const skills = (await server.send(UnlistedRequest, {}))?.skills ?? [];
  if (skills.length === 0) {
    await vscode.commands.executeCommand(`${SECTION}.skills.focus`);
    return;
  }
  const title = vscode.l10n.t('Skills That Are Not Listed or Cut');
  const groups = [
    { kind: 'not-listed', icon: 'warning', label: vscode.l10n.t('Not listed') },
    { kind: 'cut', icon: 'ellipsis', label: vscode.l10n.t('Cut') },
  ] as const;
  const items = groups.flatMap(({ kind, icon, label }): readonly UnlistedItem[] => {
    const own = skills.filter((skill) => skill.kind === kind);
    if (own.length === 0) return [];
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...own.map((skill) => unlistedItem(skill, icon))];
  });
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  if (!picked?.skill) return;
  const file = vscode.Uri.parse(picked.skill.uri);
  const { start } = rangeOf(picked.skill.range);
  await vscode.window.showTextDocument(file, {
    preview: false,
    viewColumn: columnForFiles(file),
    selection: new vscode.Range(start, start),
  });
}

interface UnlistedItem extends vscode.QuickPickItem {
  readonly skill?: UnlistedSkill;
}

function unlistedItem(skill: UnlistedSkill, icon: string): UnlistedItem {
  const { name, uri, reasons } = skill;
  const [first] = reasons;
  const folder = vscode.workspace.asRelativePath(vscode.Uri.parse(uri)).split('/').slice(0, -2).join('/');
  return {
    label: name,
    iconPath: new vscode.ThemeIcon(icon),
    description: [namesText(reasons.flatMap(({ clients }) => clients)), folder].filter(Boolean).join(' · '),
    detail:
      reasons.length === 1
        ? (first?.text ?? '')
        : reasons.map(({ clients, text }) => `${namesText(clients)}: ${text}`).join(' '),
    skill,
  };
}
