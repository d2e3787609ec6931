/** The decompressor of what is shipped undoes all that zlib does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { inflate } from '../../client/inflate.mjs';

const noise = Uint8Array.from({ length: 100_000 }, (_, i) => (Math.imul(i + 1, 2_654_435_761) >>> 13) & 255);
const inputs: Readonly<Record<string, Uint8Array>> = {
  nothing: new Uint8Array(),
  'one byte': Uint8Array.of(7),
  'what repeats': new Uint8Array(70_000).fill(7),
  'what hardly does': noise,
  text: new TextEncoder().encode('A tide that turns in an hour, and a boat for forty. '.repeat(200)),
};
const ways: Readonly<Record<string, ZlibOptions>> = {
  'stored as it is': { level: 0 },
  'with the fixed codes': { strategy: constants.Z_FIXED },
  'with codes of its own': { level: 9 },
};

for (const [what, bytes] of Object.entries(inputs)) {
  for (const [how, options] of Object.entries(ways)) {
    test(`${what}, ${how}`, () => assert.deepEqual(inflate(deflateRawSync(bytes, options), bytes.length), bytes));
  }
}
