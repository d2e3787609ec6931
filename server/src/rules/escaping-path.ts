import type { Analysis } from '../analysis/analysis.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { absoluteLinks, linkTargets } from '../workspace/links.ts';
import { neighboursOf } from '../workspace/neighbours.ts';
import { isPlaceholder } from './common/agent-skill/links.ts';
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
      if (isOutside(analysis, file.uri, target.uri)) yield { span: target.span, message: `This file ${OUTSIDE}` };
    }
    for (const { path, span } of absoluteLinks(file)) {
      if (isPlaceholder(path)) continue;
      yield {
        span,
        message:
          'An absolute path leads to nothing, or to another file, where the skill is installed elsewhere. Copy the file into the skill’s folder, and link to it from there.',
      };
    }
    const folder = analysis.folder(file.uri);
    for (const neighbour of folder ? neighboursOf(file, folder) : []) {
      const outside = linkTargets(neighbour.file).filter(({ uri }) => isOutside(analysis, file.uri, uri));
      if (outside.length === 0) continue;
      const paths = [...new Set(outside.map(({ path }) => `\`${path}\``))];
      yield {
        span: neighbour.via,
        message: `\`${neighbour.path}\`, to which this leads, links to ${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}. That file ${OUTSIDE}`,
        related: outside.map(({ span }) => ({ uri: neighbour.file.uri, span, message: 'This link leads outside.' })),
      };
    }
  },
};

const OUTSIDE =
  'lies outside of the skill’s folder: where the skill is installed alone, the link leads to nothing, or to another file. Copy the file into the folder.';

/** One that is not there is a broken link. */
const isOutside = (analysis: Analysis, skill: string, uri: string): boolean =>
  leaves(skill, uri) && !isOfSkill(analysis, skill, uri) && analysis.exists(uri) === true;

const leaves = (skill: string, uri: string): boolean => !`${uri}/`.startsWith(`${homeOf(skill)}/`);

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
function isOfSkill(analysis: Analysis, skill: string, uri: string): boolean {
  const beside = `${folderOf(folderOf(skill))}/`;
  if (!uri.startsWith(beside)) return false;
  const folder = uri.slice(beside.length).split('/')[0];
  return analysis.file(`${beside}${folder}/SKILL.md`) !== undefined;
}
