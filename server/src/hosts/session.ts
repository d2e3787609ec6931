/** One client's workspace: takes buffers, files and settings in, keeps the core's snapshot, marks what is to be checked. */
import type { Connection } from 'vscode-languageserver';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { diagnostics } from '../features/diagnostics.ts';
import type { Locate } from '../features/locate.ts';
import { DEFAULT_FILES, type Settings } from '../protocol.ts';
import type { SkillDocument } from '../skill/document.ts';
import { lineStartsOf } from '../text.ts';
import { linkTargets } from '../workspace/links.ts';
import { type Affected, Workspace } from '../workspace/workspace.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Files } from './files.ts';
import { createReports, type Report, type Reports } from './reports.ts';
import { allGlobs, type ServedFiles, servedTest } from './served-files.ts';

export interface SessionOptions {
  readonly connection: Connection;
  readonly files: Files;
  readonly locate: Locate;
  readonly folders: readonly string[];
  readonly settings: Settings;
  /** True where the client asks for diagnostics, false where the server publishes them. */
  readonly pull: boolean;
  /** True where the client understands the request to ask for diagnostics again. */
  readonly refreshable: boolean;
}

export interface Session {
  readonly locate: Locate;
  readonly pull: boolean;
  readonly reports: Reports;
  /** The snapshot with every keystroke taken in. */
  index(): WorkspaceIndex;
  document(uri: string): SkillDocument | undefined;
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
}

const READ_AT_ONCE = 32;

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
  let loading = 0;

  const publish = (uri: string, { items }: Report): void => {
    if (pull) return;
    const version = buffers.get(uri)?.version;
    void connection.sendDiagnostics({ uri, diagnostics: [...items], ...(version === undefined ? {} : { version }) });
  };
  const reports = createReports({
    workspace,
    compute: (uri) => {
      const document = workspace.index().documents.get(uri);
      try {
        return document ? diagnostics(workspace.index(), document, locate) : [];
      } catch (error) {
        // A fault in one rule costs one file's findings, never the server.
        connection.console.error(`check ${uri}: ${error instanceof Error ? error.stack : error}`);
        return [];
      }
    },
    isOpen: (uri) => buffers.has(uri),
    onChange: publish,
    onIdle: () => {
      if (pull && options.refreshable) void connection.languages.diagnostics.refresh();
    },
    defer,
  });

  const mark = (affected: Affected): void => {
    // While the workspace is being read, an unknown skill may only be one that is not read yet.
    if (loading === 0) reports.mark(affected);
  };
  const flush = (): void => {
    for (const uri of pending) {
      const text = buffers.get(uri)?.getText();
      if (text === undefined) continue;
      mark(workspace.apply({ kind: 'text', uri, text }));
      void lookForLinks(uri, false);
    }
    pending.clear();
  };
  const take = (uri: string): void => {
    if (pending.size === 0) defer(flush);
    pending.add(uri);
  };
  /** Finds out whether the targets of a file's links are there; known answers are kept unless `again`. */
  const lookForLinks = async (uri: string, again: boolean): Promise<void> => {
    const { documents, exists } = workspace.index();
    const document = documents.get(uri);
    if (!document?.isSkill) return;
    const targets = linkTargets(document).filter((target) => again || !exists.has(target.uri));
    if (targets.length === 0) return;
    for (const target of targets) {
      workspace.apply({ kind: 'exists', uri: target.uri, exists: await files.exists(target.uri) });
    }
    mark(new Set([uri]));
  };
  const read = async (uri: string): Promise<void> => {
    if (buffers.has(uri) || !isServed(uri)) return;
    const text = await files.read(uri);
    // The editor may have opened the file in the meantime; its buffer is the newer text.
    if (buffers.has(uri)) return;
    mark(workspace.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text }));
    if (text === undefined) return;
    await lookForLinks(uri, false);
  };
  const load = async (): Promise<void> => {
    loading++;
    try {
      const known = new Set(workspace.index().documents.keys());
      const found = await files.find(served.folders, allGlobs(served));
      for (const uri of found) known.delete(uri);
      for (const uri of known) if (!buffers.has(uri)) workspace.apply({ kind: 'delete', uri });
      for (const uri of known) if (!buffers.has(uri)) publish(uri, { id: '', items: [] });
      for (let at = 0; at < found.length; at += READ_AT_ONCE) {
        await Promise.all(found.slice(at, at + READ_AT_ONCE).map(read));
      }
    } finally {
      loading--;
    }
    mark('all');
  };

  return {
    locate,
    pull,
    reports,
    load,
    index() {
      flush();
      return workspace.index();
    },
    document(uri) {
      flush();
      return workspace.index().documents.get(uri);
    },
    skillCount: () => workspace.index().graph.skills.size,
    open(document) {
      if (!isServed(document.uri)) return;
      buffers.set(document.uri, document);
      const affected = workspace.apply({ kind: 'text', uri: document.uri, text: document.getText() });
      mark(affected);
      // The client has forgotten what was published for the file when it was closed.
      reports.mark(new Set([document.uri]));
      void lookForLinks(document.uri, true);
    },
    change(uri, version, changes) {
      const buffer = buffers.get(uri);
      if (!buffer) return;
      TextDocument.update(buffer, changes.map((change) => toUtf16(locate, buffer, change)), version);
      take(uri);
    },
    async close(uri) {
      flush();
      if (!buffers.delete(uri)) return;
      if (uri.startsWith('untitled:')) mark(workspace.apply({ kind: 'delete', uri }));
      else await read(uri);
    },
    saved: (uri) => lookForLinks(uri, true),
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
      await load();
    },
    async changeFolders(added, removed) {
      const left = served.folders.filter((folder) => !removed.includes(folder));
      served = { ...served, folders: [...left, ...added] };
      isServed = servedTest(served);
      await load();
    },
  };
}

/** A change in the client's encoding as one in UTF-16, which the text library counts in. */
function toUtf16(
  locate: Locate,
  buffer: TextDocument,
  change: TextDocumentContentChangeEvent,
): TextDocumentContentChangeEvent {
  if (!('range' in change)) return change;
  const text = buffer.getText();
  const place = { text, lines: lineStartsOf(text) };
  const at = (position: { line: number; character: number }) => buffer.positionAt(locate.offset(place, position));
  return { text: change.text, range: { start: at(change.range.start), end: at(change.range.end) } };
}
