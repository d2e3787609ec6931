/**
 * Diagnostics of all files, kept up to date in the background: what a change concerns is marked, checked one file at a
 * time, open files first, the others when nobody types, and handed on where it differs from what was said before.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import { flat } from '../languages/markdown/flat.ts';
import { same } from '../skill/same.ts';
import { partsFirst } from '../workspace/parts-first.ts';
import type { Affected, Workspace } from '../workspace/workspace.ts';
import { createSlices } from './slices.ts';
import { createTurns, type TurnsOptions } from './turns.ts';

export interface Report {
  /** Differs whenever the items do. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
}

export interface ReportsOptions extends Omit<TurnsOptions, 'inOrder' | 'wake'> {
  readonly workspace: Workspace;
  readonly compute: (uri: string) => readonly Diagnostic[];
  /** Called before the next file is chosen: takes in, and marks, what was typed meanwhile. */
  readonly takeIn: () => void;
  /** Called for every report that changed, and for an open file also where only its version did. */
  readonly onChange: (uri: string, report: Report) => void;
  /** Called when nothing is left to check, if a report changed that nobody had asked for. */
  readonly onNews: () => void;
}

export interface Reports {
  mark(affected: Affected): void;
  /** Goes on with what is marked, where somebody wants to know more than before. */
  start(): void;
  /** Marks the files that show a related place in this one, whose places have moved. */
  moved(uri: string): void;
  /** The report of a file as of now, whatever is still waiting. */
  of(uri: string): Report;
  /** What was said of a file; undefined where it is still to be judged. */
  said(uri: string): readonly Diagnostic[] | undefined;
  /** Takes in what was said of a file by another server, of which nothing has been said here. */
  recall(uri: string, items: readonly Diagnostic[]): void;
  /** Every file's report. */
  all(): Iterable<readonly [string, Report]>;
  /** Resolves when nothing is left that is to be checked, for which nothing waits any more. */
  settled(): Promise<void>;
}

interface Said {
  readonly report: Report;
  readonly version: number | undefined;
  /** The other files in which its related places stand. */
  readonly shows: ReadonlySet<string>;
}

export function createReports(options: ReportsOptions): Reports {
  const { workspace, compute, takeIn, open, closedToo, closedWait, onChange, onNews } = options;
  const said = new Map<string, Said>();
  const dirty = new Set<string>();
  /** By file, the files that show a place in it. */
  const shownBy = new Map<string, Set<string>>();
  const slices = createSlices();
  let serial = 0;
  let news = false;
  let running: Promise<void> | undefined;
  const turns = createTurns({
    ...{ open, closedToo, closedWait },
    inOrder: (uris) => partsFirst(workspace.index().graph, uris),
    wake: () => start(),
  });

  const note = (uri: string, before: ReadonlySet<string> | undefined, after: ReadonlySet<string>): void => {
    for (const other of before ?? []) {
      const left = shownBy.get(other);
      left?.delete(uri);
      if (left?.size === 0) shownBy.delete(other);
    }
    for (const other of after) {
      const showing = shownBy.get(other);
      if (showing) showing.add(uri);
      else shownBy.set(other, new Set([uri]));
    }
  };
  const refresh = (uri: string, version?: number): Report => {
    dirty.delete(uri);
    const items = compute(uri);
    const known = said.get(uri);
    const stays = known !== undefined && same(known.report.items, items);
    const report = stays ? known.report : reportOf(String(++serial), items, version === undefined);
    const shows = stays ? known.shows : shownIn(uri, items);
    if (!stays) note(uri, known?.shows, shows);
    said.set(uri, { report, version, shows });
    // A closed file that had nothing and has nothing is no news; of an open one the editor waits to hear.
    if (version === undefined ? !stays && (known || items.length > 0) : !stays || known.version !== version) {
      onChange(uri, report);
    }
    return report;
  };
  const start = (): void => {
    if (turns.isAny(dirty)) running ??= run();
  };
  const run = async (): Promise<void> => {
    // What is marked together is checked together: the marks of one change come before this goes on. The keystroke has let
    // go already, and a second timer would cost each one more millisecond of waiting. Twice: what asked for the text as it is
    // now, as completion does, takes as long to be answered, and the answer goes first.
    await undefined;
    await undefined;
    slices.begin();
    for (let task = turns.next(dirty); task; task = turns.next(dirty)) {
      const [uri, version] = task;
      const before = said.get(uri);
      // Who edits a file asks for its diagnostics; of a file that did not change, nobody knows that it must be asked.
      if (refresh(uri, version) !== before?.report && before?.version === version) news = true;
      await slices.pause();
      takeIn();
    }
    running = undefined;
    if (news) onNews();
    news = false;
  };

  const mark = (affected: Affected): void => {
    for (const uri of affected === 'all' ? workspace.index().documents.keys() : affected) dirty.add(uri);
    start();
  };

  return {
    mark,
    start,
    moved: (uri) => mark(shownBy.get(uri) ?? new Set()),
    of(uri) {
      const known = said.get(uri);
      return known && !dirty.has(uri) ? known.report : refresh(uri, open().get(uri)?.version);
    },
    said: (uri) => (dirty.has(uri) ? undefined : said.get(uri)?.report.items),
    recall(uri, items) {
      // What is open has been judged as it is now. Of another file nobody knew anything yet, whatever was answered.
      if (open().has(uri)) return;
      const report = reportOf(String(++serial), items, true);
      const shows = shownIn(uri, items);
      note(uri, undefined, shows);
      said.set(uri, { report, version: undefined, shows });
      if (items.length === 0) return;
      onChange(uri, report);
      news = true;
    },
    *all() {
      for (const uri of workspace.index().documents.keys()) yield [uri, this.of(uri)];
    },
    settled: () =>
      turns.hastened(async () => {
        for (start(); running; start()) await running;
      }),
  };
}

/** What was said of a file that is not open waits as JSON: as objects it takes four times the room, more than all else. */
class KeptReport implements Report {
  readonly id: string;
  readonly #text: string;

  constructor(id: string, items: readonly Diagnostic[]) {
    this.id = id;
    this.#text = flat(JSON.stringify(items));
  }

  get items(): readonly Diagnostic[] {
    return JSON.parse(this.#text);
  }
}

const NO_ITEMS: readonly Diagnostic[] = [];

function reportOf(id: string, items: readonly Diagnostic[], isClosed: boolean): Report {
  if (items.length === 0) return { id, items: NO_ITEMS };
  return isClosed ? new KeptReport(id, items) : { id, items };
}

const NONE: ReadonlySet<string> = new Set();

function shownIn(uri: string, items: readonly Diagnostic[]): ReadonlySet<string> {
  const places = items.flatMap(({ relatedInformation }) => relatedInformation ?? []);
  const others = places.flatMap(({ location }) => (location.uri === uri ? [] : [location.uri]));
  return others.length > 0 ? new Set(others) : NONE;
}
