/** The step `delivered`: the body that the model reads, with the parts that the client replaces or runs. */

import {
  argumentNames,
  argumentPlaceholders,
  fillArguments,
  isFilled,
  isReplaced,
  type Placeholder,
  placeholdersOf,
  variablesIn,
} from '../../abilities/placeholders.ts';
import { commandsIn, placeIn } from '../../abilities/self-running.ts';
import type { Client, Fact } from '../../clients/facts/client.ts';
import { verified } from '../../clients/facts/clients.ts';
import { type Reason, reasonOf } from '../../clients/matrix/cell.ts';
import { estimateTokens } from '../../composer/tokens-estimate.ts';
import { formatNumber } from '../../format-amounts.ts';
import { listed } from '../../nearest.ts';
import type { DeliveredBody, DeliveredPart } from '../../protocol/chosen.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, type Span, shift, sliceOf, span } from '../../text.ts';
import type { Step } from './chain.ts';
import type { DeliveredCalls } from './delivered-call.ts';

/** Returns the placeholders, variables and commands in a body, in its order. */
export function partsOf(
  file: SkillFile,
  client: Client,
  fillsFor: DeliveredCalls['fillsFor'] = undefined,
): readonly DeliveredPart[] {
  const { body, text, uri } = file;
  if (!body) return [];
  const isByNameOnly = fillsFor !== undefined && !fillsFor.includes('model');
  const part = (
    kind: DeliveredPart['kind'],
    place: Span,
    isFilledIn: boolean | undefined,
    mark = place.start,
  ): DeliveredPart => {
    const where = placeIn(body, mark).kind;
    return {
      kind,
      written: text.slice(place.start, place.end),
      outcome: isFilledIn === undefined ? 'unknown' : isFilledIn ? 'filled' : 'kept',
      isInCode: where === 'fence' || where === 'code-span',
      ...(isByNameOnly && isFilledIn && (kind === 'argument' || kind === 'text') && { isByNameOnly }),
      at: { uri, span: place },
    };
  };
  const rules = fillsFor?.length === 0 ? null : verified(client.arguments);
  const commandRules = verified(client.commands);
  const { start } = body.span;
  const all = commandsIn(text.slice(start));
  const run = new Set((commandRules ? commandsIn(text.slice(start), commandRules) : []).map((one) => one.span.start));
  const meant = argumentPlaceholders(file);
  const isText = ({ span: { start: at } }: Placeholder): boolean => !meant.some((one) => one.span.start === at);
  return [
    ...meant.map((one) =>
      part('argument', one.span, rules === undefined ? undefined : rules !== null && isFilled(one, rules)),
    ),
    ...placeholdersOf(file).flatMap((one) =>
      rules && isText(one) && isFilled(one, rules) ? [part('text', one.span, true)] : [],
    ),
    ...variablesIn(file).map((one) => part('variable', one.span, isReplaced(client, file, one.name))),
    ...all.map((one) =>
      part(
        'command',
        shift(one.span, start),
        commandRules === undefined ? undefined : run.has(one.span.start),
        start + one.mark,
      ),
    ),
  ].sort((a, b) => a.at.span.start - b.at.span.start);
}

/** The maximum number of UTF-16 code units of a delivered body that are returned. */
const MAX_BODY = 20_000;

/** Returns the body with the arguments filled in. Never runs a command. */
export function bodyFor(file: SkillFile, client: Client, given: string | undefined): DeliveredBody | undefined {
  if (!file.body) return undefined;
  const written = sliceOf(file.text, file.body.span).trim();
  const rules = verified(client.arguments);
  const { replacements, appended } =
    given === undefined || !rules
      ? { replacements: [], appended: '' }
      : fillArguments(written, rules, { text: given, names: argumentNames(file) });
  const edits = replacements.map(({ start, end, text }) => ({ span: span(start, end), newText: text }));
  const whole = applyEdits(written, edits) + appended;
  const text = whole.slice(0, MAX_BODY);
  const run = verified(client.commands);
  return {
    text,
    omitted: whole.length - text.length,
    tokens: estimateTokens(whole),
    commands: run ? commandsIn(text, run).map((one) => one.span) : [],
  };
}

/** The facts about one kind of part, and the sentences about its parts. */
const KINDS = [
  { kind: 'argument', key: 'arguments', filled: 'fills in', what: ['placeholder', 'placeholders'] },
  { kind: 'text', key: 'arguments', filled: 'replaces', what: ['use of `$`', 'uses of `$`'] },
  { kind: 'variable', key: 'variables', filled: 'replaces', what: ['variable', 'variables'] },
  { kind: 'command', key: 'commands', filled: 'runs', what: ['command', 'commands'] },
] as const;

