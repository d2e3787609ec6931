/**
 * The files of a skill's folder that are named neither in its `SKILL.md` nor in a file that the `SKILL.md` refers to.
 */
import type { FolderFile } from '../abilities/folder.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fileNameOf } from '../vocabulary/dialect.ts';
import { FileMentions, namedAs, type SkillFolder } from './skill-folder.ts';

/** The total size of the files that are read, in characters. */
const MAX_READ = 1_000_000;

/**
 * Returns the candidates that no text names. A file name without its extension, a folder or a pattern also counts as a
 * name. Returns an empty list if the files are too long or a named file was not read. Never throws.
 *
 * @param candidates files of the folder
 * @param referenced the paths of the files that are linked, whose texts are read
 */
export function unnamedFiles(
  skill: SkillFile,
  folder: SkillFolder,
  candidates: readonly FolderFile[],
  referenced: ReadonlySet<string>,
): readonly FolderFile[] {
  const unnamed = new Set(candidates);
  let budget = MAX_READ - skill.text.length;
  const isRead = ({ path }: FolderFile): boolean => referenced.has(path) || isImplicitEntryPoint(path);
  let left = folder.files
    .filter(({ path }) => !referenced.has(path))
    .map((file) => ({ file, name: namedAs(file.path) }));
  const waiting: (FolderFile | 'skill')[] = [...folder.files.filter(isRead), 'skill'];
  for (let next = waiting.pop(); next && unnamed.size > 0; next = waiting.pop()) {
    if (next !== 'skill') budget -= next.text?.length ?? 0;
    if (budget < 0) return [];
    const naming = next === 'skill' ? new FileMentions('', skill.text) : folder.mentionsIn(next);
    const found = left.filter(({ file, name }) => file !== next && naming?.names(name)).map(({ file }) => file);
    if (found.some(isUnread)) return [];
    if (found.length === 0) continue;
    const isFound = new Set(found);
    left = left.filter(({ file }) => !isFound.has(file));
    for (const file of found) unnamed.delete(file);
    waiting.push(...found.filter((file) => !isRead(file)));
  }
  return [...unnamed];
}

// Files in a skill's folder that are not for the agent, so that no text needs to name them.

const FOLDERS = new Set(
  'tests test __tests__ spec specs evals eval evaluations evaluation benchmarks fixtures testdata docs doc dist build vendor vendored third_party locales i18n archive deprecated samples sample_data expected expected_outputs expected-outputs outputs'.split(
    ' ',
  ),
);

/** Names of files for people, package managers and clients. */
const NAMES =
  /^(?:readme|licen[cs]e|copying|notice|changelog|changes|history|contributing|contributors|authors|security|code_of_conduct|credits|attribution|third[_-]party|sources?|agents|claude|gemini|version|todo|how[_-]?to[_-]?use|usage|install\w*|quick_?-?start|makefile|dockerfile|justfile|procfile|gemfile|rakefile|package|tsconfig|pyproject|setup|requirements|conftest|cargo|go|deno|plugin|marketplace|manifest|metadata|skill|_meta|index|__init__|__main__|py)(?:[._-].*)?$/i;

/** Files that an agent reads, runs or fills in. */
const DOCUMENTS = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;
const SCRIPTS = /\.(?:py|sh|bash|zsh|fish|[cm]?[jt]s|[jt]sx|ps1|bat|cmd|rb|pl|php|lua|r|jl|awk|applescript)$/i;
const MATERIAL = /(?:^|\/)(?:assets|templates?|resources|examples?)\//i;
const PICTURES = /\.(?:png|jpe?g|gif|svg|webp|ico|bmp|mp4|mov|webm|woff2?|ttf|otf|eot)$/i;

const ENDINGS =
  /(?:\.(?:lock|sum|mod|log|tmp|bak|orig|pyc|map|d\.ts|snap|toml|cfg|ini|sln|csproj|skill|zip|tgz|gz)|[._-](?:test|spec|log|evals?|changelog)s?\.\w+|-lock\.\w+)$/i;

/**
 * Returns whether a file, given by its path below the skill's folder, need not be mentioned in the text. Never throws.
 */
export function isSupportFile(path: string): boolean {
  const name = fileNameOf(path);
  return (
    isTestFile(path) ||
    name.startsWith('.') ||
    NAMES.test(name) ||
    ENDINGS.test(name) ||
    PICTURES.test(name) ||
    !(isReadable(name) || MATERIAL.test(path))
  );
}

/**
 * Returns whether an unnamed file, such as a manifest, settings or a program without an extension, may refer to other
 * files. False for prose.
 */
const isImplicitEntryPoint = (path: string): boolean =>
  isSupportFile(path) && !isTestFile(path) && !DOCUMENTS.test(path);

/** Returns whether a file may name other files, but was not read. */
const isUnread = ({ path, text }: FolderFile): boolean => text === undefined && isReadable(path);

/** Returns whether a file with this name has text that may name other files. */
const isReadable = (path: string): boolean => DOCUMENTS.test(path) || SCRIPTS.test(path);

/** Returns whether a file is a test, sample data, or in a hidden folder. */
const isTestFile = (path: string): boolean =>
  path
    .split('/')
    .some(
      (folder, at, { length }) => at < length - 1 && (folder.startsWith('.') || FOLDERS.has(folder.toLowerCase())),
    ) || /^(?:tests?|evals?|sample|expected|demo)[._-]/i.test(fileNameOf(path));
