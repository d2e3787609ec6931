/** The texts of the status bar about a file, its catalog and the index. */
import * as vscode from 'vscode';
import type { AboutReply } from '../../../server/src/protocol.ts';

export interface StatusText {
  /** With icons, as the status bar draws them. */
  readonly text: string;
  /** The same without icons, with details; one sentence a line. */
  readonly lines: readonly string[];
}

export type ServerState = 'starting' | 'running' | 'stopped';

export function statusText(state: ServerState, about: AboutReply | undefined): StatusText {
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

/** What the editor's own entry for the language does not say: that of a composer skill is a skill, as our language is called. */
function labelOf({ dialect, catalog }: AboutReply): string {
  if (dialect !== 'composer') return dialectName(dialect);
  if (catalog === null) return vscode.l10n.t('No catalog');
  if (!catalog.toolsKnown) return vscode.l10n.t('Tools not known');
  return catalog.tools === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', catalog.tools);
}

/** The name of a dialect for users. */
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

/** Agent Skills have no catalog; their clients know the tools. */
function catalogLines({ catalog, dialect }: AboutReply): readonly string[] {
  if (dialect === 'agent-skill') return [];
  if (catalog === null)
    return [vscode.l10n.t('No catalog says which tools there are, so their names are not checked.')];
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(catalog.uri));
  if (!catalog.toolsKnown) {
    return [
      vscode.l10n.t('The catalog {0} is broken or lacks the list of its tools: their names are not checked.', path),
    ];
  }
  return [
    catalog.tools === 1
      ? vscode.l10n.t('Catalog: {0}, 1 tool', path)
      : vscode.l10n.t('Catalog: {0}, {1} tools', path, catalog.tools),
  ];
}

function indexLine({ ready, skills }: AboutReply): string {
  if (!ready) return vscode.l10n.t('The workspace is still being read: {0} so far.', skills);
  return skills === 1 ? vscode.l10n.t('1 skill is known.') : vscode.l10n.t('{0} skills are known.', skills);
}
