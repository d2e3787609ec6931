/** Kept prompts and recorded outputs on the disk, for a run of the command line (docs/testing.md, "Snapshots"). */
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import { readFound } from '../../disk/read-file.ts';
import type { SkillTests } from '../../testing/test-skill.ts';
import type { Project } from '../project.ts';
import { Stop } from '../stop.ts';
import { writeResult } from '../write-result.ts';

type Place = Pick<Project, 'pathOf' | 'fileOf' | 'named'>;

/** Reads kept files; which there are is asked once for each folder. */
export function keptReader({ pathOf, fileOf, named }: Place): (uri: string) => Promise<string | undefined> {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();
  const namesIn = (folder: string): Promise<ReadonlySet<string>> => {
    const known = folders.get(folder) ?? readdir(folder).then(toSet, () => new Set<string>());
    folders.set(folder, known);
    return known;
  };
  return async (uri) => {
    const path = pathOf(uri);
    if (!(await namesIn(dirname(path))).has(basename(path))) return undefined;
    const content = await readFound(path, { folders: [], readsItself: () => named.has(uri) });
    if (content.kind === 'text') return content.text;
    if (content.kind === 'absent') return undefined;
    throw new Error(
      `\`${fileOf(uri)}\` cannot be read: ${UNREADABLE[content.kind === 'unreadable' ? content.reason : 'outside'].reason}.`,
    );
  };
}

const toSet = (names: readonly string[]): ReadonlySet<string> => new Set(names);

/** Writes kept texts; returns their names. */
export async function keep(
  { pathOf, fileOf }: Place,
  texts: readonly { readonly uri: string; readonly text: string }[],
): Promise<readonly string[]> {
  for (const { uri, text } of texts) {
    const path = pathOf(uri);
    if (await isLink(dirname(path))) {
      throw new Stop(`\`${fileOf(uri)}\` is not written: its folder is a link, which may lead anywhere.`);
    }
    await writeResult(path, text, `\`${fileOf(uri)}\``);
  }
  return texts.map(({ uri }) => fileOf(uri));
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );

/** An output is kept once: one that is there in the other form stays, and is told. */
export async function record(
  place: Place,
  outputs: SkillTests['outputs'],
): Promise<{ readonly written: readonly string[]; readonly notes: readonly string[] }> {
  const { fileOf } = place;
  const readKept = keptReader(place);
  const notes: string[] = [];
  const fresh: SkillTests['outputs'][number][] = [];
  for (const output of outputs) {
    if ((await readKept(output.other)) === undefined) fresh.push(output);
    else
      notes.push(
        `\`${fileOf(output.uri)}\` is not recorded: \`${fileOf(output.other)}\` is there, and an output is kept once.`,
      );
  }
  return { written: await keep(place, fresh), notes };
}
