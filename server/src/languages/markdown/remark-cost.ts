/**
 * An estimate of how long remark would take, which is quadratic in some inputs (`*_*_…`, `>>>>…`, `<!--` again and again).
 * The unit is about a nanosecond. It need not be exact: real files stay far below the limits.
 */

/** A chunk above this is scanned instead of parsed. */
export const CHUNK_LIMIT = 100e6;
/** Chunks are parsed until their costs add up to this; the rest of the text is scanned. */
export const TEXT_LIMIT = 1000e6;

const CHUNK = 40e3;
const CHARACTER = 250;
const TAB = 3e3;
const LINE = 6e3;
const LIST_ITEM = 30e3;
const MARK = 12e3;
const EMPHASIS_PAIR = 5;
const RESCANNED_CHARACTER = 20;
const NESTING_PAIR = 300;
/** Deeper quotes and lists are not parsed, since remark recurses into them. */
const DEEPEST = 150;

/** The estimate for a text; infinite where parsing might overflow the stack. */
export function remarkCost(text: string): number {
  let cost = CHUNK + text.length * CHARACTER;
  // Marks interact within a paragraph, which is at most what stands between two blank lines.
  let emphases = 0;
  let rescans = 0;
  let runStart = 0;
  let isBehindBlank = false;
  const endRun = (end: number) => {
    cost += emphases * emphases * EMPHASIS_PAIR + rescans * (end - runStart) * RESCANNED_CHARACTER;
    emphases = 0;
    rescans = 0;
    runStart = end;
  };
  for (let at = 0; at < text.length; ) {
    const prefix = prefixOf(text, at);
    if (prefix.depth > DEEPEST) return Number.POSITIVE_INFINITY;
    cost +=
      LINE + (prefix.markers > 0 ? LIST_ITEM : 0) + prefix.depth * prefix.depth * NESTING_PAIR + prefix.tabs * TAB;
    let ticks = 0;
    let i = prefix.end;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 || code === 13) break;
      // Remark searches the paragraph for the end of a long run of backticks; short ones soon find theirs.
      ticks = code === 96 ? ticks + 1 : 0;
      if (ticks === 4) rescans++;
      if (code === 9) cost += TAB;
      if (!isMark(code)) continue;
      cost += MARK;
      if (code === 42 || code === 95) emphases++;
      else if (code === 60) rescans++;
    }
    const isBlank = i === prefix.end;
    // Headings and paragraphs are parsed each on its own, once the quick reader has refused the chunk.
    if (!isBlank && (isBehindBlank || text.charCodeAt(at) === 35)) cost += CHUNK;
    if (isBlank) endRun(i);
    isBehindBlank = isBlank;
    at = i + (text.charCodeAt(i) === 13 && text.charCodeAt(i + 1) === 10 ? 2 : 1);
  }
  endRun(text.length);
  return cost;
}

/** One of ! & * < [ \ ] ^ _ and the backtick. */
const isMark = (code: number): boolean =>
  code === 33 || code === 38 || code === 42 || code === 60 || (code >= 91 && code <= 96);

/** The blanks, quote and list markers that a line begins with; `depth` counts indentation before a marker, too. */
function prefixOf(text: string, start: number): { end: number; markers: number; tabs: number; depth: number } {
  let end = start;
  let markers = 0;
  let indent = 0;
  let tabs = 0;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (code === 32) indent++;
    else if (code === 9) tabs++;
    else if (code === 62) markers++;
    else if (isBlankAt(text, end + 1) && (code === 42 || code === 43 || code === 45)) markers++;
    else {
      const digits = code >= 48 && code <= 57 ? digitsFrom(text, end) : 0;
      if (digits === 0) break;
      markers++;
      end += digits;
    }
  }
  return { end, markers, tabs, depth: markers === 0 ? 0 : markers + (indent >> 1) + tabs };
}

const isBlankAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 32 || code === 9;
};

/** How many digits there are at `at`, where a `.` or `)` and a blank follow them; else 0. */
function digitsFrom(text: string, at: number): number {
  let end = at;
  while (end - at < 10 && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  const code = text.charCodeAt(end);
  return (code === 46 || code === 41) && isBlankAt(text, end + 1) ? end - at : 0;
}
