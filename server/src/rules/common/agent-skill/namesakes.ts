/** The skills that share a folder called `skills` and a name; elsewhere neighbours may be of different clients. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { fileNameOf, skillsFolderOf } from '../../../vocabulary/dialect.ts';
import type { IndexedSkill } from '../../../workspace/workspace-index.ts';

export function findNamesakes(file: SkillFile, analysis: Analysis): readonly IndexedSkill[] {
  const name = file.contract.name?.name;
  const folder = skillsFolderOf(file.uri);
  if (name === undefined || fileNameOf(folder) !== 'skills') return [];
  return analysis
    .skillsNamed(name)
    .filter(
      ({ uri, summary }) => uri !== file.uri && summary.dialect === 'agent-skill' && skillsFolderOf(uri) === folder,
    );
}
