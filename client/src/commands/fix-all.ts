/** “Fix All in File” and “Fix All in Workspace”: applies all safe fixes and reports the rest. */
import * as vscode from 'vscode';
import {
  type FixAllReply,
  FixAllRequest,
  FixesRequest,
  type OfferedFix,
  type ParamsOf,
} from '../../../server/src/protocol.ts';
import { activeSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { rangeOf } from '../locations.ts';
import { showError, showInformation } from '../notify.ts';
import { errorMessage, itemText } from '../plain-message.ts';

export async function fixAllInFile(server: SkillServer): Promise<void> {
  const file = activeSkill()?.uri.toString();
  if (file !== undefined) await reporting(async () => apply(await server.send(FixAllRequest, { uri: file }), false));
}

/**
 * Fixes all files in one undo step. If a finding has one fix that is not safe, first asks for the fixes. Closed files are
 * saved according to the editor's setting for refactorings.
 */
export async function fixAllInWorkspace(server: SkillServer): Promise<void> {
  await reporting(async () => {
    const offered = await withProgress((token) => server.send(FixesRequest, {}, token));
    const decisions = offered && (await askForFixes(offered));
    const reply = decisions && (await withProgress((token) => server.send(FixAllRequest, decisions, token)));
    return reply && apply(reply, true);
  });
}

/** Shows the progress of a request. Returns undefined if the user cancelled it. */
async function withProgress<Reply>(
  request: (token: vscode.CancellationToken) => Promise<Reply>,
): Promise<Reply | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t('Fixing findings in all skills');
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const reply = await request(token).catch((error: unknown) => {
      if (token.isCancellationRequested) return undefined;
      throw error;
    });
    return token.isCancellationRequested ? undefined : reply;
  });
}

type Decisions = Pick<ParamsOf<typeof FixAllRequest>, 'also' | 'leave'>;

type FixItem = vscode.QuickPickItem & { readonly fix?: OfferedFix };

/**
 * Asks which fixes to apply; safe fixes are selected at first. Asks nothing if all fixes are safe. Returns undefined if
 * the user cancelled.
 */
async function askForFixes(offered: readonly OfferedFix[]): Promise<Decisions | undefined> {
  if (offered.every(({ isSafe }) => isSafe)) return {};
  const groups = [
    { label: vscode.l10n.t('Safe fixes'), isSafe: true },
    { label: vscode.l10n.t('Fixes to review'), isSafe: false },
  ];
  const all = uniqueFixes(offered);
  const items = groups.flatMap(({ label, isSafe }): readonly FixItem[] => {
    const fixes = all.filter((one) => one.fix?.isSafe === isSafe);
    return fixes.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...fixes];
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Fix All in Workspace'),
    placeHolder: vscode.l10n.t('Select the fixes to apply'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  const wanted = new Set(chosen.map(({ fix }) => fix?.id));
  const idsOf = (isSafe: boolean, isWanted: boolean): string[] => [
    ...new Set(offered.filter((one) => one.isSafe === isSafe && wanted.has(one.id) === isWanted).map(({ id }) => id)),
  ];
  return { also: idsOf(false, true), leave: idsOf(true, false) };
}

/** Returns an item for each fix. A fix of several equal findings in a file is one item. */
function uniqueFixes(offered: readonly OfferedFix[]): readonly FixItem[] {
  const first = new Map<string, OfferedFix>();
  const lines = new Map<string, number[]>();
  for (const fix of offered) {
    first.set(fix.id, first.get(fix.id) ?? fix);
    const own = lines.get(fix.id) ?? [];
    lines.set(fix.id, own);
    own.push(fix.range.start.line + 1);
  }
  return [...first.values()].map((fix) => ({
    label: itemText(fix.title),
    description: itemText(
      `${vscode.workspace.asRelativePath(vscode.Uri.parse(fix.uri))}:${lines.get(fix.id)?.join(', ')}`,
    ),
    detail: itemText(fix.message),
    picked: fix.isSafe,
    fix,
  }));
}

interface Applied {
  readonly reply: FixAllReply;
  /** The paths of files that were edited after the server read them. */
  readonly edited: readonly string[];
}

async function apply(reply: FixAllReply, isRefactoring: boolean): Promise<Applied> {
  const edit = new vscode.WorkspaceEdit();
  const edited: string[] = [];
  for (const { uri, before, edits } of reply.files) {
    const file = vscode.Uri.parse(uri);
    if ((await textOf(file)) !== withLineFeeds(before)) edited.push(vscode.workspace.asRelativePath(file));
    else
      edit.set(
        file,
        edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
      );
  }
  if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit, { isRefactoring }))) {
    throw new Error(vscode.l10n.t('The editor did not apply the changes.'));
  }
  return { reply, edited };
}

/** Returns the text of a file with LF line endings; undefined if the file was deleted. */
async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return withLineFeeds((await vscode.workspace.openTextDocument(file)).getText());
  } catch {
    return undefined;
  }
}

/** Normalizes line endings, because the editor uses the same line ending in the whole file. */
const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Runs the fix and reports its result. `fix` resolves to undefined if the user cancelled. */
async function reporting(fix: () => Thenable<Applied | undefined>): Promise<void> {
  try {
    const applied = await fix();
    if (applied) await report(applied);
  } catch (error) {
    void showError(vscode.l10n.t('Nothing was fixed: {0}', errorMessage(error)));
  }
}

async function report({ reply: { fixes, left }, edited }: Applied): Promise<void> {
  const isAllFixed = left.undecided + left.unfixable === 0;
  const message = [
    fixedText(fixes),
    ...(isAllFixed ? [vscode.l10n.t('No findings remain.')] : [leftText(left)]),
    ...(edited.length > 0
      ? [vscode.l10n.t('These files were edited in the meantime and were not changed: {0}.', edited.join(', '))]
      : []),
  ].join(' ');
  const show = vscode.l10n.t('Show in Problems');
  const chosen = await showInformation(message, ...(isAllFixed ? [] : [show]));
  if (chosen === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
}

function fixedText(fixes: number): string {
  if (fixes === 0) return vscode.l10n.t('No finding can be fixed safely.');
  return fixes === 1 ? vscode.l10n.t('Fixed 1 finding.') : vscode.l10n.t('Fixed {0} findings.', fixes);
}

function leftText({ undecided, unfixable }: FixAllReply['left']): string {
  const count = undecided + unfixable;
  if (unfixable === 0) {
    return count === 1
      ? vscode.l10n.t('1 finding remains: it needs a decision.')
      : vscode.l10n.t('{0} findings remain: they need a decision.', count);
  }
  if (undecided === 0) {
    return count === 1
      ? vscode.l10n.t('1 finding remains: it has no fix.')
      : vscode.l10n.t('{0} findings remain: they have no fix.', count);
  }
  return vscode.l10n.t(
    '{0} findings remain: {1} with fixes to choose from, {2} without a fix.',
    count,
    undecided,
    unfixable,
  );
}
