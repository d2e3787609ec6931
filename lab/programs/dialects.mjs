/**
 * Reads texts with one library. Input: JSON with the name of the library and the texts. Output: JSON with the version
 * of the library, and one reading for each text: its value, or an error.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The libraries by their name in the lab. Each returns the value of a text, or throws. */
const LIBRARIES = {
  yaml: () => require('yaml').parse,
  'js-yaml-3': () => require('js-yaml-3').safeLoad,
  'js-yaml-4': () => require('js-yaml-4').load,
  'js-yaml-4-1': () => require('js-yaml-4-1').load,
  bun: () => globalThis.Bun.YAML.parse,
};

/** The value as JSON: maps as lists of pairs, so that their order and every key is kept. */
function plain(value, depth = 0) {
  if (depth > 100) throw new Error('too deep');
  if (value instanceof Date) return { date: Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString() };
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof Set) return { map: [...value].map((one) => [String(one), null]) };
  if (value instanceof Map) return { map: [...value].map(([key, one]) => [String(key), plain(one, depth + 1)]) };
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  if (typeof value === 'object' && value !== null)
    return { map: Object.entries(value).map(([key, one]) => [key, plain(one, depth + 1)]) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (typeof value === 'bigint') return { number: String(value) };
  if (Object.is(value, -0)) return 0;
  return value === undefined ? null : value;
}

const { library, texts } = JSON.parse(readFileSync(0, 'utf8'));
const read = LIBRARIES[library]();
process.emitWarning = () => {};
const readings = texts.map((text) => {
  try {
    return { value: plain(read(text)) };
  } catch (error) {
    return { error: String(error instanceof Error ? error.message : error).split('\n')[0] };
  }
});
const version = library === 'bun' ? globalThis.Bun.version : require(`${library}/package.json`).version;
process.stdout.write(JSON.stringify({ version, readings }));
