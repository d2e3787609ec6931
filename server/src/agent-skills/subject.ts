/** The facts about one `SKILL.md` that clients depend on, such as its content and its folder. */
import type { AgentSkillFacts, WrittenKey } from '../skill/agent-skill-facts.ts';
import type { Client } from '../vocabulary/client.ts';
import { decoded, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { type Cell, cell, type Reason, reasonOf } from './cell.ts';

/** Facts of the body that only some clients check. */
export interface BodyFacts {
  readonly bytes: number;
  readonly isEmpty: boolean;
}

export interface Subject {
  readonly uri: string;
  readonly facts: AgentSkillFacts;
  /** Facts of the body; undefined if the file is only compared with another file. */
  readonly body: BodyFacts | undefined;
  /** The symbolic links to the file; undefined if there are none, or if the host has not checked the file. */
  readonly link: FileLink | undefined;
  readonly fileName: string;
  /** The names of the file's parent folders, the outermost first. */
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

/** Returns a key if its value is a non-empty scalar; otherwise undefined. */
export function textOf(subject: Subject, name: string): WrittenKey | undefined {
  const key = findKey(subject, name);
  return key && isText(key) ? key : undefined;
}

/** Returns whether the value of a key is a non-empty scalar. */
export const isText = ({ type, text }: WrittenKey): boolean =>
  type !== 'null' && type !== 'list' && type !== 'map' && text.trim() !== '';

// Symbolic links to a `SKILL.md` or to its folder (docs/clients.md, "Links").

/** A `SKILL.md` that is reached through a symbolic link. */
export interface FileLink {
  /** True if the skill's own folder is a link. */
  readonly folder: boolean;
  /** True if the file is a link. */
  readonly file: boolean;
  /** The URI of the real file; undefined if the file is outside the workspace. */
  readonly target?: string;
}

/** Finds the symbolic links to a file by its URI. */
export type FindLink = (uri: string) => FileLink | undefined;

/** Returns whether the client follows the links; undefined for a file without links. */
export function linkCell(client: Client, link: FileLink | undefined): Cell | undefined {
  const kinds = (['folder', 'file'] as const).filter((kind) => link?.[kind]);
  if (kinds.length === 0) return undefined;
  const { links } = client;
  const because = (kind: 'folder' | 'file', text: string, more: Pick<Reason, 'cause' | 'isLoss'> = {}): Reason =>
    reasonOf(client, links, `${kind === 'file' ? 'The file' : 'Its folder'} is a link, ${text}`, more);
  const passedOver = kinds.find((kind) => links.value[kind] === 'passed-over');
  if (passedOver && links.certainty !== 'unverified') {
    const cause = { kind: 'place', key: 'link' } as const;
    return cell('no', because(passedOver, `and the client ignores links to ${passedOver}s`, { cause, isLoss: true }));
  }
  const isKnown = (kind: 'folder' | 'file') => links.value[kind] !== 'unknown' && links.certainty !== 'unverified';
  const unknown = kinds.find((kind) => !isKnown(kind));
  if (unknown)
    return cell('unknown', because(unknown, `and it is not known whether the client follows links to ${unknown}s`));
  return cell('yes', ...kinds.map((kind) => because(kind, `and the client follows links to ${kind}s`)));
}
