/** Refactorings as code actions: those that fit the place, and that leave no finding behind that was not there. */

import type { CodeAction, CodeActionContext, Range } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineStartsOf, span } from '../../text.ts';

import { toWorkspaceEdit } from '../actions/code-actions.ts';
import type { Locate } from '../locate.ts';
import type { Place, Rewriting } from './refactoring.ts';
import { refactorings } from './refactorings.ts';
import { trialOf } from './trial.ts';

/** Who is at work in a file of this size wants no menu that waits for it. */
const MAX_LENGTH = 500_000;

/** `renameCommand` is the client's command that begins a rename, given `{uri, position}`; without it a made-up name stays. */
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
  const place: Place = { analysis, file, selection };
  const addsNoFinding = trialOf(place);
  return refactorings.flatMap(({ kind, rewrite }) => {
    const rewriting = wants(kind) ? rewrite(place) : undefined;
    if (!rewriting || !addsNoFinding(rewriting)) return [];
    const edit = toWorkspaceEdit(analysis, [{ uri: file.uri, edits: rewriting.steps.edits }], locate);
    return [{ title: rewriting.title, kind, edit, ...renaming(rewriting, locate, renameCommand) }];
  });
}

function renaming(
  { steps, nameAt }: Rewriting,
  locate: Locate,
  renameCommand: string | undefined,
): Partial<CodeAction> {
  if (renameCommand === undefined || nameAt === undefined) return {};
  const { uri, text } = steps.file;
  const { start } = locate.range({ text, lines: lineStartsOf(text) }, span(nameAt, nameAt));
  return { command: { title: 'Rename', command: renameCommand, arguments: [{ uri, position: start }] } };
}
