/** Backticks around a text that holds some itself (CommonMark, sections 4.5 and 6.1). */

/** More backticks than the text has in a row, and at least as many. */
export function fenceFor(text: string, least = 3): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** A text as code within a line; its line breaks become spaces. */
export function codeSpan(text: string): string {
  const line = text.replace(/\r\n|[\r\n]/g, ' ') || ' ';
  const ticks = fenceFor(line, 1);
  // One space at both ends is taken away again, where there is anything else.
  const isStripped = line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line);
  const room = isStripped || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${room}${line}${room}${ticks}`;
}
