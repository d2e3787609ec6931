/** The places of one file that name the symbol under the cursor; declarations and assignments are writes. */
import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Locate } from '../locate.ts';
import { declarationsOf } from '../symbol/declarations.ts';
import { occurrencesIn, targetAt } from '../symbol/occurrences.ts';

export function highlights(analysis: Analysis, file: SkillFile, offset: number, locate: Locate): DocumentHighlight[] {
  const here = targetAt(analysis, file, offset);
  if (!here) return [];
  const { target } = here;
  const written = new Set(
    declarationsOf(analysis, file, target)
      .filter(({ uri }) => uri === file.uri)
      .map(({ span }) => span.start),
  );
  if (target.kind === 'local') for (const { span, isWrite } of target.uses) if (isWrite) written.add(span.start);
  return occurrencesIn(analysis, file, target).map(({ span }) => ({
    range: locate.range(file, span),
    kind: written.has(span.start) ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}
