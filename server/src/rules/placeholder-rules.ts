/** Rules about the text that clients replace in the body of a `SKILL.md`, or leave as it is. */

import { type DollarMeaning, meaningOf, readerOfBackslash } from '../abilities/dollar-meaning.ts';
import { type BodyCommand, bodyCommands, placeIn } from '../abilities/self-running.ts';
import { argumentNames, bodyPlaceholders, isFilled, type Placeholder } from '../agent-skills/placeholders.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { targetClients } from '../analysis/targets.ts';
import type { Draft, Fix } from '../finding.ts';
import { findValue } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, lineStart, type Span, sliceOf, span, type TextEdit } from '../text.ts';
import type { ArgumentRules, Client, Fact } from '../vocabulary/client.ts';
import { decoded } from '../vocabulary/dialect.ts';
import { fixHere, placesHere, type Rule } from './rule.ts';

/** The common properties of these rules. The target clients are undecided while files are still being read. */
const ABOUT_BODIES = {
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-27' },
  dialects: ['agent-skill'],
  isDecided: (_, analysis) => !analysis.partial,
} satisfies Partial<Rule>;

/** Returns the value of a fact that has a source; undefined for an unknown or unverified one. */
const known = <Value>(fact: Fact<Value> | undefined): Value | undefined =>
  fact?.certainty === 'unverified' ? undefined : fact?.value;

const namesOf = (clients: readonly Client[]): string => listed(clients.map(({ name }) => name));

/** The largest number of an argument that is reported, because calls rarely have more words. */
const MAX_NUMBER = 19;

/** The largest number of placeholders in a file that are examined. */
const MAX_PLACEHOLDERS = 1000;

interface Dollar extends Placeholder {
  readonly meaning: DollarMeaning;
}

/**
 * Returns the placeholders `$N`, each with its meaning. In a skill that declares no arguments, `$5` in prose without a
 * `$4` is an amount.
 */
