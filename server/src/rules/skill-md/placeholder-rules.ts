/** Rules about the text that clients replace in the body of a `SKILL.md`, or leave as it is. */

import { readerOfBackslash } from '../../abilities/dollar-meaning.ts';
import { type OwnVariable, ownVariables } from '../../abilities/own-variables.ts';
import {
  argumentPlaceholders,
  type Dollar,
  dollarsOf,
  intendedDollars,
  isFilled,
  isReplaced,
  type Placeholder,
  placeholdersOf,
  variablesIn,
} from '../../abilities/placeholders.ts';
import { type BodyCommand, bodyCommands, placeIn } from '../../abilities/self-running.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetClients } from '../../analysis/targets.ts';
import type { ArgumentRules, Client } from '../../clients/facts/client.ts';
import { verified } from '../../clients/facts/clients.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import { type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { decoded } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

/** The common properties of these rules. The target clients are undecided while files are still being read. */
const ABOUT_BODIES = {
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-27' },
  dialects: ['agent-skill', 'client-file'],
  isAboutTargets: true,
  isDecided: (_, analysis) => !analysis.partial,
} satisfies Partial<Rule>;

const namesOf = (clients: readonly Client[]): string => listed(clients.map(({ name }) => name));

const calledThing = ({ dialect }: SkillFile): string => (dialect === 'client-file' ? 'command' : 'skill');

/** The largest number of an argument that is reported, because calls rarely have more words. */
const MAX_NUMBER = 19;

/** A `$1` in code or in an amount, which a target client replaces with an argument. */
export const unescapedDollar: Rule = {
  name: 'unescaped-dollar',
  severity: 'hint',
  ...ABOUT_BODIES,
  *check(file, analysis) {
    const targets = targetClients(analysis, file);
    const filling = targets.flatMap((client) => {
      const rules = verified(client.arguments);
      return rules ? [{ client, rules }] : [];
    });
    if (filling.length === 0) return;
    yield* replacedVariables(file, filling);
    for (const one of dollarsOf(file, placeholdersOf(file))) {
      const by = filling.filter(({ rules }) => isFilled(one, rules));
      const { meaning } = one;
      if (one.backslashes === 1) yield* lostBackslash(file, one, filling);
      const isRemoved = by.length > 0 && by.every(({ rules }) => rules.missingIndexed === 'empty');
      if (by.length === 0 || meaning === 'argument' || meaning === 'unclear') continue;
      if (one.number > MAX_NUMBER && !isRemoved) continue;
      const kept = meaning === 'amount' ? 'amount' : 'code';
      const replaces = by.length === 1 ? 'replaces' : 'replace';
      const forms = keptForms(
        { ...one, meaning },
        by.map(({ rules }) => rules),
        by.length < targets.length,
      );
      const inWords = isRemoved && meaning === 'amount' ? ' Write the amount without a dollar sign.' : '';
      const how = forms[0] === undefined ? inWords : ` ${writes(forms[0])} to keep the ${kept}.`;
      const names = namesOf(by.map(({ client }) => client));
      yield {
        span: one.span,
        message: isRemoved
          ? `If a user calls the ${calledThing(file)} by its name, ${names} ${replaces} \`${one.written}\` with an argument, or ${by.length === 1 ? 'removes' : 'remove'} it.${how}`
          : `If the ${calledThing(file)} is called with arguments, ${names} ${replaces} \`${one.written}\` with one of them.${how}`,
        fixes: forms.flatMap((form) => fixHere(file, writes(form), [{ span: one.span, newText: form }])),
      };
    }
  },
};

/** Finds variables of code that have the name of an argument. */
function* replacedVariables(
  file: SkillFile,
  filling: readonly { readonly client: Client; readonly rules: ArgumentRules }[],
): Iterable<Draft> {
  const by = filling.filter(({ rules }) => rules.named);
  if (by.length === 0) return;
  for (const one of ownVariables(file)) yield draftOfVariable(file, one, by);
}

function draftOfVariable(
  file: SkillFile,
  { name, uses, isOfShell }: OwnVariable,
  by: readonly { readonly client: Client; readonly rules: ArgumentRules }[],
): Draft {
  const [first, ...others] = uses;
  const one = by.length === 1;
  const removes = by.every(({ rules }) => rules.missingNamed === 'empty')
    ? `, or ${one ? 'removes' : 'remove'} it`
    : '';
  const forms = [
    ...(isOfShell ? [`\${${name}}`] : []),
    ...(by.every(({ rules }) => rules.escape) && uses.every(({ backslashes }) => backslashes === 0)
      ? [`\\$${name}`]
      : []),
  ];
  const how =
    forms[0] === undefined
      ? 'Rename the argument.'
      : `${writes(forms[0])} to keep the variable, or rename the argument.`;
  return {
    span: first.span,
    message: `${namesOf(by.map(({ client }) => client))} ${one ? 'replaces' : 'replace'} \`$${name}\` with the argument \`${name}\`${removes}. ${how}`,
    related: placesHere(file, others, 'Another use'),
    fixes: forms.flatMap((form) =>
      fixHere(
        file,
        writes(form),
        uses.map(({ span: place }) => ({ span: place, newText: form })),
      ),
    ),
  };
}

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
 * Returns the forms that keep a dollar sign. A backslash is for clients that remove it; code that other clients read as
 * written gets the form with brackets first.
 */
