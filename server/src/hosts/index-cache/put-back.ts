/** The beginning of a session with what the one before knew. */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { ReadText } from '../../skill/document.ts';
import type { Affected, Workspace } from '../../workspace/workspace.ts';
import { type Disk, type Stamp, sameStamp } from '../files.ts';
import { isCatalog } from '../served-files.ts';
import { createSlices } from '../slices.ts';
import type { Cached, CachedDocument } from './cached.ts';

export interface PutBackOptions {
  readonly workspace: Workspace;
  readonly disk: Disk;
  readonly again: ReadText;
  /** The texts of the open files. */
  readonly buffers: () => ReadonlyMap<string, string>;
  /** The files that somebody changed since this began. */
  readonly touched: ReadonlySet<string>;
  readonly recallText: (uri: string, stamp: Stamp) => void;
  readonly recallSaid: (uri: string, items: readonly Diagnostic[]) => void;
  readonly recallLinks: (uri: string, targets: readonly string[]) => void;
}

export interface PutBack {
  /** The files that are as they were: there is nothing to read and to judge. */
  readonly same: ReadonlySet<string>;
  /** What is to be judged nevertheless. */
  readonly affected: Affected;
  /** What was known of each file. */
  readonly known: ReadonlyMap<string, CachedDocument>;
  /** All that files link to. */
  readonly targets: ReadonlySet<string>;
}

/**
 * Puts the workspace back as it was, and upon it, as edits, what is open. What is to be read after that are the files
 * among `found` that are not the same; catalogs have been read.
 */
export async function putBack(cached: Cached, found: readonly string[], options: PutBackOptions): Promise<PutBack> {
  const { workspace, disk, again, touched } = options;
  const slices = createSlices();
  await slices.next();
  const stamps = new Map<string, Stamp | undefined>();
  for (const uri of [...found, ...cached.files.map((file) => file.uri)]) {
    if (!stamps.has(uri)) stamps.set(uri, disk.stamp(uri));
    await slices.pause();
  }
  const known = new Map<string, CachedDocument>();
  const isAsItWas = new Set<string>();
  for (const { uri, stamp, known: document } of cached.files) {
    if (document) known.set(uri, document);
    if (sameStamp(stamp, stamps.get(uri))) isAsItWas.add(uri);
  }
  for (const [uri, document] of known) {
    if (!workspace.index().documents.has(uri)) putDocument(workspace, uri, document, again);
    await slices.pause();
  }

  // From here on in one go: first everything as it was, and then what is open as edits, so that each says whom it concerns.
  const odd = new Set(touched);
  const buffers = options.buffers();
  for (const uri of [...workspace.index().documents.keys(), ...buffers.keys()]) {
    if (!known.has(uri) || buffers.has(uri)) odd.add(uri);
  }
  for (const uri of odd) {
    const document = known.get(uri);
    if (isCatalog(uri)) odd.delete(uri);
    else if (document) putDocument(workspace, uri, document, again);
    else workspace.apply({ kind: 'delete', uri });
  }
  workspace.apply({ kind: 'partial', partial: true, onTop: true });
  const same = new Set<string>();
  const unjudged = new Set<string>();
  const targets = new Set<string>();
  for (const { uri, stamp } of cached.files) {
    const document = known.get(uri);
    if (!document) continue;
    const links = document.links.map(([target]) => target);
    for (const target of links) targets.add(target);
    options.recallLinks(uri, links);
    if (document.items) options.recallSaid(uri, document.items);
    else unjudged.add(uri);
    if (!stamp || !isAsItWas.has(uri) || odd.has(uri)) continue;
    options.recallText(uri, stamp);
    same.add(uri);
  }
  let affected: Affected = union(unjudged, odd);
  for (const uri of odd) {
    const text = buffers.get(uri);
    if (text !== undefined) affected = union(affected, workspace.apply({ kind: 'text', uri, text }));
  }
  const catalogs = new Set([...stamps.keys(), ...buffers.keys()].filter(isCatalog));
  for (const uri of catalogs) {
    // What was kept was judged by what is on the disk; an editor may begin with a text that nobody has saved.
    const open = buffers.get(uri);
    const isJudgedBy = isAsItWas.has(uri) && (open === undefined || disk.read(uri) === open);
    affected = union(affected, isJudgedBy ? new Set([uri]) : 'all');
  }
  return {
    same,
    affected,
    known,
    targets,
  };
}

/** Puts a file into the workspace as it was known, whatever it is now. */
function putDocument(workspace: Workspace, uri: string, document: CachedDocument, again: ReadText): void {
  const { isSkill, summary, links, samples } = document;
  workspace.apply({ kind: 'stored', uri, isSkill, hasSamples: samples !== 'none', summary, again });
  for (const [target, exists] of links) workspace.apply({ kind: 'exists', uri: target, exists });
  if (typeof samples !== 'string') workspace.apply({ kind: 'samples', uri, failures: samples });
}

export const union = (a: Affected, b: Affected): Affected =>
  a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
