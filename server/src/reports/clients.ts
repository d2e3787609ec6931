/** The formats of `clients`: tables for a terminal, and in Markdown for a README; and the chain of `clients --why`. */
import type { Colors } from 'picocolors/types';
import type { RankedSkill } from '../analysis/client-ranking.ts';
import type { SameName } from '../analysis/same-names.ts';
import type { Client } from '../clients/facts/client.ts';
import { countEntries, type Listing } from '../clients/matrix/budget.ts';
import { type Chosen, type ClientRow, COLUMNS, type Reason } from '../clients/matrix/cell.ts';
import { ENTRY_WORDS, limitText, listText, needText } from '../clients/matrix/limit-text.ts';
import { formatNumber } from '../format-amounts.ts';
import {
  type ChainCase,
  type ChainOutcome,
  type ChainStepName,
  type ChosenView,
  type DeliveredBody,
  type DeliveredFrame,
  formatShare,
  type RequestRanking,
  withoutDate,
} from '../protocol/chosen.ts';
import { showInvisible } from '../text.ts';
import { asText, columnsOf, markdownRows, markdownTable } from './tables.ts';

export interface ClientsReport {
  readonly files: readonly { readonly file: string; readonly rows: readonly ClientRow[] }[];
  readonly asked: readonly Client[];
  readonly targets: ReadonlySet<Client>;
  /** True if the command line names the clients. The report then contains the reasons for each of these clients. */
  readonly isNarrowed: boolean;
  readonly listings: readonly Listing[];
  /** How `npx skills` treats the files, where it skips them or renames their folders. */
  readonly npxSkills: readonly string[];
  /** The files with equal names; each group once. */
  readonly sameNames: readonly (readonly SameNamedFile[])[];
}

/** A file with the name of another one, by its path in the report. */
export interface SameNamedFile {
  readonly file: string;
  readonly scope: SameName['scope'];
  readonly plugins: readonly string[];
}

interface Look {
  readonly colors: Colors;
  readonly budget: boolean;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['unknown', '?'],
  ['model-or-name', 'model, name'],
]);

const wordOf = (outcome: string): string => WORDS.get(outcome) ?? outcome;

export function clientsToPretty(report: ClientsReport, { colors, budget }: Look): string {
  const lists = listingLines(report.listings);
  if (budget) return `${(lists.length > 0 ? lists : ['No target client has a limit for its list.']).join('\n')}\n`;
  const tables = report.files.map(({ file, rows }) => {
    const isTarget = ({ client }: ClientRow): boolean => report.targets.has(client);
    const isExplained = (row: ClientRow): boolean => report.isNarrowed || isTarget(row);
    const sorted = [...rows].sort((a, b) => Number(isTarget(b)) - Number(isTarget(a)));
    const cellsOf = (row: ClientRow): string =>
      [isTarget(row) ? '*' : ' ', ...COLUMNS.map((column) => wordOf(row[column].outcome))].join('\n');
    const lines = [...grouped(sorted, cellsOf)].map(([cells, same]) => [...cells.split('\n'), namesOf(same)]);
    const reasons = [
      ...rows.filter(isExplained).flatMap(reasonLines),
      ...openLines(rows.filter((row) => !isExplained(row))),
    ];
    const table = [...aligned([[' ', ...COLUMNS, 'client'], ...lines]), ...reasons.map((line) => colors.dim(line))];
    return { head: colors.bold(showInvisible(file)), table: table.join('\n') };
  });
  // Skills that all clients treat in the same way, for the same reasons, share a table.
  const blocks = [...grouped(tables, ({ table }) => table)].map(([table, same]) =>
    [...same.map(({ head }) => head), table].join('\n'),
  );
  const legend = report.targets.size > 0 ? ['* target client'] : [];
  const equal = report.sameNames.map((files) => ['Equal names:', ...files.map(sameNameLine)].join('\n'));
  const installed =
    report.npxSkills.length > 0 && !report.isNarrowed
      ? [['npx skills, an installer:', ...report.npxSkills.map((line) => `    ${showInvisible(line)}`)].join('\n')]
      : [];
  const all = [...blocks, ...legend, ...equal, ...(lists.length > 0 ? [lists.join('\n')] : []), ...installed];
  return `${all.join('\n\n')}\n`;
}

const sameNameLine = ({ file, scope, plugins }: SameNamedFile): string =>
  `    ${showInvisible(file)} (${[scope, ...plugins.map(showInvisible)].join(', ')})`;

