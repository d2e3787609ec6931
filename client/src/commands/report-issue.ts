/** “Skill: Report Issue…”: opens the editor's issue form with the versions and counts that a report needs. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type ReportReply, ReportRequest, sendRequest } from '../../../server/src/protocol.ts';
import { columnForFiles } from '../panels/command-target.ts';

/** Opens the form. The report contains only versions and numbers, and no name, path or text of a file. */
export async function reportIssue(
  { extension }: vscode.ExtensionContext,
  client: BaseLanguageClient | undefined,
): Promise<void> {
  const report = client?.isRunning() ? await sendRequest(client, ReportRequest, {}).catch(() => null) : null;
  const body = issueBody(String((extension.packageJSON as { version: string }).version), report);
  try {
    await vscode.commands.executeCommand(FORM, { extensionId: extension.id, issueBody: body });
  } catch {
    // Some builds of the editor have no form, and some organisations disable it.
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: body });
    await vscode.window.showTextDocument(document, { viewColumn: columnForFiles() });
  }
}

const FORM = 'workbench.action.openIssueReporter';

/** Returns the report. The facts are in English for the maintainers; the question is in the user's language. */
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
    'What did you do, what did you expect, and what happened instead? A minimal skill that shows the problem helps most.',
  );
  return `${hint}\n\n\n| | |\n|---|---|\n${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}\n`;
}
