/** Bounds the memory of a WebAssembly module before it is compiled. */

const MEMORY_SECTION = 5;

/** One page is 64 KiB. */
export const PAGE = 65_536;

/**
 * A copy of the module whose own memory may grow to `pages` and no further. A module without a memory of its own, and
 * one that is bounded already, comes back as it is. The bytes must be a valid module (WebAssembly core specification,
 * "Binary format", 5.5.8).
 */
export function boundMemory(module: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < module.length; ) {
    const length = readNumber(module, at + 1);
    const end = length.end + length.value;
    if (module[at] !== MEMORY_SECTION) at = end;
    else {
      const count = readNumber(module, length.end);
      const limits = module[count.end];
      // Several memories, shared ones and those of 64 bits have other limits, and no engine has them.
      if (count.value !== 1 || limits !== 0) return module;
      const minimum = readNumber(module, count.end + 1);
      const content = [1, 1, ...writeNumber(minimum.value), ...writeNumber(Math.max(pages, minimum.value))];
      const section = [MEMORY_SECTION, ...writeNumber(content.length), ...content];
      const result = new Uint8Array(at + section.length + module.length - end);
      result.set(module.subarray(0, at));
      result.set(section, at);
      result.set(module.subarray(end), at + section.length);
      return result;
    }
  }
  return module;
}

/** Unsigned LEB128. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: at };
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
