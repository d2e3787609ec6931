/** Where the symbol under the cursor is declared: in this file, in another, in the catalog. */
import type { Location, LocationLink } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Locate } from '../locate.ts';
import { type Declaration, declarationsOf } from '../symbol/declarations.ts';
import { targetAt } from '../symbol/occurrences.ts';

/** Links where the client takes them, else locations; the likeliest first. */
export function definition(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  links: boolean,
): Location[] | LocationLink[] {
  const here = targetAt(analysis, file, offset);
  if (!here) return [];
  const places = declarationsOf(analysis, file, here.target).map((place) => locationOf(place, locate));
  if (!links) return places;
  const originSelectionRange = locate.range(file, here.span);
  return places.map(({ uri, range }) => ({
    originSelectionRange,
    targetUri: uri,
    targetRange: range,
    targetSelectionRange: range,
  }));
}

const START = { line: 0, character: 0 };

const locationOf = ({ uri, file, span }: Declaration, locate: Locate): Location => ({
  uri,
  range: file ? locate.range(file, span) : { start: START, end: START },
});
