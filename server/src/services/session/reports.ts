/** The diagnostics of each file, and the other files that their related information points to. */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { DiagnosticData, FindingCounts } from '../../protocol.ts';
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
  readonly #isInWorkspace: (uri: string) => boolean;
  readonly #counted = new Map<string, FindingCounts>();
  #serial = 0;
  #counts = NO_COUNTS;

  constructor(isInWorkspace: (uri: string) => boolean) {
    this.#isInWorkspace = isInWorkspace;
  }

  /** The findings in the files of the workspace. The object is replaced when a number changes. */
  get counts(): FindingCounts {
    return this.#counts;
  }

  get(uri: string): Report | undefined {
    return this.#reports.get(uri);
  }

  /**
   * Stores the diagnostics of a file. Returns the known report if the diagnostics and the version are unchanged. `counts`
   * also contains the findings that the editor shows itself.
   */
  set(uri: string, items: readonly Diagnostic[], version: number | undefined, counts = countsOf(items)): Report {
    const known = this.#reports.get(uri);
    const isSame = known !== undefined && isEqualData(known.items, items);
    // A file with the same diagnostics may be in the workspace now, or no longer.
    this.#count(uri, counts);
    if (isSame && known.version === version) return known;
    const report = { id: isSame ? known.id : String(++this.#serial), items: isSame ? known.items : items, version };
    this.#reports.set(uri, report);
    if (isSame) return report;
    this.#removeShowing(uri, known?.items ?? []);
    for (const other of placesIn(items)) {
      const showing = this.#showing.get(other);
      if (showing) showing.add(uri);
      else if (other !== uri) this.#showing.set(other, new Set([uri]));
    }
    return report;
  }

  /** Forgets a deleted file. */
  delete(uri: string): void {
    this.#removeShowing(uri, this.#reports.get(uri)?.items ?? []);
    this.#count(uri, NO_COUNTS);
    this.#counted.delete(uri);
    this.#reports.delete(uri);
  }

  #removeShowing(uri: string, items: readonly Diagnostic[]): void {
    for (const other of placesIn(items)) {
      const showing = this.#showing.get(other);
      showing?.delete(uri);
      if (showing?.size === 0) this.#showing.delete(other);
    }
  }

  #count(uri: string, counts: FindingCounts): void {
    const before = this.#counted.get(uri) ?? NO_COUNTS;
    const now = this.#isInWorkspace(uri) ? counts : NO_COUNTS;
    this.#counted.set(uri, now);
    if (isEqualData(before, now)) return;
    const changed = (kind: keyof FindingCounts): number => this.#counts[kind] + now[kind] - before[kind];
    this.#counts = {
      errors: changed('errors'),
      warnings: changed('warnings'),
      infos: changed('infos'),
      hints: changed('hints'),
    };
  }

  /** Returns the files whose diagnostics point to a file. */
  showing(uri: string): Iterable<string> {
    return this.#showing.get(uri) ?? [];
  }
}

const NO_COUNTS: FindingCounts = { errors: 0, warnings: 0, infos: 0, hints: 0 };

/** Returns the numbers of findings. A finding that repeats one in another file does not count. */
export function countsOf(items: readonly Diagnostic[]): FindingCounts {
  const own = items.filter(({ data }) => !(data as DiagnosticData | undefined)?.repeats);
  const count = (wanted: DiagnosticSeverity) => own.filter(({ severity }) => severity === wanted).length;
  const { Error: Wrong, Warning, Information, Hint } = DiagnosticSeverity;
  return { errors: count(Wrong), warnings: count(Warning), infos: count(Information), hints: count(Hint) };
}

const placesIn = (items: readonly Diagnostic[]): readonly string[] =>
  items.flatMap(({ relatedInformation = [] }) => relatedInformation.map(({ location }) => location.uri));
