/**
 * The files that the body of a skill or a command names without a link: in a code span, in a command of a code block, after
 * `@`, or below `${CLAUDE_SKILL_DIR}` or `${CLAUDE_PLUGIN_ROOT}`, or through a folder `skills`.
 */
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, type Span, sliceOf, span, spanOf } from '../text.ts';
import { clientFileOf, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { linkTargets, pluginOf, resolvePath } from './links.ts';
import { isOnlyShown, textAround } from './shown-text.ts';
import { isEnglish, isInLabelledItem, isNotMeant } from './unmeant-words.ts';

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
  /**
   * The mark before the path, below whose folder the file must be: `@`, the variable of the folder of the skill or of its plugin,
   * or a folder `skills`.
   */
  readonly mark?: '@' | 'variable' | 'plugin' | 'skills';
  /** The URI of the folder that is the plugin, for the mark `plugin`. */
  readonly plugin?: string;
  /** The URI of the folder to which the path is relative. */
  readonly base: string;
  /** A path below the other folder, that of the plugin or of the skill, with the variable for that folder and the span that it replaces. */
  readonly elsewhere?: { readonly uri: string; readonly variable: string; readonly span: Span; readonly root: string };
  /** True if the path may be an example, or works only where the skill is installed in one way. */
  readonly isUncertain?: true;
  /** True for a path with backslashes in text about Windows. */
  readonly isOfWindows?: true;
}

/** The folders that skills usually have. */
const USUAL_FOLDERS = /(?:references|scripts|assets|resources|templates|examples)\//;

/** Every text that names a file contains this. Most texts do not. The search looks for `s/` first, which is faster. */
const MAY_NAME = /s[\\/](?<=(?:reference|script|asset|resource|template|example|skill)s.)|CLAUDE_/;

/** A letter, a digit or `_` of any language. */
const LETTER = String.raw`\p{L}\p{M}\p{N}_`;

/** The rest of a path up to the end of the file name, which is never cut. Its limit keeps the time of a search linear. */
const REST = `[${LETTER}.+/-]{0,250}[${LETTER}]\\.[A-Za-z0-9]{1,20}(?![\\w/{<*$[(+@%~-]|\\.[\\w{<*$[])`;

/** A path that begins with a folder that skills usually have, and ends with a file name. */
const PATH = new RegExp(`(?<![\\w./\\\\~$}\\])>@:-])(?:\\./)?(${USUAL_FOLDERS.source}${REST})`, 'gu');

/** A path after the mark of a file, or after a variable of Claude Code that contains the path of a folder. */
const MARKED = new RegExp(
  `(?<![\\w@./\`'"])(@)(?:\\./)?(${USUAL_FOLDERS.source}${REST})|[$]\\{CLAUDE_(SKILL_DIR|PLUGIN_ROOT)\\}"?/(${REST})`,
  'gu',
);

/** A path through a folder `skills`, from the root of a project or a plugin, or from a home folder. */
const THROUGH_SKILLS = new RegExp(
  `(?<![\\w./\\\\$}\\])>@:-])(?:(?:~|[$]HOME|[$]\\{HOME\\})/(?:[\\w.-]+/){0,8}|(?:\\./)?(?:\\.[\\w-]+/)?)skills/([\\w.-]+)/(${REST})`,
  'gu',
);

/** The extension of a file in a sentence without spaces, before letters of another alphabet. */
const BEFORE_WORDS =
  /\.(?:md|py|sh|[cm]?[jt]s|json|ya?ml|csv|txt|html?|pdf|toml|xml|sql|png|svg|jpe?g|xlsx|docx|pptx)(?=[^\p{ASCII}])/u;

/** Returns a path without the words of the sentence after it. */
function withoutWords(path: string): string {
  const end = BEFORE_WORDS.exec(path);
  return end ? path.slice(0, end.index + end[0].length) : path;
}

