/** `skill/pack`. */
import type { Connection } from 'vscode-languageserver';
import { isInFolder } from '../../packing/unit.ts';
import { type PackParams, type PackReply, PackRequest } from '../../protocol.ts';
import { type OpenPlace, staysWithin } from './place.ts';
import { Refusal } from './refusal.ts';

export function handlePack(connection: Connection, place: OpenPlace): void {
  connection.onRequest<PackReply, void>(PackRequest, async (params: PackParams) => {
    try {
      return await pack(params, place);
    } catch (error) {
      if (error instanceof Refusal) return { problem: error.message };
      return { problem: `The archive cannot be written: ${(error as Error).message}.` };
    }
  });
}

async function pack({ folder, uris, out }: PackParams, place: OpenPlace): Promise<PackReply> {
  const { packTo } = await import('./pack.ts');
  const { isOfSkill } = await import('./collect.ts');
  const root = place(folder);
  const named = uris.map((uri) => root.wayToUri(uri));
  const outside = named.find((path) => !staysWithin(path));
  if (outside !== undefined) throw new Refusal(`\`${outside}\` is outside the workspace folder: pack it from its own.`);
  const isWanted = (path: string) => named.some((one) => path === one || (isOfSkill(path) && isInFolder(one, path)));
  const { paths, collected } = await packTo({
    place: root,
    out,
    wanted: (all) => new Set(all.filter(isWanted)),
    places: named,
    shown: named.map((path) => (path === '' ? 'The folder' : `\`${path}\``)).join(', '),
  });
  return { paths, leftOut: collected.leftOut };
}
