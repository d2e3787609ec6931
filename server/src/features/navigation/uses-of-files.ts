/** Who names the skills of certain files, from without. */
import type { Location } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Locate } from '../locate.ts';
import { occurrencesOf } from '../symbol/occurrences.ts';

export interface UsesOfFiles {
  readonly skills: readonly string[];
  readonly places: readonly Location[];
}

/** Of the files, or all files in the folders, that are `uris`; skills that another file defines too are not missed. */
export function usesOfFiles(analysis: Analysis, uris: readonly string[], locate: Locate): UsesOfFiles {
  const isOne = (uri: string) => uris.some((one) => uri === one || uri.startsWith(`${one}/`));
  const names = new Set(
    [...analysis.graph.skills.values()].flatMap(({ uri, summary }) =>
      isOne(uri) && summary.name !== undefined ? [summary.name] : [],
    ),
  );
  const used = [...names].sort().map((name) => {
    const isLeft = analysis.skillsNamed(name).some(({ uri }) => !isOne(uri));
    const others = isLeft
      ? []
      : occurrencesOf(analysis, { kind: 'skill', name }).filter(({ file }) => !isOne(file.uri));
    return { name, places: others.map(({ file, span }) => ({ uri: file.uri, range: locate.range(file, span) })) };
  });
  const missed = used.filter(({ places }) => places.length > 0);
  return { skills: missed.map(({ name }) => name), places: missed.flatMap(({ places }) => places) };
}
