/** Fills in the arguments that a `SKILL.md` is called with, as one client does it. Nothing is run. */
import type { ArgumentRules, CommandRules } from '../../vocabulary/client.ts';

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text behind the name of the skill: `fix "the old tower" soon`. */
export interface CallArguments {
  readonly text: string;
  /** The names that the skill gives to its arguments, in their order. */
  readonly names: readonly string[];
}

export interface Filled {
  readonly replacements: readonly Replacement[];
  /** What follows the body; empty where nothing does. */
  readonly appended: string;
}

const PLACEHOLDER = /(\\)?\$(?:ARGUMENTS\b(?:\[(\d{1,4})\])?|(\d{1,4})|([A-Za-z_][\w-]*))/g;

export function fillArguments(body: string, rules: ArgumentRules, { text, names }: CallArguments): Filled {
  const words = wordsOf(text);
  const found = [...body.matchAll(PLACEHOLDER)];
  const last = Math.max(...found.flatMap(([, , , short]) => (short === undefined ? [] : [Number(short)])));
  const replacements: Replacement[] = [];
  let isNamed = false;
  for (const { index, 0: written, 1: backslash, 2: indexed, 3: short, 4: name } of found) {
    const start = index + (backslash ?? '').length;
    const whole = written.slice((backslash ?? '').length);
    const replacement = replacementOf({ whole, indexed, short, name });
    if (replacement === undefined) continue;
    isNamed ||= backslash === undefined || !rules.escape;
    if (backslash !== undefined && rules.escape) replacements.push({ start: index, end: start, text: '' });
    else if (replacement !== whole) replacements.push({ start, end: index + written.length, text: replacement });
  }
  return { replacements, appended: isNamed || text.trim() === '' ? '' : `\n\n${rules.appended}${text}` };

  /** Undefined for what is no placeholder to this client. */
  function replacementOf(one: Written): string | undefined {
    const { whole, indexed, short, name } = one;
    if (short !== undefined) {
      const at = Number(short) - (rules.shortFirst ?? Number.POSITIVE_INFINITY);
      if (rules.lastTakesRest && Number(short) === last && at >= 0 && at < words.length)
        return words.slice(at).join(' ');
      return rules.shortFirst === undefined || at < 0 ? undefined : (words[at] ?? missing(rules.missingIndexed, whole));
    }
    if (name !== undefined) {
      const at = names.indexOf(name);
      return !rules.named || at < 0 ? undefined : (words[at] ?? missing(rules.missingNamed, whole));
    }
    if (indexed === undefined) return text;
    // To a client without that form, `[0]` is text behind all of the arguments.
    if (rules.indexedFirst === undefined) return `${text}[${indexed}]`;
    return words[Number(indexed) - rules.indexedFirst] ?? missing(rules.missingIndexed, whole);
  }
}

interface Written {
  readonly whole: string;
  readonly indexed: string | undefined;
  readonly short: string | undefined;
  readonly name: string | undefined;
}

const missing = (rule: ArgumentRules['missingIndexed'], written: string): string => (rule === 'empty' ? '' : written);

/** Parted by white space; quotes hold words together. */
export const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);

/** The placeholders of any client in a body, as they are written, each once. */
export function placeholdersOf(body: string, names: readonly string[]): readonly string[] {
  const found = [...body.matchAll(PLACEHOLDER)].filter(
    ({ 1: backslash, 4: name }) => backslash === undefined && (name === undefined || names.includes(name)),
  );
  return [...new Set(found.map(([written]) => written))];
}

export interface Command {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The commands in a body; without rules, those that some client runs. */
export function commandsIn(
  body: string,
  rules: CommandRules = { inline: 'anywhere', fenced: true },
): readonly Command[] {
  const inline = rules.inline === 'after-space' ? /(?<![^\s])!`([^`\n]+)`/g : /!`([^`\n]+)`/g;
  const fenced = /^ {0,3}(`{3,})!\s*\n([\s\S]*?)\n {0,3}\1`*[ \t]*$/gm;
  const spans = [
    ...[...body.matchAll(inline)].map(({ index, 0: all, 1: text = '' }) => ({ index, all, text })),
    ...(rules.fenced
      ? [...body.matchAll(fenced)].map(({ index, 0: all, 2: text = '' }) => ({ index, all, text }))
      : []),
  ];
  return spans
    .map(({ index, all, text }) => ({ start: index, end: index + all.length, text }))
    .sort((a, b) => a.start - b.start);
}