/** Returns the items of each key, in their order. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const namesOf = (rows: readonly ClientRow[]): string => rows.map(({ client }) => client.name).join(', ');

/** Returns the reasons for the cells that report a loss or an unknown outcome. */
function reasonLines(row: ClientRow): readonly string[] {
  const open = new Set(openReasons(row).map(({ reason }) => reason));
  return COLUMNS.flatMap((column) =>
    row[column].reasons
      .filter((reason) => reason.cause !== undefined || open.has(reason))
      .map((reason) => {
        const mark = reason.certainty === 'unverified' ? '?' : '';
        const cited = `${withoutDate(reason)}, ${reason.checked}`;
        return `    ${row.client.name}, ${column}${mark}: ${showInvisible(reason.text)} [${cited}]`;
      }),
  );
}

interface OpenReason {
  readonly column: (typeof COLUMNS)[number];
  readonly reason: Reason;
}

/** Returns the reasons for the unknown outcomes of a row. An outcome that depends on an earlier one has no reason of its own. */
function openReasons(row: ClientRow): readonly OpenReason[] {
  const isOpen = (column: OpenReason['column']): boolean => row[column].outcome === 'unknown';
  return COLUMNS.filter(
    (column) =>
      isOpen(column) &&
      !(['listed', 'chosen'].includes(column) && isOpen('loaded')) &&
      !(column === 'chosen' && isOpen('listed')),
  ).flatMap((column) => row[column].reasons.map((reason) => ({ column, reason })));
}

/** The most clients that a reason names. The table has the names of more. */
const MOST_NAMES = 10;

/** Returns a line for each reason of unknown outcomes, with the clients that share it, and without sources. */
function openLines(rows: readonly ClientRow[]): readonly string[] {
  const all = rows.flatMap((row) => openReasons(row).map((one) => ({ row, text: shortText(one) })));
  return [...grouped(all, ({ text }) => text)].map(([text, same]) => {
    const sharing = [...new Set(same.map(({ row }) => row))];
    const names = sharing.length > MOST_NAMES ? `${sharing.length} clients` : namesOf(sharing);
    return `    ${names}, ${showInvisible(text)}`;
  });
}

/** Returns the column and the first sentence of a reason, without the note in brackets at its end. */
const shortText = ({ column, reason: { text } }: OpenReason): string => {
  const end = text.indexOf('. ');
  const first = end < 0 ? text : text.slice(0, end + 1);
  return `${column}: ${first.replace(/ \([^()]*\)\.$/, '.')}`;
};

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => columnsOf(row[at] ?? ''))));
  return rows.map((row) =>
    row
      .map((text, at) => text + ' '.repeat((widths[at] ?? 0) - columnsOf(text)))
      .join('  ')
      .trimEnd(),
  );
}

function listingLines(listings: readonly Listing[]): readonly string[] {
  return listings.flatMap((listing) => {
    const { client, limit, entries, used, outcomeOf } = listing;
    const percent = formatNumber(Math.round((used / Math.max(1, limit.amount)) * 100));
    const touched = [...ENTRY_WORDS].flatMap(([outcome, words]) => {
      const names = entries.inOrder
        .filter((entry) => outcomeOf(entry) === outcome)
        .map(({ name }) => showInvisible(name));
      return names.length === 0 ? [] : [`    ${words}: ${names.join(', ')}`];
    });
    return [`${client.name}: ${percent} %`, `    ${limitText(listing)}.`, `    ${needText(listing)}.`, ...touched];
  });
}

/**
 * Returns Markdown for a README: one row per skill and one column per client. The columns are the target clients, or
 * all clients if there are no target clients. For a single client, the columns show how it loads each skill.
 */
export function clientsToMarkdown(report: ClientsReport, budget: boolean): string {
  if (budget) {
    const rows = report.listings.map((listing) => [
      listing.client.name,
      String(countEntries(listing.entries).skills),
      listText(listing),
    ]);
    return markdownTable(['client', 'skills', 'list'], rows);
  }
  const isShown = (client: Client) => report.isNarrowed || report.targets.size === 0 || report.targets.has(client);
  const clients = report.asked.filter(isShown);
  const rows = report.files.map(({ file, rows: all }) => ({
    file,
    name: all[0]?.name || file,
    shown: all.filter(({ client }) => clients.includes(client)),
  }));
  const head = clients.length === 1 ? ONE_CLIENT : clients.map(({ name }) => name);
  const cells = rows.map(({ file, name, shown }) => [
    linkTo(file, name),
    ...(clients.length === 1 ? shown.flatMap(singleClientCells) : shown.map(summaryCell)).map(asText),
  ]);
  const isAnywhere = rows.some(({ shown }) => shown.some(({ found }) => found.outcome === 'yes'));
  return `${markdownRows(['skill', ...head].map(asText), cells)}\n${noteOn(clients, isAnywhere)}\n`;
}