function keptForms(one: Dollar, rules: readonly ArgumentRules[], hasOthers: boolean): readonly string[] {
  const { number, meaning, backslashes, written } = one;
  const bracketed = meaning === 'awk' ? [`$(${number})`] : meaning === 'shell' ? [`\${${number}}`] : [];
  const escaped = backslashes === 0 && rules.every((own) => own.escape) ? [`\\${written}`] : [];
  return hasOthers ? [...bracketed, ...escaped] : [...escaped, ...bracketed];
}

const writes = (form: string): string => `Write \`${form}\``;

/** Arguments that are numbered from 1 for a client that counts from 0. */
export const argumentNumbers: Rule = {
  name: 'argument-numbers',
  severity: 'warning',
  ...ABOUT_BODIES,
  *check(file, analysis) {
    const targets = targetClients(analysis, file).filter(
      (client) => verified(client.arguments)?.shortFirst !== undefined,
    );
    const zeroBased = targets.filter((client) => verified(client.arguments)?.shortFirst === 0);
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

/** The name without braces, which no client replaces; a script may define its own variable of this name. */
const UNBRACED = /\$CLAUDE_SKILL_DIR\b/g;

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
    yield* variableDrafts(file, analysis, targets);
    for (const command of bodyCommands(file)) {
      const place = placeIn(file.body, command.mark);
      const leaving = targets.filter(
        ({ commands }) => commands?.certainty !== 'unverified' && commands?.value === null,
      );
      if (place.kind === 'text' && leaving.length > 0) yield commandDraft(file, command, leaving, targets);
    }
  },
};

function* argumentDrafts(file: SkillFile, targets: readonly Client[]): Iterable<Draft> {
  const shown = argumentPlaceholders(file);
  for (const [written, uses] of groupedBy(shown, (one) => one.written)) {
    const leaving = targets.filter((client) => {
      const rules = verified(client.arguments);
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

function* variableDrafts(file: SkillFile, analysis: Analysis, targets: readonly Client[]): Iterable<Draft> {
  const { text, body } = file;
  if (!body) return;
  const filled = new Set(targets.flatMap((client) => client.variables?.value ?? []));
  const filling = targets.filter((client) => verified(client.variables)?.includes('CLAUDE_SKILL_DIR'));
  const unbraced = [...text.slice(body.span.start).matchAll(UNBRACED)].map(({ index, 0: written }) => ({
    span: span(body.span.start + index, body.span.start + index + written.length),
  }));
  if (
    file.dialect === 'agent-skill' &&
    filling.length > 0 &&
    unbraced.length > 0 &&
    !/\bCLAUDE_SKILL_DIR=/.test(text)
  ) {
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
    const isDir = name === 'CLAUDE_SKILL_DIR' && file.dialect === 'agent-skill';
    const ofSkill = name === 'CLAUDE_PLUGIN_ROOT' && filling.length > 0 ? skillVariable(file, analysis, ofOne) : [];
    const instead =
      ofSkill.length > 0 ? 'Write `${CLAUDE_SKILL_DIR}`, because the file is there.' : wordsInstead(file, name);
    yield {
      ...unfilled(file, written, ofOne, leaving, isDir ? "Write paths relative to the skill's folder." : instead),
      fixes: isDir && !filled.has(name) ? relativePaths(file, ofOne) : ofSkill,
    };
  }
}

/** Returns the fix that writes the variable of the skill's folder, if all the paths after the variable of the plugin are there. */
function skillVariable(file: SkillFile, analysis: Analysis, uses: readonly { readonly span: Span }[]): readonly Fix[] {
  const folder = analysis.folder(file.uri);
  const isThere = ({ span: { end } }: { readonly span: Span }): boolean => {
    const [, path] = /^"?\/([\p{L}\p{M}\p{N}_.+/-]+)/u.exec(file.text.slice(end, end + 400)) ?? [];
    return path !== undefined && folder?.has(resolvePath(folder.uri, path.replace(/[.]+$/, ''))) === true;
  };
  const edits = uses.map((one) => ({ span: one.span, newText: '${CLAUDE_SKILL_DIR}' }));
  return uses.every(isThere) ? fixHere(file, 'Write `${CLAUDE_SKILL_DIR}`', edits) : [];
}

/** Returns the advice about a variable. A command is a file, and has no folder of its own. */
const wordsInstead = ({ dialect }: SkillFile, name: string): string =>
  dialect === 'client-file' && name === 'CLAUDE_SKILL_DIR'
    ? 'A command has no folder. Write the path from the project.'
    : 'Describe the value in words.';

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

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
