/** The facts about one `SKILL.md` that clients depend on, such as its content and its folder. */

import type { AgentSkillFacts, WrittenKey } from '../../skill/agent-skill-facts.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { ClientFile, PathLinks } from '../pipeline/file.ts';
import type { HidingKey } from '../pipeline/openai-yaml.ts';
import type { PluginFolder } from '../pipeline/plugin-rules.ts';
import { storedFile } from '../pipeline/stored.ts';

export interface Subject {
  readonly uri: string;
  readonly facts: AgentSkillFacts;
  /** The symbolic links to the file; undefined if there are none, or if the host has not checked the file. */
  readonly link: FileLink | undefined;
  readonly fileName: string;
  /** The names of the file's parent folders, the outermost first. */
  readonly folders: readonly string[];
  /** The file as the steps of clients read it. */
  readonly file: ClientFile;
}

/** The facts about a file that clients use beside its text and its path. */
export interface FileSurroundings {
  /** The plugins around the file, the innermost first. */
  readonly plugins?: readonly PluginFolder[] | undefined;
  /** The key in `agents/openai.yaml` that hides the skill. */
  readonly openAi?: HidingKey | undefined;
}

/** Returns a file as clients see it. */
export function subjectOf(
  uri: string,
  facts: AgentSkillFacts,
  link?: FileLink,
  { plugins, openAi }: FileSurroundings = {},
): Subject {
  const folders = foldersIn(uri);
  const fileName = decoded(fileNameOf(uri));
  const file = storedFile(
    {
      ...{ path: ['', ...folders, fileName].join('/'), uri, bytes: facts.bytes },
      ...(link && { link: linksOf(link) }),
      ...(plugins && { plugins }),
      ...(openAi && { openAi }),
    },
    facts.readings,
  );
  return { uri, facts, link, fileName, folders, file };
}

/** Returns the names of the folders of a URI, the outermost first. */
export function foldersIn(uri: string): readonly string[] {
  const path = uri.replace(/^[a-z][a-z\d+.-]*:\/*/i, '');
  return path.includes('/') ? folderOf(path).split('/').map(decoded) : [];
}

const linksOf = ({ folder, file, first, target }: FileLink): PathLinks => ({
  folder,
  file,
  ...(first !== undefined && { first: pathOf(first) }),
  ...(target !== undefined && { target: pathOf(target) }),
});

/** Returns the path of a URI, with `/`. */
export const pathOf = (uri: string): string => ['', ...foldersIn(uri), decoded(fileNameOf(uri))].join('/');

export const folderName = ({ folders }: Subject): string => folders.at(-1) ?? '';

export const findKey = ({ facts }: Subject, name: string): WrittenKey | undefined =>
  facts.keys.find((key) => key.name === name);

/** Returns a key if its value is a non-empty scalar; otherwise undefined. */
export function textOf(subject: Subject, name: string): WrittenKey | undefined {
  const key = findKey(subject, name);
  return key && isText(key) ? key : undefined;
}

/** Returns whether the value of a key is a non-empty scalar. */
const isText = ({ type, text }: WrittenKey): boolean =>
  type !== 'null' && type !== 'list' && type !== 'map' && text.trim() !== '';

// Symbolic links on the path of a `SKILL.md` (docs/clients.md, "Links").

/** A `SKILL.md` that is reached through a symbolic link. */
export interface FileLink {
  /** True if a folder of the path is a link. */
  readonly folder: boolean;
  /** True if the file is a link. */
  readonly file: boolean;
  /** The URI of the first link of the path; undefined if it is not known. */
  readonly first?: string;
  /** The URI of the real file; undefined if it is not known. */
  readonly target?: string;
}

/** Finds the symbolic links to a file by its URI. */
export type FindLink = (uri: string) => FileLink | undefined;
