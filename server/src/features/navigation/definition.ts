/** Where what stands under the cursor is declared: in this file, in another, in the catalog. */
import type { Location, LocationLink } from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';
import { type Declaration, declarationsOf } from '../symbol/declarations.ts';
import { targetAt } from '../symbol/occurrences.ts';

/** Links, which say what was pointed at, where the client takes them; else locations. The likeliest comes first. */
export function definition(
  index: WorkspaceIndex,
  document: SkillDocument,
  offset: number,
  locate: Locate,
  links: boolean,
): Location[] | LocationLink[] {
  const here = targetAt(index, document, offset);
  if (!here) return [];
  const places = declarationsOf(index, document, here.target).map((place) => locationOf(place, locate));
  if (!links) return places;
  const originSelectionRange = locate.range(document, here.span);
  return places.map(({ uri, range }) => ({
    originSelectionRange,
    targetUri: uri,
    targetRange: range,
    targetSelectionRange: range,
  }));
}

const START = { line: 0, character: 0 };

export const locationOf = ({ uri, document, span }: Declaration, locate: Locate): Location => ({
  uri,
  range: document ? locate.range(document, span) : { start: START, end: START },
});
