/** One `SKILL.md` as clients are asked about it: what stands in it, and where it lies. */
import type { AgentSkillFacts, WrittenKey } from '../skill/agent-skill-facts.ts';
import { decoded, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import type { FileLink } from './linked.ts';

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
