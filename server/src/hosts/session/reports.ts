/** The diagnostics that were found of each file, and in which other files their related places stand. */
import type { Diagnostic } from 'vscode-languageserver-types';
import { same } from '../../skill/summary.ts';

export interface Report {
  /** Differs whenever the items do. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
  /** Of the open file's text; undefined for a closed file. */
  readonly version: number | undefined;
}

export class Reports {
  readonly #reports = new Map<string, Report>();
  /** By file, the files that show a place in it. */
  readonly #showing = new Map<string, Set<string>>();
  #serial = 0;

  get(uri: string): Report | undefined {
    return this.#reports.get(uri);
  }

  /** Keeps the diagnostics of a file; the report stays the same one where they do. */
  set(uri: string, items: readonly Diagnostic[], version: number | undefined): Report {
    const known = this.#reports.get(uri);
    const stays = known !== undefined && same(known.items, items);
    if (stays && known.version === version) return known;
    const report = { id: stays ? known.id : String(++this.#serial), items: stays ? known.items : items, version };
    this.#reports.set(uri, report);
    if (stays) return report;
    for (const other of placesIn(known?.items ?? [])) this.#showing.get(other)?.delete(uri);
    for (const other of placesIn(items)) {
      const showing = this.#showing.get(other);
      if (showing) showing.add(uri);
      else if (other !== uri) this.#showing.set(other, new Set([uri]));
    }
    return report;
  }

  /** The files whose diagnostics show a place in this one. */
  showing(uri: string): Iterable<string> {
    return this.#showing.get(uri) ?? [];
  }
}

const placesIn = (items: readonly Diagnostic[]): readonly string[] =>
  items.flatMap(({ relatedInformation = [] }) => relatedInformation.map(({ location }) => location.uri));
