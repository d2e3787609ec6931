/** One `SKILL.md` as clients are asked about it: what stands in it, and where it lies. */
import type { AgentSkillFacts, WrittenKey } from '../skill/agent-skill-facts.ts';
import type { Client } from '../vocabulary/client.ts';
import { decoded, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { type Cell, cell, type Reason, reasonOf } from './cell.ts';

/** What only some clients look at, and only of the file itself. */
export interface BodyFacts {
  readonly bytes: number;
  readonly isEmpty: boolean;
}

export interface Subject {
  readonly uri: string;
  readonly facts: AgentSkillFacts;
  /** Undefined where the file is only one of others. */
  readonly body: BodyFacts | undefined;
  /** Undefined where the file is no link, or nobody has looked. */
  readonly link: FileLink | undefined;
  readonly fileName: string;
  /** The names of the folders that it lies in, the outermost first. */
  readonly folders: readonly string[];
}

export function subjectOf(uri: string, facts: AgentSkillFacts, body?: BodyFacts, link?: FileLink): Subject {
  const path = uri.replace(/^[a-z][a-z\d+.-]*:\/*/i, '');
  const folders = path.includes('/') ? folderOf(path).split('/').map(decoded) : [];
  return { uri, facts, body, link, fileName: decoded(fileNameOf(uri)), folders };
}

export const folderName = ({ folders }: Subject): string => folders.at(-1) ?? '';

export const findKey = ({ facts }: Subject, name: string): WrittenKey | undefined =>
  facts.keys.find((key) => key.name === name);

/** The text of a key that has one. */
export function textOf(subject: Subject, name: string): WrittenKey | undefined {
  const key = findKey(subject, name);
  return key && key.type !== 'null' && key.type !== 'list' && key.type !== 'map' && key.text.trim() !== ''
    ? key
    : undefined;
}

// What a client makes of a `SKILL.md` that is a symbolic link, or whose folder is one (docs/clients.md, "Links").

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
