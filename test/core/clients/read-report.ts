/** Reads the output of `clients --format json` (docs/clients.md, "As JSON"). */
import type { COLUMNS } from '../../../server/src/clients/matrix/cell.ts';

type Column = (typeof COLUMNS)[number];

interface Row extends Readonly<Record<Column, string>> {
  readonly client: string;
  readonly reasons: readonly number[];
}

/** The output as it is written. */
export interface ClientsJson {
  readonly version: number;
  readonly clients: readonly {
    readonly id: string;
    readonly name: string;
    readonly budget: Readonly<Record<string, number | string | null>> | null;
  }[];
  readonly sameNames: readonly (readonly object[])[];
  readonly skills: readonly {
    readonly file: string;
    readonly name: string;
    readonly otherNames?: Readonly<Record<string, string>>;
    readonly rows: readonly number[];
  }[];
  readonly rows: readonly Row[];
  readonly reasons: readonly {
    readonly column: Column;
    readonly text: string;
    readonly source: number;
    readonly certainty: string;
  }[];
  readonly sources: readonly { readonly title: string; readonly checked: string }[];
}

/** A skill in a client, with everything that the tables contain about it. */
export interface ReadRow extends Readonly<Record<Column, string>> {
  readonly file: string;
  readonly client: string;
  readonly name: string;
  readonly reasons: readonly Readonly<Record<'column' | 'text' | 'source' | 'checked' | 'certainty', string>>[];
}

/** Returns a row for each skill and client. Throws an error if a position is not in its table. */
export function readRows({ skills, rows, reasons, sources }: ClientsJson): readonly ReadRow[] {
  return skills.flatMap(({ file, name, otherNames = {}, rows: own }) =>
    own.map((at) => {
      const row = itemAt(rows, at);
      return {
        ...row,
        file,
        name: otherNames[row.client] ?? name,
        reasons: row.reasons.map((id) => {
          const { source, ...reason } = itemAt(reasons, id);
          const { title, checked } = itemAt(sources, source);
          return { ...reason, source: title, checked };
        }),
      };
    }),
  );
}

function itemAt<Item>(items: readonly Item[], at: number): Item {
  const item = items[at];
  if (item === undefined) throw new Error(`no item ${at}`);
  return item;
}
