/** Raw blocks: the engine finds them by their spelling, before it reads any statement. */

/** What is known to have no end: looking for it again would cost a pass over the text each time. */
export interface RawScan {
  commentsEnd: boolean;
  /** The place in the file of the first raw block that is never closed, or -1. */
  unclosedRaw: number;
}

const RAW = /\{%[-+]?[ \t\n\r\f]*raw[ \t\n\r\f]*[-+]?%\}/y;
const END = /\{%[-+]?[ \t\n\r\f]*endraw[ \t\n\r\f]*[-+]?%\}/g;

/** The end of the `{% raw %}` tag at `start`, if one stands there. */
export function findRawStart(text: string, start: number): number | undefined {
  RAW.lastIndex = start;
  return RAW.test(text) ? RAW.lastIndex : undefined;
}

/** The first `{% endraw %}` at or after `from`. */
export function findRawEnd(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  END.lastIndex = from;
  const match = END.exec(text);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}
