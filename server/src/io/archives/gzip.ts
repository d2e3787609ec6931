/** Compresses with gzip, and decompresses up to a limit. */
import { gzipSync } from 'fflate';
import { isUserError, UserError } from '../user-error.ts';

/**
 * Returns the compressed bytes, which are the same on every machine: JavaScript code compresses them, since zlib may
 * give other bytes in another Node version.
 */
export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { mtime: 0, level: 9 });

/** The number of bytes to decompress at a time. The limit is checked after they have expanded, up to a thousandfold. */
const PART = 16 * 1024;

/**
 * Returns the decompressed bytes of all members. Throws a `UserError` whose message is a clause about the archive:
 * `tooLarge` if there are more than `limit` bytes.
 */
export async function gunzip(bytes: Uint8Array, limit: number, tooLarge: string): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const written = give(bytes, writable.getWriter());
  // A broken archive also rejects the read below.
  written.catch(() => {});
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (const reader = readable.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
      if (length <= limit) continue;
      await reader.cancel().catch(() => {});
      throw new UserError(tooLarge);
    }
    await written;
  } catch (error) {
    throw isUserError(error) ? error : new UserError('it is truncated or its compression is invalid');
  }
  return joined(chunks, length);
}

async function give(bytes: Uint8Array, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
  for (let at = 0; at < bytes.length; at += PART) await writer.write(Uint8Array.from(bytes.subarray(at, at + PART)));
  await writer.close();
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
