/** The files that the body of a skill names without a link: in a code span, or in a command of a code block. */
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';

export interface MentionedFile {
  /** The path as written, without a leading `./`, and with `/` for backslashes in a code span. */
  readonly path: string;
  readonly span: Span;
  /**
   * The possible targets: relative to the skill's folder, to its parents, and to the folder of a skill named before the
   * path.
   */
  readonly uris: readonly string[];
  /** The URI of the path's first folder, as a subfolder of the skill's folder. */
  readonly folder: string;
}

/** A path that begins with a folder that skills usually have, and ends with a file name. */
const PATH =
  /(?<![\w./\\~$}\])>@:-])(?:\.\/)?((?:references|scripts|assets|resources|templates|examples)\/[\w.+/-]*\w\.[A-Za-z0-9]{1,8})(?![\w/{<*$[(-])/g;

/** Words in a paragraph or command whose paths may be future files, files of the user's project, or examples. */
const NOT_MEANT =
  /\b(?:writ(?:e|es|ing|ten)|wrote|sav(?:e|es|ed|ing)|outputs?|creat(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|produc(?:e|es|ed)|exports?|examples?|such as|like|adds?|put|place|stored?|stores|optional|your|if present|exists?|rename|move|instead|should|(?<!this )skill)\b|e\.g\.|i\.e\.|→.*→|[❌✅]|例如|生成|保存|输出|创建/i;

/** A placeholder for a file name, such as `script_name.py`. */
const PLACEHOLDER =
  /(?:^|[/_-])(?:your|my|some|foo|bar|xxx+|script_?name|file_?name|name|file|tool|script|guide|example)s?(?:[_.-]|$)/i;

const COMMANDS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell', 'ps1', 'cmd']);

/** A comment, a command that changes the folder or creates the file, or a command for another folder. */
const OTHER_COMMAND =
  /^\s*(?:#|(?:cd|mkdir|touch|echo|cp|mv)\s)|>|\bcd\s|(?:~|[$]\w+|\{\w+\})\/[\w./-]*(?:references|scripts|assets|resources|templates|examples)\//;

/** A file that a command redirects its output to. */
const MADE = />[ \t]*(?:\.\/)?([\w./-]+)/g;

/** The largest number of parent folders that are searched. */
const MAX_ABOVE = 6;

/** Text in which backslashes are correct: it names a Windows file, or is about Windows. */
const OF_WINDOWS = /\b(?:windows|powershell|cmd)\b|\.(?:bat|cmd|ps1|exe)\b|\/\//i;

/** The largest number of mentions in a file. */
const MAX_FOUND = 200;

/** The end of a paragraph, a list item or a table row. */
const BLOCK = /(?:\r\n|\n|\r)(?=[ \t]*(?:[\r\n]|[-*+][ \t]|\d+[.)][ \t]|[#>|]|```))/;

/** The number of characters that are read on each side of a path. */
const MAX_AROUND = 500;

/**
 * Returns the paths that the body of a `SKILL.md` names without a link, each at its first mention, in text order; at
 * most 200. Empty for other dialects. Never throws.
 */
export function mentionedFiles(file: SkillFile): readonly MentionedFile[] {
  return file.derive(findMentions);
}

function findMentions(file: SkillFile): readonly MentionedFile[] {
  const { dialect, uri, text, body } = file;
  // Documentation shows example skills whose files do not exist.
  if (dialect !== 'agent-skill' || !body || /\/docs?\//.test(uri)) return [];
  const found = new Map<string, MentionedFile>();
  const folders = foldersAbove(folderOf(uri));
  const spans = body.codeSpans.map((place) => ({
    place,
    content: sliceOf(text, place).replaceAll('\\', '/'),
    apart: BLOCK,
  }));
  const shells = [...shellLines(file)].map((place) => ({ place, content: sliceOf(text, place), apart: /[\r\n]/ }));
  const made = new Set(shells.flatMap(({ content }) => [...content.matchAll(MADE)].map(([, path]) => path)));
  const commands = shells.filter(({ content }) => !OTHER_COMMAND.test(content));
  for (const { place, content, apart } of [...spans, ...commands]) {
    for (const match of content.matchAll(PATH)) {
      const path = match[1] as string;
      if (found.has(path) || made.has(path) || PLACEHOLDER.test(path) || found.size >= MAX_FOUND) continue;
      const end = place.start + match.index + match[0].length;
      const start = end - path.length;
      const before = text
        .slice(Math.max(0, start - MAX_AROUND), start)
        .split(apart)
        .at(-1);
      const around = `${before} ${text.slice(end, end + MAX_AROUND).split(apart)[0]}`;
      if (NOT_MEANT.test(around.replace(PATH, ' '))) continue;
      if (text.slice(start, end) !== path && OF_WINDOWS.test(`${around} ${path}`)) continue;
      found.set(path, {
        path,
        span: span(start, end),
        uris: [...folders, ...namedBefore(text, place.start, folders)].map((folder) => resolvePath(folder, path)),
        folder: resolvePath(folderOf(uri), path.slice(0, path.indexOf('/'))),
      });
    }
  }
  return [...found.values()].sort((a, b) => a.span.start - b.span.start);
}

/** Returns the sibling folder of a skill whose name, in a code span, directly precedes the path. */
function namedBefore(text: string, start: number, [, above]: readonly string[]): readonly string[] {
  const name = /`([a-z0-9][\w-]*)`(?:['’]s)?\s+`?$/.exec(text.slice(Math.max(0, start - MAX_AROUND), start))?.[1];
  return name && above ? [resolvePath(above, name)] : [];
}

function* shellLines({ text, body }: SkillFile): Iterable<Span> {
  for (const { lang, contentSpan, closed } of body?.fences ?? []) {
    if (!closed || !COMMANDS.has(lang)) continue;
    for (const { 0: line, index } of sliceOf(text, contentSpan).matchAll(/[^\r\n]+/g)) {
      yield span(contentSpan.start + index, contentSpan.start + index + line.length);
    }
  }
}

/** A URI with a path below its root, and with or without an authority, for example `memory:/folder`. */
const IS_FOLDER = /^[^/]+:(?:\/\/[^/]*)?\/[^/]/;

function foldersAbove(own: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = own; folders.length <= MAX_ABOVE && IS_FOLDER.test(folder); folder = folderOf(folder)) {
    folders.push(folder);
  }
  return folders;
}
