/**
 * Normalizes URIs. Clients write the URI of a file in several ways (`c:` or `C:`, `(` or `%28`). The server uses the
 * form of VS Code, and replies with the form in which the client opened the file, or else with the first form that the
 * client used. The forms of a deleted file are kept for the replies that follow, and then forgotten.
 */
import { FileChangeType, type Message, type MessageReader, type MessageWriter } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { isRecord } from './options.ts';

/** The maximum depth of values in a message. Deeper values are not changed. */
const MAX_DEPTH = 24;

/** The number of deleted files whose spelling is kept. */
const MAX_DELETED = 500;

export function withNormalizedUris(
  reader: MessageReader,
  writer: MessageWriter,
): { readonly reader: MessageReader; readonly writer: MessageWriter } {
  /** The normalized URI for each URI that the client spells differently. */
  const own = new Map<string, string>();
  /** The client's URI for each normalized URI. */
  const theirs = new Map<string, string>();
  /** The normalized URIs of deleted files, the earliest first. */
  const deleted = new Set<string>();
  const read = (text: string, name: string): string => {
    const known = own.get(text);
    if (known !== undefined) deleted.delete(known);
    if (known !== undefined || !/uri$/i.test(name) || !text.startsWith('file:')) return known ?? text;
    const uri = normalizeUri(text);
    if (uri === text) return text;
    own.set(text, uri);
    if (!theirs.has(uri)) theirs.set(uri, text);
    return uri;
  };
  const forgetDeleted = (): void => {
    const forgotten = new Set([...deleted].slice(0, -MAX_DELETED));
    for (const uri of forgotten) theirs.delete(uri);
    for (const uri of forgotten) deleted.delete(uri);
    for (const [text, uri] of own) if (forgotten.has(uri)) own.delete(text);
  };
  const take = (message: unknown): unknown => {
    const opened = openedBy(message);
    if (opened !== undefined) theirs.set(read(opened, 'uri'), opened);
    const normalized = mapTexts(message, read);
    const gone = deletedBy(normalized);
    if (gone.size > 0) for (const uri of theirs.keys()) if (isAmong(uri, gone)) deleted.add(uri);
    if (deleted.size >= 2 * MAX_DELETED) forgetDeleted();
    return normalized;
  };
  const write = (text: string): string => theirs.get(text) ?? text;
  return {
    reader: {
      onError: reader.onError,
      onClose: reader.onClose,
      onPartialMessage: reader.onPartialMessage,
      dispose: () => reader.dispose(),
      listen: (callback) => reader.listen((message) => callback(take(message) as Message)),
    },
    writer: {
      onError: writer.onError,
      onClose: writer.onClose,
      write: (message) => writer.write(own.size === 0 ? message : (mapTexts(message, write) as Message)),
      end: () => writer.end(),
      dispose: () => writer.dispose(),
    },
  };
}

/** The URIs of the files and folders that a message reports as deleted. */
function deletedBy(message: unknown): ReadonlySet<string> {
  const gone = new Set<string>();
  if (!isRecord(message) || message.method !== 'workspace/didChangeWatchedFiles') return gone;
  const changes = isRecord(message.params) ? message.params.changes : undefined;
  for (const change of Array.isArray(changes) ? changes : []) {
    const isDeleted = isRecord(change) && change.type === FileChangeType.Deleted;
    if (isDeleted && typeof change.uri === 'string') gone.add(change.uri);
  }
  return gone;
}

/** Returns whether a file or a folder that contains it is among `uris`. */
function isAmong(uri: string, uris: ReadonlySet<string>): boolean {
  for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) if (uris.has(uri.slice(0, end))) return true;
  return false;
}

/** The URI of the file that a message opens. */
function openedBy(message: unknown): string | undefined {
  if (!isRecord(message) || message.method !== 'textDocument/didOpen' || !isRecord(message.params)) return undefined;
  const { textDocument } = message.params;
  return isRecord(textDocument) && typeof textDocument.uri === 'string' ? textDocument.uri : undefined;
}

function normalizeUri(uri: string): string {
  try {
    return URI.parse(uri).toString();
  } catch {
    return uri;
  }
}

/** The keys whose values are the text of documents and edits; such text is not a URI and may be large. */
const CONTENT = new Set(['text', 'newText']);

/**
 * Maps the strings and keys of a value. Returns the same value if nothing changes. `name` is the key of the string, or
 * of the list that contains it.
 */
function mapTexts(value: unknown, map: (text: string, name: string) => string, name = '', depth = 0): unknown {
  if (typeof value === 'string') return CONTENT.has(name) ? value : map(value, name);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  // Do not visit each byte of a file.
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') return value;
    const mapped = value.map((one) => mapTexts(one, map, name, depth + 1));
    return mapped.some((one, at) => one !== value[at]) ? mapped : value;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([key, one]) => [map(key, ''), mapTexts(one, map, key, depth + 1)] as const);
  const isSame = mapped.every(([key, one], at) => key === entries[at]?.[0] && one === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(mapped);
}
