/** Links that an editor follows: to files beside the skill, to skills that it names, and to where a catalog's tools come from. */
import type { DocumentLink } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { meantReferences } from '../../workspace/plain-references.ts';
import type { Locate } from '../locate.ts';
import { foundLinks } from '../symbol/link-at.ts';

/** Only links to files that are known to exist; a rule reports the others. A heading is told by its line, as editors take it. */
export function documentLinks(analysis: Analysis, file: SkillFile, locate: Locate): DocumentLink[] {
  const toFiles = foundLinks(analysis, file).map(({ span, uri, place }) => {
    const line = place && locate.range(place.file, place.span).start.line + 1;
    return { range: locate.range(file, span), target: line === undefined ? uri : `${uri}#L${line}` };
  });
  const toSkills = meantReferences(analysis.graph, file).flatMap(({ form, name, span }) => {
    const skill = form === 'link' ? undefined : analysis.resolveSkill(file, name);
    return skill && skill.uri !== file.uri ? [{ range: locate.range(file, span), target: skill.uri }] : [];
  });
  return [...toFiles, ...toSkills];
}
