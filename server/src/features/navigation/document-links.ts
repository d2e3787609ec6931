/** Links that an editor follows: to files beside the skill, to skills that it names, and to where a catalog's tools come from. */
import type { DocumentLink } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../workspace/links.ts';
import { mentionedFiles } from '../../workspace/mentioned-files.ts';
import { meantReferences } from '../../workspace/plain-references.ts';
import type { Locate } from '../locate.ts';

/** Only links to files that are known to exist; a rule reports the others. */
export function documentLinks(analysis: Analysis, file: SkillFile, locate: Locate): DocumentLink[] {
  const written = linkTargets(file).map(({ uri, span }) => ({ uris: [uri], span }));
  const toFiles = [...written, ...mentionedFiles(file)].flatMap(({ uris, span }) => {
    const target = uris.find((uri) => analysis.exists(uri) ?? analysis.index.files.has(uri));
    return target === undefined ? [] : [{ range: locate.range(file, span), target }];
  });
  const toSkills = meantReferences(analysis.graph, file).flatMap(({ form, name, span }) => {
    const skill = form === 'link' ? undefined : analysis.resolveSkill(file, name);
    return skill && skill.uri !== file.uri ? [{ range: locate.range(file, span), target: skill.uri }] : [];
  });
  return [...toFiles, ...toSkills];
}
