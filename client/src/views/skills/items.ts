/** The tree items of groups and skills. */
import * as vscode from 'vscode';
import type { InstalledSkill, ListedSkill } from '../../../../server/src/protocol.ts';
import { columnForFiles } from '../../panels/command-target.ts';
import { namesText } from '../workspace-entry.ts';
import { isAsImported } from './imported.ts';
import type { GroupNode } from './model.ts';

export interface Findings {
  /** The number of findings except hints, as in the *Problems* view. */
  readonly count: number;
  /** The number of hints, which *Problems* does not show. */
  readonly hints: number;
  readonly worst: 'error' | 'warning' | 'info' | undefined;
}

export function findingsIn(diagnostics: readonly vscode.Diagnostic[]): Findings {
  const severities = diagnostics.map(({ severity }) => severity).filter((one) => one !== HINT);
  const worst = severities.length === 0 ? undefined : WORDS[Math.min(...severities)];
  return { count: severities.length, hints: diagnostics.length - severities.length, worst };
}

const HINT = vscode.DiagnosticSeverity.Hint;
const WORDS = ['error', 'warning', 'info'] as const satisfies readonly Findings['worst'][];

export type Grouping = 'folder' | 'level';

/** The keys of the groups for unsaved skills and for skills in the root of the workspace. */
const UNSAVED = 'untitled:';
const ROOT = '';

/**
 * Returns the folder of a skill relative to the workspace. For a `SKILL.md`, returns the parent of the skill's folder.
 */
export function folderGroupOf({ uri, dialect }: Pick<ListedSkill, 'uri' | 'dialect'>): string {
  const file = vscode.Uri.parse(uri);
  if (file.scheme === 'untitled') return UNSAVED;
  const parts = vscode.workspace.asRelativePath(file).split('/');
  return parts.slice(0, dialect === 'agent-skill' ? -2 : -1).join('/');
}

/** Returns the part of a skill's path that a row shows beside an equal name: the folder of a `SKILL.md`, else the file. */
export function placeOf({ uri, dialect }: Pick<ListedSkill, 'uri' | 'dialect'>, grouping: Grouping): string {
  const parts = vscode.workspace.asRelativePath(vscode.Uri.parse(uri)).split('/');
  const own = dialect === 'agent-skill' ? parts.slice(0, -1) : parts;
  return grouping === 'folder' ? (own.at(-1) ?? '') : own.join('/');
}

export const levelGroupOf = ({ level, dialect }: ListedSkill): string => (level === null ? dialect : String(level));

export function groupItem({ key }: GroupNode, grouping: Grouping, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(groupLabel(key, grouping), vscode.TreeItemCollapsibleState.Expanded);
  // The editor stores the expanded state by this ID.
  item.id = `${grouping} ${key}`;
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon(grouping === 'folder' ? 'symbol-folder' : levelIcon(key));
  item.contextValue = 'group';
  return item;
}

function groupLabel(key: string, grouping: Grouping): string {
  return grouping === 'level' ? levelLabel(key) : folderLabel(key);
}

export function folderLabel(key: string): string {
  if (key === UNSAVED) return vscode.l10n.t('Not saved yet');
  if (key !== ROOT) return key;
  const { name } = vscode.workspace;
  // A folder in the workspace may have the name of the workspace.
  return name === undefined ? vscode.l10n.t('Workspace') : vscode.l10n.t('{0} (workspace folder)', name);
}

function levelLabel(key: string): string {
  switch (key) {
    case '1':
      return vscode.l10n.t('Atomic');
    case '2':
      return vscode.l10n.t('Composite');
    case '3':
      return vscode.l10n.t('Workflow');
    case 'agent-skill':
      return vscode.l10n.t('Agent Skills');
    default:
      return vscode.l10n.t('level {0}', key);
  }
}

/** Returns the icon of a level, as in the composition tree. */
const levelIcon = (key: string): string =>
  ({ 2: 'layers', 3: 'type-hierarchy', 'agent-skill': 'book' })[key] ?? 'symbol-method';

