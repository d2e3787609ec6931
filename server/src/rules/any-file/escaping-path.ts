import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { absoluteLinks, linkTargets, resolvePath } from '../../skill-folder/links.ts';
import { referencedFiles } from '../../skill-folder/referenced-files.ts';
import type { SkillFolder } from '../../skill-folder/skill-folder.ts';
import { type Span, span } from '../../text.ts';
import { folderOf, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { isPlaceholder } from './links.ts';

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
    const folder = analysis.folder(file.uri);
    const fixed = folder ? findFixedPaths(file, folder) : [];
    for (const { path, span } of absoluteLinks(file)) {
      if (isPlaceholder(path) || fixed.some((one) => one.span.start < span.end && span.start < one.span.end)) continue;
      yield {
        span,
        message:
          "An absolute path does not work where the skill is installed elsewhere. Copy the file into the skill's folder, and link to it there.",
      };
    }
    yield* reportFixed(file, fixed);
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

/** A path to a file of the skill that fails where the skill is installed. */
interface FixedPath {
  /** The path from the skill's folder. */
  readonly path: string;
  /** Where the written path works. */
  readonly where: string;
  readonly span: Span;
}

/** Reports the paths of a file as one finding, with one fix. */
function* reportFixed(file: SkillFile, [first, ...others]: readonly FixedPath[]): Iterable<Draft> {
  if (!first) return;
  const paths = new Set([first, ...others].map(({ path }) => path));
  yield {
    span: first.span,
    message: `This path works only ${first.where}. Write \`${first.path}\`, relative to the skill's folder.`,
    related: placesHere(file, others, 'This path, too.'),
    fixes: fixHere(
      file,
      paths.size > 1 ? "Make all paths relative to the skill's folder" : `Replace with \`${first.path}\``,
      [first, ...others].map((one) => ({ span: one.span, newText: one.path })),
    ),
  };
}

/** Finds the paths from the root of the repository or from a home folder, in the order of the text. */
function findFixedPaths({ uri, text, frontmatter }: SkillFile, folder: SkillFolder): readonly FixedPath[] {
  const found: FixedPath[] = [];
  for (const prefix of [`skills/${nameFromUri(uri)}/`, `skills\\${nameFromUri(uri)}\\`]) {
    for (let at = text.indexOf(prefix, frontmatter.bodyStart); at >= 0; at = text.indexOf(prefix, at + 1)) {
      const written = /^[\w./\\-]*\w/.exec(text.slice(at + prefix.length, at + prefix.length + 300))?.[0] ?? '';
      const path = written.replaceAll('\\', '/');
      // A file directly in the folder is often for people, such as an installer.
      if (!path.includes('/') || !folder.has(resolvePath(folder.uri, path))) continue;
      const before = /[\w./~${}%>\\:@-]*$/.exec(text.slice(Math.max(frontmatter.bodyStart, at - 200), at))?.[0] ?? '';
      const where = whereItWorks(before, uri);
      const place = span(at - before.length, at + prefix.length + written.length);
      if (where !== undefined) found.push({ path, where, span: place });
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

const HOME_OF_SOMEBODY =
  /^(?:file:\/\/)?(?:(?:\/mnt)?\/(?:[a-z]\/)?(?:Users|home)\/[\w.-]+|\/root|\/?[A-Z]:[\\/]Users[\\/][\w.-]+)[\\/]/i;
const HOME = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE)[\\/]/i;

/** A skill in its user's own home folder, outside a project. */
const IN_HOME =
  /^file:\/\/\/(?:(?:Users|home|[a-z](?::|%3A)\/Users)\/[^/]+|root)\/\.(?:[^/]+\/)+skills\/[^/]+\/[^/]+$/i;

/**
 * Returns where a path works, from the text before `skills/NAME/`; undefined if it can work everywhere: a longer path, an
 * address or a variable may name any folder.
 */
function whereItWorks(before: string, uri: string): string | undefined {
  if (before === '' || before === './') return 'from the root of this repository';
  if (HOME_OF_SOMEBODY.test(before)) return 'on one computer';
  if (HOME.test(before) && !IN_HOME.test(uri)) return `if the skill is installed in \`${before}skills\``;
  return undefined;
}

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
