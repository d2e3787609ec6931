/** Which skills are to be tested again after a change on the disk (docs/testing.md, "Watching"). */

import type { Analysis } from '../../../analysis/analysis.ts';
import { folderOf } from '../../../vocabulary/dialect.ts';
import { dependentsOf } from '../../../workspace/parts-and-composers.ts';
import { affectedBy } from '../../../workspace/update.ts';
import { TESTED_FOLDERS } from './watch-disk.ts';

/** `uris` came, changed or went between the two. */
export function concernedBy(uris: readonly string[], before: Analysis, now: Analysis): ReadonlySet<string> | 'all' {
  const [{ index }, { index: after }] = [before, now];
  if (index.catalogs !== after.catalogs) return 'all';
  const found = new Set<string>();
  for (const uri of uris) {
    const folder = folderOf(uri);
    if (TESTED_FOLDERS.includes(folder.slice(folder.lastIndexOf('/') + 1))) {
      for (const other of after.files.keys()) if (folderOf(other) === folderOf(folder)) found.add(other);
    }
    if (index.files.get(uri)?.text === after.files.get(uri)?.text) continue;
    const file = now.file(uri);
    const affected = affectedBy(file ? { kind: 'file', file } : { kind: 'delete', uri }, index, after);
    if (affected === 'all') return 'all';
    const names = [index, after].flatMap(({ graph }) => graph.skills.get(uri)?.summary.name ?? []);
    for (const other of [...affected, ...dependentsOf(after.graph, names)]) found.add(other);
  }
  return found;
}
