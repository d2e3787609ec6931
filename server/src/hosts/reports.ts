/**
 * Diagnostics of all files, kept up to date in the background: what a change concerns is marked, checked one file at a
 * time, open files first, and handed on where it differs from what was said before.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { Affected, Workspace } from '../workspace/workspace.ts';

export interface Report {
  /** Differs whenever the items do. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
}

export interface ReportsOptions {
  readonly workspace: Workspace;
  readonly compute: (uri: string) => readonly Diagnostic[];
  readonly isOpen: (uri: string) => boolean;
  /** Called for every report that changed. */
  readonly onChange: (uri: string, report: Report) => void;
  /** Called when nothing is left to check. */
  readonly onIdle: () => void;
  readonly defer: (task: () => void) => void;
}

/** Files are checked in slices of about this many milliseconds, so that a keystroke never waits for longer. */
const SLICE_MS = 8;

export interface Reports {
  mark(affected: Affected): void;
  /** The report of a file as of now, whatever is still waiting. */
  of(uri: string): Report;
  /** Every file's report. */
  all(): Iterable<readonly [string, Report]>;
  forget(uri: string): void;
}

const EMPTY: Report = { id: '0', items: [] };

export function createReports(options: ReportsOptions): Reports {
  const { workspace, compute, isOpen, onChange, onIdle, defer } = options;
  const reports = new Map<string, { readonly report: Report; readonly key: string }>();
  const dirty = new Set<string>();
  let scheduled = false;
  let serial = 0;

  const refresh = (uri: string): Report => {
    dirty.delete(uri);
    const items = compute(uri);
    const key = JSON.stringify(items);
    const known = reports.get(uri);
    if (known?.key === key) {
      // Whoever edits waits for the word that the newest version was looked at, even if it is the same word.
      if (isOpen(uri)) onChange(uri, known.report);
      return known.report;
    }
    const report = { id: String(++serial), items };
    reports.set(uri, { report, key });
    // A file that had nothing and has nothing is no news.
    if (known || items.length > 0 || isOpen(uri)) onChange(uri, report);
    return report;
  };

  const slice = (): void => {
    scheduled = false;
    const end = performance.now() + SLICE_MS;
    for (const uri of [...dirty].filter(isOpen)) refresh(uri);
    for (const uri of dirty) {
      if (performance.now() > end) break;
      refresh(uri);
    }
    if (dirty.size > 0) schedule();
    else onIdle();
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    defer(slice);
  };

  return {
    mark(affected) {
      for (const uri of affected === 'all' ? workspace.index().documents.keys() : affected) dirty.add(uri);
      if (dirty.size > 0) schedule();
    },
    of(uri) {
      return dirty.has(uri) || !reports.has(uri) ? refresh(uri) : (reports.get(uri)?.report ?? EMPTY);
    },
    *all() {
      for (const uri of workspace.index().documents.keys()) yield [uri, this.of(uri)];
    },
    forget(uri) {
      dirty.delete(uri);
      reports.delete(uri);
    },
  };
}