function dollarsOf(file: SkillFile, all: readonly Placeholder[]): readonly Dollar[] {
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

const placeholdersOf = (file: SkillFile): readonly Placeholder[] => bodyPlaceholders(file).slice(0, MAX_PLACEHOLDERS);

/** A `$1` in code or in an amount, which a target client replaces with an argument. */
export const unescapedDollar: Rule = {
  name: 'unescaped-dollar',
  severity: 'hint',
  ...ABOUT_BODIES,
  *check(file, analysis) {
    const targets = targetClients(analysis, file);
    const filling = targets.flatMap((client) => {
      const rules = known(client.arguments);
      return rules ? [{ client, rules }] : [];
    });
    if (filling.length === 0) return;
    for (const one of dollarsOf(file, placeholdersOf(file))) {
      const by = filling.filter(({ rules }) => isFilled(one, rules));
      const { meaning } = one;
      if (one.backslashes === 1) yield* lostBackslash(file, one, filling);
      if (by.length === 0 || meaning === 'argument' || meaning === 'unclear' || one.number > MAX_NUMBER) continue;
      const kept = meaning === 'amount' ? 'amount' : 'code';
      const replaces = by.length === 1 ? 'replaces' : 'replace';
      const fixes = fixesOf(
        file,
        { ...one, meaning },
        by.map(({ rules }) => rules),
        by.length < targets.length,
      );
      const how = fixes[0] ? ` ${fixes[0].title} to keep the ${kept}.` : '';
      yield {
        span: one.span,
        message: `If the skill is called with arguments, ${namesOf(by.map(({ client }) => client))} ${replaces} \`${one.written}\` with one of them.${how}`,
        fixes,
      };
    }
  },
};

/** Finds a backslash that is meant for a shell, but that a client removes. */
function* lostBackslash(
  file: SkillFile,
  one: Dollar,
  filling: readonly { readonly client: Client; readonly rules: ArgumentRules }[],
): Iterable<Draft> {
  const reader = file.body && readerOfBackslash(file.text, file.body, one.span);
  const by = filling.filter(({ rules }) => rules.escape && isFilled({ ...one, backslashes: 0 }, rules));
  if (!reader || by.length === 0) return;
  const newText = reader === 'awk' ? `$(${one.number})` : `\${${one.number}}`;
  yield {
    span: span(one.span.start - 1, one.span.end),
    message: `${namesOf(by.map(({ client }) => client))} ${by.length === 1 ? 'removes' : 'remove'} the backslash before \`${one.written}\`, so the shell replaces it. Write \`\\${newText}\`.`,
    fixes: fixHere(file, `Write \`\\${newText}\``, [{ span: one.span, newText }]),
  };
}

/**
 * Returns the ways to keep a dollar sign. A backslash is for clients that remove it; code that other clients read as
 * written gets the form with brackets first.
 */
function fixesOf(file: SkillFile, one: Dollar, rules: readonly ArgumentRules[], hasOthers: boolean): readonly Fix[] {
  const { span: place, number, meaning, backslashes } = one;
  const bracketed = meaning === 'awk' ? `$(${number})` : meaning === 'shell' ? `\${${number}}` : undefined;
  const brackets = bracketed ? fixHere(file, `Write \`${bracketed}\``, [{ span: place, newText: bracketed }]) : [];
  const canEscape = backslashes === 0 && rules.every((one) => one.escape);
  const escaped = canEscape
    ? fixHere(file, `Write \`\\${one.written}\``, [{ span: span(place.start, place.start), newText: '\\' }])
    : [];
  return hasOthers ? [...brackets, ...escaped] : [...escaped, ...brackets];
}

/** Arguments that are numbered from 1 for a client that counts from 0. */
export const argumentNumbers: Rule = {
  name: 'argument-numbers',
  severity: 'warning',
  ...ABOUT_BODIES,
  *check(file, analysis) {
    const targets = targetClients(analysis, file).filter((client) => known(client.arguments)?.shortFirst !== undefined);
    const zeroBased = targets.filter((client) => known(client.arguments)?.shortFirst === 0);
    if (zeroBased.length === 0) return;
    const all = placeholdersOf(file);
    const short = intendedDollars(file, all);
    const numbered = all.filter(
      ({ kind, backslashes, span: place }) =>
        (kind === 'indexed' && backslashes !== 1) || short.some((one) => one.span === place),
    );
    const [first] = numbered;
    const second = numbered.find(({ number }) => number === 1);
    if (!first || !second) return;
    if (all.some(({ kind, number }) => kind === 'named' || number === 0)) return;
    const counts = zeroBased.length === 1 ? 'counts' : 'count';
    const others = targets.filter((client) => !zeroBased.includes(client));
    const renumbered = numbered.map(({ span: place, number, written }) => ({
      span: place,
      newText: written.replace(/\d+/, String(number - 1)),
    }));
    yield {
      span: first.span,
      message:
        others.length === 0
          ? `${namesOf(zeroBased)} ${counts} arguments from 0, so \`${second.written}\` is the second argument. Write \`${second.written.replace('1', '0')}\` for the first.`
          : `${namesOf(zeroBased)} ${counts} arguments from 0, but ${namesOf(others)} from 1. Use \`$ARGUMENTS\` instead of numbers.`,
      related: placesHere(file, numbered.slice(1), 'Another argument with a number'),
      fixes: others.length === 0 ? fixHere(file, 'Number the arguments from 0', renumbered) : [],
    };
  },
};

/**
 * Returns the placeholders `$N` that are arguments: in a command that runs, in a skill that declares arguments, or at
 * the start of a line that describes them (`- $1: the file`). In a fence, the number must also be used elsewhere.
 */
function intendedDollars(file: SkillFile, all: readonly Placeholder[]): readonly Dollar[] {
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

/** The name without braces, which no client replaces; a script may define its own variable of this name. */
const UNBRACED = /\$CLAUDE_SKILL_DIR\b/g;

/** The variables that a client may replace in a body. A folder counts only in a path; otherwise it is only mentioned. */
const VARIABLE = /\$\{(CLAUDE_(?:[A-Z_]+_(?:DIR|ROOT|DATA)\}(?=["']?\/)|(?:SESSION_ID|EFFORT)\}))/g;

/** A placeholder, a variable or a command that target clients leave as it is. */
export const unfilledPlaceholder: Rule = {
  name: 'unfilled-placeholder',
  severity: 'hint',
  ...ABOUT_BODIES,
  *check(file, analysis) {
    yield* hookDrafts(file, analysis);
    const targets = targetClients(analysis, file);
    if (targets.length === 0 || !file.body) return;
    yield* argumentDrafts(file, targets);
    yield* variableDrafts(file, targets);
    for (const command of bodyCommands(file)) {
      const place = placeIn(file.body, command.mark);
      const leaving = targets.filter(
        ({ commands }) => commands?.certainty !== 'unverified' && commands?.value === null,
      );
      if (place.kind === 'text' && leaving.length > 0) yield commandDraft(file, command, leaving, targets);
    }
  },
};

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

function* argumentDrafts(file: SkillFile, targets: readonly Client[]): Iterable<Draft> {
  const shown = argumentPlaceholders(file);
  for (const [written, uses] of groupedBy(shown, (one) => one.written)) {
    const leaving = targets.filter((client) => {
      const rules = known(client.arguments);
      if (!rules) return rules === null;
      return uses[0]?.kind === 'indexed' ? rules.indexedFirst === undefined : !uses.some((one) => isFilled(one, rules));
    });
    if (leaving.length === 0) continue;
    yield {
      ...unfilled(file, written, uses, leaving, 'Describe the arguments in words.'),
      fixes: leaving.length < targets.length ? [] : wordsFor(file, uses),
    };
  }
}

/** Returns the fix that describes arguments in words, for placeholders in prose. */
const wordsFor = (file: SkillFile, uses: readonly Placeholder[]): readonly Fix[] =>
  uses.every(({ kind, span: place }) => kind === 'all' && file.body && placeIn(file.body, place.start).kind === 'text')
    ? fixHere(
        file,
        'Write "the arguments of the user"',
        uses.map(({ span: place }) => ({ span: place, newText: 'the arguments of the user' })),
      )
    : [];

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
  // Claude Code replaces these variables only in the skills of plugins.
  if (client.id === 'claude-code' && name.startsWith('CLAUDE_PLUGIN_') && OF_PROJECT.test(file.uri)) return false;
  return known(client.variables)?.includes(name);
}

function* variableDrafts(file: SkillFile, targets: readonly Client[]): Iterable<Draft> {
  const { text, body } = file;
  if (!body) return;
  const filled = new Set(targets.flatMap((client) => client.variables?.value ?? []));
  const filling = targets.filter((client) => known(client.variables)?.includes('CLAUDE_SKILL_DIR'));
  const unbraced = [...text.slice(body.span.start).matchAll(UNBRACED)].map(({ index, 0: written }) => ({
    span: span(body.span.start + index, body.span.start + index + written.length),
  }));
  if (filling.length > 0 && unbraced.length > 0 && !/\bCLAUDE_SKILL_DIR=/.test(text)) {
    const braced = unbraced.map((one) => ({ span: one.span, newText: '${CLAUDE_SKILL_DIR}' }));
    yield {
      ...unfilled(file, '$CLAUDE_SKILL_DIR', unbraced, filling, 'Write `${CLAUDE_SKILL_DIR}`.'),
      fixes: fixHere(file, 'Write `${CLAUDE_SKILL_DIR}`', braced),
    };
  }
  for (const [written, ofOne] of groupedBy(variablesIn(file), (one) => one.written)) {
    const name = ofOne[0]?.name ?? '';
    const leaving = targets.filter((client) => isReplaced(client, file, name) === false);
    if (leaving.length === 0) continue;
    const isDir = name === 'CLAUDE_SKILL_DIR';
    yield {
      ...unfilled(
        file,
        written,
        ofOne,
        leaving,
        isDir ? "Write paths relative to the skill's folder." : 'Describe the value in words.',
      ),
      fixes: isDir && !filled.has(name) ? relativePaths(file, ofOne) : [],
    };
  }
}

/** The path of a skill that belongs to no plugin. */
const OF_PROJECT = /\/\.claude\/skills\/[^/]+\/[^/]+$/;

/** Returns the fix that removes `${CLAUDE_SKILL_DIR}/` everywhere. */
function relativePaths(file: SkillFile, uses: readonly { readonly span: Span }[]): readonly Fix[] {
  const edits = uses.flatMap(({ span: { start, end } }): TextEdit[] => {
    if (file.text[end] === '/') return [{ span: span(start, end + 1), newText: '' }];
    const isQuoted = file.text[start - 1] === '"' && file.text.startsWith('"/', end);
    return isQuoted ? [{ span: span(start - 1, end + 2), newText: '' }] : [];
  });
  return edits.length === uses.length ? fixHere(file, "Use paths relative to the skill's folder", edits) : [];
}

/** Returns the finding at the first use of a placeholder. */
const unfilled = (
  file: SkillFile,
  written: string,
  uses: readonly { readonly span: Span }[],
  leaving: readonly Client[],
  how: string,
): Draft => ({
  span: uses[0]?.span ?? span(0, 0),
  message: `${namesOf(leaving)} ${leaving.length === 1 ? 'does' : 'do'} not replace \`${written}\`, so the model reads it as written. ${how}`,
  related: placesHere(file, uses.slice(1), 'Another use'),
});

function commandDraft(
  file: SkillFile,
  command: BodyCommand,
  leaving: readonly Client[],
  targets: readonly Client[],
): Draft {
  const { mark, kind, span: whole } = command;
  const isFence = kind === 'fence';
  const edit = { span: span(mark, mark + 1), newText: isFence ? 'bash' : '' };
  return {
    span: isFence ? edit.span : whole,
    message: `${namesOf(leaving)} ${leaving.length === 1 ? 'does' : 'do'} not run this command, so the model reads it as text. Tell the model to run it.`,
    fixes:
      leaving.length < targets.length
        ? []
        : fixHere(file, isFence ? 'Write `bash` instead of `!`' : 'Remove `!`', [edit]),
  };
}

/** Finds hooks with a variable that Claude Code sets only for the body (docs/rules/unfilled-placeholder.md). */
function* hookDrafts(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const client = targetClients(analysis, file).find(({ id }) => id === 'claude-code');
  if (!client) return;
  const folder = /\/(\.claude\/skills\/[^/]+)\/[^/]+$/.exec(file.uri)?.[1];
  const hooks = findValue(file.frontmatter.tree.root, 'hooks')?.span;
  if (!hooks) return;
  for (const { index, 0: written } of sliceOf(file.text, hooks).matchAll(/\$\{?CLAUDE_SKILL_DIR\b\}?/g)) {
    const at = span(hooks.start + index, hooks.start + index + written.length);
    const path = folder === undefined ? undefined : `\${CLAUDE_PROJECT_DIR}/${decoded(folder)}`;
    yield {
      span: at,
      severity: 'warning',
      message: `${client.name} does not set \`CLAUDE_SKILL_DIR\` for hooks, so it is empty here. Write the path from \`\${CLAUDE_PROJECT_DIR}\` or \`\${CLAUDE_PLUGIN_ROOT}\`.`,
      fixes: path === undefined ? [] : fixHere(file, `Write \`${path}\``, [{ span: at, newText: path }]),
    };
  }
}

/** Returns true in a fence with Markdown, which mostly shows another file. */
function isExample({ body }: SkillFile, { start }: Span): boolean {
  const fence = body && findTouching(body.fences, start, ({ contentSpan }) => contentSpan);
  return fence !== undefined && /^(?:markdown|md|mdx)$/i.test(fence.lang);
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