export function deliveredStep(
  client: Client,
  parts: readonly DeliveredPart[],
  body: DeliveredBody | undefined,
  calls?: DeliveredCalls,
  hasArguments = false,
): Step {
  const step = { name: 'delivered' as const };
  const reasons: Reason[] = [...(calls?.reasons ?? [])];
  const texts: string[] = [];
  for (const { kind, key, filled, what } of KINDS) {
    const own = parts.filter((one) => one.kind === kind);
    if (own.length === 0) continue;
    const fact: Fact<unknown> | undefined = client[key];
    const shown = (outcome: DeliveredPart['outcome']): readonly string[] => [
      ...new Set(own.flatMap((one) => (one.outcome === outcome ? [asCode(one.written)] : []))),
    ];
    const named = (words: readonly string[]): string =>
      words.length <= MAX_NAMED ? listed(words) : `${words.length} ${what[1]}`;
    const [changed, kept, unknown] = [shown('filled'), shown('kept'), shown('unknown')];
    const inCode = own.filter((one) => one.outcome === 'filled' && one.isInCode).length;
    const examples = inCode === 0 ? '' : `, also in code (${inCode} of ${own.length})`;
    const when = kind === 'text' ? 'If the skill is called with arguments, the' : 'The';
    if (changed.length > 0) {
      const isByName = own.some((one) => one.isByNameOnly);
      const only = isByName ? ' only in a call by name; in its own call, the model reads it as written' : '';
      texts.push(`${when} client ${filled} ${named(changed)}${examples}${only}.`);
    }
    if (kept.length > 0) texts.push(`The model reads ${named(kept)} as written.`);
    if (unknown.length > 0) texts.push(`It is not known whether the client ${filled} ${named(unknown)}.`);
    const isRepeated = kind === 'text' && parts.some((one) => one.kind === 'argument');
    if (fact && !isRepeated) reasons.push(reasonOf(client, fact, factText(fact.value, kind)));
  }
  const unfilled = body && hasArguments ? unfilledIn(body.text, parts) : [];
  if (unfilled.length > 0)
    texts.push(
      `With these arguments, ${listed(unfilled.map(asCode))} ${unfilled.length === 1 ? 'stays' : 'stay'} as written, because there are too few.`,
    );
  if (!body) return { ...step, outcome: 'unknown', text: 'The file has no body that can be read.', reasons };
  const size = `The body has ≈ ${formatNumber(body.tokens)} ${body.tokens === 1 ? 'token' : 'tokens'}.`;
  const ofProse = parts.filter(({ isInCode }) => !isInCode);
  const outcome = parts.some((one) => one.outcome === 'unknown')
    ? 'unknown'
    : calls?.isCut || ofProse.some((one) => one.outcome === 'kept')
      ? 'no'
      : parts.some((one) => one.outcome === 'filled')
        ? 'depends'
        : 'yes';
  const plain = texts.length === 0 ? 'It contains nothing that a client replaces or runs.' : texts.join(' ');
  return { ...step, outcome, text: [plain, size, ...(calls?.texts ?? [])].join(' '), reasons };
}

/** Returns the placeholders of arguments, such as `$2`, that a body still contains after arguments are filled in. */
function unfilledIn(body: string, parts: readonly DeliveredPart[]): readonly string[] {
  const left = new Set([...body.matchAll(/[$]\d+/g)].map(([written]) => written));
  const filled = parts.filter(({ kind, outcome }) => (kind === 'argument' || kind === 'text') && outcome === 'filled');
  return [...new Set(filled.map(({ written }) => written))].filter((written) => left.has(written));
}

/** Returns text of the author as code, on one line and shortened. */
function asCode(written: string): string {
  const line = written.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return `\`${line.length > MAX_CODE ? `${line.slice(0, MAX_CODE)}…` : line}\``;
}

const MAX_CODE = 60;

/** The maximum number of parts of one kind that a sentence names. */
const MAX_NAMED = 5;

function factText(value: unknown, kind: DeliveredPart['kind']): string {
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  if (kind === 'command')
    return isNone ? 'The client runs no commands in a body' : 'The client runs commands in a body';
  const what = kind === 'variable' ? 'variables' : 'placeholders for arguments';
  return isNone ? `The client replaces no ${what}` : `The client replaces ${what}`;
}
