/** Links that an editor follows: to files beside the skill, and to the files that a catalog takes tools from. */
import type { DocumentLink } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../workspace/links.ts';
import { mentionedFiles } from '../../workspace/mentioned-files.ts';
import type { Locate } from '../locate.ts';

/** Only links to files that are known to exist; a rule reports the others. */
export function documentLinks(analysis: Analysis, file: SkillFile, locate: Locate): DocumentLink[] {
  const written = linkTargets(file).map(({ uri, span }) => ({ uris: [uri], span }));
  return [...written, ...mentionedFiles(file)].flatMap(({ uris, span }) => {
    const target = uris.find((uri) => analysis.exists(uri) ?? analysis.index.files.has(uri));
    return target === undefined ? [] : [{ range: locate.range(file, span), target }];
  });
}
