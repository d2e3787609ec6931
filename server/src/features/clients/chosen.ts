/**
 * Answers “Will this skill be chosen?” for one skill and one client, as a chain of five steps (docs/clients.md, "Will it be
 * chosen?"). Everything is computed from the files and the facts about the client, without a model.
 */

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
import type { Listing } from '../../agent-skills/budget.ts';
import { type Cell, type ClientRow, type Reason, reasonOf } from '../../agent-skills/cell.ts';
import { isFormKnown, type ListingOutcome, type ListPosition } from '../../agent-skills/list-line.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { type ClientList, type DecisiveWord, MAX_RANK, rankForRequest } from '../../analysis/client-ranking.ts';
import { targetRows } from '../../analysis/targets.ts';
import { estimateTokens } from '../../composer/tokens-estimate.ts';
import { listed } from '../../nearest.ts';
import type {
  ChainCase,
  ChainOutcome,
  ChainStep,
  ChainStepName,
  ChosenView,
  DeliveredBody,
  DeliveredPart,
  RequestRanking,
} from '../../protocol/chosen.ts';
import type { ClientView } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, type Span, shift, sliceOf, span } from '../../text.ts';
import type { Client, Fact, ListOrder } from '../../vocabulary/client.ts';
import { clients, findClient, verified } from '../../vocabulary/clients.ts';
import { reasonsOf, viewOf } from './clients-view.ts';

/** A request that must, or must not, choose the skill, with its location in the skill or in a file of `evals/`. */
export interface ChosenCase {
  readonly request: string;
  readonly should: boolean;
  readonly uri: string;
  readonly span: Span;
}

export interface ChosenQuery {
  /** The ID of the client; undefined for the first target client, else the first client that finds the skill. */
  readonly client: string | undefined;
  /** A request to rank the client's skills for; undefined to rank only the routing cases. */
  readonly request: string | undefined;
  /** The arguments with which a user calls the skill; undefined to keep the placeholders. */
  readonly arguments: string | undefined;
  readonly cases: readonly ChosenCase[];
}

/**
 * Returns the chain of one skill and one client.
 *
 * @returns Undefined for another file than a `SKILL.md`.
 */
export function chosenView(analysis: Analysis, file: SkillFile, query: ChosenQuery): ChosenView | undefined {
  if (file.dialect !== 'agent-skill') return undefined;
  const targets = targetRows(analysis, file).clients;
  const asked = query.client === undefined ? undefined : findClient(query.client);
  const rows = analysis.agentSkills.rowsOf(file, asked ? [asked] : clients, analysis.findLink);
  const row = rows.find(({ client }) => client === (asked ?? targets[0])) ?? firstFinding(rows);
  if (!row) return undefined;
  const { client } = row;
  const listing = analysis.listings.find(client, file.uri);
  const view = viewOf(file, row, targets.includes(client), listing);
  const list = analysis.clientLists.find(analysis, client, file.uri);
  const isListed = list.skills.has(file.uri) && row.listed.outcome !== 'no';
  const { matchingMargin } = analysis.parsedCatalogOf(file.uri);
  const rankFor = (request: string): RequestRanking => rankingFor(list, client, request, file.uri, matchingMargin);
  const request = query.request?.trim();
  const ranking = request && isListed ? rankFor(request) : undefined;
  const ranked = isListed ? query.cases.slice(0, MAX_CASES) : [];
  const cases = ranked.map((one) => caseFor(one, rankFor(one.request)));
  const parts = partsOf(file, client).slice(0, MAX_PARTS);
  const body = row.loaded.outcome === 'no' ? undefined : bodyFor(file, client, query.arguments);
  const steps = chain(file, [
    foundStep(row),
    loadedStep(row),
    listedStep(row, view, listing, list.skills.size, analysis.listings.positionOf(client, file.uri)),
    chosenStep(row, isListed, ranking, cases),
    deliveredStep(client, parts, body),
  ]);
  return {
    uri: file.uri,
    client: { id: client.id, name: client.name, asOf: client.asOf },
    clients: [...targets, ...clients.filter((one) => !targets.includes(one))].map((one) => ({
      ...{ id: one.id, name: one.name, isTarget: targets.includes(one) },
    })),
    steps,
    ...(view.line && { line: view.line }),
    ...(view.budget && { budget: view.budget }),
    isChoosable: isListed && row.chosen.outcome !== 'name' && row.chosen.outcome !== 'nobody',
    ...(ranking && { ranking }),
    cases,
    moreCases: isListed ? query.cases.length - cases.length : 0,
    parts,
    ...(body && { body }),
  };
}

