/** “Skill: Report Issue…”: the editor's own form, with what whoever reads it has to ask for first. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type ReportReply, ReportRequest } from '../../../server/src/protocol.ts';

/** Versions and numbers only: no name, no path, no text of a file leaves the machine unless the user writes it. */
export async function reportIssue(
  { extension }: vscode.ExtensionContext,
  client: BaseLanguageClient | undefined,
): Promise<void> {
  const report = client?.isRunning()
    ? await client.sendRequest<ReportReply | null>(ReportRequest, {}).catch(() => null)
    : null;
  const body = issueBody(String((extension.packageJSON as { version: string }).version), report);
  try {
    await vscode.commands.executeCommand(FORM, { extensionId: extension.id, issueBody: body });
  } catch {
    // Builds of the editor that nobody answers for have no form, and some organisations turn it off.
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: body });
    await vscode.window.showTextDocument(document);
  }
}

const FORM = 'workbench.action.openIssueReporter';

/** What is told is English, as whoever answers has to read it; what is asked is in the user's language. */
function issueBody(version: string, report: ReportReply | null): string {
  const files = Object.entries(report?.files ?? {}).map(([dialect, count]) => `${count} ${dialect}`);
  const rows = [
    ['Extension', version],
    ['Server', report?.server ?? 'not running'],
    ['Template engine', report?.engine ?? '—'],
    [
      'Editor',
      `${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, ${vscode.env.language}`,
    ],
    ['Files', files.join(', ') || 'none'],
  ];
  const hint = vscode.l10n.t(
    'What did you do, what did you expect, and what came instead? The smallest skill that shows it helps most.',
  );
  return `${hint}\n\n\n| | |\n|---|---|\n${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}\n`;
}
