/** Where the symbol under the cursor is declared: in this file, in another, in the catalog. */
import type { Location, LocationLink } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Locate } from '../locate.ts';
import { type Declaration, declarationsOf } from '../symbol/declarations.ts';
import { linkAt } from '../symbol/link-at.ts';
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
  const link = here ? undefined : linkAt(analysis, file, offset);
  const origin = here?.span ?? link?.span;
  if (!origin) return [];
  const declared = here ? declarationsOf(analysis, file, here.target) : [];
  const linked = link ? [{ uri: link.uri, file: link.place?.file, span: link.place?.span ?? link.span }] : [];
  const places = [...declared, ...linked].map((place) => locationOf(place, locate));
  if (!links) return places;
  const originSelectionRange = locate.range(file, origin);
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
