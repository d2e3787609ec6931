/** The readings of a file by all clients, as the index stores them. */
import { byteLength } from '../../text.ts';
import type { ClientFile, FilePath, IdentifiedRules } from './file.ts';
import { pipelines } from './pipelines.ts';
import { readingsOf, ruleSetOf, type StoredReading } from './read.ts';
import type { ReadSkill, Stop } from './reading.ts';
import { isChoice, type Result } from './setting.ts';

const RULES = ruleSetOf(pipelines);
const INDEXES: ReadonlyMap<string, number> = new Map(pipelines.map(({ id }, index) => [id, index]));

/** Returns the readings of a file by all clients, equal ones together. Never throws. */
export const readingsByAll = (text: string): readonly StoredReading[] => readingsOf(text, RULES);

/** The limits of the sizes of files, in bytes. */
const SIZES = pipelines
  .flatMap(({ find: { maxBytes = null } }) => (isChoice(maxBytes) ? maxBytes.oneOf : [maxBytes]))
  .filter((bytes) => bytes !== null)
  .sort((a, b) => b - a);

/**
 * Returns a size in bytes that exceeds the same limits of clients as a text; 0 if it exceeds none, so that an edit rarely
 * changes it.
 */
export function sizeOf(text: string): number {
  const least = SIZES.at(-1) ?? Infinity;
  // A code unit has at most three bytes.
  if (text.length * 3 <= least) return 0;
  const bytes = byteLength(text);
  const exceeded = SIZES.find((limit) => bytes > limit);
  return exceeded === undefined ? 0 : exceeded + 1;
}

/** A reading, and the clients that read the file so. */
type SharedReading = Pick<StoredReading, 'clients'> & { readonly value: ReadSkill | Stop };

/** Returns how a client reads a file; undefined if its settings have too many combinations. */
function readingsBy(
  { id }: IdentifiedRules,
  all: readonly SharedReading[],
): readonly Result<ReadSkill | Stop>[] | undefined {
  const index = INDEXES.get(id);
  if (index === undefined) return undefined;
  const results: Result<ReadSkill | Stop>[] = [];
  for (const { clients, value } of all) {
    const picks = clients.get(index);
    if (picks) results.push({ value, picks });
  }
  return results.length > 0 ? results : undefined;
}

/** Returns a file with its stored readings. */
export function storedFile(file: FilePath, stored: readonly StoredReading[]): ClientFile {
  const all = stored.map(
    ({ clients, reading }): SharedReading => ({
      clients,
      value: 'code' in reading ? reading : { body: '', ...reading },
    }),
  );
  return { ...file, readings: (client) => readingsBy(client, all), named: new Map() };
}
