/**
 * Completion of file paths in links, after `references/` and similar folders, after `@` in a `SKILL.md`, in a catalog's
 * `from:`, and in the manifest of a plugin. The host lists the folder of a `PathPlace`; `pathCompletion` converts its entries to items.
 */
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { pluginOf, resolvePath } from '../../skill-folder/links.ts';
import { foldersOfSkills } from '../../skill-folder/mentioned-files.ts';
import { manifestOf } from '../../skill-folder/plugins.ts';
import { type Span, span, touches } from '../../text.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';
import { findScalar, matchesPattern } from '../symbol/schema-place.ts';
import { type CompletionClient, toItems } from './items.ts';
import { Kind, Rank } from './proposal.ts';

export interface PathPlace {
  /** The URI of the folder whose entries are proposed. */
  readonly folder: string;
  /** The span of the name after the last slash, which is replaced. */
  readonly span: Span;
  /** The syntax in which a name is written. */
  readonly as: 'link' | 'text' | 'yaml' | 'manifest';
  /** Set in the key `skills` of a manifest, whose paths are folders; true in the folder of the plugin. */
  readonly skillsOfRoot?: boolean;
}

/** A direct entry of the folder. */
export interface PathEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export function findPath(file: SkillFile, offset: number): PathPlace | undefined {
  const { text, dialect, uri, frontmatter } = file;
  if (dialect === 'plugin') return findPathInManifest(file, offset);
  const written =
    dialect === 'catalog'
      ? writtenInFrom(file, offset)
      : offset > frontmatter.bodyStart && dialect !== 'contract' && dialect !== 'package'
        ? writtenInBody(file, lineBefore(text, offset))
        : undefined;
  if (!written || /^(?:[a-z][a-z0-9+.-]*:|[/\\~])|#/i.test(written.path)) return undefined;
  const { path, as, base = folderOf(uri) } = written;
  const slash = path.lastIndexOf('/');
  const folder = resolvePath(base, as === 'link' ? decoded(path.slice(0, slash + 1)) : path.slice(0, slash + 1));
  const rest = /^[^\s/)>"'`\]]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0;
  return { folder, span: span(offset - (path.length - slash - 1), offset + rest), as };
}

/** Returns the place of a path in a manifest, in the folder to which its paths are relative. */
function findPathInManifest(file: SkillFile, offset: number): PathPlace | undefined {
  const found = manifestOf(file).places.find((place) => touches(place.span, offset));
  if (!found) return undefined;
  const typed = file.text.slice(found.span.start, offset);
  const slash = typed.lastIndexOf('/');
  const rest = /^[^/"\r\n]*/.exec(file.text.slice(offset, found.span.end))?.[0].length ?? 0;
  const folder = resolvePath(found.folder, typed.slice(0, slash + 1));
  const isOfSkills = findScalar(file.frontmatter.tree, offset)?.path.includes('skills') === true;
  return {
    folder,
    span: span(found.span.start + slash + 1, offset + rest),
    as: slash < 0 ? 'manifest' : 'text',
    ...(isOfSkills && { skillsOfRoot: folder === found.folder }),
  };
}

interface Written {
  readonly path: string;
  readonly as: PathPlace['as'];
  /** The URI of the folder to which the path is relative; by default that of the file. */
  readonly base?: string;
}

const MAX_LENGTH = 400;

const lineBefore = (text: string, offset: number): string =>
  /[^\r\n]*$/.exec(text.slice(Math.max(0, offset - MAX_LENGTH), offset))?.[0] ?? '';

/**
 * Returns the typed target of a link (inline or after `[label]:`), or a typed path that begins with a folder that skills
 * usually have. In a `SKILL.md`, `@`, the variable of the skill's folder, and a path through the folder of all skills begin a
 * path, too. In an agent or a command, only the last one and the variable of the plugin's folder do.
 */
function writtenInBody(file: SkillFile, line: string): Written | undefined {
  const isAgentSkill = file.dialect === 'agent-skill';
  const [, before = '', name, written = ''] = AFTER_VARIABLE.exec(line) ?? [];
  if (name !== undefined) {
    const root = name === 'PLUGIN_ROOT' ? pluginOf(file) : isAgentSkill ? folderOf(file.uri) : undefined;
    return root === undefined ? undefined : { path: written, as: before === '](' ? 'link' : 'text', base: root };
  }
  const [base] = foldersOfSkills(file);
  const through = base === undefined ? null : THROUGH_SKILLS.exec(line);
  if (through && base !== undefined) return { path: through[1] ?? '', as: 'text', base };
  if (!isAgentSkill && file.dialect !== 'composer') return undefined;
  const link =
    /\]\(\s*(?:<([^<>]*)|([^\s()<>]*))$/.exec(line) ?? /^ {0,3}\[[^\]]+\]:\s+(?:<([^<>]*)|(\S*))$/.exec(line);
  if (link) return link[1] === undefined ? { path: link[2] ?? '', as: 'link' } : { path: link[1], as: 'text' };
  const plain = PLAIN_PATH.exec(line) ?? (isAgentSkill ? MARKED_PATH.exec(line) : null);
  return plain ? { path: plain[1] ?? '', as: 'text' } : undefined;
}

const PLAIN_PATH =
  /(?:^|[\s("'`=])((?:\.\/)?(?:references|scripts|assets|resources|templates|examples)\/[^\s)"'`<>]*)$/;
const AFTER_VARIABLE = /(\]\()?[$]\{CLAUDE_(SKILL_DIR|PLUGIN_ROOT)\}"?\/([^\s)"'`<>@]*)$/;
const THROUGH_SKILLS =
  /(?:^|[\s("'`=])(?:(?:~|[$]HOME|[$]\{HOME\})\/(?:[\w.-]+\/){0,8}|(?:\.\/)?(?:\.[\w-]+\/)?)skills\/([^\s)"'`<>@]*)$/;
const MARKED_PATH = /(?<![\w@./`'"])@((?:\.\/)?[^\s)"'`<>@]*)$/;

function writtenInFrom({ frontmatter, text }: SkillFile, offset: number): Written | undefined {
  const line = lineBefore(text, offset);
  const match = /(?:^|[\s{,-])from:\s+["']?([^"'#,}]*)$/.exec(line);
  if (!match) return undefined;
  const place = findScalar(frontmatter.tree, offset);
  const isElsewhere = place && place.role === 'value' && !matchesPattern(place.path, 'tools', '#', 'from');
  return isElsewhere ? undefined : { path: match[1] ?? '', as: 'yaml' };
}

/** The maximum number of proposed entries. */
const MAX_ENTRIES = 1_000;

/** Proposes folders first, beginning with the folders of the standard. Proposes hidden files only after a typed dot. */
export function pathCompletion(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  place: PathPlace,
  entries: readonly PathEntry[],
  locate: Locate,
  client?: CompletionClient,
): CompletionItem[] | CompletionList {
  const typed = file.text.slice(place.span.start, offset);
  const isOwn = place.folder === folderOf(file.uri);
  const { skillsOfRoot } = place;
  const shown = entries.filter(
    ({ name, isFolder }) =>
      (skillsOfRoot === undefined || isFolder) &&
      !(skillsOfRoot && OTHER_COMPONENTS.has(name)) &&
      (!name.startsWith('.') || typed.startsWith('.') || place.as === 'yaml') &&
      !IGNORED.has(name) &&
      !/[\r\n]/.test(name) &&
      !(isOwn && name === decoded(fileNameOf(file.uri))),
  );
  const isFirst = (name: string): boolean =>
    (isOwn && OF_SKILLS.has(name)) || (skillsOfRoot === true && name === 'skills');
  const sorted = [...shown].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_ENTRIES);
  const proposals = sorted.map(({ name, isFolder }) => ({
    label: isFolder ? `${name}/` : name,
    kind: isFolder ? Kind.Folder : Kind.File,
    insert: written(name, place.as) + (isFolder ? '/' : ''),
    rank: isFolder ? (isFirst(name) ? Rank.own : Rank.near) : Rank.known,
  }));
  return toItems({ analysis, file, offset }, { span: place.span, proposals }, locate, client);
}

const IGNORED = new Set(['node_modules', '.git']);
/** The folders of the Agent Skills standard (docs/format.md, section 9). */
const OF_SKILLS = new Set(['references', 'scripts', 'assets']);
/** The folders of a plugin for other components than skills. */
const OTHER_COMPONENTS = new Set(['agents', 'commands', 'hooks', 'output-styles', 'themes', 'monitors']);

/** Escapes a name for a link, because spaces and brackets would end the URL. Paths of a manifest begin with `./`. */
const written = (name: string, as: PathPlace['as']): string =>
  as === 'manifest'
    ? `./${name}`
    : as === 'link'
      ? name.replace(/[\s()<>%?#]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
      : name;
