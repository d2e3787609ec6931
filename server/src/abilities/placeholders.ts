/**
 * Finds the placeholders for arguments and the variables in the body of a `SKILL.md`, and fills in arguments as a client
 * does (docs/clients.md, "Arguments").
 */

import type { ArgumentRules, Client } from '../clients/facts/client.ts';
import { verified } from '../clients/facts/clients.ts';
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, lineStart, type Span, shift, span } from '../text.ts';
import { type DollarMeaning, meaningOf } from './dollar-meaning.ts';
import { bodyCommands, placeIn } from './self-running.ts';

/** A placeholder in any client. */
export interface Placeholder {
  /** `all`: `$ARGUMENTS`; `indexed`: `$ARGUMENTS[0]`; `short`: `$0`; `named`: `$name` with a declared name. */
  readonly kind: 'all' | 'indexed' | 'short' | 'named';
  /** The placeholder without the backslashes before it. */
  readonly span: Span;
  readonly written: string;
  /** The number in `$ARGUMENTS[0]` and `$0`, otherwise -1. */
  readonly number: number;
  /** The number of backslashes directly before the placeholder. */
  readonly backslashes: number;
  /** True if a letter, digit or underscore follows. */
  readonly isGlued: boolean;
}

const PLACEHOLDER = /\$(?:ARGUMENTS\b(?:\[(\d+)\])?|(\d+)|([A-Za-z_][\w-]*))/g;

/** Returns the placeholders in a text, in its order. `names` are the argument names that the skill declares. */
export function placeholdersIn(text: string, names: readonly string[]): readonly Placeholder[] {
  const found: Placeholder[] = [];
  for (const { index, 0: written, 1: indexed, 2: short, 3: name } of text.matchAll(PLACEHOLDER)) {
    if (name !== undefined && !names.includes(name)) continue;
    let before = index;
    while (text[before - 1] === '\\') before--;
    const end = index + written.length;
    found.push({
      kind: indexed !== undefined ? 'indexed' : short !== undefined ? 'short' : name !== undefined ? 'named' : 'all',
      span: span(index, end),
      written,
      number: Number(indexed ?? short ?? -1),
      backslashes: index - before,
      isGlued: /\w/.test(text[end] ?? ''),
    });
  }
  return found;
}

/** Returns the placeholders of a file, with spans in the file. */
function bodyPlaceholders(file: SkillFile): readonly Placeholder[] {
  const { text, body } = file;
  if (!body) return [];
  const { start } = body.span;
  const found = placeholdersIn(text.slice(start), argumentNames(file));
  return found.map((one) => ({ ...one, span: shift(one.span, start) }));
}

/** Returns whether a client replaces a placeholder if the call has enough arguments. */
export function isFilled({ kind, number, backslashes, isGlued }: Placeholder, rules: ArgumentRules): boolean {
  if (rules.escape && backslashes === 1) return false;
  if (kind === 'short') {
    const lowest = rules.zero === undefined ? (rules.shortFirst ?? Number.POSITIVE_INFINITY) : 0;
    return number >= lowest && !(rules.shortWhole && isGlued);
  }
  // For a client without `$ARGUMENTS[0]`, `[0]` is text after all arguments.
  return kind === 'named' ? rules.named === true : true;
}

/** Returns the names in `arguments`, which is a string separated by white space, or a list. */
export function argumentNames({ frontmatter }: SkillFile): readonly string[] {
  const value = findValue(frontmatter.tree.root, 'arguments');
  const text = stringOf(value);
  if (text !== undefined) return text.split(/\s+/).filter((name) => name !== '');
  return listItems(value).flatMap((item) => stringOf(item) ?? []);
}

/** A replacement; offsets in the prompt, in UTF-16 code units. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The arguments of an invocation: the text after the name of the skill, such as `fix "the old tower" soon`. */
interface CallArguments {
  readonly text: string;
  /** The argument names that the skill declares, in order. */
  readonly names: readonly string[];
}

interface Filled {
  readonly replacements: readonly Replacement[];
  /** The text after the body; may be empty. */
  readonly appended: string;
}

