/** How the installer `npx skills` treats a `SKILL.md` (docs/sharing.md, "npx skills"), as observed in version 1.7.4. */
import { findValue, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';

const FRONTMATTER = /^\uFEFF?---\r?\n(?:[\s\S]*?\r?\n)---\r?(?:\n|$)/;

/** The largest number of characters in the name of a folder. */
const LONGEST = 255;

/** Returns the name of the folder in which `npx skills` installs a skill with this `name`. */
export const installedFolder = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, LONGEST) || 'unnamed-skill';

/** Returns the folder in which `npx skills` installs a skill, or the reason why it skips the file, as a clause. */
export function npxSkills(file: SkillFile): { readonly folder: string } | { readonly skipped: string } {
  const { tree } = file.frontmatter;
  if (!FRONTMATTER.test(file.text)) return { skipped: 'it has no frontmatter from its first line' };
  // An unknown tag is a warning of its library.
  const { problems } = tree;
  if (problems.some(({ cause }) => cause !== 'tag') || (tree.broken && problems.length === 0))
    return {
      skipped: problems.some(({ kind }) => kind === 'duplicate-key') ? 'a key occurs twice' : 'its YAML has an error',
    };
  const [name, description] = ['name', 'description'].map((key) => contentOf(findValue(tree.root, key)));
  const missing = [...(isEmpty(name) ? ['`name`'] : []), ...(isEmpty(description) ? ['`description`'] : [])];
  if (missing.length > 0) return { skipped: `it has no ${missing.join(' and no ')}` };
  if (typeof name !== 'string' || typeof description !== 'string')
    return { skipped: `its \`${typeof name === 'string' ? 'description' : 'name'}\` is not a string` };
  const internal = findValue(findValue(tree.root, 'metadata'), 'internal');
  if (contentOf(internal) === true) return { skipped: 'its `metadata` has `internal: true`' };
  return { folder: installedFolder(name) };
}

const contentOf = (node: YamlNode | undefined): unknown =>
  node === undefined ? undefined : node.kind === 'scalar' ? node.value : node;

const isEmpty = (value: unknown): boolean => !value;

/**
 * Returns a sentence for each skill that `npx skills` skips, installs in a folder of another name, or installs in the same
 * folder as another skill.
 */
export function npxSkillsNotes(
  files: readonly { readonly shown: string; readonly file: SkillFile }[],
): readonly string[] {
  const known = new Map<string, string>();
  return files.flatMap(({ shown, file }) => {
    const result = npxSkills(file);
    if ('skipped' in result) return [`\`${shown}\` is skipped, because ${result.skipped}.`];
    const { folder } = result;
    const first = known.get(folder);
    if (first !== undefined)
      return [`\`${shown}\` gets the folder \`${folder}\`, as \`${first}\` does, and one replaces the other.`];
    known.set(folder, shown);
    const own = decoded(fileNameOf(folderOf(file.uri)));
    return own === folder ? [] : [`\`${shown}\` gets the folder \`${folder}\`, because of its \`name\`.`];
  });
}
