import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { findValue, mapEntries, stringOf } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import { isInFolder, pathOfFolder } from '../../workspace/catalog.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a path under `agent_skills.only` that is not the folder of a skill, so that the entry has no effect. */
export const unknownSkillsFolder: Rule = {
  name: 'unknown-skills-folder',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/clients.md, "Skills for some of the clients"' },
  dialects: ['catalog'],
  *check(file, analysis) {
    const only = mapEntries(findValue(findValue(file.frontmatter.tree.root, 'agent_skills'), 'only'));
    if (only.length === 0 || analysis.partial) return;
    const folders = foldersBelow(analysis, file);
    for (const { key } of only) {
      const path = stringOf(key);
      if (path === undefined || folders.skills.some((one) => isInFolder(one, pathOfFolder(path)))) continue;
      const near = nearestNames(pathOfFolder(path), folders.parents);
      const advice = near.length > 0 ? didYouMean(near) : ' Correct the path, or remove it.';
      yield {
        span: key.span,
        message: `No skill below this catalog is in a folder \`${path}\`.${advice}`,
        fixes: replaceName(file, [key.span], near),
      };
    }
  },
};

/** Returns the paths of the skills that a catalog governs, and those of the folders that contain skills. */
function foldersBelow(analysis: Analysis, { uri }: SkillFile) {
  const root = folderOf(uri);
  const own = [...analysis.agentSkills.subjects].filter((one) => analysis.findCatalog(one.uri)?.uri === uri);
  const pathOf = (folder: string): string => decoded(folder.slice(root.length + 1));
  const parents = own.flatMap((one) => [pathOf(folderOf(folderOf(one.uri))), skillsFolderOf(one)?.path ?? '']);
  return {
    skills: own.map((one) => pathOf(folderOf(one.uri))),
    parents: [...new Set(parents)].filter((path) => path !== ''),
  };
}