/** Replaces the placeholders in a body as one client does. Never runs commands. */
export function fillArguments(body: string, rules: ArgumentRules, { text, names }: CallArguments): Filled {
  const words = wordsOf(text, rules);
  const found = placeholdersIn(body, names);
  const last = found.reduce((most, { kind, number }) => (kind === 'short' ? Math.max(most, number) : most), -1);
  const replacements: Replacement[] = [];
  let isNamed = false;
  for (const one of found) {
    const { start, end } = one.span;
    const isEscaped = rules.escape && one.backslashes === 1;
    if (isEscaped && isFilled({ ...one, backslashes: 0 }, rules)) {
      replacements.push({ start: start - 1, end: start, text: '' });
    } else if (isFilled(one, rules)) {
      isNamed = true;
      const replacement = replacementOf(one);
      if (replacement !== one.written) replacements.push({ start, end, text: replacement });
    }
  }
  return { replacements, appended: isNamed || text.trim() === '' ? '' : `\n\n${rules.appended}${text}` };

  function replacementOf({ kind, number, written }: Placeholder): string {
    if (kind === 'short') {
      const at = number - (rules.shortFirst ?? 0);
      // A lone `$0` begins one word before the first, which is the last word.
      const isRest = rules.lastTakesRest && number === last && at < words.length;
      if (isRest) return words.slice(at).join(' ');
      if (at < 0 && rules.zero !== undefined) return rules.zero;
      return words[at] ?? missing(rules.missingIndexed, written);
    }
    if (kind === 'named') return words[names.indexOf(written.slice(1))] ?? missing(rules.missingNamed, written);
    if (kind === 'all') return text;
    if (rules.indexedFirst === undefined) return `${text}[${number}]`;
    return words[number - rules.indexedFirst] ?? missing(rules.missingIndexed, written);
  }
}

const missing = (rule: ArgumentRules['missingIndexed'], written: string): string => (rule === 'empty' ? '' : written);

/** Splits the arguments of a call as a client does; without rules, at white space outside quotes. */
export function wordsOf(text: string, rules?: ArgumentRules): readonly string[] {
  if (rules?.split === 'shell') return shellWords(text);
  if (rules?.split === 'quotes') return [...text.matchAll(QUOTED_OR_PLAIN)].map(([word]) => word.replace(QUOTES, ''));
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);
}

const QUOTED_OR_PLAIN = /"[^"]*"|'[^']*'|[^\s"']+/g;
const QUOTES = /^["']|["']$/g;

/** A comment, the end of a command, a redirection or a substitution, spaces, or a word with its quoted parts. */
const SHELL_TOKEN =
  /(#.*)|([;&|<>`\n]|\d*[<>]|\$\()|[^\S\n]+|((?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|\$(?!\()|[^\s;&|<>`"'\\$])+)/y;
const SHELL_PART = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g;

/**
 * Returns the words of the first command in a text, without variables before them and without a comment. If no word is
 * left or a double quote is not closed, splits at white space. If an apostrophe is not closed, returns one word.
 */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    SHELL_TOKEN.lastIndex = at;
    const [token, comment, end, word] = SHELL_TOKEN.exec(text) ?? [];
    if (token === undefined) return text[at] === "'" ? [text] : wordsBetweenSpaces(text);
    if (comment !== undefined || end !== undefined) break;
    if (word !== undefined && !(words.length === 0 && /^[A-Za-z_]\w*=/.test(word))) {
      words.push(word.replace(SHELL_PART, (_, double, single, escaped) => double ?? single ?? escaped));
    }
    at += token.length;
  }
  return words.length > 0 ? words : wordsBetweenSpaces(text);
}

const wordsBetweenSpaces = (text: string): readonly string[] => text.split(/\s+/).filter((one) => one !== '');

// The placeholders of a file that stand for arguments.

/** The largest number of placeholders in a file that are examined. */
const MAX_PLACEHOLDERS = 1000;

export interface Dollar extends Placeholder {
  readonly meaning: DollarMeaning;
}

/**
 * Returns the placeholders `$N`, each with its meaning. In a skill that declares no arguments, `$5` in prose without a
 * `$4` is an amount.
 */
export function dollarsOf(file: SkillFile, all: readonly Placeholder[]): readonly Dollar[] {
  const { body } = file;
  if (!body) return [];
  const numbers = new Set(all.map(({ number }) => number));
  const hasArguments = declaresArguments(file) || all.some(({ kind }) => kind === 'all');
  return all.flatMap((one) => {
    if (one.kind !== 'short') return [];
    const meaning = meaningOf(file.text, body, one.span);
    const isLone = !hasArguments && one.number > 1 && !numbers.has(one.number - 1);
    const isAmount = meaning === 'argument' && isLone && placeIn(body, one.span.start).kind === 'text';
    return [{ ...one, meaning: isAmount ? 'amount' : meaning }];
  });
}

const declaresArguments = (file: SkillFile): boolean =>
  findValue(file.frontmatter.tree.root, 'argument-hint') !== undefined || argumentNames(file).length > 0;

