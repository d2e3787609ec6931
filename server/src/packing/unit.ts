/** A skill with the files that it needs, which are packed and installed together. */
import type { Analysis } from '../analysis/analysis.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { OUTPUTS, PROMPTS } from '../testing/kept-files.ts';
import { decoded, isAgentSkillName } from '../vocabulary/dialect.ts';
import { linkTargets, resolvePath } from '../workspace/links.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

/** A file of a unit; paths are below the root of the workspace, or of the source. */
export interface UnitFile {
  readonly path: string;
  /** Undefined for what is no text, or too long to be looked at. */
  readonly text: string | undefined;
  /** By its mode, or by its first bytes. */
  readonly isExecutable: boolean;
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  readonly digest: string;
}

export interface Unit {
  readonly uri: string;
  /** The skill's own file. */
  readonly path: string;
  /** All files, the skill's own among them, in the order of their paths. */
  readonly files: readonly UnitFile[];
}

/** Every skill that one composes, directly or not, and the contracts that stand behind their tools. */
export function closureWithTools(analysis: Analysis, root: IndexedSkill): readonly IndexedSkill[] {
  const { graph } = analysis;
  const found = new Map<string, IndexedSkill>();
  for (const skill of [root, ...graph.closureOf(root)]) {
    found.set(skill.uri, skill);
    for (const { name } of analysis.file(skill.uri)?.contract.tools ?? []) {
      if (!graph.tools.has(name)) continue;
      for (const tool of analysis.skillsNamed(name)) if (tool.summary.isTool) found.set(tool.uri, tool);
    }
  }
  found.delete(root.uri);
  return [...found.values()];
}

/** The names that a skill composes or requires. */
export const namedParts = ({ summary }: IndexedSkill): readonly string[] => [
  ...summary.composes.map(({ skill }) => skill),
  ...summary.requires.map(({ skill }) => skill),
];

export const isInFolder = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** The folder of a path; empty at the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A skill whose frontmatter cannot be read: nobody can say what it may do. */
export const isUnreadableSkill = ({ frontmatter }: SkillFile): boolean => frontmatter.tree.broken;

// Which files beside it a skill needs, of those that there are.

/** The URI of a path below a root. */
export const uriIn = (root: string, path: string): string => resolvePath(root, path);

/** The folders of which a skill at this path may need files that it does not link to. */
export function foldersFor(path: string): readonly string[] {
  const folder = parentOf(path);
  return isAgentSkillName(nameOf(path))
    ? [folder]
    : [PROMPTS, OUTPUTS].map((one) => (folder === '' ? one : `${folder}/${one}`));
}

/** All of the folder of a `SKILL.md`; of another skill what is kept beside it for its tests. */
export function filesOfFolder(skill: SkillFile, path: string, all: readonly string[]): readonly string[] {
  const folders = foldersFor(path);
  if (skill.dialect === 'agent-skill') return all.filter((other) => folders.some((one) => isInFolder(one, other)));
  const name = skill.contract.name?.name;
  if (name === undefined) return [];
  return all.filter(
    (other) =>
      folders.includes(parentOf(other)) &&
      (nameOf(other).startsWith(`${name}.`) || nameOf(other).startsWith(`${name}@`)),
  );
}

/** The paths below the root that a skill, or a page that it leads to, links to; nothing need be there. */
export function linkedPaths(file: SkillFile, root: string): readonly string[] {
  const prefix = `${root}/`;
  return linkTargets(file).flatMap(({ uri }) => (uri.startsWith(prefix) ? [decoded(uri.slice(prefix.length))] : []));
}
