/**
 * What we ask of V8 beyond what it does by itself. Of a flag that it does not know it prints an error amid a user's output,
 * so none is set in a version in which they were not looked up: those of Node 20 to 26 have them.
 */
import { setFlagsFromString } from 'node:v8';

const OLDEST = 11;
const NEWEST = 14;

/** As in `process.versions.v8`, `11.3.244`. */
const majorOf = (version: string): number => Number.parseInt(version, 10);

/** Sets flags that each of these versions has. */
export function tuneEngine(...flags: readonly string[]): void {
  const major = majorOf(process.versions.v8);
  if (major >= OLDEST && major <= NEWEST) for (const flag of flags) setFlagsFromString(flag);
}

/**
 * Code that runs once for each key typed is not worth much optimizing: left to itself the engine spent 1.4 of the 3.3 ms of
 * an edit on all processors on compiling what had little left to do, and 1.3 of the 3.4 s in which 1,000 files are checked.
 */
export const compileLess = (): void => tuneEngine(...flagsToCompileLess(process.versions.v8));

export function flagsToCompileLess(version: string): readonly string[] {
  const major = majorOf(version);
  if (major === OLDEST) return BY_SIZE;
  return major > OLDEST && major <= NEWEST ? BY_CALLS : [];
}

/**
 * The engine counts what a function has run. It optimizes one that has run up so much (24 times the default) twice, and once
 * more for each 100 bytes of its code (three times and 150 by default): the dearer its compiling, the later. Held against
 * six times the default and no more, the first edits of 2,000 lines cost 3.4 ms and not 4.0, those of a real `SKILL.md` 1.0
 * and not 1.4; after some hundred they cost the same to within 4 %.
 */
const BY_SIZE = [
  '--interrupt-budget=1600000',
  '--ticks-before-optimization=2',
  '--bytecode-size-allowance-per-tick=100',
];

/**
 * Later engines count calls, 3,000 by default, and have a cheaper compiler for what is called less. In Node 22 an edit went
 * from 1.0 to 0.7 ms, and `check` of 1,000 files from 2.0 to 1.6 s.
 */
const BY_CALLS = ['--invocation-count-for-turbofan=12000'];
