/** What a client makes of a `SKILL.md` that is a symbolic link, or whose folder is one (docs/clients.md, "Links"). */
import type { Client } from '../vocabulary/client.ts';
import { type Cell, cell, type Reason, reasonOf } from './cell.ts';

/** A `SKILL.md` that is reached through a symbolic link. */
export interface FileLink {
  /** Whether the skill's own folder is a link. */
  readonly folder: boolean;
  /** Whether the file is one. */
  readonly file: boolean;
  /** The URI of the real file; undefined where it lies outside of what is read. */
  readonly target?: string;
}

/** The link of a file by its URI. */
export type FindLink = (uri: string) => FileLink | undefined;

/** Whether the client follows the links; undefined where there are none. */
export function linkCell(client: Client, link: FileLink | undefined): Cell | undefined {
  const kinds = (['folder', 'file'] as const).filter((kind) => link?.[kind]);
  if (kinds.length === 0) return undefined;
  const { links } = client;
  const because = (kind: 'folder' | 'file', text: string, more: Pick<Reason, 'cause' | 'bad'> = {}): Reason =>
    reasonOf(client, links, `${kind === 'file' ? 'The file' : 'Its folder'} is a link, ${text}`, more);
  const passedOver = kinds.find((kind) => links.value[kind] === 'passed-over');
  if (passedOver && links.certainty !== 'unverified') {
    const cause = { kind: 'place', key: 'link' } as const;
    return cell('no', because(passedOver, `and it passes over links to ${passedOver}s`, { cause, bad: true }));
  }
  const isKnown = (kind: 'folder' | 'file') => links.value[kind] !== 'unknown' && links.certainty !== 'unverified';
  const unknown = kinds.find((kind) => !isKnown(kind));
  if (unknown) return cell('unknown', because(unknown, `and whether it follows links to ${unknown}s is not known`));
  return cell('yes', ...kinds.map((kind) => because(kind, `and it follows links to ${kind}s`)));
}