const firstFinding = (rows: readonly ClientRow[]): ClientRow | undefined =>
  rows.find(({ found }) => found.outcome === 'yes') ?? rows[0];

/** The maximum number of parts of a body that are returned. */
const MAX_PARTS = 500;

/** The maximum number of routing cases that are ranked. */
const MAX_CASES = 100;

/** A step before its reasons are located in the file. */
interface Step {
  readonly name: ChainStepName;
  readonly outcome: Exclude<ChainOutcome, 'not-reached'>;
  readonly text: string;
  readonly reasons: readonly Reason[];
  readonly isPartial?: boolean;
  /** Set if the reasons do not decide it: true if the outcome rests on facts that are not verified. */
  readonly isGuess?: boolean;
  /** True if the client does not reach the later steps. */
  readonly isEnd?: boolean;
}

/** Returns the steps in order. */
function chain(file: SkillFile, steps: readonly Step[]): readonly ChainStep[] {
  const end = steps.findIndex(({ isEnd }) => isEnd);
  return steps.map(({ name, outcome, text, reasons, isPartial, isGuess = isGuessed(reasons) }, at) =>
    end >= 0 && at > end
      ? { name, outcome: 'not-reached', text: NOT_REACHED, isUnverified: false, reasons: [] }
      : {
          ...{ name, outcome, text, isUnverified: isGuess, reasons: reasonsOf(file, reasons) },
          ...(isPartial && outcome === 'yes' && { isPartial }),
        },
  );
}

const NOT_REACHED = 'Not reached, because an earlier step fails.';

/** Returns whether no reason is verified. */
const isGuessed = (reasons: readonly Reason[]): boolean =>
  reasons.length > 0 && reasons.every(({ certainty }) => certainty === 'unverified');

const sentences = (reasons: readonly Reason[]): string => [...new Set(reasons.map(({ text }) => text))].join(' ');

/** Returns the outcome of a cell, with `depends` for an unknown outcome whose cause is known. */
function outcomeOf({ outcome, reasons }: Cell): Step['outcome'] {
  const isOpen = reasons.some((reason) => reason.isOpen);
  return isOpen && outcome !== 'no' ? 'depends' : outcome;
}

function foundStep({ found }: ClientRow): Step {
  const { reasons } = found;
  const isEnd = found.outcome === 'no';
  return { name: 'found', outcome: outcomeOf(found), text: sentences(reasons), reasons, isEnd };
}

function loadedStep({ loaded }: ClientRow): Step {
  const known = loaded.outcome === 'unknown' ? 'It is not known whether the client loads the file.' : NOTHING_KNOWN;
  return {
    name: 'loaded',
    outcome: outcomeOf(loaded),
    text: sentences(loaded.reasons) || known,
    reasons: loaded.reasons,
    isEnd: loaded.outcome === 'no',
  };
}

const NOTHING_KNOWN = 'Nothing in the file is known to prevent it.';

const amount = (count: number): string => count.toLocaleString('en');

