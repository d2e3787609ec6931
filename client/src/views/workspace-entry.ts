/**
 * The entry in the status bar about all skills of the workspace (docs/clients.md, "Skills that are not listed"), and the
 * list of skills to check, which a click opens.
 */
import * as vscode from 'vscode';
import {
  type ListsStatus,
  SECTION,
  type Status,
  UnlistedRequest,
  type UnlistedSkill,
} from '../../../server/src/protocol.ts';
import { skillNameOf } from '../commands/pack.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { rangeOf } from '../locations.ts';
import { columnForFiles } from '../panels/command-target.ts';
import { itemText } from '../plain-message.ts';
import { countForSome, groupedByLoss, hasLoss, hintsIn, type Worst, withoutLoss, worstOf } from './workspace-count.ts';

interface WorkspaceEntry extends vscode.Disposable {
  /** Shows the numbers; hides the entry if they are not known yet, or if the workspace has no skills. */
  show(status: Status | undefined): void;
}

export function createWorkspaceEntry(): WorkspaceEntry {
  // A window without skills never creates the entry.
  let item: vscode.StatusBarItem | undefined;
  return {
    show(status) {
      if (!status?.lists || status.inWorkspace === 0) {
        item?.hide();
        return;
      }
      // The left side is for the workspace, the right side for the active file.
      item ??= vscode.window.createStatusBarItem(`${SECTION}.lists`, vscode.StatusBarAlignment.Left, 10);
      item.name = vscode.l10n.t('Skills of the Workspace');
      item.command = `${SECTION}.checkSkills`;
      const worst = worstOf(status.lists, status.findings);
      const text = countText(status.inWorkspace, worst);
      const lines = tooltipLines(status, status.lists, worst);
      item.text = `${iconOf(worst, status.findings)} ${text}`;
      item.tooltip = lines.join('\n');
      item.accessibilityInformation = { label: [`${text}.`, ...lines].join(' ') };
      const isLost = worst.kind === 'not-listed';
      item.backgroundColor = isLost ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      item.show();
    },
    dispose: () => item?.dispose(),
  };
}

/** Returns a check mark only if there is nothing to correct. A hint is advice, so it has another sign. */
function iconOf(worst: Worst, findings: Status['findings']): string {
  if (worst.kind === 'hints') return '$(lightbulb)';
  const isFine = worst.kind === 'fine' || (worst.kind === 'only-for' && worst.warnings === 0 && findings !== null);
  return isFine ? '$(check)' : '$(book)';
}

/** Returns the number of skills and the most important loss, such as "12 skills, 2 not listed". */
export function countText(skills: number, worst: Worst): string {
  const all = skills === 1 ? vscode.l10n.t('1 skill') : vscode.l10n.t('{0} skills', skills);
  switch (worst.kind) {
    case 'not-listed':
      return skills === 1
        ? vscode.l10n.t('1 skill, not listed')
        : vscode.l10n.t('{0} skills, {1} not listed', skills, worst.count);
    case 'cut':
      if (worst.isMinimum) return vscode.l10n.t('{0} skills, at least {1} cut', skills, worst.count);
      return skills === 1 ? vscode.l10n.t('1 skill, cut') : vscode.l10n.t('{0} skills, {1} cut', skills, worst.count);
    case 'only-for': {
      const text = onlyForText(skills, worst.groups);
      return worst.warnings > 0 ? `${text}, ${warningsText(worst.warnings)}` : text;
    }
    case 'errors':
      return `${all}, ${errorsText(worst.count)}`;
    case 'warnings':
      return `${all}, ${warningsText(worst.count)}`;
    case 'hints':
      return `${all}, ${hintsText(worst.count)}`;
    default:
      return all;
  }
}

/** Names the clients of one group of skills. Several groups are named only in the tooltip. */
function onlyForText(skills: number, groups: ListsStatus['onlyFor']): string {
  const { count, isEachForOne } = countForSome(skills, groups);
  const [group, another] = groups;
  if (group && !another) {
    const names = namesText(group.clients);
    return skills === 1
      ? vscode.l10n.t('1 skill, only for {0}', names)
      : vscode.l10n.t('{0} skills, {1} only for {2}', skills, count, names);
  }
  return isEachForOne
    ? vscode.l10n.t('{0} skills, each for one client', skills)
    : vscode.l10n.t('{0} skills, {1} not for all clients', skills, count);
}

const errorsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', count);

const warningsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', count);

const hintsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 hint') : vscode.l10n.t('{0} hints', count);

/** The largest number of client names in a sentence. */
const MAX_NAMES = 4;

/** Returns names as a list in the language of the editor, for example "Goose, Zed, and 9 more". */
export function namesText(names: readonly string[]): string {
  const shown = names.length > MAX_NAMES + 1 ? names.slice(0, MAX_NAMES) : names;
  const more = names.length - shown.length;
  const all = more === 0 ? shown : [...shown, vscode.l10n.t('{0} more', more)];
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(all);
}

