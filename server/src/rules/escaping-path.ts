import type { Analysis } from '../analysis/analysis.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { type LinkTarget, linkTargets } from '../workspace/links.ts';
import type { Rule } from './rule.ts';

export const escapingPath: Rule = {
  name: 'escaping-path',
  severity: 'hint',
  evidence: {
    kind: 'spec',
    source: 'Agent Skills specification, https://agentskills.io/specification, "File references"',
  },
  dialects: ['agent-skill'],
  *check(file, analysis) {
    for (const target of linkTargets(file)) {
      if (!leaves(file.uri, target) || isOfSkill(analysis, file.uri, target)) continue;
      // One that is not there is a broken link.
      if (analysis.exists(target.uri) !== true) continue;
      yield {
        span: target.span,
        message:
          'This file lies outside of the skill’s folder: where the skill is installed alone, the link leads to nothing, or to another file. Copy the file into the folder.',
      };
    }
  },
};

const leaves = (uri: string, target: LinkTarget): boolean => !`${target.uri}/`.startsWith(`${homeOf(uri)}/`);

/**
 * The folder that is installed together: of `plugin/skills/NAME` the plugin, of `.claude/skills/NAME` the project, else the
 * skill's own folder.
 */
function homeOf(uri: string): string {
  const folder = folderOf(uri);
  const parts = folder.split('/');
  const skills = parts.lastIndexOf('skills', -2);
  if (skills < 4) return folder;
  return parts.slice(0, parts[skills - 1]?.startsWith('.') ? skills - 1 : skills).join('/');
}

/** Whether it belongs to a skill beside this one, with which it is installed. */
function isOfSkill(analysis: Analysis, uri: string, target: LinkTarget): boolean {
  const beside = `${folderOf(folderOf(uri))}/`;
  if (!target.uri.startsWith(beside)) return false;
  const folder = target.uri.slice(beside.length).split('/')[0];
  return analysis.file(`${beside}${folder}/SKILL.md`) !== undefined;
}
