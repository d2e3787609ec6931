/** One client's workspace: takes buffers, files and settings in, keeps the core's snapshot, marks what is to be checked. */
import type { Connection } from 'vscode-languageserver';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { diagnostics } from '../features/diagnostics.ts';
import type { Locate } from '../features/locate.ts';
import { CATALOG_FILES, DEFAULT_FILES, type Settings } from '../protocol.ts';
import { checkedByEditor } from '../rules/common/editor-checks.ts';
import { folderOf } from '../skill/dialect.ts';
import { type SkillDocument, unread } from '../skill/document.ts';
import { linkTargets } from '../workspace/links.ts';
import { type Affected, type Change, Workspace } from '../workspace/workspace.ts';
import type { SampleFailure, WorkspaceIndex } from '../workspace/workspace-index.ts';
import { toUtf16 } from './buffer-change.ts';
import type { Files } from './files.ts';
import { milestone } from './milestone.ts';
import { createReports, type Report, type Reports } from './reports.ts';
import { allGlobs, type ServedFiles, servedTest } from './served-files.ts';
import { createSlices } from './slices.ts';

export interface SessionOptions {
  readonly connection: Connection;
  readonly files: Files;
  readonly locate: Locate;
  readonly folders: readonly string[];
  readonly settings: Settings;
  /** The editor's name, where it says. */
  readonly editor: string | undefined;
  /** True where the client asks for diagnostics, false where the server publishes them. */
  readonly pull: boolean;
  /** True where the client understands the request to ask for diagnostics again. */
  readonly refreshable: boolean;
}

/** `affected` are the files whose findings may have changed. */
export type TextListener = (uri: string, affected: Affected) => void;

export interface Session {
  readonly locate: Locate;
  readonly pull: boolean;
  readonly reports: Reports;
  /** The snapshot with every keystroke taken in. */
  index(): WorkspaceIndex;
  /** The snapshot as it is, for who must not take in what is being typed. */
  snapshot(): WorkspaceIndex;
  document(uri: string): SkillDocument | undefined;
  /** The version of a buffer; null where the file is not open. */
  version(uri: string): number | null;
  /** Calls the listener after every text that came, changed or went. */
  onText(listener: TextListener): void;
  /** Takes in what composing the samples of a file came to. */
  setSamples(uri: string, failures: readonly SampleFailure[]): void;
  skillCount(): number;
  open(document: TextDocument): void;
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void;
  close(uri: string): Promise<void>;
  saved(uri: string): Promise<void>;
  changedOnDisk(uris: readonly string[]): Promise<void>;
  setSettings(settings: Settings): Promise<void>;
  changeFolders(added: readonly string[], removed: readonly string[]): Promise<void>;
  /** Reads the whole workspace. */
  load(): Promise<void>;
  /** Resolves when an open file can be checked: what governs it has been read. */
  governed(uri: string): Promise<void>;
  /** Resolves when the whole workspace has been read and checked. */
  checked(): Promise<void>;
}

const READ_AT_ONCE = 32;

const CATALOG_NAMES = CATALOG_FILES.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
const isCatalog = (uri: string): boolean => CATALOG_NAMES.some((name) => uri.endsWith(`/${name}`));

const defer = (task: () => void): void => {
  setTimeout(task, 0);
};