/** Words and files in a paragraph or above a command that is about the user's project, which also has such folders. */
const OF_PROJECT =
  /项目|仓库|代码库|專案|プロジェクト|リポジトリ|프로젝트|저장소|проект|репозитор|\b(?:proyectos?|projets?|projekt\w*|projetos?|progett[io]|repositorios?|dépôts?)\b|\b(?:projects?|repos?|repository|repositories|codebase|monorepo|workspace|user['’]s|imports?|makefile|dockerfile|package\.json|pyproject\.toml|cargo\.toml|go\.mod|(?:agents|claude|readme)\.md|(?:src|app|lib|tests?)\/)|\*\.\w|\.github\//i;

/** A placeholder for a file name, such as `script_name.py`. */
const PLACEHOLDER =
  /(?:^|[/_-])(?:your|my|some|foo|bar|xxx+|script_?name|file_?name|name|file|tool|script|guide|example)s?(?:[_.-]|$)/i;

const COMMANDS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell', 'ps1', 'cmd']);

/** A comment, or a command that changes the folder or creates the file. */
const OUTSIDE_COMMAND = /^\s*(?:#|(?:cd|mkdir|touch|echo|cp|mv)\s)|>|\bcd\s/;

/** A command of this kind, or a command for another folder. */
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
  if (!body || /\/docs?\//.test(uri) || !MAY_NAME.test(text)) return [];
  const found = new Map<string, MentionedFile>();
  const folders = base === undefined ? [] : dialect === 'agent-skill' ? foldersAbove(base) : [base];
  const linked = new Map<string, string[]>();
  for (const target of linkTargets(file)) {
    const name = fileNameOf(target.uri);
    const known = linked.get(name);
    if (known) known.push(target.uri);
    else linked.set(name, [target.uri]);
  }
  const links = body.links.filter(({ kind }) => kind === 'link');
  const plugin = pluginOf(file);
  const isInEnglish = once(() => isEnglish(sliceOf(text, body.span)));
  const spans = body.codeSpans.map((place) => ({ place, above: '', apart: undefined, lang: '' }));
  const shells = [...shellLines(file)].map((line) => ({ ...line, apart: /[\r\n]/ }));
  const made = once(() => madePaths(file));
  const isMade = (path: string): boolean => made().has(path);
  for (const { place, above, apart, lang } of [...spans, ...shells]) {
    const written = sliceOf(text, place);
    if (!MAY_NAME.test(written)) continue;
    const content = withSlashes(written, lang);
    if (!apart && findTouching(links, place.start, spanOf)) continue;
    for (const match of apart && OUTSIDE_COMMAND.test(content) ? [] : content.matchAll(THROUGH_SKILLS)) {
      const one = throughSkills(file, place, match, apart);
      if (one && !isMade(one.path) && !found.has(one.path)) found.set(one.path, one);
    }
    if (base === undefined || (apart && OTHER_COMMAND.test(content))) continue;
    for (const match of content.matchAll(PATH)) {
      const path = withoutWords(match[1] as string);
      const known = found.get(path);
      if (known?.isShown === false || isMade(path) || PLACEHOLDER.test(path)) continue;
      const start = place.start + match.index + match[0].length - (match[1] as string).length;
      const end = start + path.length;
      const [before, after] = textAround(text, span(start, end), apart);
      const around = `${before} ${after}`;
      if (isNotMeant(around.replace(PATH, ' '))) continue;
      if (!path.startsWith('references/') && OF_PROJECT.test(`${above} ${around}`)) continue;
      const isBackslashed = text.slice(start, end) !== path;
      const isOfWindows = isBackslashed && (isWindowsShell(lang) || OF_WINDOWS.test(`${around} ${path}`));
      // The command line of Windows reads `/` after the name of a program as an option.
      if (isOfWindows && /\.(?:bat|cmd|exe)$/i.test(path)) continue;
      const beside = namesBeside(before, after);
      const same = (linked.get(fileNameOf(path)) ?? []).filter((target) => target.endsWith(`/${path}`));
      const owners = [...folders, ...beside.map((name) => resolvePath(folders[1] ?? base, name))];
      const from = text.startsWith('./', start - 2) ? start - 2 : start;
      found.set(path, {
        path,
        span: span(start, end),
        uris: [...new Set([...(known?.uris ?? []), ...owners.map((folder) => resolvePath(folder, path)), ...same])],
        beside: [...new Set([...(known?.beside ?? []), ...beside])],
        isShown: isOnlyShown(file, span(start, end)),
        folder: resolvePath(base, path.slice(0, path.indexOf('/'))),
        base,
        ...(plugin !== undefined && {
          elsewhere: {
            ...{ uri: resolvePath(plugin, path), root: plugin },
            ...{ variable: '${CLAUDE_PLUGIN_ROOT}/', span: span(from, start) },
          },
        }),
        ...(!apart && !isInEnglish() && isInLabelledItem(before) && { isUncertain: true }),
        ...(isOfWindows && { isOfWindows }),
      });
    }
  }
  return firstMentions([...found.values(), ...markedFiles(file, base, links, isMade)]);
}

/** Returns a function that calls `make` on its first call, and returns the same value again. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The shells of Windows, in which a backslash separates folders. */
const isWindowsShell = (lang: string): boolean => ['powershell', 'ps1', 'pwsh'].includes(lang);

/** Returns code with `/` for each backslash that may separate folders. Commands of `cmd` need their backslashes. */
const withSlashes = (code: string, lang: string): string =>
  lang === 'cmd' ? code : lang === '' ? code.replaceAll('\\', '/') : code.replace(/(?<=[\w.])\\(?=[\w.])/g, '/');

/**
 * Returns the file that a path through a folder `skills` names: in a skill beside this one, in this skill, or in a folder that
 * skills share.
 */
function throughSkills(
  file: SkillFile,
  place: Span,
  match: RegExpExecArray,
  apart: RegExp | undefined,
): MentionedFile | undefined {
  const { text } = file;
  const [all, name = '', rest = ''] = match;
  const written = `${name}/${withoutWords(rest)}`;
  const start = place.start + match.index;
  const end = start + all.length - (rest.length - withoutWords(rest).length);
  const [before, after] = textAround(text, span(start, end), apart);
  const around = `${before} ${after}`.replace(THROUGH_SKILLS, ' ');
  if (text.slice(start, end).includes('\\') || PLACEHOLDER.test(written) || isNotMeant(around)) return undefined;
  const [, hidden] = /^(?:\.\/)?(\.[\w-]+)\/skills\//.exec(all) ?? [];
  const bases = foldersOfSkills(file).filter((one) => hidden === undefined || one.endsWith(`/${hidden}/skills`));
  const [base] = bases;
  if (base === undefined) return undefined;
  const isInHome = /^(?:~|[$])/.test(all);
  return {
    ...{ path: text.slice(start, end), span: span(start, end), beside: [], base },
    uris: bases.map((folder) => resolvePath(folder, written)),
    isShown: isOnlyShown(file, span(start, end)),
    folder: resolvePath(base, name),
    mark: 'skills',
    ...(isInHome && { isUncertain: true }),
  };
}

/** Returns the URIs of the folders `skills` to which a path through such a folder may refer, the most likely one first. Never throws. */
export function foldersOfSkills(file: SkillFile): readonly string[] {
  const { uri, dialect } = file;
  if (dialect === 'agent-skill') return /\/skills\/[^/]+\/SKILL\.md$/.test(uri) ? [folderOf(folderOf(uri))] : [];
  const root = clientFileOf(uri)?.root;
  if (root === undefined) return [];
  return root.endsWith('/.claude') ? [`${root}/skills`, `${folderOf(root)}/skills`] : [`${root}/skills`];
}

/** One place at which a file is named. */
export interface FileMention {
  readonly of: MentionedFile;
  readonly span: Span;
}

/** Returns all places at which the text names the files of `mentionedFiles` in the same way, in text order. Never throws. */
export const mentions = (file: SkillFile): readonly FileMention[] => file.derive(findAllMentions);

function findAllMentions(file: SkillFile): readonly FileMention[] {
  const { text, body } = file;
  const files = new Map(mentionedFiles(file).map((one) => [`${one.mark ?? ''} ${one.path}`, one]));
  if (!body || files.size === 0) return [];
  const all = new Map([...files.values()].map((of) => [of.span.start, { of, span: of.span }]));
  const add = (mark: string, path: string, start: number): void => {
    const of = files.get(`${mark} ${path}`);
    if (of && text.startsWith(path, start)) all.set(start, { of, span: span(start, start + path.length) });
  };
  for (const place of [...body.codeSpans, ...body.fences.map(({ contentSpan }) => contentSpan)]) {
    const code = sliceOf(text, place);
    for (const { 0: whole, 1: path = '', index } of code.matchAll(PATH))
      add('', withoutWords(path), place.start + index + whole.length - path.length);
    for (const { 0: whole, index } of code.matchAll(THROUGH_SKILLS)) add('skills', whole, place.start + index);
  }
  for (const match of sliceOf(text, body.span).matchAll(MARKED)) {
    const { 0: whole, index } = match;
    const path = match[2] ?? match[4] ?? '';
    const mark = match[1] ?? (match[3] === 'PLUGIN_ROOT' ? 'plugin' : 'variable');
    add(mark, withoutWords(path), body.span.start + index + whole.length - path.length);
  }
  return [...all.values()].sort((a, b) => a.span.start - b.span.start);
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

/**
 * Yields the paths with a mark, which are relative to the folder of the skill, to the project of a command, or to the folder
 * of the plugin.
 */
function* markedFiles(
  file: SkillFile,
  ofFile: string | undefined,
  links: readonly { readonly span: Span }[],
  isMade: (path: string) => boolean,
): Iterable<MentionedFile> {
  const { dialect, text, body } = file;
  if (!body) return;
  for (const match of sliceOf(text, body.span).matchAll(MARKED)) {
    // A command has no folder, so the variable has no value.
    if (match[3] === 'SKILL_DIR' && dialect !== 'agent-skill') continue;
    const plugin = match[3] === 'PLUGIN_ROOT' ? pluginOf(file) : undefined;
    const base = match[3] === 'PLUGIN_ROOT' ? plugin : ofFile;
    if (base === undefined) continue;
    const written = match[2] ?? match[4] ?? '';
    const path = withoutWords(written);
    const begin = body.span.start + match.index;
    const at = begin + match[0].length - written.length;
    const place = span(at, at + path.length);
    const own = dialect === 'agent-skill' ? folderOf(file.uri) : undefined;
    const otherRoot = match[3] === 'PLUGIN_ROOT' ? own : match[3] === 'SKILL_DIR' ? pluginOf(file) : undefined;
    const fence = findTouching(body.fences, place.start, spanOf);
    const [before, after] = textAround(text, place, fence ? /[\r\n]/ : undefined);
    if (isNotMeant(`${before} ${after}`) || PLACEHOLDER.test(path) || path.includes('..')) continue;
    if (findTouching(links, place.start, spanOf) || (fence && (match[1] || COMMENT.test(before)))) continue;
    // The variable contains the path of the skill's folder, so the path is not one of the project.
    if (match[1] && !path.startsWith('references/') && OF_PROJECT.test(`${before} ${after}`)) continue;
    yield {
      ...{ path, span: place, beside: [] },
      isShown: isMade(path) || (fence !== undefined && isMarkdown(fence)) || isOnlyShown(file, place),
      uris: [resolvePath(base, path)],
      folder: resolvePath(base, path.slice(0, Math.max(0, path.indexOf('/')))),
      mark: match[1] ? '@' : plugin === undefined ? 'variable' : 'plugin',
      base,
      ...(plugin !== undefined && { plugin }),
      ...(otherRoot !== undefined && {
        elsewhere: {
          ...{ uri: resolvePath(otherRoot, path), root: otherRoot, span: span(begin, at) },
          variable: `\${CLAUDE_${plugin === undefined ? 'PLUGIN_ROOT' : 'SKILL_DIR'}}${match[0].includes('}"') ? '"' : ''}/`,
        },
      }),
    };
  }
}

/** Returns whether a code block shows a Markdown file, such as another skill or a command. */
const isMarkdown = ({ lang }: { readonly lang: string }): boolean => lang === 'markdown' || lang === 'md';

/** Returns the paths that commands in the body create, change or remove, without `./` and the variable of the folder. */
function madePaths({ text, body }: SkillFile): ReadonlySet<string> {
  // In Markdown, `>` begins a quotation.
  const code = (body?.fences ?? []).filter((fence) => !isMarkdown(fence));
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
  const [, first] = /(?:^|[\s`/:*_("])([a-z0-9][\w-]*)[`*_]{0,3}(?:['’]s?)?\s+[`*_"(]*(?:\.\/)?$/i.exec(before) ?? [];
  const [, second] = /^[`*_")]*\s+(?:in|of|from|under)\s+(?:the\s+)?[`/*_"]*([a-z0-9][\w-]*)/i.exec(after) ?? [];
  return [first, second].filter((name) => name !== undefined);
}

/** Yields the lines of shell commands with the line above their fence. */
function* shellLines({
  text,
  body,
}: SkillFile): Iterable<{ readonly place: Span; readonly above: string; readonly lang: string }> {
  for (const { lang, span: fence, contentSpan, closed } of body?.fences ?? []) {
    if (!closed || !COMMANDS.has(lang)) continue;
    const content = sliceOf(text, contentSpan);
    if (!MAY_NAME.test(content)) continue;
    const before = text.slice(Math.max(0, fence.start - 500), fence.start).trimEnd();
    const above = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
    for (const { 0: line, index } of content.matchAll(/[^\r\n]+/g)) {
      yield { place: span(contentSpan.start + index, contentSpan.start + index + line.length), above, lang };
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
