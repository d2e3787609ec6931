/** The settings of the JavaScript engine for a command that runs for a few seconds. */
import { setFlagsFromString } from 'node:v8';

/**
 * The flags by version of V8, which is the same in all releases of a major version of Node: 20 and 22. V8 prints an error
 * for a flag that it does not know, and other programs that run Node's code have another V8.
 */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['11.3', '--interrupt-budget=1000000'],
  ['12.4', '--invocation-count-for-turbofan=30000'],
]);

/**
 * Lets the engine optimize only functions that run very often. By default, optimizing takes a fifth of the CPU of a short
 * run.
 */
export function optimizeLess(): void {
  const { v8, bun } = process.versions;
  const [version = ''] = /^\d+\.\d+/.exec(v8) ?? [];
  const flag = bun === undefined ? FLAGS.get(version) : undefined;
  if (flag !== undefined) setFlagsFromString(flag);
}
