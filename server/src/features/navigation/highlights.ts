/** The places of one file that name what stands under the cursor: where it gets its meaning, and where it is used. */
import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';
import { declarationsOf } from '../symbol/declarations.ts';
import { occurrencesIn, targetAt } from '../symbol/occurrences.ts';

export function highlights(
  index: WorkspaceIndex,
  document: SkillDocument,
  offset: number,
  locate: Locate,
): DocumentHighlight[] {
  const here = targetAt(index, document, offset);
  if (!here) return [];
  const { target } = here;
  const written = new Set(
    declarationsOf(index, document, target)
      .filter(({ uri }) => uri === document.uri)
      .map(({ span }) => span.start),
  );
  if (target.kind === 'local') for (const { span, isWrite } of target.uses) if (isWrite) written.add(span.start);
  return occurrencesIn(index, document, target).map(({ span }) => ({
    range: locate.range(document, span),
    kind: written.has(span.start) ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}
