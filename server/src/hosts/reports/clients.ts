/** `clients` for people: tables on a terminal, and in Markdown for a README. */
import type { Colors } from 'picocolors/types';
import type { Listing } from '../../agent-skills/budget.ts';
import { type ClientRow, COLUMNS } from '../../agent-skills/cell.ts';
import { visible } from '../../text.ts';
import type { Client } from '../../vocabulary/client.ts';
import { asText, columnsOf, markdownRows, markdownTable } from './tables.ts';

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
    const head = `${client.name}: ${count(used)} of ${count(limit.amount)} ${limit.unit} (${percent} %), ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}${mark}`;
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

/** For a README: one row a skill, one column a client, the target clients, else all; of a single client what it makes of each. */
export function clientsToMarkdown(report: ClientsReport, budget: boolean): string {
  if (budget) {
    const rows = report.listings.map(({ client, limit, entries, dropped }) => [
      client.name,
      String(entries.inOrder.length),
      `${entries.used} of ${limit.amount} ${limit.unit}`,
      String(dropped),
    ]);
    return markdownTable(['client', 'skills', 'list', 'without description, or left out'], rows);
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
    ...(clients.length === 1 ? shown.flatMap(atLength) : shown.map(inShort)).map(asText),
  ]);
  const isAnywhere = rows.some(({ shown }) => shown.some(({ found }) => found.outcome === 'yes'));
  return `${markdownRows(['skill', ...head].map(asText), cells)}\n${noteOn(clients, isAnywhere)}\n`;
}

const ONE_CLIENT = ['loaded', 'in the list of the model', 'chosen by', 'remarks'];

/** The cells of a row that has all of one client. */
function atLength(row: ClientRow): readonly string[] {
  const { found, loaded, listed, chosen } = row;
  const remarks = COLUMNS.flatMap((column) => row[column].reasons)
    .filter(({ cause }) => cause !== undefined)
    .map(({ text, certainty }) => `${text.replaceAll('`', '')}${certainty === 'unverified' ? ' Not verified.' : ''}`);
  const isLost = found.outcome === 'no' || loaded.outcome === 'no';
  const by = chosen.outcome === 'name' ? 'people' : chosen.outcome.replace('model-or-name', 'model, people');
  return [
    found.outcome === 'no' ? 'not found' : wordOf(loaded.outcome),
    isLost ? 'no' : `${wordOf(listed.outcome)}${row.cut.outcome === 'yes' ? ', cut' : ''}`,
    isLost ? 'nobody' : wordOf(by),
    [...new Set(remarks)].join(' '),
  ];
}

/** What the table says and of when, and of which place it does not speak. */
function noteOn(clients: readonly Client[], isAnywhere: boolean): string {
  const checked = clients.flatMap(({ sources }) => Object.values(sources).map((source) => source?.checked ?? ''));
  const [only] = clients;
  const place = isAnywhere ? '' : ' The skills lie in no folder of a client: this is true of them once installed.';
  const day = checked.sort().at(-1) ?? '';
  return asText(
    clients.length === 1 && only
      ? `${only.name}, as of ${only.asOf}. What is known rests on ${only.basis}, read on ${day}.${place}`
      : `Yes: the client loads the skill and lists it for its model. A question mark: not known. Read on ${day}.${place}`,
  );
}

/** The worst of a row. */
function inShort({ found, loaded, listed, chosen, cut }: ClientRow): string {
  if (found.outcome === 'no') return 'not found';
  if (loaded.outcome === 'no') return 'not loaded';
  if (listed.outcome === 'no') return chosen.outcome === 'name' ? 'by name' : 'not listed';
  if (loaded.outcome === 'unknown' || listed.outcome === 'unknown') return '?';
  return cut.outcome === 'yes' ? 'yes, cut' : 'yes';
}

/** A link whose words and path are an author's. */
const linkTo = (file: string, name: string): string => `[${asText(name)}](${file.split('/').map(asSegment).join('/')})`;

const asSegment = (name: string): string =>
  encodeURIComponent(visible(name)).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));
