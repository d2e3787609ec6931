import { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnostics } from '../features/diagnostics.ts';
import { DEFAULT_FILES } from '../protocol.ts';
import { checkedByEditor } from '../rules/common/editor-checks.ts';
import { folderOf } from '../skill/dialect.ts';
import { type SkillDocument, unread } from '../skill/document.ts';
import { linkTargets } from '../workspace/links.ts';
import { movesPlaces } from '../workspace/moved-places.ts';
import { type Affected, type Change, Workspace } from '../workspace/workspace.ts';
import { isOfAccount } from '../workspace/workspace-index.ts';
import { createAccountSkills } from './account-skills.ts';
import { toUtf16 } from './buffer-change.ts';
import { milestone } from './milestone.ts';
import { createReports, type Report } from './reports.ts';
import { allGlobs, CATALOG_NAMES, isBelow, isCatalog, type ServedFiles, servedTest } from './served-files.ts';
import type { Session, SessionOptions, TextListener } from './session-types.ts';
import { createSlices } from './slices.ts';
import { createTexts, type Taken } from './texts.ts';
import { createWaiting } from './waiting.ts';

export type { Session, TextListener } from './session-types.ts';

const READ_AT_ONCE = 32;

export function createSession(options: SessionOptions): Session {
  const { connection, files, locate, pull } = options;
  const workspace = new Workspace();
  const buffers = new Map<string, TextDocument>();
  /** Buffers whose newest text the workspace has not seen: a burst of keystrokes costs one parse. */
  const pending = new Set<string>();
  let served: ServedFiles = { folders: options.folders, globs: options.settings.files ?? DEFAULT_FILES };
  let isServed = servedTest(served);
  let accountSetting = options.settings.accountSkills;
  /** The open files whose catalogs are being looked for. */
  const governing = new Map<string, Promise<void>>();
  const listeners: TextListener[] = [];
  /** Until this is done, not all is known. */
  const waiting = createWaiting();
  const { awaited } = waiting;
  /** Files that were found to be others than they were, and those that were judged by one of them at that moment. */
  const outdated = new Set<string>();
  const mixed = new Set<string>();
  let judging: string | undefined;
  const texts = createTexts(files, (uri) => {
    if (outdated.size === 0) void awaited(catchUp());
    outdated.add(uri);
    if (judging !== undefined) mixed.add(judging);
  });
  let loading = 0;
  let readings = 0;
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
      // A skill of the account is read for who uses it, and judged where it is worked on.
      if (isHidden(uri)) return [];
      judging = uri;
      try {
        // What is read of a closed file is held no longer than its check takes.
        const document = buffers.has(uri) ? stored : unread(stored);
        void lookForLinks(document, false);
        const omit = checkedByEditor(options.editor, document.dialect, buffers.get(uri)?.languageId);
        return diagnostics(workspace.index(), document, locate, omit);
      } catch (error) {
        // A fault in one rule costs one file's findings, never the server.
        connection.console.error(`check ${uri}: ${error instanceof Error ? error.stack : error}`);
        return [];
      } finally {
        judging = undefined;
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
    const before = workspace.index().documents.get(change.uri);
    const affected = workspace.apply(change);
    mark(affected);
    if (movesPlaces(before, workspace.index().documents.get(change.uri))) reports.moved(change.uri);
    if (affected === 'all' || affected.size > 0) for (const listener of listeners) listener(change.uri, affected);
    if (isCatalog(change.uri) && !workspace.index().partial && account.isOutdated()) void whileReading(account.load);
  };
  const isHidden = (uri: string): boolean =>
    !buffers.has(uri) && isOfAccount(workspace.index().graph, uri) && !isBelow(uri, served.folders);
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
    if (pending.size === 0) setTimeout(flush, 0);
    pending.add(uri);
  };
  /** Finds out whether the targets of a file's links are there; known answers are kept unless `again`. */
  const lookForLinks = async (document: SkillDocument | undefined, again: boolean): Promise<void> => {
    if (!document?.isSkill) return;
    const { uri } = document;
    const { exists } = workspace.index();
    const targets = linkTargets(document).filter((target) => again || !exists.has(target.uri));
    if (targets.length === 0) return;
    await awaited(look(uri, targets));
  };
  const look = async (uri: string, targets: readonly { readonly uri: string }[]): Promise<void> => {
    await Promise.all(
      targets.map(async ({ uri: target }) => {
        workspace.apply({ kind: 'exists', uri: target, exists: await files.exists(target) });
      }),
    );
    mark(new Set([uri]));
  };
  const read = async (uri: string): Promise<void> => {
    if (buffers.has(uri) || !isServed(uri)) return;
    store(uri, await texts.take(uri));
  };
  /** A file outside every folder is of the workspace only while it is open. */
  const isAtHome = (uri: string): boolean => isBelow(uri, served.folders) || isOfAccount(workspace.index().graph, uri);
  const readAgain = async (uri: string): Promise<void> => {
    if (isAtHome(uri)) await read(uri);
    else store(uri, undefined);
  };
  const store = (uri: string, taken: Taken | undefined): void => {
    // The editor may have opened the file in the meantime; its buffer is the newer text.
    if (buffers.has(uri)) return;
    if (!taken) apply({ kind: 'delete', uri });
    // A catalog is looked at with every file that it governs.
    else apply({ kind: 'text', uri, text: taken.text, again: isCatalog(uri) ? undefined : taken.again });
  };
  /** Takes in what was found to have changed on the disk, as if somebody had told. */
  const catchUp = async (): Promise<void> => {
    await createSlices().next();
    const [changed, again] = [[...outdated], new Set(mixed)];
    outdated.clear();
    mixed.clear();
    await Promise.all(changed.map(readAgain));
    mark(again);
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
  /** Ends early where a newer reading has begun: it knows the folders better. */
  const readAll = async (): Promise<void> => {
    const turn = ++readings;
    const found = await files.find(served.folders, allGlobs(served));
    if (turn !== readings) return;
    const gone = new Set(workspace.index().documents.keys());
    for (const uri of [...found, ...buffers.keys()]) gone.delete(uri);
    for (const uri of gone) workspace.apply({ kind: 'delete', uri });
    reports.mark(gone);
    const order = [...found.filter(isCatalog), ...found.filter((uri) => !isCatalog(uri))];
    const slices = createSlices();
    for (let at = 0; at < order.length; at += READ_AT_ONCE) {
      const uris = order.slice(at, at + READ_AT_ONCE).filter((uri) => !buffers.has(uri));
      const taken = await Promise.all(uris.map(texts.take));
      await slices.next();
      for (const [i, uri] of uris.entries()) {
        if (turn !== readings) return;
        store(uri, taken[i]);
        await slices.pause();
        // What was typed meanwhile goes first.
        flush();
        await reports.settled();
      }
    }
  };
  const account = createAccountSkills({
    workspace,
    files,
    options: () => ({ roots: served.folders, setting: accountSetting, trustsCatalogs: options.trusted }),
    globs: () => allGlobs(served),
    mark: (affected) => mark(affected),
    read: (uri) => read(uri),
    watch: options.watch,
  });
  /** Nothing is concluded from what is missing before the work is done. */
  const whileReading = (work: () => Promise<void>): Promise<void> => awaited(readWhile(work));
  const readWhile = async (work: () => Promise<void>): Promise<void> => {
    loading++;
    workspace.apply({ kind: 'partial', partial: true });
    try {
      await work();
    } finally {
      loading--;
      if (loading === 0) mark(workspace.apply({ kind: 'partial', partial: false }));
    }
  };
  const load = async (): Promise<void> => {
    begun.resolve();
    await whileReading(async () => {
      await readAll();
      await account.load();
    }).finally(() => {
      if (loading === 0) loaded.resolve();
    });
  };
  const takeFromDisk = async (uris: readonly string[]): Promise<void> => {
    await Promise.all(uris.map(readAgain));
    const { exists } = workspace.index();
    const linked = uris.filter((uri) => exists.has(uri));
    if (linked.length === 0) return;
    for (const uri of linked) workspace.apply({ kind: 'exists', uri, exists: await files.exists(uri) });
    mark('all');
  };

  return {
    locate,
    pull,
    reports,
    load,
    governed: async (uri) => governing.get(uri),
    async checked() {
      await loaded.promise;
      do {
        await waiting.settled();
        await reports.settled();
      } while (waiting.isBusy());
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
    setBaseline(uri, text) {
      // What came of a file that was closed meanwhile would stay for ever.
      if (buffers.has(uri)) mark(workspace.apply({ kind: 'baseline', uri, text }));
    },
    open(document) {
      if (!isServed(document.uri)) return;
      const { uri } = document;
      buffers.set(uri, document);
      if (workspace.index().partial) governing.set(uri, awaited(govern(uri)));
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
      mark(workspace.apply({ kind: 'baseline', uri, text: undefined }));
      await awaited(readAgain(uri));
    },
    saved: (uri) => lookForLinks(workspace.index().documents.get(uri), true),
    changedOnDisk: (uris) => awaited(takeFromDisk(uris)),
    async setSettings({ rules, files: globs, accountSkills }) {
      mark(workspace.apply({ kind: 'severities', severities: rules ?? {} }));
      accountSetting = accountSkills;
      if (!workspace.index().partial && account.isOutdated()) await whileReading(account.load);
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
