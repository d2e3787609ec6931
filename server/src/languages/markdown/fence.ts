/** Backticks around a string that itself contains backticks (CommonMark, sections 4.5 and 6.1). */

/** Returns a run of at least `least` backticks that is longer than every run in the text. */
export function fenceFor(text: string, least = 3): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Formats a string as an inline code span. Line breaks become spaces. */
export function codeSpan(text: string): string {
  const line = text.replace(/\r\n|[\r\n]/g, ' ') || ' ';
  const ticks = fenceFor(line, 1);
  // Markdown parsers remove one space at each end of a code span that does not contain only spaces.
  const isStripped = line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line);
  const room = isStripped || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${room}${line}${room}${ticks}`;
}
