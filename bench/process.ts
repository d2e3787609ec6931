/** The resource use of processes, read from `/proc` (Linux), and quantiles. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the CPU time in milliseconds of a process and its living descendants, for all living threads. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const process of treeOf(pid)) {
    for (const thread of entries(`/proc/${process}/task`)) {
      nanoseconds += Number(read(`/proc/${process}/task/${thread}/schedstat`).split(' ')[0]);
    }
  }
  return nanoseconds / 1e6;
}

function treeOf(pid: number): readonly string[] {
  const found = [String(pid)];
  for (const process of found) {
    for (const thread of entries(`/proc/${process}/task`)) {
      found.push(...read(`/proc/${process}/task/${thread}/children`).split(' ').filter(Boolean));
    }
  }
  return found;
}

/** Waits until a process has used almost no CPU for 600 ms and none of its threads has been ready to run. */
export async function idle(pid: number): Promise<void> {
  let used = -1;
  for (let quiet = 0; quiet < 12; ) {
    const now = cpuOf(pid);
    quiet = now - used > 3 || isRunnable(pid) ? 0 : quiet + 1;
    used = now;
    await sleep(50);
  }
}

const isRunnable = (pid: number): boolean =>
  entries(`/proc/${pid}/task`).some((thread) => /\) R /.test(read(`/proc/${pid}/task/${thread}/stat`)));

export interface RunCost {
  /** CPU time in milliseconds, user and system, of the program and its children. */
  readonly cpu: number;
  /** The maximum resident memory in megabytes. */
  readonly memory: number;
  readonly status: number | null;
}

/** Runs a program to completion. Requires the program `time` at `/usr/bin/time`. */
export function runOnce(command: readonly string[], cwd: string): RunCost {
  const marker = 'bench-cost';
  const { stderr, status, error } = spawnSync('/usr/bin/time', ['-q', '-f', `${marker} %U %S %M`, ...command], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw new Error(`/usr/bin/time cannot be run (${error.message}). Install the package \`time\`.`);
  const [user = 0, system = 0, kilobytes = 0] = (stderr.split(`${marker} `)[1] ?? '').trim().split(' ').map(Number);
  return { cpu: (user + system) * 1000, memory: kilobytes / 1024, status };
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process or thread has ended.
    return '';
  }
}

function entries(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
