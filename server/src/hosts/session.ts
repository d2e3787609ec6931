import { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnostics } from '../features/diagnostics.ts';
import { utf8 } from '../features/locate.ts';
import { DEFAULT_FILES } from '../protocol.ts';
import { checkedByEditor } from '../rules/common/editor-checks.ts';
import { unread } from '../skill/document.ts';
import { movesPlaces } from '../workspace/moved-places.ts';
import { type Change, Workspace } from '../workspace/workspace.ts';
import { isOfAccount } from '../workspace/workspace-index.ts';
import { createAccountSkills } from './account-skills.ts';
import { toUtf16 } from './buffer-change.ts';
import { createGoverning } from './governing.ts';
import { createRecall } from './index-cache/recall.ts';
import { createJudging } from './judging.ts';
import { createKeystrokes } from './keystrokes.ts';
import { createLinksFound } from './links-found.ts';
import { createLoading } from './loading.ts';
import { milestone } from './milestone.ts';
import { createOutdated } from './outdated.ts';
import { createReports, type Report } from './reports.ts';
import { allGlobs, isBelow, isCatalog, type ServedFiles, servedTest } from './served-files.ts';
import type { Session, SessionOptions, TextListener } from './session-types.ts';
import { createTexts, type Taken } from './texts.ts';
import { createTyping } from './typing.ts';
import { createWaiting } from './waiting.ts';
import { createWarmUp } from './warm-up.ts';

export type { Session, TextListener } from './session-types.ts';

