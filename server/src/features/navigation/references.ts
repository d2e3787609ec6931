/** Every place that names the symbol under the cursor, over all files. */
import type { Location } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Locate } from '../locate.ts';
import { declarationsOf } from '../symbol/declarations.ts';
import { occurrencesOf, targetAt } from '../symbol/occurrences.ts';

export function references(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  includeDeclaration: boolean,
): Location[] {
  const here = targetAt(analysis, file, offset);
  if (!here) return [];
  const declared = new Set(
    declarationsOf(analysis, file, here.target).map((place) => `${place.uri} ${place.span.start}`),
  );
  return occurrencesOf(analysis, here.target)
    .filter((one) => includeDeclaration || !declared.has(`${one.file.uri} ${one.span.start}`))
    .map((one) => ({ uri: one.file.uri, range: locate.range(one.file, one.span) }));
}
