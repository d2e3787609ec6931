import type { Json } from './node.ts';
import { canSingleQuote, formatScalar } from './quote.ts';

/**
 * The value as it stands behind a key of a block map, one value a line. A map or list that is not empty begins with a line
 * break and is indented as for a key at column 0.
 */
export function formatBlock(value: Json): string {
  if (typeof value === 'string') return literal(value) ?? formatScalar(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : below(value.map((item) => `- ${behindDash(item)}`));
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return entries.length === 0 ? '{}' : below(entries.map(([key, item]) => entryOf(key, formatBlock(item))));
}

const below = (lines: readonly string[]): string => lines.map((line) => `\n  ${deeper(line)}`).join('');

const deeper = (yaml: string): string => yaml.replace(/\n(?=[^\n])/g, '\n  ');

const entryOf = (key: string, yaml: string): string =>
  `${formatScalar(key, true)}:${yaml.startsWith('\n') ? yaml : ` ${yaml}`}`;

/** The first line of a map or list stands behind the dash, at the column of the others. */
function behindDash(item: Json): string {
  const yaml = formatBlock(item);
  return yaml.startsWith('\n  ') ? yaml.slice('\n  '.length) : yaml;
}

/** A text of several lines as a literal block; undefined for one that such a block cannot hold. */
function literal(text: string): string | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  const fits =
    lines.length > 1 && !/^\s|\n\n$/.test(text) && lines.every((line) => line === '' || canSingleQuote(line));
  if (!fits) return undefined;
  return `|${text.endsWith('\n') ? '' : '-'}${lines.map((line) => `\n${line && `  ${line}`}`).join('')}`;
}
