/**
 * What editors check by themselves, as data: the host may switch these rules off for the dialect where the client says
 * that it checks itself, so that nobody reads the same complaint twice.
 */
import type { Dialect } from '../../vocabulary/dialect.ts';

export interface EditorChecks {
  readonly editor: string;
  /** The public source that shows the checks, and the day it was read. */
  readonly source: string;
  readonly checked: string;
  readonly dialect: Dialect;
  /** The language id that the editor gives to the documents it checks; it checks no closed file. */
  readonly languageId: string;
  /** The rules that repeat a check of the editor's. */
  readonly rules: readonly string[];
}

export const EDITOR_CHECKS: readonly EditorChecks[] = [
  {
    editor: 'VS Code',
    source:
      'https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/promptSyntax/languageProviders/promptValidator.ts',
    checked: '2026-11-21',
    dialect: 'agent-skill',
    languageId: 'skill',
    rules: [
      'agent-skill-missing-key',
      'agent-skill-name',
      'agent-skill-name-folder',
      'agent-skill-unknown-key',
      'broken-link',
    ],
  },
];

/** The rules that an editor checks by itself in a document that it has open under a language id. */
export const checkedByEditor = (
  editor: string | undefined,
  dialect: Dialect,
  languageId: string | undefined,
): readonly string[] =>
  EDITOR_CHECKS.flatMap((checks) =>
    checks.editor === editor && checks.dialect === dialect && checks.languageId === languageId ? checks.rules : [],
  );