/** Returns the tooltip: the skills, the losses by client, the findings, and what a click does. */
function tooltipLines(status: Status, lists: ListsStatus, worst: Worst): readonly string[] {
  const { inWorkspace: skills } = status;
  const { withoutTarget, clients, onlyFor } = lists;
  const lossy = clients.filter(hasLoss);
  const others = withoutLoss(lists);
  return [
    skills === 1 ? vscode.l10n.t('1 skill in the workspace.') : vscode.l10n.t('{0} skills in the workspace.', skills),
    ...groupedByLoss(lossy, lossText).map(({ loss, names }) => `${namesText(names)}: ${loss}.`),
    ...(others.length === 0
      ? []
      : [vscode.l10n.t('All skills in the folders of {0} are listed in full.', namesText(others))]),
    ...onlyFor.map((some) => vscode.l10n.t('Only for {0}: {1}.', namesText(some.clients), some.skills)),
    ...(withoutTarget === 0 ? [] : [withoutTargetText(withoutTarget)]),
    findingsLine(status),
    worst.kind === 'fine' || worst.kind === 'unchecked'
      ? vscode.l10n.t('Click to show all skills.')
      : vscode.l10n.t('Click to see the skills and the reasons.'),
  ].filter(Boolean);
}

const withoutTargetText = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 SKILL.md is in a folder that none of the chosen or detected clients reads.')
    : vscode.l10n.t('{0} SKILL.md files are in folders that none of the chosen or detected clients reads.', count);

function lossText(client: ListsStatus['clients'][number]): string {
  const losses = [
    client.notListed > 0 ? vscode.l10n.t('{0} of {1} not listed', client.notListed, client.skills) : '',
    client.cut === 0
      ? ''
      : client.isMinimum
        ? vscode.l10n.t('at least {0} cut', client.cut)
        : vscode.l10n.t('{0} cut', client.cut),
  ];
  return losses.filter(Boolean).join(', ');
}

function findingsLine({ findings }: Status): string {
  if (!findings) return '';
  const { errors, warnings } = findings;
  const hints = hintsIn(findings);
  if (errors + warnings + hints === 0) return vscode.l10n.t('No findings.');
  const parts = [
    errors > 0 ? errorsText(errors) : '',
    warnings > 0 ? warningsText(warnings) : '',
    hints > 0 ? hintsText(hints) : '',
  ];
  return vscode.l10n.t('Findings: {0}.', parts.filter(Boolean).join(', '));
}

/** Returns the text of the notification for a new user, for example "…: 12 skills, 2 not listed by Goose, 1 error." */
export function noticeText({ inWorkspace, findings, lists }: Status): string {
  const losing = lists?.clients.filter(({ notListed }) => notListed > 0) ?? [];
  const counts = [
    countText(inWorkspace, { kind: 'unchecked' }),
    lists && losing.length > 0
      ? vscode.l10n.t('{0} not listed by {1}', lists.notListed, namesText(losing.map(({ name }) => name)))
      : '',
    findings && findings.errors > 0 ? errorsText(findings.errors) : '',
  ];
  return vscode.l10n.t('Skill Composer checked this workspace: {0}.', counts.filter(Boolean).join(', '));
}

/**
 * “Skill: Check Skills…”: lists the skills that a client does not list, with the clients and the reasons, the other files
 * with errors, the other skills that a client cuts, the other files with warnings, and all files with hints. Opens a file at the cause. Without any of
 * these, shows the view of all skills.
 */
export async function checkSkills(server: Pick<SkillServer, 'send' | 'allFindings'>): Promise<void> {
  // Also lists the findings that are known while no server runs.
  const skills = (await server.send(UnlistedRequest, {}).catch(() => null))?.skills ?? [];
  const { Error: Wrong, Warning, Information, Hint } = vscode.DiagnosticSeverity;
  const files = server
    .allFindings()
    .filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri))
    .sort(([a], [b]) => (a.path < b.path ? -1 : 1));
  const errors = new Map(
    files.map(([uri, findings]) => [uri.toString(), findings.filter(({ severity }) => severity === Wrong).length]),
  );
  const notListed = skills.filter(({ kind }) => kind === 'not-listed');
  const cut = new Map(skills.flatMap((skill) => (skill.kind === 'cut' ? [[skill.uri, skill] as const] : [])));
  const lost = (skill: UnlistedSkill, icon: string) => unlistedItem(skill, icon, errors.get(skill.uri) ?? 0);
  const lostUris = new Set(notListed.map(({ uri }) => uri));
  // Each file has one place, the first of the groups to which it belongs, and its item names the others.
  const wrong = files.filter(([uri]) => !lostUris.has(uri.toString()) && errors.get(uri.toString()) !== 0);
  const others = files.filter(
    ([uri]) => ![lostUris, cut].some((all) => all.has(uri.toString())) && errors.get(uri.toString()) === 0,
  );
  const groups = [
    { label: vscode.l10n.t('Not listed'), items: notListed.map((skill) => lost(skill, 'warning')) },
    {
      label: vscode.l10n.t('Errors'),
      items: wrong.flatMap((file) => findingItem(file, [Wrong], 'error', cut.get(file[0].toString()))),
    },
    {
      label: vscode.l10n.t('Cut'),
      items: [...cut.values()].filter(({ uri }) => !errors.get(uri)).map((skill) => lost(skill, 'ellipsis')),
    },
    { label: vscode.l10n.t('Warnings'), items: others.flatMap((file) => findingItem(file, [Warning], 'warning')) },
    // *Problems* shows no hints, so a file of another group is here, too.
    {
      label: vscode.l10n.t('Hints'),
      items: files.flatMap((file) => findingItem(file, [Information, Hint], 'lightbulb')),
    },
  ].filter(({ items }) => items.length > 0);
  const picked = groups.length === 0 ? 'all' : await pickFrom(groups);
  if (picked === 'all') await vscode.commands.executeCommand(`${SECTION}.skills.focus`);
  else if (picked === 'clients') await vscode.commands.executeCommand(`${SECTION}.chooseClients`);
  else if (picked?.place) await openPosition(picked.place);
}

