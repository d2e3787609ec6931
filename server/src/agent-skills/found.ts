import type { Client, ClientDir, Fact } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { type Cell, cell, type Reason, reasonOf, type YesNo } from './cell.ts';
import { linkCell } from './linked.ts';
import { type Placed, placeIn, reaches } from './placed.ts';
import type { Subject } from './subject.ts';

/** Whether the client looks where the file lies. A file that lies in no client's folder is yet to be installed. */
export function foundCell(client: Client, subject: Subject): Cell {
  const { dirs } = client;
  const placed = placeIn(client, subject);
  if (!placed) return notThere(client, isPlacedAnywhere(subject));
  const { dir } = placed;
  const where = `\`${dir.path}\``;
  if (!reaches(placed)) return cell('no', tooDeep(client, placed, where));
  const named = fileNameCell(client, subject);
  if (named.outcome !== 'yes') return named;
  const linked = linkCell(client, subject.link);
  if (linked && linked.outcome !== 'yes') return linked;
  if (dir.depth === 'unknown' && placed.depth !== 1) {
    return cell('unknown', reasonOf(client, dirs, `How deep it looks into ${where} is not known`));
  }
  const text = dir.conditional ? `It reads ${where} only sometimes: ${dir.base}` : `It reads ${where}${opened(dir)}`;
  return cell(
    dir.conditional ? 'unknown' : 'yes',
    reasonOf(client, bare(dirs), text),
    ...named.reasons,
    ...(linked?.reasons ?? []),
  );
}

const opened = ({ at }: ClientDir): string =>
  at === 'root' ? ', where it is opened in that folder' : at === 'upward' ? ', where it is started there or below' : '';

/** The folders of a workspace that the client reads always. */
export const foldersOf = ({ dirs }: Client): readonly string[] => [
  ...new Set(
    dirs.value.flatMap(({ at, path, conditional }) =>
      at === 'home' || at === 'elsewhere' || conditional ? [] : [path],
    ),
  ),
];

/** The notes on folders tell of other places. */
const bare = ({ source, certainty }: Fact<unknown>) => ({ source, ...(certainty && { certainty }) });

function notThere(client: Client, isOthers: boolean): Cell {
  const list = foldersOf(client)
    .map((folder) => `\`${folder}\``)
    .join(', ');
  const reads = list === '' ? 'It reads no folder of a workspace' : `Of a workspace it reads ${list}`;
  const text = isOthers ? reads : `This folder is of no client; where it is installed decides. ${reads}`;
  const isKnown = isOthers && list !== '';
  return cell(
    isKnown ? 'no' : 'unknown',
    reasonOf(client, bare(client.dirs), text, isKnown ? { cause: { kind: 'place' }, bad: true } : {}),
  );
}

function tooDeep(client: Client, { dir, depth }: Placed, where: string): Reason {
  const fact = client.facts['find.depth'] ?? client.dirs;
  const levels = depth === 0 ? 'directly in' : `${depth} folders below`;
  const wanted = dir.depth === 1 ? 'one folder below it counts' : `${dir.depth} folders below it count`;
  const text = `The file lies ${levels} ${where}, and only ${wanted}`;
  return reasonOf(client, bare(fact), text, {
    cause: { kind: 'place', key: 'depth' },
    bad: true,
  });
}

/** Whether the client takes a file of this name. */
function fileNameCell(client: Client, { fileName: name }: Subject): Cell {
  const { fileName } = client;
  if (name === 'SKILL.md') return cell('yes');
  const isSameWord = name.toLowerCase() === 'skill.md';
  const taken: Readonly<Record<typeof fileName.value, YesNo>> = {
    exact: 'no',
    'any-case': isSameWord ? 'yes' : 'no',
    ending: name.endsWith('SKILL.md') ? 'yes' : 'no',
    unknown: 'unknown',
  };
  const outcome = taken[fileName.value];
  if (outcome === 'yes') return cell('yes', reasonOf(client, fileName, `It reads \`${name}\` too`));
  const text = outcome === 'no' ? 'It reads `SKILL.md` only' : 'Whether it reads a file of this name is not known';
  return cell(
    outcome,
    reasonOf(client, fileName, text, { cause: { kind: 'file-name' }, ...(outcome === 'no' && { bad: true }) }),
  );
}

/** Whether the file lies in a folder of any client, and so is meant to be found where it is. */
const isPlacedAnywhere = (subject: Subject): boolean =>
  clients.some((client) => {
    const placed = placeIn(client, subject);
    return placed !== undefined && !placed.dir.conditional;
  });
