/**
 * Maps positions in a bundle of tests to positions in its sources. Node's `--enable-source-maps` is slower, because it
 * parses the map of every bundle and maps every stack that is read, which costs about a tenth of a suite's processor
 * time.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const INLINE = '\n//# sourceMappingURL=data:application/json;base64,';

/** @type {Map<string, SourceMap | undefined>} the maps of bundles that had a failure, by path */
const maps = new Map();

/**
 * Returns a position in the form in which a failure prints it.
 *
 * @param {string} file a path or a `file:` URL
 * @param {number} line counted from 1
 * @param {number} column counted from 1
 * @returns {string} `path:line:column`, relative to the working folder; in the source if the file has a source map
 */
export function sourcePosition(file, line, column) {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const origin = mapOf(path)?.findOrigin(line, column);
  if (origin === undefined || !('fileName' in origin)) return `${relative('.', path)}:${line}:${column}`;
  const { fileName, lineNumber, columnNumber } = origin;
  return `${relative('.', resolve(dirname(path), fileName))}:${lineNumber}:${columnNumber}`;
}

/**
 * Returns a line of a stack with its position in the source.
 *
 * @param {string} frame
 */
export const sourceFrame = (frame) =>
  frame.replace(/((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*?):(\d+):(\d+)(?=\)?$)/, (_, file, line, column) =>
    sourcePosition(file, Number(line), Number(column)),
  );

/**
 * @param {string} path
 * @returns {SourceMap | undefined}
 */
function mapOf(path) {
  if (!maps.has(path)) maps.set(path, readMap(path));
  return maps.get(path);
}

/** @param {string} path */
function readMap(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const at = text.lastIndexOf(INLINE);
    if (at < 0) return undefined;
    return new SourceMap(JSON.parse(Buffer.from(text.slice(at + INLINE.length), 'base64').toString('utf8')));
  } catch {
    return undefined;
  }
}
