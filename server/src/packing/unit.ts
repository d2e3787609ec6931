/** A skill with the files that it needs, which are packed and installed together. */
import type { Analysis } from '../analysis/analysis.ts';
import type { SkillFile } from '../skill/skill-file.ts';
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