async function openPosition({ uri, start }: NonNullable<CheckItem['place']>): Promise<void> {
  await vscode.window.showTextDocument(uri, {
    preview: false,
    viewColumn: columnForFiles(uri),
    selection: new vscode.Range(start, start),
  });
}

/** An item with a location to open. */
interface CheckItem extends vscode.QuickPickItem {
  readonly place?: { readonly uri: vscode.Uri; readonly start: vscode.Position };
}

interface CheckGroup {
  readonly label: string;
  readonly items: readonly CheckItem[];
}

/** Returns the chosen item; `'all'` for the view of all skills, `'clients'` for the choice of target clients. */
async function pickFrom(groups: readonly CheckGroup[]): Promise<CheckItem | 'all' | 'clients' | undefined> {
  const separator = (label: string): CheckItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const all: CheckItem = {
    label: vscode.l10n.t('Show All Skills'),
    iconPath: new vscode.ThemeIcon('list-tree'),
    alwaysShow: true,
  };
  const clients: CheckItem = {
    label: vscode.l10n.t('Choose Clients…'),
    iconPath: new vscode.ThemeIcon('checklist'),
    alwaysShow: true,
  };
  const items = groups.flatMap(({ label, items: own }) => [separator(label), ...own]);
  const picked = await vscode.window.showQuickPick([...items, separator(''), all, clients], {
    title: vscode.l10n.t('Skills to Check'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked === all ? 'all' : picked === clients ? 'clients' : picked;
}

function unlistedItem({ name, uri, range, reasons }: UnlistedSkill, icon: string, errors: number): CheckItem {
  const [first] = reasons;
  const file = vscode.Uri.parse(uri);
  return {
    label: name,
    iconPath: new vscode.ThemeIcon(icon),
    description: described([clientsOf(reasons), errors === 0 ? '' : errorsText(errors)], file),
    detail:
      reasons.length === 1
        ? (first?.text ?? '')
        : reasons.map(({ clients, text }) => `${namesText(clients)}: ${text}`).join(' '),
    place: { uri: file, start: rangeOf(range).start },
  };
}

const clientsOf = (reasons: UnlistedSkill['reasons']): string => namesText(reasons.flatMap(({ clients }) => clients));

type FileFindings = readonly [vscode.Uri, readonly vscode.Diagnostic[]];

/**
 * Returns an item for the first finding of some severities in a file. Its detail is the message. `cut` is the skill in the
 * file if clients cut it.
 */
function findingItem(
  [file, findings]: FileFindings,
  wanted: readonly vscode.DiagnosticSeverity[],
  icon: string,
  cut?: UnlistedSkill,
): readonly CheckItem[] {
  const own = findings.filter(({ severity }) => wanted.includes(severity));
  const [first] = [...own].sort((a, b) => a.range.start.compareTo(b.range.start));
  if (!first) return [];
  const count = own.length === 1 ? '' : vscode.l10n.t('{0} findings', own.length);
  const { range, message } = first;
  return [
    {
      label: skillNameOf(file),
      iconPath: new vscode.ThemeIcon(icon),
      description: described([count, cut ? vscode.l10n.t('cut by {0}', clientsOf(cut.reasons)) : ''], file),
      detail: itemText(message).replace(/\s+/g, ' '),
      place: { uri: file, start: range.start },
    },
  ];
}

/** Returns a description that ends with the folder of a skill. */
const described = (first: readonly string[], file: vscode.Uri): string => {
  const path = vscode.workspace.asRelativePath(file).split('/');
  const folder = path.slice(0, /^skill\.md$/i.test(path.at(-1) ?? '') ? -2 : -1).join('/');
  return [...first, folder].filter(Boolean).join(' · ');
};
