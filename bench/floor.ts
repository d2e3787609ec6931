/**
 * What indexing would cost with the YAML library and mere scans: every file read, its frontmatter parsed, headings,
 * fences and tags looked for line by line. It checks nothing. Run as a process of its own.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

export function runFloor(paths: readonly string[]): number {
  let found = 0;
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n---\n', 3);
    const value: unknown = parseDocument(text.slice(4, end + 1), { logLevel: 'silent' }).toJS();
    found += (value === null ? 0 : 1) + scan(text, end + 5);
  }
  return found;
}

/** How many headings, fences and tags stand behind `start`. */
function scan(text: string, start: number): number {
  let count = 0;
  for (let at = start; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const first = text[at];
    if (first === '#' || first === '`') count++;
    for (let tag = text.indexOf('{', at); tag >= 0 && (end < 0 || tag < end); tag = text.indexOf('{', tag + 1)) count++;
    if (end < 0) break;
    at = end + 1;
  }
  return count;
}
