/** Finds the JSON in the output of a model (docs/testing.md, "Assertions"). */
import type { Json } from '../languages/yaml/node.ts';

/**
 * Returns the whole text parsed as JSON, else the content of the first fence with JSON; undefined if the text has no
 * JSON.
 */
export function jsonIn(text: string): Json | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? [];
    if (!open) {
      if (mark !== '') open = { mark, lines: [] };
    } else if (line.trimEnd() === open.mark) {
      const json = parsed(open.lines.join('\n'));
      if (json !== undefined) return json;
      open = undefined;
    } else open.lines.push(line);
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
