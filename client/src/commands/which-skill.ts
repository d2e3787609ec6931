/** “Skill: Find Skills for a Request…”: ranks the skills for a request, and lists excluded skills with reasons. */
import * as vscode from 'vscode';
import { formatShare, type MatchReply, MatchRequest, SECTION } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { openFile } from '../panels/command-target.ts';
import { coalesce } from '../panels/kit/schedule.ts';
import { errorMessage } from '../plain-message.ts';
import { saveRoutingCase } from './apply-saved.ts';

type RequestSender = Pick<SkillServer, 'send'>;

interface Item extends vscode.QuickPickItem {
  readonly uri?: string;
  readonly buttons?: readonly Button[];
}

interface Button extends vscode.QuickInputButton {
  /** True if the saved request must select the skill, false if it must not; undefined for the preview button. */
  readonly should?: boolean;
}

const button = (icon: string, tooltip: string, should?: boolean): Button => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  ...(should !== undefined && { should }),
});

const preview = (): Button => button('open-preview', vscode.l10n.t('Preview with This Request'));

const saveButtons = (): readonly Button[] => [
  button('thumbsup', vscode.l10n.t('Save as a Request That Selects This Skill'), true),
  button('thumbsdown', vscode.l10n.t('Save as a Request That Does Not Select This Skill'), false),
];

export function whichSkillAnswers(server: RequestSender): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Find Skills for a Request…');
  pick.placeholder = vscode.l10n.t('A request, as a user would write it');
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const fail = (error: unknown): void => {
    pick.items = [{ label: errorMessage(error), alwaysShow: true }];
    pick.busy = false;
  };
  const rank = coalesce(async () => {
    const request = pick.value;
    pick.busy = true;
    const reply =
      request.trim() === ''
        ? undefined
        : await server.send(MatchRequest, { request, ...(uri === undefined ? {} : { uri }) });
    // If the request has changed meanwhile, the next run ranks it.
    if (pick.value === request) pick.items = reply ? itemsOf(reply) : [];
    pick.busy = false;
  }, fail);
  const keep = async (item: Item, uri: string, should: boolean): Promise<void> => {
    const request = pick.value;
    if (!(await saveRoutingCase(server, uri, request, should))) return;
    const said = should
      ? vscode.l10n.t('saved: selects this skill')
      : vscode.l10n.t('saved: does not select this skill');
    const kept = { ...item, description: [item.description, said].filter(Boolean).join(' · '), buttons: [preview()] };
    pick.keepScrollPosition = true;
    pick.items = pick.items.map((one) => (one === item ? kept : one));
    pick.activeItems = [kept];
  };
  pick.onDidChangeValue(rank);
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    if (chosen?.uri === undefined) return;
    pick.hide();
    void openFile(vscode.Uri.parse(chosen.uri));
  });
  pick.onDidTriggerItemButton(({ item, button: { should } }: { readonly item: Item; readonly button: Button }) => {
    const { uri } = item;
    if (uri === undefined) return;
    if (should !== undefined) return void keep(item, uri, should);
    const request = pick.value;
    pick.hide();
    void vscode.commands.executeCommand(`${SECTION}.openPreview`, { uri, request });
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function itemsOf({ matches, weak, excluded }: NonNullable<MatchReply>): Item[] {
  const chosen = matches.map(({ name, version, uri, score, ambiguous, reasons }) => ({
    label: name,
    description: [version, ambiguous ? vscode.l10n.t('ambiguous') : undefined].filter(Boolean).join(' · '),
    detail: `${bar(score)} ${formatShare(score)}  ${reasonsIn(reasons)}`,
    uri,
    buttons: [preview(), ...saveButtons()],
    // Without `alwaysShow`, the editor would show only items whose label contains the request.
    alwaysShow: true,
  }));
  const left = excluded.map(({ name, uri, reason }) => ({
    label: name,
    iconPath: new vscode.ThemeIcon('circle-slash'),
    detail: reason.replaceAll('`', ''),
    uri,
    alwaysShow: true,
  }));
  const group = (label: string, items: readonly Item[]): readonly Item[] =>
    items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  return [
    ...(chosen.length === 0 ? [{ label: vscode.l10n.t('No skill matches this request.'), alwaysShow: true }] : []),
    ...(weak ? group(vscode.l10n.t('No skill matches this request well. The nearest:'), chosen) : chosen),
    ...group(vscode.l10n.t('Excluded'), left),
  ];
}

/** Returns the reasons as text that lists each field once, with all its matches. */
function reasonsIn(reasons: MatchReply['matches'][number]['reasons']): string {
  const byField = new Map<string, string[]>();
  for (const { field, text } of reasons) byField.set(field, [...(byField.get(field) ?? []), text]);
  return [...byField].map(([field, texts]) => `${field}: ${texts.join(', ')}`).join(' · ');
}

/** Returns a bar of ten characters for a score from 0 to 1. */
function bar(score: number): string {
  const full = Math.round(Math.max(0, Math.min(1, score)) * 10);
  return '▰'.repeat(full) + '▱'.repeat(10 - full);
}
