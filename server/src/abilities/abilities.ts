/**
 * Finds the abilities of a `SKILL.md` folder in its files (docs/abilities.md). The result does not prove that the skill
 * is safe.
 */
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, shift, span } from '../text.ts';
import {
  codeRegions,
  type FindCommands,
  findDownloads,
  findEncoded,
  findInCode,
  findInFile,
  isMarkdown,
} from './commands.ts';
import { findDirective } from './directives.ts';
import { type FolderFile, MAX_FILES, MAX_LENGTH } from './folder.ts';
import { findInvisible } from './invisible.ts';
import { unanalysedInBody, unanalysedInCommand, unanalysedInMarkdown } from './markdown-code.ts';
import { deniedNetwork } from './network.ts';
import { type AllowedTool, allowedTools } from './permissions.ts';
import { unanalysedIn } from './script-code.ts';
import { findReached, languageOf, type Reached, type ScriptLanguage, withoutComments } from './scripts.ts';
import { findSecrets } from './secrets.ts';
import { findSelfRunning, type SelfRunning } from './self-running.ts';
import { firstOfNames, type ScannedFiles, scannedFrom, type Unanalysed } from './unanalysed.ts';

/** An ability found in a file of the folder. */
export interface FoundAbility {
  readonly path: string;
  readonly span: Span;
  /** The kind, such as `npm token`, `tag` or `download`. */
  readonly what: string;
}

export interface ScriptAbilities {
  readonly path: string;
  /** The language; `other` if the script is listed but not scanned. */
  readonly language: ScriptLanguage | 'other';
  readonly reaches: readonly Reached[];
  /** The first use of each program, module and piece of code that is not analysed. `reaches` has the others. */
  readonly unanalysed: readonly Unanalysed[];
}

/** A program, a module or a piece of code in the text of the skill, which an agent or a client may run. */
export interface TextAbility extends Unanalysed {
  readonly path: string;
}

export interface FoundAddress extends Address {
  readonly path: string;
}

