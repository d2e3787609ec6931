/** By which a text is known again (docs/composer.md, step 8). The only importer of the hash. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What `sha256sum` prints of the bytes. */
export const bytesDigest = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** The same of the text in UTF-8, behind the name of the hash. */
export const contentDigest = (text: string): string => `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;
