/** Computes digests of strings (docs/composer.md, step 8). Only this module imports the hash function. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of bytes as 64 hexadecimal digits. */
export const bytesDigest = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** Returns the SHA-256 of a string in UTF-8, in the form `sha256:` and 64 hexadecimal digits. */
export const contentDigest = (text: string): string => `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;

/** Returns a fast, non-cryptographic hash of a string: 53 bits, in base 36. */
export function digestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return (4_294_967_296 * (b & 0x1fffff) + (a >>> 0)).toString(36);
}