export interface Abilities {
  readonly tools: readonly AllowedTool[];
  /** The commands of `SKILL.md` that the client runs automatically. */
  readonly runs: readonly SelfRunning[];
  readonly scripts: readonly ScriptAbilities[];
  /** The names of programs and modules in Markdown files and in hooks that are not analysed. */
  readonly commands: readonly TextAbility[];
  /** Downloads and encoded strings that are executed. */
  readonly unread: readonly FoundAbility[];
  readonly secrets: readonly FoundAbility[];
  /** The first address of each host in each file. */
  readonly addresses: readonly FoundAddress[];
  readonly hidden: readonly FoundAbility[];
  /** The words in `compatibility` that say that the skill needs no network. */
  readonly deniesNetwork: string | undefined;
  /** The files that are not scanned, each with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: 'too-many' | 'too-large' | 'no-text' }[];
}

/** The maximum number of listed abilities of one kind. */
const MAX_LISTED = 500;

const SKILL = 'SKILL.md';

/**
 * Returns the abilities of a skill. `files` are the files in the skill's folder, without `SKILL.md`. `own` is the path of
 * the skill, relative to the same folder as the paths of the files.
 */
export function abilitiesOf(skill: SkillFile, files: readonly FolderFile[], own = SKILL): Abilities {
  const leftOut = files.flatMap(({ path, text, isTooLarge }, at): Abilities['leftOut'] => {
    if (at >= MAX_FILES) return [{ path, why: 'too-many' }];
    if (isTooLarge || (text?.length ?? 0) > MAX_LENGTH) return [{ path, why: 'too-large' }];
    return text === undefined ? [{ path, why: 'no-text' }] : [];
  });
  const read = files
    .slice(0, MAX_FILES)
    .flatMap(({ path, text }) => (text === undefined || text.length > MAX_LENGTH ? [] : [{ path, text }]));
  const scripts = read.flatMap(({ path, text }) => {
    const language = languageOf(path, text);
    if (!language) return [];
    return [{ path, text, language, code: language === 'other' ? text : withoutComments(language, text) }];
  });
  const all = [{ path: SKILL, text: skill.text }, ...read];
  const names = new Map(
    scripts.flatMap(({ path, language }) => (language === 'other' ? [] : [[path, language] as const])),
  );
  const data = new Set(read.flatMap(({ path }) => (path.endsWith('.json') ? [path] : [])));
  const scannedIn = (path: string): ScannedFiles => scannedFrom(path, own, names, data);
  const runs = findSelfRunning(skill).slice(0, MAX_LISTED);
  return {
    tools: allowedTools(skill),
    runs,
    scripts: scripts.map(({ path, language, text, code }): ScriptAbilities => {
      if (language === 'other') return { path, language, reaches: [], unanalysed: [] };
      const reaches = findReached(language, code);
      const known = new Set(reaches.flatMap(namesOfAccess));
      const all = unanalysedIn(path, language, text, scannedIn(path));
      return { path, language, reaches, unanalysed: all.filter(({ name }) => !known.has(name)) };
    }),
    commands: listed([
      ...inPath(SKILL, unanalysedInSkill(skill, runs, scannedIn(own))),
      ...read
        .filter(({ path }) => isMarkdown(path))
        .flatMap(({ path, text }) => inPath(path, unanalysedInMarkdown(text, scannedIn(path)))),
    ]),
    unread: listed([
      ...unreadOf(SKILL, (find) => findInCode(skill, find)),
      ...read.flatMap(({ path, text }) => unreadOf(path, (find) => findInFile(path, text, find))),
    ]),
    secrets: listed(
      all.flatMap(({ path, text }) => findSecrets(text).map(({ kind, span }) => ({ path, span, what: kind }))),
    ),
    addresses: listed([
      ...addressesOf(skill),
      ...scripts.flatMap(({ path, code }) => firstOfHosts(path, findAddresses(code))),
    ]),
    hidden: listed([...all.flatMap(hiddenIn), ...directivesOf(skill)]),
    deniesNetwork: deniedNetwork(skill)?.words,
    leftOut,
  };
}

/** The sorted names of the parts of a skill and its files that are not analysed. */
export interface NotAnalysed {
  readonly programs: readonly string[];
  readonly modules: readonly string[];
  /** Other code, and the paths of scripts that are not scanned. */
  readonly unanalysed: readonly string[];
}

/** Returns the names of what is not analysed. `unscanned` are the paths of scripts that are not scanned. */
export function notAnalysed(
  { scripts, commands }: Pick<Abilities, 'scripts' | 'commands'>,
  unscanned: Iterable<string>,
): NotAnalysed {
  const found = [...scripts.flatMap((script) => script.unanalysed), ...commands];
  const names = (wanted: Unanalysed['kind']) => found.filter(({ kind }) => kind === wanted).map(({ name }) => name);
  const sorted = (all: Iterable<string>) => [...new Set(all)].sort();
  return {
    programs: sorted(names('program')),
    modules: sorted(names('module')),
    unanalysed: sorted([...names('code'), ...unscanned]),
  };
}

/** Returns the paths of scripts that are not scanned, also of those that cannot be read. */
export const unscannedScripts = ({ scripts, leftOut }: Abilities): readonly string[] => [
  ...scripts.flatMap(({ path, language }) => (language === 'other' ? [path] : [])),
  ...leftOut.flatMap(({ path, why }) => (why !== 'no-text' || languageOf(path, '') !== undefined ? [path] : [])),
];

/** Returns the names by which an access, such as `subprocess.run`, may also be found. */
function namesOfAccess({ reach, by }: Reached): readonly string[] {
  if (reach !== 'network' && reach !== 'processes') return [];
  const [module = '', member] = by.split('.');
  return [by, module, ...(member === undefined ? [] : [`.${member}`])];
}

const inPath = (path: string, all: readonly Unanalysed[]): readonly TextAbility[] =>
  all.map((one) => ({ ...one, path }));

/** Returns what is not analysed in the text of a skill and in the commands that run automatically. */
function unanalysedInSkill(
  { text, body }: SkillFile,
  runs: readonly SelfRunning[],
  scanned: ScannedFiles,
): readonly Unanalysed[] {
  return firstOfNames([
    ...(body ? unanalysedInBody(text, body, scanned) : []),
    ...runs.flatMap(({ command, span: place, isCommand }) =>
      isCommand ? unanalysedInCommand(command, scanned).map((one) => ({ ...one, span: place })) : [],
    ),
  ]);
}

const listed = <One>(all: readonly One[]): readonly One[] => all.slice(0, MAX_LISTED);

function unreadOf(path: string, findAll: (find: FindCommands) => readonly Span[]) {
  return [
    ...findAll(findDownloads).map((span): FoundAbility => ({ path, span, what: 'download' })),
    ...findAll(findEncoded).map((span): FoundAbility => ({ path, span, what: 'encoded' })),
  ];
}

const hiddenIn = ({ path, text }: { readonly path: string; readonly text: string }): readonly FoundAbility[] =>
  findInvisible(text).map(({ kind, span }) => ({ path, span, what: kind }));

const directivesOf = ({ body }: SkillFile): readonly FoundAbility[] =>
  (body?.htmlComments ?? []).flatMap((comment) =>
    findDirective(comment) ? [{ path: SKILL, span: comment.span, what: 'instruction' }] : [],
  );

/**
 * Returns the addresses in the commands of `SKILL.md`. Links in its prose are not included, because they may be meant
 * for people.
 */
function addressesOf(skill: SkillFile): readonly FoundAddress[] {
  const inCommands = codeRegions(skill).flatMap((region) =>
    [
      ...skill.text
        .slice(region.start, region.end)
        .matchAll(/^.*\b(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest)\b.*$/gm),
    ]
      .map(({ 0: line, index }) => ({ line, start: region.start + index }))
      .flatMap(({ line, start }) => findAddresses(line).map((one) => ({ ...one, span: shift(one.span, start) }))),
  );
  return firstOfHosts(SKILL, inCommands);
}

function firstOfHosts(path: string, addresses: readonly Address[]): readonly FoundAddress[] {
  const hosts = new Set<string>();
  return addresses.flatMap((one) => {
    if (hosts.has(one.host)) return [];
    hosts.add(one.host);
    return [{ ...one, path }];
  });
}

/** An address in a script or a command (docs/abilities.md, "Addresses"). */
interface Address {
  /** The host as written, with its port. */
  readonly host: string;
  readonly span: Span;
}

/** The hosts of XML and JSON vocabularies, which programs do not fetch. */
const VOCABULARIES = /^(?:www\.w3\.org|schemas?\.|json-schema\.org|purl\.org|ns\.adobe\.com|xmlns\.com)/i;

/** An address. The pattern skips a user name and password before the host. */
const ADDRESS = /\bhttps?:\/\/(?:[^\s"'`<>/@]{1,200}@)?([\w.-]{1,253}(?::\d{1,5})?)[^\s"'`<>()[\]{}\\|]{0,2000}/g;

function findAddresses(text: string): readonly Address[] {
  const found: Address[] = [];
  for (const { 0: url, 1: host = '', index } of text.matchAll(ADDRESS)) {
    if (!VOCABULARIES.test(host)) found.push({ host, span: span(index, index + url.length) });
  }
  return found;
}
