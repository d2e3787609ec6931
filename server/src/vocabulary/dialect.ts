/** Which files are skills, and in which dialect (docs/format.md, section 1). */

/** `catalog` is `skills.config.yaml` (section 6), which is read, checked and completed like a skill. */
export type Dialect = 'composer' | 'contract' | 'agent-skill' | 'catalog' | 'package';

/** The dialects of what can be composed: a catalog is none, and a package (section 8) only once it is converted. */
export type SkillDialect = Exclude<Dialect, 'catalog' | 'package'>;

export const isSkillDialect = (dialect: Dialect): dialect is SkillDialect =>
  dialect !== 'catalog' && dialect !== 'package';

export const CATALOG_NAME = 'skills.config.yaml';

/** The last part of a URI or path, still percent-encoded. */
export const fileNameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The URI of the folder that holds a file, without a trailing slash. */
export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

/** The folder of the folders that a `SKILL.md` and its neighbours stand in, each in one. */
export const skillsFolderOf = (uri: string): string => folderOf(folderOf(uri));

/** `SKILL.md`, also in letters that most clients do not look for. */
export const isAgentSkillName = (name: string): boolean => name.toLowerCase() === 'skill.md';

/**
 * The dialect by a file's name; undefined for files that are no skills.
 * Other Markdown may be a skill: its frontmatter decides, and settings choose which files are asked.
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

/** True where the name alone does not make the file a skill: `name` and `description` must be there too. */
export const isPlainMarkdown = (uri: string): boolean =>
  !/(\.skill\.md|\.skill\.json|\.ya?ml|(^|\/)SKILL\.md)$|^untitled:/.test(uri);

const SUFFIX = /(\.skill)?\.(md|ya?ml)$|\.skill\.json$/;

/** The skill's name by its file, or by its folder for `SKILL.md`; it need not be a valid name. */
export const nameFromUri = (uri: string): string =>
  decoded(fileNameOf(isAgentSkillName(fileNameOf(uri)) ? folderOf(uri) : uri)).replace(SUFFIX, '');

/** A path with a `%` that encodes nothing is returned as it is. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
