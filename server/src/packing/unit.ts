/** Units: skills with the files that they need, which are packed and installed together. */
import type { Analysis } from '../analysis/analysis.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { linkTargets, resolvePath } from '../skill-folder/links.ts';
import { OUTPUTS, PROMPTS } from '../testing/saved-files.ts';
import { decoded, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolveSummary } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

/** A file of a unit. The path is relative to the root of the workspace or the source. */
export interface UnitFile {
  readonly path: string;
  /** The text. Undefined for a file that is not a text file or is too long to scan. */
  readonly text: string | undefined;
  /** True if the file mode or the first bytes show that the file is a program. */
  readonly isExecutable: boolean;
  /** The SHA-256 digest of the bytes, in hexadecimal digits. */
  readonly digest: string;
}

export interface Unit {
  readonly uri: string;
  /** The path of the skill's own file. */
  readonly path: string;
  /** All files including the skill's own, sorted by path. */
  readonly files: readonly UnitFile[];
}

/** Returns the skills that a skill composes, directly and indirectly, their adapters and the contracts of their tools. */
export function closureWithTools(analysis: Analysis, root: IndexedSkill): readonly IndexedSkill[] {
  const { graph } = analysis;
  const found = new Map<string, IndexedSkill>();
  for (const skill of [root, ...graph.closureOf(root)]) {
    found.set(skill.uri, skill);
    for (const { adapter } of skill.summary.adapts) {
      const used = resolveSummary(graph, skill, adapter);
      if (used) found.set(used.uri, used);
    }
    for (const { name } of analysis.file(skill.uri)?.contract.tools ?? []) {
      if (!graph.tools.has(name)) continue;
      for (const tool of analysis.skillsNamed(name, skill.uri)) if (tool.summary.isTool) found.set(tool.uri, tool);
    }
  }
  found.delete(root.uri);
  return [...found.values()];
}

/** Returns the names of the skills that a skill composes or requires, and of its adapters. */
export const namedParts = ({ summary }: IndexedSkill): readonly string[] => [
  ...summary.composes.map(({ skill }) => skill),
  ...summary.requires.map(({ skill }) => skill),
  ...summary.adapts.map(({ adapter }) => adapter),
];

export const isInFolder = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** Returns the folder of a path; an empty string for a file in the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns whether the frontmatter of a skill is not valid YAML, so that its capabilities are unknown. */
export const isUnreadableSkill = ({ frontmatter }: SkillFile): boolean => frontmatter.tree.broken;

// The files that a skill needs.

/** Returns the URI of a path below a root. */
export const uriIn = (root: string, path: string): string => resolvePath(root, path);

/** Returns the folders in which a skill with this path may need files that it does not link to. */
export function foldersFor(path: string): readonly string[] {
  const folder = parentOf(path);
  return isAgentSkillName(nameOf(path))
    ? [folder]
    : [PROMPTS, OUTPUTS].map((one) => (folder === '' ? one : `${folder}/${one}`));
}

/**
 * Returns all files in the folder of a `SKILL.md` or, for a skill of another dialect, its saved prompts and outputs.
 * `all` must be sorted.
 */
export function filesOfFolder(skill: SkillFile, path: string, all: readonly string[]): readonly string[] {
  const folders = foldersFor(path);
  if (skill.dialect === 'agent-skill') return folders.flatMap((folder) => filesWithin(folder, all));
  const name = skill.contract.name?.name;
  if (name === undefined) return [];
  const isOwn = (file: string): boolean => file.startsWith(`${name}.`) || file.startsWith(`${name}@`);
  return folders.flatMap((folder) =>
    filesWithin(folder, all).filter((other) => parentOf(other) === folder && isOwn(nameOf(other))),
  );
}

/** Returns the paths in a folder. Searches by bisection, because a source may have thousands of folders. */
function filesWithin(folder: string, all: readonly string[]): readonly string[] {
  if (folder === '') return all;
  const firstAfter = (word: string): number => {
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((all[middle] as string) < word) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  // `0` is the character after `/`.
  return all.slice(firstAfter(`${folder}/`), firstAfter(`${folder}0`));
}

/** Returns the paths below the root that a file links to. The linked files need not exist. */
export function linkedPaths(file: SkillFile, root: string): readonly string[] {
  const prefix = `${root}/`;
  return linkTargets(file).flatMap(({ uri }) => (uri.startsWith(prefix) ? [decoded(uri.slice(prefix.length))] : []));
}
