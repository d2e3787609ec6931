/** The diagnostics of each file, and the other files that their related information points to. */
import type { Diagnostic } from 'vscode-languageserver-types';
import { isEqualData } from '../../skill/summary.ts';

export interface Report {
  /** An ID that changes whenever the items change. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
  /** The version of the open file's text; undefined for a closed file. */
  readonly version: number | undefined;
}

export class Reports {
  readonly #reports = new Map<string, Report>();
  /** For each file, the files whose diagnostics point to it. */
  readonly #showing = new Map<string, Set<string>>();
  #serial = 0;

  get(uri: string): Report | undefined {
    return this.#reports.get(uri);
  }

  /** Stores the diagnostics of a file. Returns the known report if the diagnostics and the version are unchanged. */
  set(uri: string, items: readonly Diagnostic[], version: number | undefined): Report {
    const known = this.#reports.get(uri);
    const isSame = known !== undefined && isEqualData(known.items, items);
    if (isSame && known.version === version) return known;
    const report = { id: isSame ? known.id : String(++this.#serial), items: isSame ? known.items : items, version };
    this.#reports.set(uri, report);
    if (isSame) return report;
    for (const other of placesIn(known?.items ?? [])) this.#showing.get(other)?.delete(uri);
    for (const other of placesIn(items)) {
      const showing = this.#showing.get(other);
      if (showing) showing.add(uri);
      else if (other !== uri) this.#showing.set(other, new Set([uri]));
    }
    return report;
  }

  /** Returns the files whose diagnostics point to a file. */
  showing(uri: string): Iterable<string> {
    return this.#showing.get(uri) ?? [];
  }
}

const placesIn = (items: readonly Diagnostic[]): readonly string[] =>
  items.flatMap(({ relatedInformation = [] }) => relatedInformation.map(({ location }) => location.uri));