export const placeholdersOf = (file: SkillFile): readonly Placeholder[] =>
  bodyPlaceholders(file).slice(0, MAX_PLACEHOLDERS);

/**
 * Returns the placeholders `$N` that are arguments: in a command that runs, in a skill that declares arguments, or at
 * the start of a line that describes them (`- $1: the file`). In a fence, the number must also be used elsewhere.
 */
export function intendedDollars(file: SkillFile, all: readonly Placeholder[]): readonly Dollar[] {
  const { body } = file;
  if (!body) return [];
  const declares = declaresArguments(file);
  const commands = bodyCommands(file)
    .slice(0, MAX_PLACEHOLDERS)
    .filter(({ mark }) => placeIn(body, mark).kind === 'text');
  const isRun = ({ start }: Span): boolean => commands.some((one) => one.span.start < start && start < one.span.end);
  const dollars = dollarsOf(file, all).filter(
    ({ backslashes, isGlued, number }) => backslashes !== 1 && !isGlued && number < 10,
  );
  const sure = dollars.filter(
    ({ meaning, span: place }) =>
      isRun(place) || (meaning === 'argument' && (declares || isDescribed(file.text, place))),
  );
  const numbers = new Set(sure.map(({ number }) => number));
  const candidates = new Set<DollarMeaning>(['unclear', 'argument']);
  return dollars.filter((one) => sure.includes(one) || (candidates.has(one.meaning) && numbers.has(one.number)));
}

/** Returns true at the start of a line, an item or a row that describes the placeholder. */
const isDescribed = (text: string, { start, end }: Span): boolean =>
  /^\s*(?:[-*+|]|\d+[.)])?\s*`?$/.test(text.slice(lineStart(text, start), start)) &&
  /^`?\s*(?:[:=—–(|]|- |is\b)/.test(text.slice(end, end + 40));

/** Returns the placeholders that stand for arguments, without those in examples and `$N` with another meaning. */
export function argumentPlaceholders(file: SkillFile): readonly Placeholder[] {
  const all = placeholdersOf(file);
  const intended = intendedDollars(file, all);
  return all.filter(
    (one) =>
      one.backslashes !== 1 &&
      (one.kind !== 'short' || intended.some(({ span: place }) => place === one.span)) &&
      !isExample(file, one.span),
  );
}

/** Returns true in a fence with Markdown, which mostly shows another file. */
function isExample({ body }: SkillFile, { start }: Span): boolean {
  const fence = body && findTouching(body.fences, start, ({ contentSpan }) => contentSpan);
  return fence !== undefined && /^(?:markdown|md|mdx)$/i.test(fence.lang);
}

// Variables, such as `${CLAUDE_SKILL_DIR}`.

/** The variables that a client may replace in a body. A folder counts only in a path that is written out. */
const VARIABLE =
  /\$\{(CLAUDE_(?:[A-Z_]+_(?:DIR|ROOT|DATA)\}(?=["']?\/(?![\w/-]{0,80}(?:\.{3}|…)))|(?:SESSION_ID|EFFORT)\}))/g;

/** A variable of a client in a body, such as `${CLAUDE_SKILL_DIR}`. */
export interface VariableUse {
  readonly name: string;
  readonly written: string;
  readonly span: Span;
}

/** Returns the variables that a client may replace, without those in examples. */
export function variablesIn(file: SkillFile): readonly VariableUse[] {
  const { text, body } = file;
  if (!body) return [];
  const found = [...text.slice(body.span.start).matchAll(VARIABLE)].slice(0, MAX_PLACEHOLDERS);
  const uses = found.map(({ index, 0: written, 1: name = '' }) => ({
    name: name.slice(0, -1),
    written,
    span: span(body.span.start + index, body.span.start + index + written.length),
  }));
  return uses.filter((one) => !isExample(file, one.span));
}

/** Returns whether a client replaces a variable in this file; undefined if this is not known. */
export function isReplaced(client: Client, file: SkillFile, name: string): boolean | undefined {
  // A command of Claude Code is a file without a folder (observed: 2.1.332).
  if (file.dialect === 'client-file' && name === 'CLAUDE_SKILL_DIR') return false;
  // Claude Code replaces these variables only in the skills and commands of plugins.
  if (client.id === 'claude-code' && name.startsWith('CLAUDE_PLUGIN_') && OF_PROJECT.test(file.uri)) return false;
  return verified(client.variables)?.includes(name);
}

/** The path of a skill or a command that belongs to no plugin. */
const OF_PROJECT = /\/\.claude\/(?:skills\/[^/]+\/[^/]+|commands\/.+)$/;
