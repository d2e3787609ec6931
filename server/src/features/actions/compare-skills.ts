/** The actions that show two similar skills side by side (docs/rules/overlapping-skills.md). */
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Finding } from '../../finding.ts';
import { asTitle } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';

/** The largest number of actions for one finding. */
const MAX_ACTIONS = 3;

/**
 * Returns the actions that compare a skill with the ones that its description is similar to; none for other findings.
 *
 * @param command The client's command with the argument `{left, right}`, two URIs; without it, the result is empty.
 * @param uri The URI of the file with the finding.
 */
export function compareActions(
  command: string | undefined,
  { graph }: Analysis,
  uri: string,
  { rule, related }: Finding,
  diagnostic: Diagnostic,
): CodeAction[] {
  if (command === undefined || rule !== 'overlapping-skills') return [];
  return related.slice(0, MAX_ACTIONS).map((other) => {
    const title = asTitle(`Compare with \`${graph.skills.get(other.uri)?.summary.name ?? nameFromUri(other.uri)}\``);
    return {
      ...{ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] },
      command: { title, command, arguments: [{ left: uri, right: other.uri }] },
    };
  });
}