function listedStep(
  row: ClientRow,
  view: ClientView,
  listing: Listing | undefined,
  size: number,
  position: ListPosition | undefined,
): Step {
  const { client } = row;
  const fact = client.listing.budget;
  const budget = view.budget;
  const fate = budget?.entryOutcome ?? 'whole';
  const isOptional = typeof fact.value === 'object' && fact.value?.onlyWith !== undefined;
  const outcome = outcomeOf(row.listed);
  const told = [...row.listed.reasons, ...row.cut.reasons];
  // Without a remark, the outcome rests on the fact that the model chooses among listed skills.
  const isGuess = told.length > 0 ? isGuessed(told) : isGuessed(automaticReason(client));
  const base = { name: 'listed' as const, isGuess, reasons: [...told, ...listReasons(client, fate)] };
  if (outcome === 'no') return { ...base, outcome, text: sentences(row.listed.reasons) };
  const texts = [
    sentences(told),
    ...(outcome === 'unknown' ? ['It is not known whether the list contains the skill.'] : []),
    placeInList(size, position),
    ...(listing ? [sizeText(listing)] : [fact.value === null ? NO_LIMIT : UNKNOWN_LIMIT]),
    ...fateTexts(fate, listing),
  ];
  const touched: Step['outcome'] = isOptional ? 'depends' : fate === 'dropped' ? 'no' : 'depends';
  return {
    ...base,
    isPartial: row.cut.outcome === 'yes' || fate === 'shortened' || fate === 'name-only',
    outcome: fate === 'dropped' || fate === 'maybe' || (isOptional && fate !== 'whole') ? touched : outcome,
    text: texts.filter((text) => text !== '').join(' '),
  };
}

function placeInList(size: number, position: ListPosition | undefined): string {
  if (size === 1) return 'It is the only skill in the list.';
  const order = position
    ? `at position ${amount(position.at)} of ${amount(position.of)}`
    : `one of ${amount(size)} skills, in an order that is not known`;
  return `In the list, it is ${order}.`;
}

/** Returns the facts about the size of the list, and about what is removed if it is too long. */
function listReasons(client: Client, fate: 'whole' | ListingOutcome): readonly Reason[] {
  const { budget, overflow, format, order } = client.listing;
  const limit =
    budget.value === 'unknown'
      ? 'The size of the list is limited, but the limit is not known'
      : budget.value === null
        ? 'No limit of the size of the list is known'
        : 'The size of the list is limited';
  return [
    reasonOf(
      client,
      format,
      isFormKnown(format) ? 'The form of the entry is known' : 'The form of the entry is not known',
    ),
    ...(order ? [reasonOf(client, order, `The order of the list is: ${ORDERS[order.value]}`)] : []),
    reasonOf(client, budget, limit),
    ...(fate === 'whole' ? [] : [reasonOf(client, overflow, 'A part of a list that is too long is removed')]),
  ];
}

const ORDERS: Readonly<Record<ListOrder, string>> = {
  'scope-name': 'by scope, then by name',
  name: 'by name',
  'folder-path': 'by the path of the folder',
  'file-path': 'by the path of the file',
  found: 'as the file system lists the folders',
};

const NO_LIMIT = 'No limit of its size is known.';
const UNKNOWN_LIMIT = 'Its size is limited, but the limit is not known.';

function sizeText({ client, limit, used }: Listing): string {
  const setting = client.listing.budget.value === 'unknown' ? undefined : client.listing.budget.value?.onlyWith;
  const guess = client.listing.budget.certainty === 'unverified' ? ' (not verified)' : '';
  const only = setting === undefined ? '' : `, only with the setting ${setting}`;
  return `It uses ${amount(used)} of ${amount(limit.amount)} ${limit.unit}${only}${guess}.`;
}

function fateTexts(fate: 'whole' | ListingOutcome, listing: Listing | undefined): readonly string[] {
  switch (fate) {
    case 'shortened':
      return [`Its description is shortened to about ${amount(listing?.shortenedTo ?? 0)} ${listing?.limit.unit}.`];
    case 'name-only':
      return ['Only the name of the skill fits.'];
    case 'dropped':
      return ['The skill does not fit, so the list omits it.'];
    case 'maybe':
      return [
        listing?.client.listing.overflow.value === 'least-used-descriptions-go'
          ? `At least ${amount(listing.dropped)} descriptions are removed, those of the least used skills.`
          : `At least ${amount(listing?.dropped ?? 0)} skills are not listed in full. The order of the list is not known.`,
      ];
    default:
      return [];
  }
}

