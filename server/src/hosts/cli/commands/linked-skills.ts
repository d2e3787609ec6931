/** The `SKILL.md` files that lie behind symbolic links, and are read at their own places. */
import { basename, join } from 'node:path';
import type { FileLink } from '../../../agent-skills/linked.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { isAgentSkillName } from '../../../vocabulary/dialect.ts';
import { inBatches } from '../../disk/in-batches.ts';
import { toUri } from '../../disk/paths.ts';
import { linkAt } from '../../disk/read-file.ts';
import type { Project } from '../project.ts';

export interface LinkedSkill {
  /** The text of the real file, at the place of the link. */
  readonly file: SkillFile;
  readonly link: FileLink;
}

export async function linkedSkills({ workspace, links, roots }: Project): Promise<readonly LinkedSkill[]> {
  const { files } = workspace.index;
  const paths = new Set(links.map((path) => (isAgentSkillName(basename(path)) ? path : join(path, 'SKILL.md'))));
  const found: LinkedSkill[] = [];
  for await (const { path, link } of inBatches([...paths], async (path) => ({
    path,
    link: await linkAt(path, roots),
  }))) {
    const entry = link?.target === undefined ? undefined : files.get(link.target);
    const file = entry && new SkillFile(toUri(path), entry.text);
    if (link && file?.dialect === 'agent-skill' && !files.has(file.uri)) found.push({ file, link });
  }
  return found;
}