const ONE_CLIENT = ['loaded', 'listed for the model', 'selected by', 'remarks'];

/** Returns the cells of a row for a single client. */
function singleClientCells(row: ClientRow): readonly string[] {
  const { found, loaded, listed, chosen } = row;
  const remarks = COLUMNS.flatMap((column) => row[column].reasons)
    .filter(({ cause }) => cause !== undefined)
    .map(({ text, certainty }) => `${text.replaceAll('`', '')}${certainty === 'unverified' ? ' Not verified.' : ''}`);
  const isLost = found.outcome === 'no' || loaded.outcome === 'no';
  const by = chosen.outcome === 'name' ? 'people' : chosen.outcome.replace('model-or-name', 'model, people');
  return [
    found.outcome === 'no' ? 'not found' : wordOf(loaded.outcome),
    isLost ? 'no' : `${wordOf(listed.outcome)}${row.cut.outcome === 'yes' ? ', cut' : ''}`,
    isLost ? '-' : wordOf(by),
    [...new Set(remarks)].join(' '),
  ];
}

/** Returns the note below the table: the legend, the date, and whether the skills are in a client's folder. */
function noteOn(clients: readonly Client[], isAnywhere: boolean): string {
  const [only] = clients;
  const place = isAnywhere
    ? ''
    : ' The skills are not in a folder that a client reads: the table applies after they are installed.';
  const days = daysOf(clients);
  return asText(
    clients.length === 1 && only
      ? `${only.name}, as of ${only.asOf}. Based on ${only.basis}, read ${days}.${place}`
      : `Yes: the client loads the skill and lists it for its model. Question mark: unknown. Sources read ${days}.${place}`,
  );
}

/** Returns the dates on which the sources of the clients were read, such as `on 2026-11-27`. */
function daysOf(clients: readonly Client[]): string {
  const days = clients.flatMap(({ sources }) => Object.values(sources).map((source) => source?.checked ?? '')).sort();
  return days[0] === days.at(-1) ? `on ${days[0]}` : `between ${days[0]} and ${days.at(-1)}`;
}

/** The outcomes of skills that the list does not contain, but that people or matching files choose. */
const WITHOUT_LIST: Readonly<Partial<Record<Chosen, string>>> = { name: 'by name', model: 'for some files' };

/** Returns the worst outcome of a row. */
function summaryCell({ found, loaded, listed, chosen, cut }: ClientRow): string {
  if (found.outcome === 'no') return 'not found';
  if (loaded.outcome === 'no') return 'not loaded';
  if (listed.outcome === 'no') return WITHOUT_LIST[chosen.outcome] ?? 'not listed';
  if (loaded.outcome === 'unknown' || listed.outcome === 'unknown') return '?';
  return cut.outcome === 'yes' ? 'yes, cut' : 'yes';
}

/** Returns a Markdown link. Escapes its text and its path, since authors write them. */
const linkTo = (file: string, name: string): string => `[${asText(name)}](${file.split('/').map(asSegment).join('/')})`;

const asSegment = (name: string): string =>
  encodeURIComponent(showInvisible(name)).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));

// The chain of one skill in each client (docs/clients.md, "Will it be chosen?").

export interface WhyReport {
  readonly file: string;
  readonly clients: readonly ReturnType<typeof whyOf>[];
}

/** Returns the chain with files instead of URIs, and without positions. */
export function whyOf(view: ChosenView, fileOf: (uri: string) => string) {
  const { client, steps, line, budget, ranking, cases, moreCases, parts, body, frames } = view;
  const skillOf = ({ uri, ...rest }: RankedSkill) => ({ ...rest, file: fileOf(uri) });
  const rankingOf = ({ ranked, rival, ...rest }: RequestRanking) => ({
    ...rest,
    ...(rival && { rival: skillOf(rival) }),
    ranked: ranked.map(skillOf),
  });
  return {
    client,
    steps: steps.map(({ reasons, ...rest }) => ({
      ...rest,
      reasons: reasons.map(({ place, ...reason }) => reason),
    })),
    ...(line && { line: line.text, isLineExact: line.isExact, lineTokens: line.tokens }),
    ...(budget && {
      list: {
        limit: budget.limit,
        unit: budget.unit,
        total: budget.total,
        builtIn: budget.builtIn,
        ...(budget.context !== undefined && { context: budget.context, model: budget.model ?? null }),
        used: budget.used,
        entry: budget.entryOutcome,
      },
    }),
    ...(ranking && { ranking: rankingOf(ranking) }),
    cases: cases.map(({ at, ...one }) => ({
      ...rankingOf(one),
      should: one.should,
      holds: one.holds,
      file: fileOf(at.uri),
    })),
    moreCases,
    parts: parts.map(({ at, ...part }) => part),
    ...(body && { body }),
    frames,
  };
}

