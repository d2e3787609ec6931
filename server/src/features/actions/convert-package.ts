/** The action that makes a skill of a legacy package, beside it. */
import { type CodeAction, CodeActionKind } from 'vscode-languageserver-types';
import { packageToSkill } from '../../exchange/package-to-skill.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { folderOf } from '../../vocabulary/dialect.ts';

/** For clients that can make files; a file that is there is not written over. */
export function convertPackage(file: SkillFile, only: readonly string[] | undefined): CodeAction[] {
  if (file.dialect !== 'package') return [];
  const kinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite];
  const kind = only
    ? kinds.find((one) => only.some((asked) => one === asked || one.startsWith(`${asked}.`)))
    : kinds[0];
  const made = kind === undefined ? undefined : packageToSkill(file);
  const [first] = made && 'files' in made ? made.files : [];
  if (kind === undefined || !first) return [];
  const uri = `${folderOf(file.uri)}/${encodeURIComponent(first.path)}`;
  const start = { line: 0, character: 0 };
  return [
    {
      title: `Convert to ‘${first.path}’`,
      kind,
      edit: {
        documentChanges: [
          { kind: 'create', uri, options: { overwrite: false, ignoreIfExists: false } },
          { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: first.text }] },
        ],
      },
    },
  ];
}
