/** What a process and its children have used, from `/proc` (Linux), and the numbers made of it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A process and its living descendants. */
export function treeOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

/** Milliseconds on a processor, of all threads that live. */
export function cpuOf(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    let threads: string[] = [];
    try {
      threads = readdirSync(`/proc/${pid}/task`);
    } catch {
      // It has ended.
    }
    for (const thread of threads) {
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] || 0);
    }
  }
  return nanoseconds / 1e6;
}

export interface RunCost {
  /** Seconds, of user and system. */
  readonly cpu: number;
  /** Megabytes. */
  readonly peak: number;
  readonly output: string;
  readonly status: number | null;
}

/** Runs a program to its end; the cost is its children's too. Needs `time` of the system. */
export function runOnce(command: readonly string[], cwd: string): RunCost {
  const marker = 'bench-cost';
  const { stdout, stderr, status, error } = spawnSync('/usr/bin/time', ['-q', '-f', `${marker} %U %S %M`, ...command], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw new Error('The program `time` is needed to measure command lines: install it.');
  const [user = 0, system = 0, kilobytes = 0] = (stderr.split(`${marker} `)[1] ?? '').trim().split(' ').map(Number);
  return { cpu: user + system, peak: kilobytes / 1024, output: stdout, status };
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(at * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Waits until a program has used next to nothing for a while. */
export async function resting(pid: number): Promise<void> {
  let used = -1;
  for (let quiet = 0; quiet < 12; ) {
    const now = cpuOf(treeOf(pid));
    quiet = now - used > 3 ? 0 : quiet + 1;
    used = now;
    await sleep(50);
  }
}