export function createSession(options: SessionOptions): Session {
  const { connection, files, locate, pull } = options;
  const workspace = new Workspace();
  const buffers = new Map<string, TextDocument>();
  /** Buffers whose newest text the workspace has not seen: a burst of keystrokes costs one parse. */
  const pending = new Set<string>();
  let served: ServedFiles = { folders: options.folders, globs: options.settings.files ?? DEFAULT_FILES };
  let isServed = servedTest(served);
  /** The open files whose catalogs are being looked for. */
  const governing = new Map<string, Promise<void>>();
  const listeners: TextListener[] = [];
  let loading = 0;
  const begun = milestone();
  const loaded = milestone();
  workspace.apply({ kind: 'partial', partial: true });
  workspace.apply({ kind: 'severities', severities: options.settings.rules ?? {} });

  const publish = (uri: string, { items }: Report): void => {
    if (pull) return;
    const version = buffers.get(uri)?.version;
    void connection.sendDiagnostics({ uri, diagnostics: [...items], ...(version === undefined ? {} : { version }) });
  };
  const reports = createReports({
    workspace,
    compute: (uri) => {
      const stored = workspace.index().documents.get(uri);
      if (!stored) return [];
      // What is read of a closed file is held no longer than its check takes.
      const document = buffers.has(uri) ? stored : unread(stored);
      try {
        void lookForLinks(document, false);
        const omit = checkedByEditor(options.editor, document.dialect, buffers.get(uri)?.languageId);
        return diagnostics(workspace.index(), document, locate, omit);
      } catch (error) {
        // A fault in one rule costs one file's findings, never the server.
        connection.console.error(`check ${uri}: ${error instanceof Error ? error.stack : error}`);
        return [];
      }
    },
    takeIn: () => flush(),
    open: () => versions(),
    onChange: publish,
    onNews: () => {
      if (pull && options.refreshable) void connection.languages.diagnostics.refresh();
    },
  });

  function* versions(): Iterable<readonly [string, number]> {
    for (const [uri, { version }] of buffers) yield [uri, version];
  }
  const mark = (affected: Affected): void => {
    // Until the workspace has been read, only the open files are worth a check that must be made again.
    if (!workspace.index().partial) reports.mark(affected);
    else {
      const ready = [...buffers.keys()].filter((uri) => !governing.has(uri));
      reports.mark(new Set(ready.filter((uri) => affected === 'all' || affected.has(uri))));
    }
  };
  const apply = (change: Extract<Change, { kind: 'text' | 'delete' }>): void => {
    const affected = workspace.apply(change);
    mark(affected);
    if (affected === 'all' || affected.size > 0) for (const listener of listeners) listener(change.uri, affected);
  };
  const flush = (): void => {
    for (const uri of pending) {
      const text = buffers.get(uri)?.getText();
      if (text === undefined) continue;
      apply({ kind: 'text', uri, text });
      // The client waits to hear of every version, even of one with the text of the one before.
      mark(new Set([uri]));
    }
    pending.clear();
  };
  const take = (uri: string): void => {
    if (pending.size === 0) defer(flush);
    pending.add(uri);
  };
  /** Finds out whether the targets of a file's links are there; known answers are kept unless `again`. */
  const lookForLinks = async (document: SkillDocument | undefined, again: boolean): Promise<void> => {
    if (!document?.isSkill) return;
    const { uri } = document;
    const { exists } = workspace.index();
    const targets = linkTargets(document).filter((target) => again || !exists.has(target.uri));
    if (targets.length === 0) return;
    await Promise.all(
      targets.map(async ({ uri: target }) => {
        workspace.apply({ kind: 'exists', uri: target, exists: await files.exists(target) });
      }),
    );
    mark(new Set([uri]));
  };
  const read = async (uri: string): Promise<void> => {
    if (buffers.has(uri) || !isServed(uri)) return;
    store(uri, await files.read(uri));
  };
  const store = (uri: string, text: string | undefined): void => {
    // The editor may have opened the file in the meantime; its buffer is the newer text.
    if (buffers.has(uri)) return;
    apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text });
  };
  /** Reads the catalogs in the folders above a file: only with them the severities of its findings are known. */
  const readCatalogsAbove = async (uri: string): Promise<void> => {
    await begun.promise;
    const root = served.folders.find((folder) => uri.startsWith(`${folder}/`)) ?? uri;
    const above: string[] = [];
    for (let folder = folderOf(uri); folder.length >= root.length; folder = folderOf(folder)) {
      above.push(...CATALOG_NAMES.map((name) => `${folder}/${name}`));
    }
    await Promise.all(above.map(read));
  };
  const govern = async (uri: string): Promise<void> => {
    await readCatalogsAbove(uri);
    governing.delete(uri);
    mark(new Set([uri]));
  };
  const readAll = async (): Promise<void> => {
    const found = await files.find(served.folders, allGlobs(served));
    const gone = new Set(workspace.index().documents.keys());
    for (const uri of [...found, ...buffers.keys()]) gone.delete(uri);
    for (const uri of gone) workspace.apply({ kind: 'delete', uri });
    reports.mark(gone);
    const order = [...found.filter(isCatalog), ...found.filter((uri) => !isCatalog(uri))];
    const slices = createSlices();
    for (let at = 0; at < order.length; at += READ_AT_ONCE) {
      const uris = order.slice(at, at + READ_AT_ONCE).filter((uri) => !buffers.has(uri));
      const texts = await Promise.all(uris.map(files.read));
      await slices.next();
      for (const [i, uri] of uris.entries()) {
        store(uri, texts[i]);
        await slices.pause();
        // What was typed meanwhile goes first.
        flush();
        await reports.settled();
      }
    }
  };
  const load = async (): Promise<void> => {
    loading++;
    workspace.apply({ kind: 'partial', partial: true });
    begun.resolve();
    try {
      await readAll();
    } finally {
      loading--;
      if (loading === 0) mark(workspace.apply({ kind: 'partial', partial: false }));
      loaded.resolve();
    }
  };

  return {
    locate,
    pull,
    reports,
    load,
    governed: async (uri) => governing.get(uri),
    async checked() {
      await loaded.promise;
      await reports.settled();
    },
    index() {
      flush();
      return workspace.index();
    },
    document(uri) {
      flush();
      return workspace.index().documents.get(uri);
    },
    snapshot: () => workspace.index(),
    version: (uri) => buffers.get(uri)?.version ?? null,
    onText: (listener) => void listeners.push(listener),
    setSamples: (uri, failures) => mark(workspace.apply({ kind: 'samples', uri, failures })),
    skillCount: () => workspace.index().graph.skills.size,
    open(document) {
      if (!isServed(document.uri)) return;
      const { uri } = document;
      buffers.set(uri, document);
      if (workspace.index().partial) governing.set(uri, govern(uri));
      apply({ kind: 'text', uri, text: document.getText() });
      // The client waits to hear of the file, even where its text is the one on disk.
      mark(new Set([uri]));
      void lookForLinks(workspace.index().documents.get(uri), true);
    },
    change(uri, version, changes) {
      const buffer = buffers.get(uri);
      if (!buffer) return;
      TextDocument.update(
        buffer,
        changes.map((change) => toUtf16(locate, buffer, change)),
        version,
      );
      take(uri);
    },
    async close(uri) {
      flush();
      if (!buffers.delete(uri)) return;
      if (uri.startsWith('untitled:')) apply({ kind: 'delete', uri });
      else await read(uri);
    },
    saved: (uri) => lookForLinks(workspace.index().documents.get(uri), true),
    async changedOnDisk(uris) {
      await Promise.all(uris.map(read));
      const { exists } = workspace.index();
      const linked = uris.filter((uri) => exists.has(uri));
      if (linked.length === 0) return;
      for (const uri of linked) workspace.apply({ kind: 'exists', uri, exists: await files.exists(uri) });
      mark('all');
    },
    async setSettings({ rules, files: globs }) {
      mark(workspace.apply({ kind: 'severities', severities: rules ?? {} }));
      if (!globs || JSON.stringify(globs) === JSON.stringify(served.globs)) return;
      served = { ...served, globs };
      isServed = servedTest(served);
      // Before the first reading there is nothing to read again.
      if (loading > 0 || !workspace.index().partial) await load();
    },
    async changeFolders(added, removed) {
      const left = served.folders.filter((folder) => !removed.includes(folder));
      served = { ...served, folders: [...left, ...added] };
      isServed = servedTest(served);
      await load();
    },
  };
}
