import type { Analysis } from '../analysis/analysis.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { absoluteLinks, linkTargets } from '../workspace/links.ts';
import { referencedFiles } from '../workspace/referenced-files.ts';
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
      if (isOutside(analysis, file.uri, target.uri)) yield { span: target.span, message: `This file is ${OUTSIDE}` };
    }
    for (const { path, span } of absoluteLinks(file)) {
      if (isPlaceholder(path)) continue;
      yield {
        span,
        message:
          "An absolute path does not work where the skill is installed elsewhere. Copy the file into the skill's folder, and link to it there.",
      };
    }
    const folder = analysis.folder(file.uri);
    for (const neighbour of folder ? referencedFiles(file, folder) : []) {
      const outside = linkTargets(neighbour.file).filter(({ uri }) => isOutside(analysis, file.uri, uri));
      if (outside.length === 0) continue;
      const paths = [...new Set(outside.map(({ path }) => `\`${path}\``))];
      yield {
        span: neighbour.via,
        message: `The linked file \`${neighbour.path}\` links to ${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more, which are` : ', which is'} ${OUTSIDE}`,
        related: outside.map(({ span }) => ({
          uri: neighbour.file.uri,
          span,
          message: 'This link leaves the folder.',
        })),
      };
    }
  },
};

const OUTSIDE =
  "outside the skill's folder, so the link breaks where the skill is installed alone. Copy the file into the folder.";

/** Returns true for an existing file outside the skill's folder. `broken-link` reports a missing file. */
const isOutside = (analysis: Analysis, skill: string, uri: string): boolean =>
  leaves(skill, uri) && !belongsToNeighbour(analysis, skill, uri) && analysis.exists(uri) === true;

const leaves = (skill: string, uri: string): boolean => !`${uri}/`.startsWith(`${installedFolderOf(skill)}/`);

/**
 * Returns the URI of the folder that is installed as a whole: the plugin for `plugin/skills/NAME`, the project for
 * `.claude/skills/NAME`, otherwise the skill's own folder.
 */
function installedFolderOf(uri: string): string {
  const folder = folderOf(uri);
  const parts = folder.split('/');
  const skills = parts.lastIndexOf('skills', -2);
  if (skills < 4) return folder;
  return parts.slice(0, parts[skills - 1]?.startsWith('.') ? skills - 1 : skills).join('/');
}

/** Returns true if a file belongs to a neighbouring skill, which is installed together with this skill. */
function belongsToNeighbour(analysis: Analysis, skill: string, uri: string): boolean {
  const beside = `${folderOf(folderOf(skill))}/`;
  if (!uri.startsWith(beside)) return false;
  const folder = uri.slice(beside.length).split('/')[0];
  return analysis.file(`${beside}${folder}/SKILL.md`) !== undefined;
}
