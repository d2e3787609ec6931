/**
 * Measures a lower bound for the cost of an index: reads every skill below a folder, parses its frontmatter with the
 * YAML library, and scans for headings, fences and tags, but checks nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

const folder = process.argv[2] ?? '.';
let found = 0;
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.skill.md')) continue;
  const text = readFileSync(join(folder, path), 'utf8');
  const end = text.indexOf('\n---\n', 3);
  const value = parseDocument(text.slice(4, end + 1), { logLevel: 'silent' }).toJS();
  found += (value === null ? 0 : 1) + scan(text, end + 5);
}
console.log(found);

/**
 * Returns the number of headings, fences and tags after `start`.
 *
 * @param {string} text
 * @param {number} start
 */
function scan(text, start) {
  let count = 0;
  for (let at = start; at < text.length; ) {
    const end = text.indexOf('\n', at);
    if (text[at] === '#' || text[at] === '`') count++;
    for (let tag = text.indexOf('{', at); tag >= 0 && (end < 0 || tag < end); tag = text.indexOf('{', tag + 1)) count++;
    if (end < 0) break;
    at = end + 1;
  }
  return count;
}
