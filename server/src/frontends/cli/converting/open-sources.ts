/** Opens the skills that `convert` converts for clients. */
import { resolve } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { Workspace } from '../../../analysis/workspace.ts';
import { isFolder, toPath, toUri } from '../../../io/paths.ts';
import { assertCatalogsParse, nameOf, openProject } from '../../../io/project.ts';
import { isThere } from '../../../io/read-file.ts';
import { readText } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import type { SkillSource } from '../../../services/packing/plan-skills.ts';
import { originOf } from '../../../skill/origin.ts';
import { type FileEntry, SkillFile } from '../../../skill/skill-file.ts';
import { dialectOf, isFlatSkill } from '../../../vocabulary/dialect.ts';
import type { Console } from '../console.ts';
import type { ConvertOptions } from './options.ts';

/** Returns whether a file is part of a workspace. A record, or any other JSON, is not. */
export const isWorkspaceFile = (file: string): boolean =>
  dialectOf(toUri(resolve('/', file))) !== undefined && !file.endsWith('.json');

/** A skill to convert. `shown` is its path as the user wrote it. */
export interface NamedSource extends SkillSource {
  readonly shown: string;
}

export interface OpenedSources {
  readonly analysis: Analysis;
  readonly sources: readonly NamedSource[];
}

/** Reads the sources into one workspace. A folder or a glob stands for the skills in it. */
export async function openSources(options: ConvertOptions, console: Console): Promise<OpenedSources> {
  const { cwd, files, config } = options;
  const { progress } = console;
  const single: string[] = [];
  const several: string[] = [];
  for (const file of files) {
    const isSeveral = (await isFolder(resolve(cwd, file))) || !(await isThere(resolve(cwd, file)));
    (isSeveral ? several : single).push(file);
  }
  const paths = [...single.filter(isWorkspaceFile), ...several];
  const project =
    paths.length > 0 ? await openProject({ cwd, paths, config, progress }).finally(() => progress.end()) : undefined;
  if (project) assertCatalogsParse(project);
  const workspace = project?.workspace ?? new Workspace();
  const sources: NamedSource[] = [];
  for (const file of single) {
    const uri = toUri(resolve(cwd, file));
    const text = await readText(cwd, file, file);
    if (!workspace.index.files.has(uri) && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
    sources.push({ uri, text, shown: file });
  }
  const { analysis } = workspace;
  const skills = several.length > 0 && project ? convertibleSkills(analysis, project.named) : [];
  for (const { uri, text } of skills) {
    if (!sources.some((one) => one.uri === uri)) sources.push({ uri, text, shown: nameOf(cwd, toPath(uri)) });
  }
  if (sources.length === 0)
    throw new UserError(
      'These folders contain no skills to convert. Name a `.skill.md`, or a folder that contains one.',
    );
  return { analysis, sources };
}

/**
 * Returns the skills among the named files, without contracts, sorted by URI: `SKILL.md` files only if there are no other
 * skills, and without those that were converted or copied from another file.
 */
export function convertibleSkills(
  { index }: Pick<Analysis, 'index'>,
  named: ReadonlySet<string>,
): readonly SkillSource[] {
  const files = [...named].sort().flatMap((uri) => index.files.get(uri) ?? []);
  const own = files.filter(({ uri, dialect, isSkill }) => dialect === 'composer' && isSkill && !isFlatSkill(uri));
  const isOriginal = ({ uri, text }: FileEntry): boolean => originOf(new SkillFile(uri, text)) === undefined;
  const skills = own.length > 0 ? own : files.filter((file) => file.dialect === 'agent-skill' && isOriginal(file));
  return skills.map(({ uri, text }) => ({ uri, text }));
}
