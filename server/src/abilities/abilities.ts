/**
 * Finds the abilities of a `SKILL.md` folder in its files (docs/abilities.md). The result does not prove that the skill
 * is safe.
 */
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, shift, span } from '../text.ts';
import { codeRegions, type FindCommands, findDownloads, findEncoded, findInCode, findInFile } from './commands.ts';
import { findDirective } from './directives.ts';
import { type FolderFile, MAX_FILES, MAX_LENGTH } from './folder.ts';
import { findInvisible } from './invisible.ts';
import { deniedNetwork } from './network.ts';
import { type AllowedTool, allowedTools } from './permissions.ts';
import { findReached, languageOf, type Reached, type ScriptLanguage, withoutComments } from './scripts.ts';
import { findSecrets } from './secrets.ts';
import { findSelfRunning, type SelfRunning } from './self-running.ts';

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
}

export interface FoundAddress extends Address {
  readonly path: string;
}

export interface Abilities {
  readonly tools: readonly AllowedTool[];
  /** The commands of `SKILL.md` that the client runs automatically. */
  readonly runs: readonly SelfRunning[];
  readonly scripts: readonly ScriptAbilities[];
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

/** Returns the abilities of a skill. `files` are the files in the skill's folder, without `SKILL.md`. */
export function abilitiesOf(skill: SkillFile, files: readonly FolderFile[]): Abilities {
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
  return {
    tools: allowedTools(skill),
    runs: findSelfRunning(skill).slice(0, MAX_LISTED),
    scripts: scripts.map(({ path, language, code }) => ({
      path,
      language,
      reaches: language === 'other' ? [] : findReached(language, code),
    })),
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
