/** What is known of a tool that a skill may use. */
import type { Analysis } from '../analysis/analysis.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';

export interface ToolFacts {
  /** Whether this workspace has the tool; undefined where that is not known, and for a tool of a client. */
  readonly isKnown: boolean | undefined;
  readonly operation: string | undefined;
  readonly scopes: readonly string[];
  readonly effects: readonly string[];
}

/** Tools of clients that change files, or run what may change anything. */
const WRITING: ReadonlySet<string> = new Set([
  'Bash',
  'PowerShell',
  'Shell',
  'shell',
  'bash',
  'run_shell_command',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'write_file',
  'replace',
]);

/** A tool as a skill names it; `isOfClient` where `allowed-tools` does. */
export function toolFacts(analysis: Analysis, uri: string, word: string, isOfClient: boolean): ToolFacts {
  if (isOfClient) {
    const operation = WRITING.has(word.replace(/\(.*$/s, '')) ? 'WRITE' : undefined;
    return { isKnown: undefined, operation, scopes: [], effects: [] };
  }
  const catalog = analysis.catalogOf(uri);
  const declared = catalog.tools.get(word);
  const contracts = analysis.skillsNamed(word).filter(({ summary }) => summary.isTool);
  const contract = contracts[0]?.summary;
  const knows = catalog.toolsKnown || analysis.findCatalog(uri) === undefined;
  return {
    isKnown: declared || contract || AUTHORING_TOOLS.includes(word) ? true : knows ? false : undefined,
    operation: declared?.operation ?? contract?.operation,
    scopes: declared?.scopes ?? contract?.requiredScopes ?? [],
    effects: contract?.effects ?? [],
  };
}
