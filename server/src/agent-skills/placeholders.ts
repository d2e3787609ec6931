/**
 * Finds the placeholders for arguments in the body of a `SKILL.md`, and fills them in as a client does
 * (docs/clients.md, "Arguments").
 */
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, shift, span } from '../text.ts';
import type { ArgumentRules } from '../vocabulary/client.ts';

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
export function bodyPlaceholders(file: SkillFile): readonly Placeholder[] {
  const { text, body } = file;
  if (!body) return [];
  const { start } = body.span;
  const found = placeholdersIn(text.slice(start), argumentNames(file));
  return found.map((one) => ({ ...one, span: shift(one.span, start) }));
}

/** Returns whether a client replaces a placeholder if the call has enough arguments. */
export function isFilled({ kind, number, backslashes, isGlued }: Placeholder, rules: ArgumentRules): boolean {
  if (rules.escape && backslashes === 1) return false;
  if (kind === 'short')
    return number >= (rules.shortFirst ?? Number.POSITIVE_INFINITY) && !(rules.shortWhole && isGlued);
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
  const words = wordsOf(text);
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
      const isRest = rules.lastTakesRest && number === last && at < words.length;
      return isRest ? words.slice(at).join(' ') : (words[at] ?? missing(rules.missingIndexed, written));
    }
    if (kind === 'named') return words[names.indexOf(written.slice(1))] ?? missing(rules.missingNamed, written);
    if (kind === 'all') return text;
    if (rules.indexedFirst === undefined) return `${text}[${number}]`;
    return words[number - rules.indexedFirst] ?? missing(rules.missingIndexed, written);
  }
}

const missing = (rule: ArgumentRules['missingIndexed'], written: string): string => (rule === 'empty' ? '' : written);

/** Splits a string at white space outside quotes. */
export const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);
