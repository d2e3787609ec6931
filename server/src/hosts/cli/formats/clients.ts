/** `clients` for people: tables on a terminal, and in Markdown for a README. */
import type { Colors } from 'picocolors/types';
import { type ClientRow, COLUMNS } from '../../../agent-skills/cell.ts';
import type { Listing } from '../../../agent-skills/listing.ts';
import { visible } from '../../../text.ts';
import type { Client } from '../../../vocabulary/client.ts';
import { columnsOf } from './columns.ts';

export interface ClientsReport {
  readonly files: readonly { readonly file: string; readonly rows: readonly ClientRow[] }[];
  readonly asked: readonly Client[];
  readonly targets: ReadonlySet<Client>;
  /** True where the clients were named on the command line, whose reasons are then told. */
  readonly isNarrowed: boolean;
  readonly listings: readonly Listing[];
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
  if (budget) return `${(lists.length > 0 ? lists : ['No target client limits its list.']).join('\n')}\n`;
  const blocks = report.files.map(({ file, rows }) => {
    const head = ['', ...COLUMNS];
    const cells = rows.map((row) => [
      `${report.targets.has(row.client) ? '* ' : '  '}${row.client.name}`,
      ...COLUMNS.map((column) => wordOf(row[column].outcome)),
    ]);
    const told = rows.filter(({ client }) => report.isNarrowed || report.targets.has(client)).flatMap(reasonLines);
    return [colors.bold(visible(file)), ...aligned([head, ...cells]), ...told.map((line) => colors.dim(line))].join(
      '\n',
    );
  });
  const legend = report.targets.size > 0 ? ['* a target client'] : [];
  return `${[...blocks, ...legend, ...(lists.length > 0 ? [lists.join('\n')] : [])].join('\n\n')}\n`;
}

/** Reasons of the cells that are not plainly well. */
function reasonLines(row: ClientRow): readonly string[] {
  return COLUMNS.flatMap((column) =>
    row[column].reasons
      .filter(({ cause }) => cause !== undefined)
      .map(({ text, source, checked, certainty }) => {
        const mark = certainty === 'unverified' ? '?' : '';
        return `    ${row.client.name}, ${column}${mark}: ${visible(text)} [${source}, ${checked}]`;
      }),
  );
}

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
  return listings.flatMap(({ client, limit, entries, fateOf, dropped, shortenedTo }) => {
    const { used, inOrder: skills } = entries;
    const count = (amount: number) => amount.toLocaleString('en');
    const mark = client.listing.budget.certainty === 'unverified' ? ' (not verified)' : '';
    const percent = Math.round((used / limit.amount) * 100);
    const head = `${client.name}: ${count(used)} of ${count(limit.amount)} ${limit.unit} (${percent} %), ${skills.length} skills${mark}`;
    const setting = client.listing.budget.value === 'unknown' ? undefined : client.listing.budget.value?.onlyWith;
    const fates = skills.map((skill) => ({ name: skill.name, fate: fateOf(skill) }));
    const touched = fates.filter(({ fate }) => fate !== 'whole' && fate !== 'maybe');
    return [
      head,
      ...(setting === undefined ? [] : [`    only with the setting ${setting}`]),
      ...(fates.some(({ fate }) => fate === 'maybe')
        ? [`    at least ${dropped} descriptions go, those of the skills that are used least`]
        : []),
      ...(shortenedTo === undefined ? [] : [`    descriptions are cut to about ${count(shortenedTo)} ${limit.unit}`]),
      ...touched.map(({ name, fate }) => `    ${visible(name)}: ${fate}`),
    ];
  });
}

/** One row a skill, one column a client: the target clients, else all. */
export function clientsToMarkdown(report: ClientsReport, budget: boolean): string {
  if (budget) {
    const rows = report.listings.map(({ client, limit, entries, dropped }) => [
      client.name,
      String(entries.inOrder.length),
      `${entries.used} of ${limit.amount} ${limit.unit}`,
      String(dropped),
    ]);
    return markdownTable([['client', 'skills', 'list', 'without description, or left out'], ...rows]);
  }
  const isShown = (client: Client) => report.isNarrowed || report.targets.size === 0 || report.targets.has(client);
  const clients = report.asked.filter(isShown);
  const rows = report.files.map(({ file, rows: all }) => {
    const shown = all.filter(({ client }) => clients.includes(client));
    return [all[0]?.name || file, ...shown.map(inShort)];
  });
  return markdownTable([['skill', ...clients.map(({ name }) => name)], ...rows]);
}

/** The worst of a row. */
function inShort({ found, loaded, listed, chosen, cut }: ClientRow): string {
  if (found.outcome === 'no') return 'not found';
  if (loaded.outcome === 'no') return 'not loaded';
  if (listed.outcome === 'no') return chosen.outcome === 'name' ? 'by name' : 'not listed';
  if (loaded.outcome === 'unknown' || listed.outcome === 'unknown') return '?';
  return cut.outcome === 'yes' ? 'yes, cut' : 'yes';
}

const markdownTable = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escaped).join(' | ')} |\n`).join('');

/** A name of an author as text. */
const escaped = (text: string): string =>
  text === '---' ? text : visible(text).replace(/[\\`*_{}[\]<>()#+!|~]/g, '\\$&');
