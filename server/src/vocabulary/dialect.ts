/** Skill files and their dialects (docs/format.md, section 1). */

/** `catalog` is `skills.config.yaml` (section 6), which is read, checked and completed like a skill. */
export type Dialect = 'composer' | 'contract' | 'agent-skill' | 'catalog' | 'package';

/** The dialects that can be composed. A catalog cannot, and a package (section 8) only after conversion. */
export type SkillDialect = Exclude<Dialect, 'catalog' | 'package'>;

export const isSkillDialect = (dialect: Dialect): dialect is SkillDialect =>
  dialect !== 'catalog' && dialect !== 'package';

export const CATALOG_NAME = 'skills.config.yaml';

/** The last part of a URI or path, still percent-encoded. */
export const fileNameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The URI of the folder of a file, without a trailing slash. */
export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

/**
 * Returns the parent of the folder that contains a `SKILL.md`. The parent folder contains one folder for each skill.
 */
export const skillsFolderOf = (uri: string): string => folderOf(folderOf(uri));

/** Accepts `SKILL.md` in any case; most clients read only the upper-case form. */
export const isAgentSkillName = (name: string): boolean => name.toLowerCase() === 'skill.md';

/**
 * Returns the dialect for a file name, or undefined for files that are not skills. Other Markdown is a skill only if
 * its frontmatter says so. Settings select the Markdown files to read.
 */
export function dialectOf(uri: string): Dialect | undefined {
  const name = fileNameOf(uri);
  if (name === CATALOG_NAME) return 'catalog';
  if (isAgentSkillName(name)) return 'agent-skill';
  if (name.endsWith('.skill.md')) return 'composer';
  if (/\.skill\.ya?ml$/.test(name)) return 'contract';
  if (name.endsWith('.skill.json')) return 'package';
  if (name.endsWith('.md') || uri.startsWith('untitled:')) return 'composer';
  return undefined;
}

/** Returns true if a file is a skill only if its frontmatter has `name` and `description`. */
export const isPlainMarkdown = (uri: string): boolean =>
  !/(\.skill\.md|\.skill\.json|\.ya?ml|(^|\/)SKILL\.md)$|^untitled:/.test(uri);

const SUFFIX = /(\.skill)?\.(md|ya?ml)$|\.skill\.json$/;

/** Returns the name of the file, or of the folder for `SKILL.md`. The name may be an invalid skill name. */
export const nameFromUri = (uri: string): string =>
  decoded(fileNameOf(isAgentSkillName(fileNameOf(uri)) ? folderOf(uri) : uri)).replace(SUFFIX, '');

/** Returns the decoded path, or the unchanged path if a `%` in it is invalid. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
