/** The output of `clients --format json`, which contains equal data only once (docs/clients.md, "As JSON"). */
import { type ClientRow, COLUMNS, type Reason } from '../clients/matrix/cell.ts';
import type { ClientsReport, WhyReport } from './clients.ts';
import { dataKey, jsonLinesInPieces } from './json.ts';

/** The version of both forms. Version 1 repeated every reason with its source in each cell. */
const VERSION = 2;

/**
 * Yields the JSON of `clients` in pieces.
 *
 * @param report the skills with a row for each client in `asked`, in the same order
 */
export function clientsToJson(report: ClientsReport): Iterable<string> {
  const tables = new Tables();
  return jsonLinesInPieces({
    version: VERSION,
    clients: report.asked.map((client) => ({
      id: client.id,
      name: client.name,
      budget: budgetOf(report.listings.find((one) => one.client === client)),
    })),
    sameNames: report.sameNames,
    skills: skillsOf(report, tables),
    // The skills are written before these tables, and complete them.
    rows: tables.rows.items,
    reasons: tables.reasons.items,
    sources: tables.sources.items,
  });
}

const budgetOf = (listing: ClientsReport['listings'][number] | undefined): object | null =>
  listing
    ? {
        limit: listing.limit.amount,
        unit: listing.limit.unit,
        total: listing.limit.total,
        builtIn: listing.limit.builtIn,
        context: listing.limit.model?.context ?? null,
        model: listing.limit.model?.name ?? null,
        used: listing.used,
        dropped: listing.dropped,
      }
    : null;

function* skillsOf({ files }: ClientsReport, tables: Tables): Iterable<object> {
  for (const { file, rows } of files) {
    const name = usualName(rows);
    const others = rows.filter((row) => row.name !== name).map((row) => [row.client.id, row.name] as const);
    yield {
      file,
      name,
      ...(others.length > 0 && { otherNames: Object.fromEntries(others) }),
      rows: rows.map((row) => tables.idOfRow(row)),
    };
  }
}

/** Returns the name that most clients use; the first one of several. */
function usualName(rows: readonly ClientRow[]): string {
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  let usual = '';
  for (const [name, count] of counts) if (count > (counts.get(usual) ?? 0)) usual = name;
  return usual;
}

/**
 * Yields the JSON of `clients --why` in pieces.
 *
 * @param report the chain of each client
 */
export function whyToJson({ file, clients }: WhyReport): Iterable<string> {
  const [rankings, bodies, sources] = [new Table(), new Table(), new SourceTable()];
  return jsonLinesInPieces({
    version: VERSION,
    file,
    clients: chainsOf(clients, { rankings, bodies, sources }),
    // The clients are written before these tables, and complete them.
    rankings: rankings.items,
    bodies: bodies.items,
    sources: sources.items,
  });
}

interface WhyTables {
  readonly rankings: Table;
  readonly bodies: Table;
  readonly sources: SourceTable;
}

function* chainsOf(clients: WhyReport['clients'], { rankings, bodies, sources }: WhyTables): Iterable<object> {
  for (const { steps, ranking, cases, body, ...rest } of clients) {
    yield {
      ...rest,
      steps: steps.map(({ reasons, ...step }) => ({
        ...step,
        reasons: reasons.map(({ source, checked, ...reason }) => ({
          ...reason,
          source: sources.idOfSource({ source, checked }),
        })),
      })),
      ...(ranking && { ranking: rankings.idOfEqual(ranking) }),
      cases: cases.map(({ should, holds, file, ...of }) => ({ should, holds, file, ranking: rankings.idOfEqual(of) })),
      ...(body && { body: bodies.idOfEqual(body) }),
    };
  }
}

class Tables {
  readonly rows = new Table();
  readonly reasons = new Table();
  readonly sources = new SourceTable();

  idOfRow(row: ClientRow): number {
    const reasons = COLUMNS.flatMap((column) => row[column].reasons.map((reason) => this.#idOfReason(column, reason)));
    const outcomes = COLUMNS.map((column) => row[column].outcome);
    return this.rows.idOf([row.client.id, ...outcomes, ...reasons].join(' '), () => ({
      client: row.client.id,
      ...Object.fromEntries(COLUMNS.map((column, at) => [column, outcomes[at]])),
      reasons,
    }));
  }

  #idOfReason(column: string, { text, certainty, ...reason }: Reason): number {
    const source = this.sources.idOfSource(reason);
    // Only the text may contain spaces.
    return this.reasons.idOf(`${column} ${certainty} ${source} ${text}`, () => ({ column, text, source, certainty }));
  }
}

/** A list of items, each of which is identified by its position. */
class Table {
  readonly items: object[] = [];
  readonly #ids = new Map<string, number>();

  /** Returns the position of the item with a key. Adds the item if the table does not have the key. */
  idOf(key: string, make: () => object): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.items.push(make()) - 1;
    this.#ids.set(key, id);
    return id;
  }

  /** Returns the position of an equal item. Adds the item if it is new. */
  idOfEqual(item: object): number {
    return this.idOf(dataKey(item), () => item);
  }
}

/** The sources of reasons. Each one is written once for each day on which it was read. */
class SourceTable extends Table {
  /** Returns the position of a source. Adds the source if the table does not have it. */
  idOfSource({ source, checked }: Pick<Reason, 'source' | 'checked'>): number {
    return this.idOf(`${checked} ${source}`, () => ({ title: source, checked }));
  }
}