/** `place` distinguishes the skill from others with its name in the group; empty if the name is unique. */
export function skillItem(
  skill: ListedSkill,
  findings: Findings,
  imported: InstalledSkill | undefined,
  place: string,
): vscode.TreeItem {
  const item = new vscode.TreeItem(skill.name);
  item.id = skill.uri;
  const placed = place === '' ? [] : [place];
  const facts = [...placed, ...factsOf(skill, findings, imported)];
  item.description = [...placed, ...factsOf(skill, findings, imported, 'short')].join(' · ');
  item.iconPath = skillIcon(skill, findings);
  // Menus use this value in their `when` clauses.
  item.contextValue = `skill${skill.isDisabled ? ' disabled' : ''}${imported ? ' imported' : ''}`;
  if (skill.isDisabled) item.resourceUri = dimmedResource(skill.name);
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.parse(skill.uri), columnForFiles()],
  };
  item.accessibilityInformation = { label: [skill.name, ...facts].join(', ') };
  return item;
}

function importedFact(imported: InstalledSkill): string {
  if (isAsImported(imported)) return vscode.l10n.t('imported');
  const mayMore = imported.changes.some(({ kind }) => kind === 'more');
  return mayMore ? vscode.l10n.t('new abilities since import') : vscode.l10n.t('changed since import');
}

/** Returns the facts of a row. In the short form, a narrow view does not cut off the number of tokens. */
function factsOf(
  { tokens, version, isDeprecated, isDisabled, notListedBy, cutBy, onlyFor }: ListedSkill,
  { count, hints }: Findings,
  imported: InstalledSkill | undefined,
  form: 'short' | 'complete' = 'complete',
): readonly string[] {
  return [
    ...(isDisabled ? [vscode.l10n.t('disabled in this workspace')] : []),
    ...(notListedBy && notListedBy.length > 0 ? [notListedFact(notListedBy, form)] : []),
    ...(cutBy.length > 0 && form === 'complete' ? [vscode.l10n.t('cut by {0}', namesText(cutBy))] : []),
    // The number of findings comes first, because a narrow view cuts off the end.
    ...(count === 0 ? [] : [count === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', count)]),
    ...(hints === 0 ? [] : [hints === 1 ? vscode.l10n.t('1 hint') : vscode.l10n.t('{0} hints', hints)]),
    ...(onlyFor.length > 0 ? [onlyForFact(onlyFor, form)] : []),
    ...(imported ? [importedFact(imported)] : []),
    ...(tokens === null ? [] : [tokensFact(tokens, form)]),
    ...(version === null ? [] : [version]),
    ...(isDeprecated ? [vscode.l10n.t('deprecated')] : []),
  ];
}

function notListedFact(names: readonly string[], form: 'short' | 'complete'): string {
  return form === 'short' && names.length > MAX_NAMES
    ? vscode.l10n.t('not listed by {0} clients', names.length)
    : vscode.l10n.t('not listed by {0}', namesText(names));
}

const onlyForFact = (names: readonly string[], form: 'short' | 'complete'): string =>
  form === 'short' && names.length > MAX_NAMES
    ? vscode.l10n.t('only for {0} clients', names.length)
    : vscode.l10n.t('only for {0}', namesText(names));

/** The largest number of clients that the short form names. */
const MAX_NAMES = 2;

function tokensFact(tokens: number, form: 'short' | 'complete'): string {
  const notation = form === 'short' ? 'compact' : 'standard';
  return vscode.l10n.t('body ≈ {0} tokens', tokens.toLocaleString(vscode.env.language, { notation }));
}

function skillIcon(skill: ListedSkill, { worst }: Findings): vscode.ThemeIcon {
  switch (worst) {
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
    case 'warning':
      return warningIcon();
    default:
      if (skill.notListedBy && skill.notListedBy.length > 0) return warningIcon();
      if (worst === 'info') return new vscode.ThemeIcon('info', new vscode.ThemeColor('problemsInfoIcon.foreground'));
      return new vscode.ThemeIcon(skill.isDisabled ? 'circle-slash' : levelIcon(levelGroupOf(skill)));
  }
}

const warningIcon = (): vscode.ThemeIcon =>
  new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));

// Dims the skills that are disabled in this workspace, as the editor dims files that git ignores.

const SCHEME = 'skill-composer-disabled';

/**
 * Returns a separate URI, because the editor can colour only resources, and would dim the URI of the file in all views.
 */
const dimmedResource = (name: string): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });

export const dimDisabled = (): vscode.Disposable =>
  vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === SCHEME ? { color: new vscode.ThemeColor('disabledForeground') } : undefined,
  });