const MARKS: Readonly<Record<ChainOutcome, string>> = {
  yes: '✓',
  no: '✗',
  depends: '~',
  unknown: '?',
  'not-reached': '-',
};

/**
 * Returns the chain of each client for a terminal.
 *
 * @param withBody true to show the body as the client delivers it
 */
export function whyToPretty({ file, clients }: WhyReport, colors: Colors, withBody: boolean): string {
  const paint = (outcome: ChainOutcome): string => {
    const color = { yes: colors.green, no: colors.red, depends: colors.yellow, unknown: colors.yellow };
    return (outcome === 'not-reached' ? colors.dim : color[outcome])(MARKS[outcome]);
  };
  const blocks = clients.map(({ client, steps, line, isLineExact, ranking, cases, moreCases, body, frames }) => {
    const head = `${colors.bold(showInvisible(file))} in ${client.name} (as of ${client.asOf}, ${client.isObserved ? 'observed' : 'read, not run'})`;
    const width = Math.max(...steps.map(({ name }) => name.length));
    const more: Readonly<Partial<Record<ChainStepName, readonly string[]>>> = {
      listed: [...(line?.split('\n') ?? []), ...(isLineExact === false ? ['(exact form not known)'] : [])],
      chosen: [
        ...(ranking ? rankingLines(ranking) : []),
        ...cases.map((one) => caseLine(one)),
        ...(moreCases > 0 ? [`and ${moreCases} more cases`] : []),
      ],
      delivered: [...frames.flatMap(frameLines), ...(withBody && body ? bodyLines(body) : [])],
    };
    const lines = steps.flatMap(({ name, outcome, text, isUnverified, reasons }) => [
      `  ${paint(outcome)} ${name.padEnd(width)}  ${showInvisible(text)}${isUnverified ? ' (not verified)' : ''}`,
      ...(more[name] ?? []).map((one) => `    ${' '.repeat(width)}  ${showInvisible(one)}`),
      ...sourcesOf(reasons).map((one) => colors.dim(`    ${' '.repeat(width)}  [${showInvisible(one)}]`)),
    ]);
    return [head, ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

const bodyLines = ({ text, omitted }: DeliveredBody): readonly string[] => [
  ...text.trimEnd().split('\n'),
  ...(omitted > 0 ? [`and ${omitted.toLocaleString('en')} more characters`] : []),
];

/** The largest number of lines of a text around the body that are printed. */
const MAX_LINES = 30;

/** Returns the text around the body, with a mark before each of its lines. */
function frameLines({ calls, gives, before, after, isExact }: DeliveredFrame): readonly string[] {
  const [call] = calls;
  const title = calls.length > 1 ? 'every call' : call === 'model' ? "the model's call" : 'a call by name';
  const content = { body: '[the body]', file: '[the whole file]', name: '', nothing: '' }[gives];
  const lines = `${before}${content}${after}`.split('\n');
  const more = lines.length - MAX_LINES;
  return [
    `text of ${title}${isExact ? '' : ' (exact form not known)'}:`,
    ...lines.slice(0, MAX_LINES).map((line) => `| ${line}`.trimEnd()),
    ...(more > 0 ? [`and ${more} more lines`] : []),
  ];
}

const sourcesOf = (reasons: readonly { readonly source: string; readonly checked: string }[]): readonly string[] => [
  ...new Set(reasons.map((reason) => `${withoutDate(reason)}, ${reason.checked}`)),
];

const rankingLines = ({ ranked }: { readonly ranked: readonly Omit<RankedSkill, 'uri'>[] }): readonly string[] =>
  ranked.map(({ name, score, words }, at) => `${at + 1}. ${name}  ${formatShare(score)}  ${words.join(', ')}`);

const caseLine = ({ should, holds, request, text }: Pick<ChainCase, 'should' | 'holds' | 'request' | 'text'>): string =>
  `${holds ? '✓' : '✗'} ${should ? 'should' : 'should not'}: ${request}${holds ? '' : ` (${text})`}`;
