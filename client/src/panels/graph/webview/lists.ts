/** The lists of clients that the shown skills are in. */
import type { ClientFill } from '../../kit/list-fill.tsx';
import type { ViewProps } from './model.ts';

/** A list is that of the nearest catalog above a skill; where several are shown, each says the folder of its own. */
export function fillsOf({ graph: { lists }, shown, folders }: ViewProps): readonly ClientFill[] {
  const skills = shown.items.flatMap(({ nodes }) => nodes.map(({ id }) => id)).filter((id) => /\/skill\.md$/i.test(id));
  const governing = [...new Set(lists.map(({ folder }) => folder))].sort((a, b) => b.length - a.length);
  const meant = new Set(skills.map((id) => governing.find((folder) => folder === '' || id.startsWith(`${folder}/`))));
  return lists
    .filter(({ folder }) => meant.has(folder))
    .map(({ folder, client, fill }) => {
      const place = meant.size > 1 ? folders.nameOf(folder) : '';
      return { key: `${folder} ${client}`, name: place === '' ? client : `${client} · ${place}`, fill };
    });
}
