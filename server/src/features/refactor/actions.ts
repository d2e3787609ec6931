/** Refactorings as code actions: those that fit the place and add no finding. */
import type { CodeAction, CodeActionContext, Range } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { asTitle, lineStartsOf, span } from '../../text.ts';
import { toWorkspaceEdit } from '../actions/code-actions.ts';
import type { Locate } from '../locate.ts';
import { addsNoFinding } from './new-findings.ts';
import type { RefactoringContext, Rewriting } from './refactoring.ts';
import { refactorings } from './refactorings.ts';

/** Larger files get no refactorings, so that the menu comes soon. */
const MAX_LENGTH = 500_000;

/** `renameCommand` is the client's command that begins a rename, given `{uri, position}`, for names that were made up. */
export function refactorActions(
  analysis: Analysis,
  file: SkillFile,
  range: Range,
  { only }: Pick<CodeActionContext, 'only'>,
  locate: Locate,
  renameCommand?: string,
): CodeAction[] {
  const wants = (kind: string) => !only || only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));
  if (!file.isSkill || file.text.length > MAX_LENGTH) return [];
  const selection = span(locate.offset(file, range.start), locate.offset(file, range.end));
  const context: RefactoringContext = { analysis, file, selection };
  return refactorings.flatMap(({ kind, rewrite }) => {
    const rewriting = wants(kind) ? rewrite(context) : undefined;
    if (!rewriting || !addsNoFinding(context, rewriting)) return [];
    const edit = toWorkspaceEdit(analysis, [{ uri: file.uri, edits: rewriting.result.edits }], locate);
    return [{ title: asTitle(rewriting.title), kind, edit, ...renaming(rewriting, locate, renameCommand) }];
  });
}

function renaming(
  { result, nameAt }: Rewriting,
  locate: Locate,
  renameCommand: string | undefined,
): Partial<CodeAction> {
  if (renameCommand === undefined || nameAt === undefined) return {};
  const { uri, text } = result.file;
  const { start } = locate.range({ text, lines: lineStartsOf(text) }, span(nameAt, nameAt));
  return { command: { title: 'Rename', command: renameCommand, arguments: [{ uri, position: start }] } };
}
