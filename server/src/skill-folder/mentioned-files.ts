/**
 * The files that the body of a skill or a command names without a link: in a code span, in a command of a code block, after
 * `@`, or below `${CLAUDE_SKILL_DIR}` or `${CLAUDE_PLUGIN_ROOT}`.
 */
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, type Span, sliceOf, span, spanOf } from '../text.ts';
import { clientFileOf, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { linkTargets, resolvePath } from './links.ts';
import { isOnlyShown, textAround } from './shown-text.ts';

export interface MentionedFile {
  /** The path as written, without a leading `./`, and with `/` for backslashes in a code span. */
  readonly path: string;
  readonly span: Span;
  /**
   * The possible targets: relative to the skill's folder, to its parents, and to the folder of a skill named beside the
   * path; and the targets of links to the same path in other folders.
   */
  readonly uris: readonly string[];
  /** The words beside the path that may be the name of the skill that has the file. */
  readonly beside: readonly string[];
  /** True if the path is only shown in all its mentions, so that the file need not exist. */
  readonly isShown: boolean;
  /** The URI of the path's first folder, as a subfolder of the skill's folder. */
  readonly folder: string;
  /** The mark before the path: `@`, or the variable of the folder of the skill or of its plugin, below which the file must be. */
  readonly mark?: '@' | 'variable' | 'plugin';
  /** The URI of the folder that is the plugin, for the mark `plugin`. */
  readonly plugin?: string;
}

/** The folders that skills usually have. */
const USUAL_FOLDERS = /(?:references|scripts|assets|resources|templates|examples)\//;

/** The rest of a path up to the end of the file name, which is never cut. */
const REST = /[\w.+/-]*\w\.[A-Za-z0-9]{1,20}(?![\w/{<*$[(+@%~-]|\.[\w{<*$[])/;

/** A path that begins with a folder that skills usually have, and ends with a file name. */
const PATH = new RegExp(`(?<![\\w./\\\\~$}\\])>@:-])(?:\\./)?(${USUAL_FOLDERS.source}${REST.source})`, 'g');

/** A path after the mark of a file, or after the variable of Claude Code that contains the path of the skill's folder. */
const MARKED = new RegExp(
  `(?<![\\w@./\`'"])(@)(?:\\./)?(${USUAL_FOLDERS.source}${REST.source})|[$]\\{CLAUDE_(SKILL_DIR|PLUGIN_ROOT)\\}/(${REST.source})`,
  'g',
);

/** Words in a paragraph or command whose paths may be future files, files of the user's project, or examples. */
const NOT_MEANT =
  /\b(?:writ(?:e|es|ing|ten)|wrote|sav(?:e|es|ed|ing)|outputs?|creat(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|produc(?:e|es|ed)|exports?|examples?|such as|like|adds?|put|place|stored?|stores|optional|your|if present|exists?|rename|move|instead|should|(?<!this )skill)\b|e\.g\.|i\.e\.|→.*→|[❌✅]|例如|生成|保存|输出|创建|作成|書き込|出力|생성|저장|작성|สร้าง|เขียน|บันทึก|ระบุ|созда|запис|сохран|\b(?:crear?|criar?|cr[eé]e[rz]|guardar?|generar?|gerar?)\b|\b(?:escrib|escrev|enregistr|erstell|schreib|speicher|erzeug)/i;

/** Words and files in a paragraph or above a command that is about the user's project, which also has such folders. */
const OF_PROJECT =
  /\b(?:projects?|repos?|repository|repositories|codebase|monorepo|workspace|user['’]s|imports?|makefile|dockerfile|package\.json|pyproject\.toml|cargo\.toml|go\.mod|(?:agents|claude|readme)\.md|(?:src|app|lib|tests?)\/)|\*\.\w|\.github\//i;

/** A placeholder for a file name, such as `script_name.py`. */
const PLACEHOLDER =
  /(?:^|[/_-])(?:your|my|some|foo|bar|xxx+|script_?name|file_?name|name|file|tool|script|guide|example)s?(?:[_.-]|$)/i;

const COMMANDS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell', 'ps1', 'cmd']);

/** A comment, a command that changes the folder or creates the file, or a command for another folder. */
const OTHER_COMMAND =
  /^\s*(?:#|(?:cd|mkdir|touch|echo|cp|mv)\s)|>|\bcd\s|(?:~|[$]\w+|\{\w+\})\/[\w./-]*(?:references|scripts|assets|resources|templates|examples)\//;

/** A comment, or a command that prints its arguments. */
const COMMENT = /^\s*(?:#|echo\s)/;

/** A path to which a command redirects or writes its output. */
const OUTPUT = />[ \t]*([^\s>]+)|[ \t](?:-[oO]|--out[\w-]*)[ \t=]+(\S+)/g;

/** Commands that create, change or remove all files in their arguments. */
const MAKERS = /^(?:touch|tee|rm|rmdir|unlink|mkdir|truncate|sqlite3|venv|virtualenv)$/;

/** Commands that create the last file in their arguments. */
const COPIERS = /^(?:cp|mv|ln|rsync)$/;

/** Returns whether a path begins with a folder that skills usually have, such as `scripts/`. */
export const isInUsualFolder = (path: string): boolean => path.search(USUAL_FOLDERS) === 0;

/** The largest number of parent folders that are searched. */
const MAX_ABOVE = 6;

/** Text in which backslashes are correct: it names a Windows file, or is about Windows. */
const OF_WINDOWS = /\b(?:windows|powershell|cmd)\b|\.(?:bat|cmd|ps1|exe)\b|\/\//i;

/**
 * Returns the paths that the body of a `SKILL.md`, or of a command in `.claude/commands`, names without a link, each at its
 * first mention, in text order. The paths of a command are relative to its project. For an agent or a command that may be in a
 * plugin, returns only the paths below the variable of the plugin. Empty for other files. Never throws.
 */
export function mentionedFiles(file: SkillFile): readonly MentionedFile[] {
  return file.derive(findMentions);
}

function findMentions(file: SkillFile): readonly MentionedFile[] {
  const { dialect, uri, text, body } = file;
  const base = baseOf(file);
  // Documentation shows example skills whose files do not exist.
  if (!body || /\/docs?\//.test(uri)) return [];
  const found = new Map<string, MentionedFile>();
  if (base === undefined) return firstMentions(markedFiles(file, undefined, [], madePaths(file)));
  const folders = dialect === 'agent-skill' ? foldersAbove(base) : [base];
  const linked = new Map<string, string[]>();
  for (const target of linkTargets(file)) {
    const name = fileNameOf(target.uri);
    const known = linked.get(name);
    if (known) known.push(target.uri);
    else linked.set(name, [target.uri]);
  }
  const links = body.links.filter(({ kind }) => kind === 'link');
  const spans = body.codeSpans.map((place) => ({ place, above: '', apart: undefined }));
  const shells = [...shellLines(file)].map((line) => ({ ...line, apart: /[\r\n]/ }));
  const made = madePaths(file);
  for (const { place, above, apart } of [...spans, ...shells]) {
    const content = apart ? sliceOf(text, place) : sliceOf(text, place).replaceAll('\\', '/');
    if (apart ? OTHER_COMMAND.test(content) : findTouching(links, place.start, spanOf)) continue;
    for (const match of content.matchAll(PATH)) {
      const path = match[1] as string;
      const known = found.get(path);
      if (known?.isShown === false || made.has(path) || PLACEHOLDER.test(path)) continue;
      const end = place.start + match.index + match[0].length;
      const start = end - path.length;
      const [before, after] = textAround(text, span(start, end), apart);
      const around = `${before} ${after}`;
      if (NOT_MEANT.test(around.replace(PATH, ' '))) continue;
      if (!path.startsWith('references/') && OF_PROJECT.test(`${above} ${around}`)) continue;
      if (text.slice(start, end) !== path && OF_WINDOWS.test(`${around} ${path}`)) continue;
      const beside = namesBeside(before, after);
      const same = (linked.get(fileNameOf(path)) ?? []).filter((target) => target.endsWith(`/${path}`));
      const owners = [...folders, ...beside.map((name) => resolvePath(folders[1] ?? base, name))];
      found.set(path, {
        path,
        span: span(start, end),
        uris: [...new Set([...(known?.uris ?? []), ...owners.map((folder) => resolvePath(folder, path)), ...same])],
        beside: [...new Set([...(known?.beside ?? []), ...beside])],
        isShown: isOnlyShown(file, span(start, end)),
        folder: resolvePath(base, path.slice(0, path.indexOf('/'))),
      });
    }
  }
  return firstMentions([...found.values(), ...markedFiles(file, base, links, made)]);
}

/** Returns the first of the files with each path, in text order. */
function firstMentions(files: Iterable<MentionedFile>): readonly MentionedFile[] {
  const first = new Map<string, MentionedFile>();
  for (const one of files) if (!first.has(one.path)) first.set(one.path, one);
  return [...first.values()].sort((a, b) => a.span.start - b.span.start);
}

/** Returns the URI of the folder to which the paths of a file are relative. */
function baseOf({ uri, dialect }: SkillFile): string | undefined {
  if (dialect === 'agent-skill') return folderOf(uri);
  const command = dialect === 'client-file' ? clientFileOf(uri) : undefined;
  return command?.kind === 'command' && command.root.endsWith('/.claude') ? folderOf(command.root) : undefined;
}

/** Returns the URI of the folder that is a plugin if the file belongs to one. */
function pluginOf({ uri, dialect }: SkillFile): string | undefined {
  if (dialect === 'agent-skill') return /^(.*)\/skills\/[^/]+\/SKILL\.md$/.exec(uri)?.[1];
  const root = dialect === 'client-file' ? clientFileOf(uri)?.root : undefined;
  return root?.endsWith('/.claude') ? undefined : root;
}

/**
 * Yields the paths with a mark, which are relative to the folder of the skill, to the project of a command, or to the folder
 * of the plugin.
 */
function* markedFiles(
  file: SkillFile,
  ofFile: string | undefined,
  links: readonly { readonly span: Span }[],
  made: ReadonlySet<string>,
): Iterable<MentionedFile> {
  const { dialect, text, body } = file;
  if (!body) return;
  for (const match of sliceOf(text, body.span).matchAll(MARKED)) {
    // A command has no folder, so the variable has no value.
    if (match[3] === 'SKILL_DIR' && dialect !== 'agent-skill') continue;
    const plugin = match[3] === 'PLUGIN_ROOT' ? pluginOf(file) : undefined;
    const base = match[3] === 'PLUGIN_ROOT' ? plugin : ofFile;
    if (base === undefined) continue;
    const path = match[2] ?? match[4] ?? '';
    const end = body.span.start + match.index + match[0].length;
    const place = span(end - path.length, end);
    const fence = findTouching(body.fences, place.start, spanOf);
    const [before, after] = textAround(text, place, fence ? /[\r\n]/ : undefined);
    if (NOT_MEANT.test(`${before} ${after}`) || PLACEHOLDER.test(path) || path.includes('..')) continue;
    if (findTouching(links, place.start, spanOf) || (fence && (match[1] || COMMENT.test(before)))) continue;
    // The variable contains the path of the skill's folder, so the path is not one of the project.
    if (match[1] && !path.startsWith('references/') && OF_PROJECT.test(`${before} ${after}`)) continue;
    yield {
      ...{ path, span: place, beside: [], isShown: made.has(path) || isOnlyShown(file, place) },
      uris: [resolvePath(base, path)],
      folder: resolvePath(base, path.slice(0, Math.max(0, path.indexOf('/')))),
      mark: match[1] ? '@' : plugin === undefined ? 'variable' : 'plugin',
      ...(plugin !== undefined && { plugin }),
    };
  }
}

/** Returns the paths that commands in the body create, change or remove, without `./` and the variable of the folder. */
function madePaths({ text, body }: SkillFile): ReadonlySet<string> {
  // In Markdown, `>` begins a quotation.
  const code = (body?.fences ?? []).filter(({ lang }) => lang !== 'markdown' && lang !== 'md');
  const places = [...code.map(({ contentSpan }) => contentSpan), ...(body?.codeSpans ?? [])];
  const made = places.flatMap((place) =>
    sliceOf(text, place)
      .replace(/\\(?:\r\n|\n|\r)/g, ' ')
      .replace(/["']/g, '')
      .split(/[\r\n|;&<()`]+/)
      .flatMap(madeBy),
  );
  return new Set(made.map((path) => path.replace(/^(?:\.\/|[$]\{CLAUDE_(?:SKILL_DIR|PLUGIN_ROOT)\}\/)/, '')));
}

/** Returns the paths that a single command creates, changes or removes. */
function madeBy(command: string): readonly string[] {
  const [call = ''] = command.split(/\d?>/, 1);
  const words = call.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
  const maker = words.findIndex((word) => MAKERS.test(word));
  const outputs = [...command.matchAll(OUTPUT)].map(([, redirected, written]) => redirected ?? written ?? '');
  return [
    ...outputs,
    ...(maker < 0 ? [] : words.slice(maker + 1)),
    ...(words.some((word) => COPIERS.test(word)) ? words.slice(-1) : []),
  ];
}

/** Returns the words that may name a skill directly before the path, as in "`plan`'s", and after it, as in "of `plan`". */
function namesBeside(before: string, after: string): readonly string[] {
  const [, first] = /(?:^|[\s`/:*_("])([a-z0-9][\w-]*)`?(?:['’]s?)?\s+[`*_"(]*(?:\.\/)?$/i.exec(before) ?? [];
  const [, second] = /^[`*_")]*\s+(?:in|of|from|under)\s+(?:the\s+)?[`/*_"]*([a-z0-9][\w-]*)/i.exec(after) ?? [];
  return [first, second].filter((name) => name !== undefined);
}

/** Yields the lines of shell commands with the line above their fence. */
function* shellLines({ text, body }: SkillFile): Iterable<{ readonly place: Span; readonly above: string }> {
  for (const { lang, span: fence, contentSpan, closed } of body?.fences ?? []) {
    if (!closed || !COMMANDS.has(lang)) continue;
    const [above = ''] = /[^\r\n]*$/.exec(text.slice(Math.max(0, fence.start - 500), fence.start).trimEnd()) ?? [];
    for (const { 0: line, index } of sliceOf(text, contentSpan).matchAll(/[^\r\n]+/g)) {
      yield { place: span(contentSpan.start + index, contentSpan.start + index + line.length), above };
    }
  }
}

/** A URI with a path below its root, and with or without an authority, for example `memory:/folder`. */
const IS_FOLDER = /^[^/]+:(?:\/\/[^/]*)?\/[^/]/;

/** Returns the URI `own` of a folder and the URIs of the folders above it, at most `MAX_ABOVE`. Never throws. */
export function foldersAbove(own: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = own; folders.length <= MAX_ABOVE && IS_FOLDER.test(folder); folder = folderOf(folder)) {
    folders.push(folder);
  }
  return folders;
}
