/**
 * The checks that editors make themselves. A host may turn off the rules that repeat checks of an editor
 * (`Rule.checkedBy`), so that no finding is shown twice.
 */
import type { Dialect } from '../../vocabulary/dialect.ts';
import { rules } from './index.ts';

export interface EditorChecks {
  readonly editor: string;
  /** The public source that documents the checks. */
  readonly source: string;
  /** The ISO date on which the source was read. */
  readonly checked: string;
  readonly dialect: Dialect;
  /** The language ID of the documents that the editor checks. The editor checks only open documents. */
  readonly languageId: string;
  /** The only rules that the editor checks in these documents; undefined for all that name the editor. */
  readonly only?: readonly string[];
}

export const EDITOR_CHECKS: readonly EditorChecks[] = [
  {
    editor: 'VS Code',
    source:
      'https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/promptSyntax/languageProviders/promptValidator.ts',
    checked: '2026-11-21',
    dialect: 'agent-skill',
    languageId: 'skill',
  },
  {
    editor: 'VS Code',
    source: 'https://code.visualstudio.com/docs/languages/json',
    checked: '2026-11-23',
    dialect: 'package',
    languageId: 'json',
  },
  {
    editor: 'VS Code',
    source: 'https://code.visualstudio.com/docs/languages/json',
    checked: '2026-11-23',
    dialect: 'plugin',
    languageId: 'json',
    only: ['invalid-json'],
  },
];

/** Returns the names of the rules that an editor checks itself in an open document with this language ID. */
export function checkedByEditor(
  editor: string | undefined,
  dialect: Dialect,
  languageId: string | undefined,
): readonly string[] {
  const checks = EDITOR_CHECKS.find((one) => one.editor === editor && one.dialect === dialect);
  if (checks?.languageId !== languageId || !checks) return [];
  return rules.flatMap(({ name, checkedBy }) =>
    checkedBy?.includes(checks.editor) && (checks.only?.includes(name) ?? true) ? [name] : [],
  );
}
