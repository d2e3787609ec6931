/** The action that opens the editor's list of clients, for findings about target clients (docs/clients.md, "Target clients"). */
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver-types';
import type { Finding } from '../../finding.ts';
import { findRule } from '../../rules/engine/index.ts';

/** Returns whether a finding depends on the target clients, so that other clients may solve it. */
export const isAboutTargets = ({ rule }: Finding): boolean => findRule(rule)?.isAboutTargets === true;

/**
 * Returns the quick fix that opens the list of clients for the folder of a file.
 *
 * @param command The client's command with the argument `{uri}`; without it, the result is empty.
 * @param uri The URI of the file with the findings.
 * @param diagnostics The findings that other target clients may solve; without findings, there is no action.
 */
export function chooseClientsAction(
  command: string | undefined,
  uri: string,
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  if (command === undefined || diagnostics.length === 0) return [];
  const title = 'Choose clients…';
  return [
    {
      ...{ title, kind: CodeActionKind.QuickFix, diagnostics: [...diagnostics] },
      command: { title, command, arguments: [{ uri }] },
    },
  ];
}
