/**
 * Undoes DEFLATE (RFC 1951), where neither Node's zlib is at hand nor time to wait for a stream of the browser's. Goes into
 * a script as it stands, so it may use nothing from outside. The data is trusted: it is held against its source when it is
 * written. A megabyte takes some sixty milliseconds.
 *
 * @param {Uint8Array} input
 * @param {number} size of the output, in bytes
 */
export function inflate(input, size) {
  const output = new Uint8Array(size);
  let at = 0;
  let end = 0;
  // Bits that are read from the input and not used yet, the next one lowest.
  let held = 0;
  let count = 0;
  const hold = (/** @type {number} */ bits) => {
    for (; count < bits; count += 8) held |= (input[at++] ?? 0) << count;
  };
  const read = (/** @type {number} */ bits) => {
    hold(bits);
    const value = held & ((1 << bits) - 1);
    held >>>= bits;
    count -= bits;
    return value;
  };
  /** For whatever the next 15 bits may be, the symbol that they begin with times 16, and the length of its code. */
  const tableOf = (/** @type {readonly number[]} */ lengths) => {
    const table = new Uint16Array(1 << 15);
    let code = 0;
    for (let length = 1; length <= 15; length++, code <<= 1) {
      for (const [symbol, own] of lengths.entries()) {
        if (own !== length) continue;
        // Codes are written from their highest bit.
        let reversed = 0;
        for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
        for (let bits = reversed; bits < table.length; bits += 1 << length) table[bits] = (symbol << 4) | length;
        code++;
      }
    }
    return table;
  };
  const decode = (/** @type {Uint16Array} */ table) => {
    hold(15);
    const entry = table[held & 32_767] ?? 0;
    held >>>= entry & 15;
    count -= entry & 15;
    return entry >> 4;
  };
  /** Both halves of a dynamic block's codes are lengths, which are themselves written in a code. */
  const readCodes = () => {
    const literals = read(5) + 257;
    const distances = read(5) + 1;
    const lengthsOfLengths = read(4) + 4;
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const own = new Array(19).fill(0);
    for (const place of order.slice(0, lengthsOfLengths)) own[place] = read(3);
    const code = tableOf(own);
    /** @type {number[]} */
    const lengths = [];
    while (lengths.length < literals + distances) {
      const symbol = decode(code);
      if (symbol < 16) lengths.push(symbol);
      else {
        const [value, times] =
          symbol === 16 ? [lengths.at(-1) ?? 0, 3 + read(2)] : [0, symbol === 17 ? 3 + read(3) : 11 + read(7)];
        for (let i = 0; i < times; i++) lengths.push(value);
      }
    }
    return [tableOf(lengths.slice(0, literals)), tableOf(lengths.slice(literals))];
  };
  const fixed = () => [
    tableOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    tableOf(new Array(30).fill(5)),
  ];
  const stored = () => {
    // On to the next whole byte, which may be held already.
    at -= count >> 3;
    held = 0;
    count = 0;
    const length = (input[at] ?? 0) + 256 * (input[at + 1] ?? 0);
    output.set(input.subarray(at + 4, at + 4 + length), end);
    at += 4 + length;
    end += length;
  };
  for (let last = 0; last === 0; ) {
    last = read(1);
    const kind = read(2);
    if (kind === 0) {
      stored();
      continue;
    }
    const [literals, distances] = kind === 1 ? fixed() : readCodes();
    if (!literals || !distances) break;
    for (let symbol = decode(literals); symbol !== 256; symbol = decode(literals)) {
      if (symbol < 256) output[end++] = symbol;
      else {
        const step = symbol - 257;
        const extra = step < 8 || step === 28 ? 0 : (step >> 2) - 1;
        const base = step < 8 ? step + 3 : step === 28 ? 258 : ((4 + (step & 3)) << extra) + 3;
        let length = base + read(extra);
        const far = decode(distances);
        const more = far < 4 ? 0 : (far >> 1) - 1;
        const distance = (far < 4 ? far + 1 : ((2 + (far & 1)) << more) + 1) + read(more);
        for (; length > 0; length--, end++) output[end] = output[end - distance] ?? 0;
      }
    }
  }
  return output;
}
