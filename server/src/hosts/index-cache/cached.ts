/**
 * What a server knew when it rested last, as text that a later start reads: what of it is still so need not be read and
 * judged again. The text is believed only as a whole: it begins with a digest of the rest, and a single value that does
 * not have its form makes it worthless.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import { digestOf } from '../../skill/digest.ts';
import type { SkillSummary } from '../../skill/document.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import type { Stamp } from '../files.ts';
import { type Json, readDiagnostics, readFailures, readList, readSummary, readText, valuesOf } from './readers.ts';

/** A file as it was known. */
export interface CachedFile {
  readonly uri: string;
  /** Undefined where what is known is not of the disk, or the file may have been written once more in that moment. */
  readonly stamp: Stamp | undefined;
  /** Undefined for a catalog and the like, of which nothing more is kept. */
  readonly known: CachedDocument | undefined;
}

export interface CachedDocument {
  readonly isSkill: boolean;
  readonly summary: SkillSummary;
  /** What was said about it; undefined where nobody wanted to know. */
  readonly items: readonly Diagnostic[] | undefined;
  /** The files that it links to, and whether they were there. */
  readonly links: readonly (readonly [uri: string, exists: boolean])[];
  /** What came of its samples; `unknown` where it has some that were not composed yet. */
  readonly samples: readonly SampleFailure[] | 'none' | 'unknown';
}

export interface Cached {
  /** The folders of the account scope. */
  readonly account: readonly string[];
  readonly files: readonly CachedFile[];
}

/** `key` holds all that what is known depends on beside the files: the program, its settings. */
export const headOf = (key: string, account: readonly string[]): string => JSON.stringify([key, account]);

export function lineOf({ uri, stamp, known }: CachedFile): string {
  const about = known && [known.isSkill, valuesOf(known.summary), known.items ?? null, known.links, known.samples];
  const { size, mtime } = (!known || isExact(known.summary) ? stamp : undefined) ?? { size: null, mtime: null };
  return JSON.stringify([uri, size, mtime, about ?? null]);
}

/** False where JSON loses a number, `.inf` in YAML: such a file is read again. */
function isExact({ level, policy, composes }: SkillSummary): boolean {
  const mappings = composes.flatMap(({ inputMapping, outputMapping }) => [inputMapping, outputMapping]);
  return [level ?? null, policy, ...mappings].every(isFiniteEverywhere);
}

function isFiniteEverywhere(json: Json): boolean {
  if (typeof json === 'number') return Number.isFinite(json);
  return typeof json !== 'object' || json === null || Object.values(json).every(isFiniteEverywhere);
}

export function textOf(lines: readonly string[]): string {
  const rest = lines.join('\n');
  return `${digestOf(rest)}\n${rest}`;
}

/** Undefined for what is not wholly a text of `textOf` under this key. `pause` is waited for between the files. */
export async function readCached(
  text: string,
  key: string,
  pause: () => Promise<void> | undefined,
): Promise<Cached | undefined> {
  const end = text.indexOf('\n');
  const rest = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== digestOf(rest)) return undefined;
  const [head = '', ...lines] = rest.split('\n');
  try {
    const [itsKey, account] = JSON.parse(head) as Json[];
    if (itsKey !== key) return undefined;
    const files: CachedFile[] = [];
    for (const line of lines) {
      files.push(readFile(JSON.parse(line)));
      await pause();
    }
    return { account: readList(account, readText), files };
  } catch {
    return undefined;
  }
}

/** Throws where the value has another form. */
function readFile(json: Json): CachedFile {
  const [uri, size, mtime, about] = readList(json, (item) => item);
  const stamp = typeof size === 'number' && typeof mtime === 'number' ? { size, mtime } : undefined;
  return { uri: readText(uri), stamp, known: about === null ? undefined : readDocument(about) };
}

function readDocument(json: Json | undefined): CachedDocument {
  const [isSkill, summary, items, links, samples] = readList(json, (item) => item);
  return {
    isSkill: isSkill === true,
    summary: readSummary(summary),
    items: items === null ? undefined : readDiagnostics(items),
    links: readList(links, (link) => {
      const [uri, exists] = readList(link, (item) => item);
      return [readText(uri), exists === true] as const;
    }),
    samples: samples === 'none' || samples === 'unknown' ? samples : readFailures(samples),
  };
}
