/** The skills of one folder that have the same name. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { skillsFolderOf } from '../../../vocabulary/dialect.ts';
import type { IndexedSkill } from '../../../workspace/workspace-index.ts';

export function findNamesakes(file: SkillFile, analysis: Analysis): readonly IndexedSkill[] {
  const name = file.contract.name?.name;
  if (name === undefined) return [];
  const folder = skillsFolderOf(file.uri);
  return analysis
    .skillsNamed(name)
    .filter(
      ({ uri, summary }) => uri !== file.uri && summary.dialect === 'agent-skill' && skillsFolderOf(uri) === folder,
    );
}
