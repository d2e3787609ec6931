/** Refactorings as code actions. Only refactorings that apply to the selection and add no finding are offered. */
import type { CodeAction, CodeActionContext, Range } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { check } from '../../rules/engine/check.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { isSameSummary } from '../../skill/summary.ts';
import { asTitle, lineStartsOf, span } from '../../text.ts';
import { mentionsOf } from '../../workspace/composition-lookups.ts';
import { toWorkspaceEdit } from '../actions/code-actions.ts';
import type { Locate } from '../locate.ts';
import { extractInclude, extractParameter } from './extract.ts';
import { literalToTemplate, templateToLiteral } from './framing-form.ts';
import type { Refactoring, RefactoringContext, Rewriting } from './refactoring.ts';
import { sampleToExample } from './sample-to-example.ts';
import { schemaForm } from './schema-form.ts';
import { splitTools } from './split-tools.ts';
import { writeSteps } from './write-steps.ts';

/** The maximum length of a file for which refactorings are offered. The limit lets the menu open quickly. */
const MAX_LENGTH = 500_000;

/**
 * `renameCommand` is a client command with the argument `{uri, position}`, which starts a rename of a generated name.
 */
export function refactorActions(
  analysis: Analysis,
  file: SkillFile,
  range: Range,
  { only }: Pick<CodeActionContext, 'only'>,
  locate: Locate,
  renameCommand?: string,
): CodeAction[] {
  const isRequested = (kind: string) => !only || only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));
  if (!file.isSkill || file.text.length > MAX_LENGTH) return [];
  const selection = span(locate.offset(file, range.start), locate.offset(file, range.end));
  const context: RefactoringContext = { analysis, file, selection };
  return refactorings.flatMap(({ kind, rewrite }) => {
    const rewriting = isRequested(kind) ? rewrite(context) : undefined;
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

/** The refactorings in display order. A new refactoring needs a file and a line here. */
const refactorings: readonly Refactoring[] = [
  extractParameter,
  extractInclude,
  literalToTemplate,
  templateToLiteral,
  schemaForm,
  sampleToExample,
  splitTools,
  writeSteps,
];

/** The maximum number of checked files that mention the skill. The limit lets the menu open quickly. */
const MAX_CHECKED = 30;

/** Returns whether a rewriting adds no finding to its file or to a file that mentions the skill. */
function addsNoFinding({ analysis, file }: RefactoringContext, { result, revealsUnused }: Rewriting): boolean {
  const { uri, summary } = file;
  const after = analysis.edited([result.file]);
  if (!hasNoMore(countByRule(analysis, file, revealsUnused), countByRule(after, result.file, revealsUnused)))
    return false;
  if (summary.name === undefined || isSameSummary(summary, result.file.summary)) return true;
  return [...mentionsOf(analysis.graph, summary)]
    .filter((one) => one !== uri)
    .sort()
    .slice(0, MAX_CHECKED)
    .every((one) => {
      const other = analysis.file(one);
      return !other || hasNoMore(countByRule(analysis, other), countByRule(after, other));
    });
}

function countByRule(analysis: Analysis, file: SkillFile, withoutUnused = false): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { rule, tag } of check(file, analysis)) {
    if (!withoutUnused || tag !== 'unnecessary') counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts;
}

const hasNoMore = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean =>
  [...after].every(([rule, count]) => count <= (before.get(rule) ?? 0));
