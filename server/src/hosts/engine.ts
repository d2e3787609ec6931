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
 * A function is optimized when it has used up twelve times as much as by default; the larger it is, and the dearer its
 * compiling, the later: after 2 times, and 1 more for each 50 bytes of code, in place of 3 and 150. The first edits of
 * 2,000 lines cost 3.8 ms and not 4.6, as they did with six times alone, and after a thousand they cost the same.
 */
const BY_SIZE = ['--interrupt-budget=800000', '--ticks-before-optimization=2', '--bytecode-size-allowance-per-tick=50'];

/**
 * Later engines count calls, 3,000 by default, and have a cheaper compiler for what is called less. In Node 22 an edit went
 * from 1.0 to 0.7 ms, and `check` of 1,000 files from 2.0 to 1.6 s.
 */
const BY_CALLS = ['--invocation-count-for-turbofan=12000'];
