/**
 * A session in a simulated environment: a clock that tests advance, files in memory, and a client that records
 * messages.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from 'vscode-languageserver-types';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { Files } from '../../../server/src/io/files.ts';
import { FolderReadings } from '../../../server/src/io/read-folder.ts';
import type { Changes, SessionOptions } from '../../../server/src/services/session/options.ts';
import type { Clock } from '../../../server/src/services/session/pacing.ts';
import { Session } from '../../../server/src/services/session/session.ts';
import type { SampleFailure } from '../../../server/src/workspace/workspace-index.ts';

const ROOT = 'file:///site';
export const uriOf = (name: string): string => `${ROOT}/${name}`;

/** Returns a skill without findings, except those caused by the frontmatter lines in `more`. */
export const skill = (name: string, more = '', body = 'Say hello.'): string =>
  `---\nname: ${name}\ndescription: Says hello.\nversion: 1.0.0\ninput_schema: {}\n${more}---\n${body}\n`;

/** A clock that only advances when a test advances it. */
export class FakeClock implements Clock {
  #now = 0;
  #due: { readonly at: number; readonly work: () => void }[] = [];

  /** The date. Tests may set another day. */
  day = '2026-03-31';

  today(): string {
    return this.day;
  }

  now(): number {
    return this.#now;
  }

  soon(work: () => void): () => void {
    return this.after(0, work);
  }

  after(milliseconds: number, work: () => void): () => void {
    const one = { at: this.#now + milliseconds, work };
    this.#due.push(one);
    return () => {
      this.#due = this.#due.filter((other) => other !== one);
    };
  }

  /** Advances the clock and runs the due tasks. Waits for the promises of each task before the next task. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (let rounds = 0; rounds < 10_000; rounds++) {
      await settle();
      const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
    }
    this.#now = end;
  }
}

/** Waits until the callbacks of settled promises have run, even if these callbacks settle more promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface FakeSession {
  readonly clock: FakeClock;
  readonly session: Session;
  /** The files on disk, by URI. */
  readonly disk: Map<string, string>;
  /** The published diagnostics, in order: the name of the file and the rules of its findings. */
  readonly published: string[];
  readonly announced: Changes[];
  readonly watched: string[][];
  readonly logged: string[];
  /** The warnings shown to the user. */
  readonly warned: string[];
  /** The folders that were listed, in order. */
  readonly listed: string[];
  /** The files whose samples were composed, in order. */
  readonly composed: string[];
  refreshes: number;
  /** The pieces of work left before the next announcement. */
  pieces: number;
  /** The promise that every read from the disk waits for. */
  gate: Promise<void>;
  /** Called when the account's folders are to be watched, before they are read. */
  onWatch: () => void;
  /** The result of composing a sample. */
  failures: readonly SampleFailure[];
  /** True if composing a sample must be stopped. */
  isStopped: boolean;
  open(name: string, text?: string): void;
  /** Replaces the text of an open file, as an editor does after a keystroke. */
  type(name: string, text: string): void;
}

export function startFakeSession(
  files: Readonly<Record<string, string>>,
  options: Partial<SessionOptions> = {},
): FakeSession {
  const disk = new Map(Object.entries(files).map(([name, text]) => [uriOf(name), text]));
  const clock = new FakeClock();
  const reading: Files = {
    async find(folders) {
      await made.gate;
      return [...disk.keys()].filter((uri) => folders.some((folder) => uri.startsWith(`${folder}/`))).sort();
    },
    async read(uri) {
      await made.gate;
      const text = disk.get(uri);
      return text === undefined ? { kind: 'absent' } : { kind: 'text', text };
    },
    home: ROOT,
    exists: async (uri) => disk.has(uri),
    async list(folder) {
      made.listed.push(folder.slice(ROOT.length + 1));
      const names = [...disk.keys()].flatMap((uri) =>
        uri.startsWith(`${folder}/`) ? [uri.slice(folder.length + 1).split('/', 2)] : [],
      );
      const entries = new Map(names.map(([name = '', below]) => [name, { name, isFolder: below !== undefined }]));
      return [...entries.values()];
    },
  };
  const rulesOf = (items: readonly Diagnostic[]) => items.map(({ code }) => code).join(' ');
  const made: FakeSession = {
    ...{ clock, disk, published: [], announced: [], watched: [], logged: [], warned: [], listed: [], composed: [] },
    ...{ refreshes: 0, pieces: 0, gate: Promise.resolve(), onWatch: () => {}, failures: [], isStopped: false },
    session: new Session({
      client: {
        publish: (uri, _, items) => void made.published.push(`${uri.slice(ROOT.length + 1)}: ${rulesOf(items)}`.trim()),
        refreshDiagnostics: () => void made.refreshes++,
        prepare: () => made.pieces > 0 && made.pieces-- > 0,
        announce: (changes) => void made.announced.push(changes),
        watch(folders) {
          made.watched.push([...folders]);
          made.onWatch();
        },
        log: (level, message) => void made.logged.push(`${level}: ${message}`),
        warn: (message) => void made.warned.push(message),
      },
      files: reading,
      folderReadings: new FolderReadings(reading),
      clock,
      async composeSamples(_, uri, isStale) {
        made.composed.push(uri.slice(ROOT.length + 1));
        return isStale() ? undefined : { failures: made.failures, isStopped: made.isStopped };
      },
      ...{
        locate: utf16,
        folders: [ROOT],
        settings: {},
        editor: undefined,
        pull: false,
        canRefreshDiagnostics: true,
        trusted: true,
      },
      ...options,
    }),
    open(name, text = disk.get(uriOf(name)) ?? '') {
      made.session.receive({ kind: 'open', document: TextDocument.create(uriOf(name), 'skillmd', 1, text) });
    },
    type(name, text) {
      const version = (made.session.version(uriOf(name)) ?? 0) + 1;
      made.session.receive({ kind: 'change', uri: uriOf(name), version, changes: [{ text }] });
    },
  };
  return made;
}

/** Returns a session that has read and checked its workspace; its records until then are cleared. */
export async function settled(
  files: Readonly<Record<string, string>>,
  options: Partial<SessionOptions> = {},
): Promise<FakeSession> {
  const made = startFakeSession(files, options);
  made.session.receive({ kind: 'start' });
  await made.clock.pass(5_000);
  made.published.length = 0;
  made.announced.length = 0;
  made.composed.length = 0;
  return made;
}
