/**
 * Finds variables of code with the name of a declared argument, which a client that fills in arguments by name replaces
 * (docs/rules/unescaped-dollar.md).
 */
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, sliceOf } from '../text.ts';
import { type Placeholder, placeholdersOf } from './placeholders.ts';
import { placeIn } from './self-running.ts';

/** The uses of a variable in the code of a body, at least one. */
export interface OwnVariable {
  readonly name: string;
  readonly uses: readonly [Placeholder, ...Placeholder[]];
  /** True if all uses are in the code of a shell, where `${name}` means the same. */
  readonly isOfShell: boolean;
}

/** The variables that a shell or the system sets. */
const OF_SYSTEM: ReadonlySet<string> = new Set(
  'HOME PATH PWD OLDPWD USER USERNAME LOGNAME SHELL TMPDIR TMP TEMP LANG LC_ALL TERM EDITOR VISUAL PAGER HOSTNAME UID EUID PPID RANDOM SECONDS LINENO IFS OPTARG OPTIND REPLY BASH_SOURCE BASH_VERSION SHLVL DISPLAY XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME PYTHONPATH VIRTUAL_ENV NODE_ENV CI'.split(
    ' ',
  ),
);

const SHELLS: ReadonlySet<string> = new Set(['', 'sh', 'bash', 'zsh', 'shell', 'console', 'ksh', 'terminal']);

/** The name that a statement of a shell sets, and its value. */
const SET_BY_SHELL = [
  /(?:^[ \t]*(?:[$%>][ \t]+)?|[;&|({`][ \t]*|\b(?:do|then|else|export|local|declare|readonly|typeset)[ \t]+(?:-\w+[ \t]+)*)([A-Za-z_]\w*)\+?=([^\s;&|]*)/gm,
  /\b(?:for|select)[ \t]+([A-Za-z_]\w*)(?=\s+in\b|[ \t]*;|[ \t]*\n)()/g,
  /\b(?:mapfile|readarray)(?:[ \t]+-\w+)*[ \t]+([A-Za-z_]\w*)()/g,
  /\bprintf[ \t]+-v[ \t]+([A-Za-z_]\w*)()/g,
  /\bgetopts[ \t]+\S+[ \t]+([A-Za-z_]\w*)()/g,
];

/** The name that a statement of a language with `$` before its variables sets, and its value. */
const SET_WITH_DOLLAR = [
  /\$([A-Za-z_]\w*)[ \t]*(?:\?\?|[-+.*/%])?=(?![=~>])([^\n;]*)/g,
  /\b(?:foreach[ \t]*\(?[ \t]*|my[ \t]+|our[ \t]+|as[ \t]+(?:\$\w+[ \t]*=>[ \t]*)?)\$([A-Za-z_]\w*)()/g,
];

/** The names after `read`, such as those in `while IFS= read -r a b; do`. */
const READ = /\bread((?:[ \t]+-\w+(?:[ \t]+(?:'[^'\n]*'|"[^"\n]*"))?)*)((?:[ \t]+[A-Za-z_]\w*)+)/g;

/**
 * Returns the declared arguments that the code of a body uses as its own variables: those that a statement sets, and those
 * that the system sets. An argument that the code only reads is meant as an argument. Never throws.
 */
export function ownVariables(file: SkillFile): readonly OwnVariable[] {
  const { body, text } = file;
  if (!body) return [];
  const named = placeholdersOf(file).filter(({ kind, backslashes }) => kind === 'named' && backslashes !== 1);
  if (named.length === 0) return [];
  const set = new Set(
    body.fences.flatMap(({ contentSpan, lang }) => [...namesSetIn(sliceOf(text, contentSpan), isShell(lang))]),
  );
  const byName = new Map<string, { uses: [Placeholder, ...Placeholder[]]; isOfShell: boolean }>();
  for (const one of named) {
    const name = one.written.slice(1);
    const { kind } = placeIn(body, one.span.start);
    const isSet = kind === 'fence' && set.has(name);
    if (!isSet && !(OF_SYSTEM.has(name) && (kind === 'fence' || kind === 'code-span'))) continue;
    const fence = findTouching(body.fences, one.span.start, ({ contentSpan }) => contentSpan);
    const isOfShell = kind !== 'fence' || isShell(fence?.lang ?? '');
    const known = byName.get(name);
    if (known) {
      known.uses.push(one);
      known.isOfShell &&= isOfShell;
    } else byName.set(name, { uses: [one], isOfShell });
  }
  return [...byName].map(([name, { uses, isOfShell }]) => ({ name, uses, isOfShell }));
}

const isShell = (lang: string): boolean => SHELLS.has(lang.toLowerCase());

/** Returns the names that code sets. `url="$url"` sets a variable to the argument. */
function namesSetIn(code: string, isOfShell: boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pattern of isOfShell ? SET_BY_SHELL : SET_WITH_DOLLAR)
    for (const [, name = '', value = ''] of code.matchAll(pattern)) if (!isUsedIn(name, value)) names.add(name);
  if (!isOfShell) return names;
  for (const [, , words = ''] of code.matchAll(READ)) for (const name of words.trim().split(/\s+/)) names.add(name);
  return names;
}

const isUsedIn = (name: string, value: string): boolean =>
  value.split(/(?=\$)/).some((part) => part.startsWith(`$${name}`) && !/\w/.test(part[name.length + 1] ?? ''));
