/**
 * Normalizes URIs. Clients write the URI of a file in several ways (`c:` or `C:`, `(` or `%28`). The server uses the
 * form of VS Code, and replies with the form in which the client opened the file, or else with the first form that the
 * client used.
 */
import type { Message, MessageReader, MessageWriter } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { isRecord } from './options.ts';

/** The maximum depth of values in a message. Deeper values are not changed. */
const MAX_DEPTH = 24;

export function withNormalizedUris(
  reader: MessageReader,
  writer: MessageWriter,
): { readonly reader: MessageReader; readonly writer: MessageWriter } {
  /** The normalized URI for each URI that the client spells differently. */
  const own = new Map<string, string>();
  /** The client's URI for each normalized URI. */
  const theirs = new Map<string, string>();
  const read = (text: string, name: string): string => {
    const known = own.get(text);
    if (known !== undefined || !/uri$/i.test(name) || !text.startsWith('file:')) return known ?? text;
    const uri = normalizeUri(text);
    if (uri === text) return text;
    own.set(text, uri);
    if (!theirs.has(uri)) theirs.set(uri, text);
    return uri;
  };
  const take = (message: unknown): unknown => {
    const opened = openedBy(message);
    if (opened !== undefined) theirs.set(read(opened, 'uri'), opened);
    return mapTexts(message, read);
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
