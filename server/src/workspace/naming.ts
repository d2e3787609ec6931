/** Which other files of its folder a text seems to name. Every doubt counts as naming. */
import { decoded, fileNameOf, folderOf } from '../vocabulary/dialect.ts';

export interface Naming {
  /** Whether the text names the file of this path below the folder. */
  names(path: string): boolean;
}

/** Words as they stand in file names. */
const WORD = /[\p{L}\p{N}_-]+/gu;

/** A folder's name, and the signs of the own one. */
const NAME = String.raw`(\.{1,2}|[\p{L}\p{N}_-]{1,80}(?:\.[\p{L}\p{N}_-]{1,80}){0,4})`;
const FIRST = String.raw`(?<![\p{L}\p{N}_.-])`;

/** What names a folder whole. The group is its name, without the folders above it. */
const WHOLE_FOLDERS: readonly RegExp[] = [
  // `references/`, with no name behind it.
  `${FIRST}${NAME}[/\\\\]{1,2}(?![\\w.%/\\\\-])`,
  // `references/*.md`, `references/{topic}.md`, `references/aws-<name>.md`.
  `${FIRST}${NAME}[/\\\\]{1,2}[\\w.-]{0,80}[*?{}<>[\\]$(%…]`,
  // `references` in quotes, in code, in bold and as a link's target, also at the end of a path.
  `[/\\\\"'\`(*[]${NAME}[/\\\\]?["'\`)*\\]]`,
  `${FIRST}${NAME}[/\\\\]?["'\`*)\\]]{0,3}\\s{1,3}(?:sub)?(?:folder|director|dir\\b|files?\\b)`,
  `\\b(?:see|in|from|under|inside|within|read|load|check|consult|ls|find|tree|rg|grep)\\s{1,3}(?:the\\s{1,3}|-\\w{1,9}\\s{1,3}|\\./)?${NAME}(?![\\w/\\\\-]|\\.\\w)`,
].map((source) => new RegExp(source, 'gu'));

/** `*.xsd` names all files with that ending. */
const ENDINGS = /\*\.([a-z\d]{1,10})\b/g;

/** What reads whatever is in a folder; which one may be worked out. */
const LISTS_FOLDER =
  /\b(?:iterdir|listdir|scandir|r?glob\w*|os\.walk|readdir\w*|walk_?dir|opendir|filewalk|import_module|__import__)\b|\bfor\s+\w+\s+in\s+[^\n;]{0,200}\*/i;

export function readNaming(path: string, text: string): Naming {
  const lower = text.toLowerCase().replace(/(?:%[0-9a-f]{2})+/g, decoded);
  const words = new Set([...lower.matchAll(WORD)].map(([word]) => trimmed(word)));
  const folders = new Set(
    WHOLE_FOLDERS.flatMap((pattern) => [...lower.matchAll(pattern)].map(([, name = '']) => name)),
  );
  const endings = new Set([...lower.matchAll(ENDINGS)].map(([, ending = '']) => ending));
  const listsOwn = folders.has('.') || LISTS_FOLDER.test(lower);
  const own = path.includes('/') ? `${folderOf(path)}/` : '';
  return {
    names(other) {
      const name = fileNameOf(other).toLowerCase();
      if (wordsOf(name.replace(/(?<=.)\.[^.]*$/, '')).every((word) => words.has(word))) return true;
      if (endings.has(name.slice(name.lastIndexOf('.') + 1))) return true;
      if (path !== '' && listsOwn && other.startsWith(own)) return true;
      return other
        .toLowerCase()
        .split('/')
        .slice(0, -1)
        .some((folder) => folders.has(folder));
    },
  };
}

const wordsOf = (name: string): readonly string[] =>
  [...name.matchAll(WORD)].map(([word]) => trimmed(word)).filter((word) => word !== '');

/** Options and lists put hyphens before words. */
const trimmed = (word: string): string => word.replace(/^-+|-+$/g, '');
