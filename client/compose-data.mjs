import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { inflate } from './inflate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The data of composing, which is most of a .vsix, has a script of its own that the composing worker loads before the
 * code; whoever does not compose never reads it.
 */
const ENGINE = /[\\/]minijinja-js[\\/].*\.wasm$/;
const TOKENS = /[\\/]gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]o200k_base\.js$/;

/**
 * The script's source. In Node it goes on with the code by itself; in a browser who starts the worker names both.
 *
 * @type {import('esbuild').StdinOptions}
 */
export const dataScript = {
  contents: `
    import engine from 'minijinja-js/dist/bundler/minijinja_js_bg.wasm';
    import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
    import { isNode } from './server/src/hosts/is-node.ts';
    globalThis.skillComposerData = { engine, tokens };
    if (isNode()) require('./core.js');`,
  sourcefile: 'compose-worker.js',
};

/**
 * What the code takes the data for that the script has loaded.
 *
 * @type {import('esbuild').Plugin}
 */
export const loadedData = {
  name: 'loaded data',
  setup({ onLoad }) {
    onLoad({ filter: ENGINE }, () => ({ contents: 'export default globalThis.skillComposerData.engine;' }));
    onLoad({ filter: TOKENS }, () => ({ contents: 'export default globalThis.skillComposerData.tokens;' }));
  },
};

/**
 * Writes the data so that a .vsix, which is a ZIP, holds it in few bytes: compressed by itself, since what ZIP would make of
 * base64 is a third larger. What comes out at start is held against what the packages have, here and now.
 *
 * | in the .vsix, KB | as esbuild writes it | so |
 * |---|---|---|
 * | the engine, 1,050 KB of WebAssembly | 532 | 384 |
 * | the tokenizer's 199,998 tokens | 1,004 as a list of texts | 716 as pairs of earlier tokens |
 *
 * @type {import('esbuild').Plugin}
 */
export const packedData = {
  name: 'packed data',
  setup({ onLoad }) {
    onLoad({ filter: ENGINE }, async ({ path }) => {
      const bytes = new Uint8Array(await readFile(path));
      return scriptOf(bytes, bytes, (unpacked) => unpacked);
    });
    onLoad({ filter: TOKENS }, async ({ path }) => {
      const { default: tokens } = await import(pathToFileURL(path).href);
      return scriptOf(tokens, writePairs(tokens), readPairs);
    });
  },
};

/**
 * The functions go into the script as they stand, so they may use nothing from outside but each other.
 *
 * @param {unknown} data
 * @param {Uint8Array} bytes
 * @param {(bytes: Uint8Array) => unknown} read
 */
function scriptOf(data, bytes, read) {
  const text = deflateRawSync(bytes, { level: 9 }).toString('base64');
  if (!isDeepStrictEqual(read(inflate(readBase64(text), bytes.length)), data)) {
    throw new Error('What the script reads is not what was written.');
  }
  // Node's own takes a tenth of the time, and a worker is started anew after every template that has to be stopped.
  const contents = `
    import { isNode } from './server/src/hosts/is-node.ts';
    const text = '${text}';
    const bytes = isNode()
      ? new Uint8Array(require('node:zlib').inflateRawSync(Buffer.from(text, 'base64')))
      : inflate(readBase64(text), ${bytes.length});
    export default (${read})(bytes);
    ${readBase64}
    ${inflate}`;
  return { contents, resolveDir: root };
}

/** @param {string} text */
function readBase64(text) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const values = new Uint8Array(128);
  for (let value = 0; value < 64; value++) values[digits.charCodeAt(value)] = value;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  for (let at = 0, to = 0; at < text.length; at += 4) {
    let group = 0;
    for (let digit = 0; digit < 4; digit++) group = (group << 6) | (values[text.charCodeAt(at + digit)] ?? 0);
    for (let shift = 16; shift >= 0; shift -= 8) bytes[to++] = group >> shift;
  }
  return bytes;
}

/**
 * Every token is two earlier ones joined, as it was when the vocabulary was learned; the first 256 are the single bytes.
 * Of both ranks three bytes are written, column by column, as like goes with like.
 *
 * @param {readonly (string | readonly number[])[]} tokens by rank
 */
function writePairs(tokens) {
  const texts = tokens.map((token) => Buffer.from(/** @type {string} */ (token)).toString('latin1'));
  const ranks = new Map(texts.map((text, rank) => [text, rank]));
  const columns = Array.from({ length: 6 }, () => /** @type {number[]} */ ([]));
  for (const [rank, text] of texts.entries()) {
    if (rank < 256) continue;
    const [head, tail] = splitToken(text, rank, ranks);
    const bytes = [head & 255, (head >> 8) & 255, head >> 16, tail & 255, (tail >> 8) & 255, tail >> 16];
    for (const [at, byte] of bytes.entries()) columns[at]?.push(byte);
  }
  return Uint8Array.from([...texts.slice(0, 256).map((text) => text.charCodeAt(0)), ...columns.flat()]);
}

/**
 * Of several ways to split a token the one with low ranks, which are the frequent ones: they take fewer bits.
 *
 * @param {string} text
 * @param {number} rank
 * @param {ReadonlyMap<string, number>} ranks
 * @returns {readonly [number, number]}
 */
function splitToken(text, rank, ranks) {
  /** @type {[number, number] | undefined} */
  let best;
  let least = Number.POSITIVE_INFINITY;
  for (let cut = 1; cut < text.length; cut++) {
    const head = ranks.get(text.slice(0, cut)) ?? rank;
    const tail = ranks.get(text.slice(cut)) ?? rank;
    const weight = Math.log(head + 300) + Math.log(tail + 30);
    if (head < rank && tail < rank && weight < least) {
      least = weight;
      best = [head, tail];
    }
  }
  if (!best) throw new Error(`The token ${rank} is not two earlier ones joined.`);
  return best;
}

/**
 * The tokens by rank, as the library has them: texts, and bytes where they are no text.
 *
 * @param {Uint8Array} bytes
 * @returns {(string | readonly number[])[]}
 */
function readPairs(bytes) {
  const texts = Array.from(bytes.subarray(0, 256), (byte) => String.fromCharCode(byte));
  const count = (bytes.length - 256) / 6;
  const rankAt = (/** @type {number} */ at) =>
    (bytes[at] ?? 0) + 256 * (bytes[at + count] ?? 0) + 65_536 * (bytes[at + 2 * count] ?? 0);
  for (let row = 256; row < 256 + count; row++) {
    texts.push(/** @type {string} */ (texts[rankAt(row)]) + texts[rankAt(row + 3 * count)]);
  }
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return texts.map((token) => {
    if (!/[\x80-\xff]/.test(token)) return token;
    const own = Array.from(token, (byte) => byte.charCodeAt(0));
    // The library has what begins with a byte order mark as bytes, too.
    if (token.startsWith('\xef\xbb\xbf')) return own;
    try {
      return utf8.decode(Uint8Array.from(own));
    } catch {
      return own;
    }
  });
}
