/** Every place that names what stands under the cursor, over all files. */
import type { Location } from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';
import { declarationsOf } from '../symbol/declarations.ts';
import { occurrencesOf, targetAt } from '../symbol/occurrences.ts';

export function references(
  index: WorkspaceIndex,
  document: SkillDocument,
  offset: number,
  locate: Locate,
  includeDeclaration: boolean,
): Location[] {
  const here = targetAt(index, document, offset);
  if (!here) return [];
  const declared = new Set(
    declarationsOf(index, document, here.target).map((place) => `${place.uri} ${place.span.start}`),
  );
  return occurrencesOf(index, document, here.target)
    .filter((one) => includeDeclaration || !declared.has(`${one.document.uri} ${one.span.start}`))
    .map((one) => ({ uri: one.document.uri, range: locate.range(one.document, one.span) }));
}
