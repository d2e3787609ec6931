/** Files of JSON lines that `audit` takes: what was measured of skills elsewhere. */
import { resolve } from 'node:path';
import type { Calls } from '../../../audit/upkeep.ts';
import { readLines } from '../../disk/read-lines.ts';
import { reasonOf, Stop } from '../stop.ts';

type Line = Readonly<Record<string, unknown>>;

/** Reads `{"skill", "calls_per_day", "p95_ms"}` a line; of two lines on a skill the last counts. */
export async function readCalls(cwd: string, path: string): Promise<ReadonlyMap<string, Calls>> {
  const shape = '{"skill": "NAME", "calls_per_day": 12, "p95_ms": 340}';
  const calls = new Map<string, Calls>();
  await readObjects(cwd, path, '--calls', shape, (line) => {
    const { skill, calls_per_day: perDay, p95_ms: p95 } = line;
    if (typeof skill !== 'string' || !isAmount(perDay) || !isAmount(p95)) return false;
    calls.set(skill, { callsPerDay: perDay, p95Ms: p95 });
    return true;
  });
  return calls;
}

/** Reads `{"name", "vector"}` a line; all vectors have the length of the first. */
export async function readVectors(cwd: string, path: string): Promise<ReadonlyMap<string, Float64Array>> {
  const shape = '{"name": "NAME", "vector": [0.1, 0.2]}';
  const vectors = new Map<string, Float64Array>();
  let length: number | undefined;
  await readObjects(cwd, path, '--vectors', shape, ({ name, vector }, number) => {
    if (typeof name !== 'string' || !Array.isArray(vector) || vector.length === 0) return false;
    if (!vector.every((value) => typeof value === 'number' && Number.isFinite(value))) return false;
    length ??= vector.length;
    if (vector.length !== length) {
      throw new Stop(
        `\`--vectors ${path}\`, line ${number}: the vector has ${vector.length} numbers, and the first one has ${length}. All must be of one length.`,
      );
    }
    if (vector.every((value) => value === 0)) {
      throw new Stop(`\`--vectors ${path}\`, line ${number}: the vector is all zeros, and so has no direction.`);
    }
    vectors.set(name, Float64Array.from(vector as number[]));
    return true;
  });
  return vectors;
}

const isAmount = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0);

/** `take` gives false for an object of another shape. */
async function readObjects(
  cwd: string,
  path: string,
  option: string,
  shape: string,
  take: (line: Line, number: number) => boolean,
): Promise<void> {
  const wrong = (number: number): Stop =>
    new Stop(`\`${option} ${path}\`, line ${number}: write each line as \`${shape}\`.`);
  try {
    await readLines(resolve(cwd, path), (text, number) => {
      const json = parsed(number === 1 ? text.replace(/^\uFEFF/, '') : text);
      if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong(number);
      if (!take(json as Line, number)) throw wrong(number);
    });
  } catch (error) {
    throw error instanceof Stop ? error : new Stop(`\`${option} ${path}\` cannot be read: ${reasonOf(error)}.`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
