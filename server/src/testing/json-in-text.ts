/** The JSON that a model's answer holds (docs/testing.md, "Assertions"). */
import type { Json } from '../languages/yaml/node.ts';

/** The whole text, else its first fence that is JSON; undefined where neither is. */
export function jsonIn(text: string): Json | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  for (const [, , inside = ''] of text.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm)) {
    const json = parsed(inside);
    if (json !== undefined) return json;
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