// The ranking for a request.

/** The text is about words, because no model takes part. */
function rankingFor(list: ClientList, client: Client, request: string, uri: string, margin: number): RequestRanking {
  const { ranked, place, hasWords, isTie, rival, decisive } = rankForRequest(list, request, uri, margin);
  const outcome = place === 1 && !isTie ? 'chosen' : ranked.length === 0 ? 'none' : isTie ? 'tie' : 'rival';
  const words = decisive.slice(0, MAX_WORDS).map(({ word }) => word);
  const text =
    outcome === 'none'
      ? 'No skill in the list contains a word of this request.'
      : outcome === 'chosen'
        ? `The skill ranks first${ranked.length > 1 ? `, because of ${quoted(words)}` : '. No other skill contains a word of the request'}.`
        : outcome === 'tie'
          ? `The scores of this skill and \`${rival?.name}\` are too close to decide.`
          : `\`${rival?.name}\` ranks first. ${whyText(decisive, client)}${placeText(place, hasWords)}`;
  return {
    request,
    outcome,
    ...(place !== undefined && { place }),
    ranked,
    ...(rival && { rival }),
    decisive,
    text,
  };
}

const MAX_WORDS = 5;

const quoted = (words: readonly string[]): string => listed(words.map((word) => `“${word}”`));

function placeText(place: number | undefined, hasWords: boolean): string {
  if (place !== undefined) return ` This skill ranks at position ${place}.`;
  return hasWords ? ` This skill ranks below ${MAX_RANK}.` : ' This skill has no word of the request.';
}

/** Says which words decide for the rival. */
function whyText(decisive: readonly DecisiveWord[], { name }: Client): string {
  const by = (why: DecisiveWord['why']): readonly string[] =>
    decisive.flatMap((one) => (one.why === why ? [one.word] : [])).slice(0, MAX_WORDS);
  const [missing, cut, named, heavy] = [by('missing'), by('cut'), by('name'), by('weight')];
  return [
    ...(missing.length > 0 ? [`Only its text contains ${quoted(missing)}.`] : []),
    ...(cut.length > 0 ? [`This skill has ${quoted(cut)} only in the part that ${name} cuts.`] : []),
    ...(named.length > 0 ? [`Its name contains ${quoted(named)}.`] : []),
    ...(heavy.length > 0 ? [`Both texts contain ${quoted(heavy)}, but its text is shorter or repeats them.`] : []),
  ].join(' ');
}

function caseFor({ should, uri, span: at }: ChosenCase, ranking: RequestRanking): ChainCase {
  // A tie counts as in `routing-fails`: the skill that ranks first is chosen.
  return { ...ranking, should, holds: (ranking.place === 1) === should, at: { uri, span: at } };
}

function chosenStep(
  { client, chosen }: ClientRow,
  isListed: boolean,
  ranking: RequestRanking | undefined,
  cases: readonly ChainCase[],
): Step {
  const step = { name: 'chosen' as const, reasons: [...(isListed ? automaticReason(client) : []), ...chosen.reasons] };
  if (!isListed || chosen.outcome === 'name' || chosen.outcome === 'nobody') {
    if (chosen.outcome === 'nobody') return { ...step, outcome: 'no', text: 'Nobody can choose it.', isEnd: true };
    return client.byName.value === 'yes'
      ? { ...step, outcome: 'no', text: 'Only people who type its name can choose it.' }
      : { ...step, outcome: 'unknown', text: 'The model does not see it. It is not known whether people can call it.' };
  }
  if (ranking) {
    const outcomes = { chosen: 'yes', tie: 'depends', rival: 'no', none: 'no' } as const;
    return { ...step, outcome: outcomes[ranking.outcome], text: ranking.text };
  }
  if (cases.length === 0) return { ...step, outcome: 'depends', text: NO_CASES };
  const held = cases.filter(({ holds }) => holds).length;
  const text = `${held} of ${cases.length} routing ${cases.length === 1 ? 'case holds' : 'cases hold'}.`;
  return { ...step, outcome: held === cases.length ? 'yes' : held === 0 ? 'no' : 'depends', text };
}

