/** Finds the skills that clients reach only through links to folders, which a search does not follow (docs/clients.md, "Links"). */
import type { Analysis } from '../analysis/analysis.ts';
import { targetsBeside } from '../analysis/targets.ts';
import { pathsOfClient, skillsFolderOf } from '../clients/matrix/client-folders.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import type { Files, LinkScope } from './files.ts';

/** A `SKILL.md` that is not in the index, by the URI through which a client reaches it. */
export interface SkillLink {
  readonly uri: string;
  readonly link: FileLink;
}

/** The largest numbers of folders that are listed, and of entries in one of them. */
const MOST_FOLDERS = 500;
const MOST_ENTRIES = 2_000;

/**
 * Returns the skills that links add to the folders of the chosen target clients, below the projects that have skills.
 * Returns an empty list if no author has chosen the target clients, because only then a missing copy is reported.
 */
export async function linkedSkillsOf(
  files: Files,
  analysis: Analysis,
  scope: LinkScope,
): Promise<readonly SkillLink[]> {
  const folders = new Set<string>();
  for (const subject of analysis.agentSkills.subjects) {
    const targets = targetsBeside(analysis, subject.uri);
    const base = targets.isChosen ? skillsFolderOf(subject, targets.clients)?.base : undefined;
    for (const client of base === undefined ? [] : targets.clients) {
      for (const path of pathsOfClient(client)) if (!path.includes('*')) folders.add(`${base}/${path}`);
    }
  }
  const found: SkillLink[] = [];
  for (const folder of [...folders].slice(0, MOST_FOLDERS))
    found.push(...(await linksIn(files, analysis, scope, folder)));
  return found;
}

async function linksIn(
  files: Files,
  { index }: Analysis,
  scope: LinkScope,
  folder: string,
): Promise<readonly SkillLink[]> {
  const entries = (await files.list(folder)).filter(({ name }) => !name.startsWith('.')).slice(0, MOST_ENTRIES);
  const found = await Promise.all(
    entries.map(async ({ name }) => {
      const uri = `${folder}/${encodeURIComponent(name)}/SKILL.md`;
      if (index.files.has(uri) || !(await files.exists(uri))) return [];
      // A link above the folder of the skill has no effect on clients.
      const link = (await files.linkOf?.(uri, scope)) ?? { folder: false, file: false };
      return [{ uri, link }];
    }),
  );
  return found.flat();
}
