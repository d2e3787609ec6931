/** The files of `evals/` beside a `SKILL.md`, read (docs/testing.md, "Evals of a SKILL.md"). */
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Evals, readEvals } from '../../testing/evals.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { resolvePath } from '../../workspace/links.ts';
import type { Files } from '../disk/files.ts';

export interface EvalFile {
  readonly uri: string;
  readonly text: string;
  readonly evals: Evals;
}

/** In the order of their names; none for a file of another dialect. What is no text is nobody's cases. */
export async function evalFiles(
  { uri: skill, dialect }: SkillFile,
  files: Pick<Files, 'list'>,
  read: (uri: string) => Promise<string | undefined>,
): Promise<readonly EvalFile[]> {
  if (dialect !== 'agent-skill') return [];
  const folder = folderOf(skill);
  const names = (await files.list(resolvePath(folder, 'evals')))
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'));
  const found: EvalFile[] = [];
  for (const name of names.sort()) {
    const uri = resolvePath(folder, `evals/${name}`);
    const text = await read(uri).catch(() => undefined);
    if (text !== undefined) found.push({ uri, text, evals: readEvals(text, name === 'evals.json') });
  }
  return found;
}