/** Returns the fact that the model loads skills itself, if it is known. */
function automaticReason(client: Client): readonly Reason[] {
  const fact = client.facts['invocation.automatic'];
  return fact?.value === true ? [reasonOf(client, fact, 'The model can load the skill itself')] : [];
}

const NO_CASES = 'This depends on the request. The skill has no routing cases.';

// The delivered body.

/** The maximum number of UTF-16 code units of a delivered body that are returned. */
const MAX_BODY = 20_000;

/** Returns the placeholders, variables and commands in a body, in its order. */
function partsOf(file: SkillFile, client: Client): readonly DeliveredPart[] {
  const { body, text, uri } = file;
  if (!body) return [];
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
      at: { uri, span: place },
    };
  };
  const rules = verified(client.arguments);
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

/** Returns the body with the arguments filled in. Never runs a command. */
function bodyFor(file: SkillFile, client: Client, given: string | undefined): DeliveredBody | undefined {
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

function deliveredStep(client: Client, parts: readonly DeliveredPart[], body: DeliveredBody | undefined): Step {
  const step = { name: 'delivered' as const };
  const reasons: Reason[] = [];
  const texts: string[] = [];
  for (const { kind, key, filled, what } of KINDS) {
    const own = parts.filter((one) => one.kind === kind);
    if (own.length === 0) continue;
    const fact: Fact<unknown> | undefined = client[key];
    const shown = (outcome: DeliveredPart['outcome']): readonly string[] => [
      ...new Set(own.flatMap((one) => (one.outcome === outcome ? [asCode(one.written)] : []))),
    ];
    const named = (words: readonly string[]): string =>
      words.length <= MAX_WORDS ? listed(words) : `${words.length} ${what[1]}`;
    const [changed, kept, unknown] = [shown('filled'), shown('kept'), shown('unknown')];
    const inCode = own.filter((one) => one.outcome === 'filled' && one.isInCode).length;
    const examples = inCode === 0 ? '' : `, also in code (${inCode} of ${own.length})`;
    const when = kind === 'text' ? 'If the skill is called with arguments, the' : 'The';
    if (changed.length > 0) texts.push(`${when} client ${filled} ${named(changed)}${examples}.`);
    if (kept.length > 0) texts.push(`The model reads ${named(kept)} as written.`);
    if (unknown.length > 0) texts.push(`It is not known whether the client ${filled} ${named(unknown)}.`);
    const isTold = kind === 'text' && parts.some((one) => one.kind === 'argument');
    if (fact && !isTold) reasons.push(reasonOf(client, fact, factText(fact.value, kind)));
  }
  if (!body) return { ...step, outcome: 'unknown', text: 'The file has no body that can be read.', reasons };
  const size = `The body has about ${amount(body.tokens)} tokens.`;
  const ofProse = parts.filter(({ isInCode }) => !isInCode);
  const outcome = parts.some((one) => one.outcome === 'unknown')
    ? 'unknown'
    : ofProse.some((one) => one.outcome === 'kept')
      ? 'no'
      : parts.some((one) => one.outcome === 'filled')
        ? 'depends'
        : 'yes';
  const plain = texts.length === 0 ? 'It contains nothing that a client replaces or runs.' : texts.join(' ');
  return { ...step, outcome, text: `${plain} ${size}`, reasons };
}

/** Returns text of the author as code, on one line and shortened. */
function asCode(written: string): string {
  const line = written.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return `\`${line.length > MAX_CODE ? `${line.slice(0, MAX_CODE)}…` : line}\``;
}

const MAX_CODE = 60;

function factText(value: unknown, kind: DeliveredPart['kind']): string {
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  if (kind === 'command')
    return isNone ? 'The client runs no commands in a body' : 'The client runs commands in a body';
  const what = kind === 'variable' ? 'variables' : 'placeholders for arguments';
  return isNone ? `The client replaces no ${what}` : `The client replaces ${what}`;
}