export function createSession(options: SessionOptions): Session {
  const { connection, files, locate, pull } = options;
  const workspace = new Workspace();
  const buffers = new Map<string, TextDocument>();
  let served: ServedFiles = { folders: options.folders, globs: options.settings.files ?? DEFAULT_FILES };
  let isServed = servedTest(served);
  let { rules } = options.settings;
  let accountSetting = options.settings.accountSkills;
  const listeners: TextListener[] = [];
  const wantedListeners: (() => void)[] = [];
  let wantsAll = !pull;
  /** Until this is done, not all is known. */
  const waiting = createWaiting();
  const typing = createTyping();
  const { awaited } = waiting;
  const outdated = createOutdated({ awaited, readAgain: (uri) => readAgain(uri), mark: (uris) => mark(uris) });
  const texts = createTexts(files, outdated.note);
  let loading = 0;
  const begun = milestone();
  const loaded = milestone();
  workspace.apply({ kind: 'partial', partial: true });
  workspace.apply({ kind: 'severities', severities: options.settings.rules ?? {} });

  const publish = (uri: string, report: Report): void => {
    // Whoever asks is not told; and to look at what was said of a closed file is to read it out of its JSON.
    if (pull) return;
    const diagnostics = [...report.items];
    const version = buffers.get(uri)?.version;
    void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  };
  const reports = createReports({
    workspace,
    compute: (uri) => {
      const stored = workspace.index().documents.get(uri);
      if (!stored) return [];
      // A skill of the account is read for who uses it, and judged where it is worked on.
      if (isHidden(uri)) return [];
      try {
        return outdated.watched(uri, () => {
          // What is read of a closed file is held no longer than its check takes.
          const document = buffers.has(uri) ? stored : unread(stored);
          void links.lookFor(document, false);
          const omit = checkedByEditor(options.editor, document.dialect, buffers.get(uri)?.languageId);
          return diagnostics(workspace.index(), document, locate, omit);
        });
      } catch (error) {
        // A fault in one rule costs one file's findings, never the server.
        connection.console.error(`check ${uri}: ${error instanceof Error ? error.stack : error}`);
        return [];
      }
    },
    takeIn: () => flush(),
    open: () => buffers,
    closedToo: () => wantsAll,
    closedWait: typing.left,
    onChange: publish,
    onNews: () => {
      if (pull && options.refreshable) void connection.languages.diagnostics.refresh();
    },
  });

  const judging = createJudging({
    isPartial: () => workspace.index().partial,
    ready: () => [...buffers.keys()].filter((uri) => !governing.isWaiting(uri)),
    judge: reports.mark,
  });
  const { mark } = judging;
  const apply = (change: Extract<Change, { kind: 'text' | 'delete' }>): void => {
    const before = workspace.index().documents.get(change.uri);
    const affected = workspace.apply(change);
    mark(affected);
    if (movesPlaces(before, workspace.index().documents.get(change.uri))) reports.moved(change.uri);
    if (affected === 'all' || affected.size > 0) {
      recall?.note(change.uri);
      for (const listener of listeners) listener(change.uri, affected);
    }
    if (isCatalog(change.uri) && !workspace.index().partial && account.isOutdated()) void whileReading(account.load);
  };
  const isHidden = (uri: string): boolean =>
    !buffers.has(uri) && isOfAccount(workspace.index().graph, uri) && !isBelow(uri, served.folders);
  const keystrokes = createKeystrokes(pull, (uri) => {
    const text = buffers.get(uri)?.getText();
    if (text === undefined) return;
    apply({ kind: 'text', uri, text });
    // The client waits to hear of every version, even of one with the text of the one before.
    mark(new Set([uri]));
  });
  const { flush } = keystrokes;
  const links = createLinksFound({ workspace, files, awaited, mark });
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
  const governing = createGoverning({ begun: begun.promise, folders: () => served.folders, read, awaited, mark });
  const account = createAccountSkills({
    workspace,
    files,
    options: () => ({ roots: served.folders, setting: accountSetting, trustsCatalogs: options.trusted }),
    globs: () => allGlobs(served),
    mark: (affected) => mark(affected),
    read: async (uri) => (recall?.isSame(uri) ? undefined : read(uri)),
    watch: options.watch,
  });
  const recall =
    options.cache &&
    files.disk &&
    createRecall({
      ...{ store: options.cache, workspace, disk: files.disk, texts, links, reports, account, readAgain, mark },
      wantsAll: () => wantsAll,
      folders: () => served.folders,
      settings: () =>
        JSON.stringify([rules ?? {}, served.globs, accountSetting, locate === utf8, options.editor, options.trusted]),
      buffers: () => {
        flush();
        return new Map([...buffers].map(([uri, buffer]) => [uri, buffer.getText()]));
      },
      onUncomposed: (uri) => {
        for (const listener of listeners) listener(uri, new Set([uri]));
      },
      onTop: judging.onTop,
    });
  const reading = createLoading({
    ...{ workspace, store, apply },
    find: () => files.find(served.folders, allGlobs(served)),
    isOpen: (uri) => buffers.has(uri),
    isElsewhere: (uri) => isOfAccount(workspace.index().graph, uri) && !isBelow(uri, served.folders),
    take: texts.take,
    catchUp: async () => {
      // What was typed meanwhile goes first.
      flush();
      await reports.settled();
    },
    recall: async (found) => recall?.begin(found),
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
      if (loading === 0) judgeAll();
    }
  };
  const judgeAll = (): void => {
    workspace.apply({ kind: 'partial', partial: false });
    judging.readAll(buffers.keys());
  };
  const load = async (): Promise<void> => {
    begun.resolve();
    await whileReading(async () => {
      await reading.load();
      await account.load();
      recall?.end();
    }).finally(() => {
      if (loading === 0) loaded.resolve();
    });
  };
  const takeFromDisk = async (uris: readonly string[]): Promise<void> => {
    await Promise.all(uris.map(readAgain));
    await links.lookAgain(uris);
  };
  const checked = async (): Promise<void> => {
    await loaded.promise;
    do {
      // What was typed last may link to files that nobody has looked for.
      flush();
      await waiting.settled();
      await reports.settled();
    } while (waiting.isBusy());
  };
  recall?.whenResting(checked);
  const warmUp = createWarmUp({ checked, typing });

  return {
    locate,
    pull,
    reports,
    load,
    governed: governing.governed,
    checked,
    isWanted: (uri) => wantsAll || buffers.has(uri),
    wantAll() {
      if (wantsAll) return;
      wantsAll = true;
      reports.start();
      for (const listener of wantedListeners) listener();
    },
    onWanted: (listener) => void wantedListeners.push(listener),
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
      if (workspace.index().partial && !reading.knowsCatalogs()) governing.begin(uri);
      apply({ kind: 'text', uri, text: document.getText() });
      // The client waits to hear of the file, even where its text is the one on disk.
      mark(new Set([uri]));
      void links.lookFor(workspace.index().documents.get(uri), true);
      warmUp(workspace.index().documents.get(uri));
    },
    change(uri, version, changes) {
      const buffer = buffers.get(uri);
      if (!buffer) return;
      TextDocument.update(
        buffer,
        changes.map((change) => toUtf16(locate, buffer, change)),
        version,
      );
      typing.typed();
      keystrokes.typed(uri);
    },
    async close(uri) {
      flush();
      if (!buffers.delete(uri)) return;
      mark(workspace.apply({ kind: 'baseline', uri, text: undefined }));
      await awaited(readAgain(uri));
    },
    saved: (uri) => links.lookFor(workspace.index().documents.get(uri), true),
    changedOnDisk: (uris) => awaited(takeFromDisk(uris)),
    async setSettings({ rules: severities, files: globs, accountSkills }) {
      rules = severities;
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
