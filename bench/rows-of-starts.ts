/** The figures of a start in a large workspace: the first one, and the next, which knows what the first one knew. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bench } from './bench.ts';
import { startClient } from './client.ts';
import { cpuOf, median, resting, runOnce, treeOf } from './process.ts';
import { type Row, seconds } from './table.ts';

const COUNT = 10_000;
/** The server keeps what it knows when nothing has changed for two seconds. */
const KEEPING_MS = 8_000;

/** Seconds of CPU. */
interface Start {
  /** Until every skill is known and the server rests, of which nobody has asked more than that. */
  readonly index: number;
  /** Until every file's diagnostics are known as well. */
  readonly all: number;
}

export async function startRows(bench: Bench): Promise<readonly Row[]> {
  if (!bench.large) return [];
  const { folder, paths } = bench.workspaces.of(COUNT);
  // A file that has just been written is not relied upon.
  for (const path of paths) utimesSync(path, 1_700_000_000, 1_700_000_000);
  const cache = mkdtempSync(join(tmpdir(), 'skill-bench-cache-'));
  const command = ['env', `XDG_CACHE_HOME=${cache}`, ...bench.server];
  const [cold, second, floor]: [Start[], Start[], number[]] = [[], [], []];
  try {
    for (let round = 1; round <= bench.rounds; round++) {
      floor.push(runOnce(bench.self('floor', COUNT), folder).cpu);
      cold.push(await start(command, folder, { cache: false }, 0));
      // What the others begin with.
      if (round === 1) await start(command, folder, {}, KEEPING_MS);
      second.push(await start(command, folder, {}, 0));
      bench.say(
        `round ${round}, start among 10,000: ${shown(cold.at(-1))}, then ${shown(second.at(-1))}, floor ${seconds(floor.at(-1) ?? 0)}`,
      );
    }
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  const rowOf = (figure: string, against: string, own: number, other: number, must: number, aim: number): Row => ({
    ...{ figure, against, must, aim, measured: own / other, from: `${seconds(own)} : ${seconds(other)}` },
  });
  const of = (starts: readonly Start[], part: keyof Start): number => median(starts.map((one) => one[part]));
  const rowsOf = (figure: string, part: keyof Start): readonly Row[] => [
    rowOf(figure, 'floor', of(cold, part), median(floor), 1, 1 / 3),
    rowOf('the same, second start', 'the first', of(second, part), of(cold, part), 1 / 5, 1 / 10),
  ];
  return [
    ...rowsOf('index of 10,000 files, CPU', 'index'),
    ...rowsOf("index and every file's diagnostics, 10,000 files, CPU", 'all'),
  ];
}

const shown = (start: Start | undefined): string => `${seconds(start?.index ?? 0)} (${seconds(start?.all ?? 0)})`;

async function start(
  command: readonly string[],
  folder: string,
  initializationOptions: object,
  restsFor: number,
): Promise<Start> {
  const client = startClient(command, folder, {});
  try {
    const rootUri = pathToFileURL(folder).href;
    await client.request('initialize', {
      ...{ processId: process.pid, rootUri, workspaceFolders: [{ uri: rootUri, name: 'workspace' }] },
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions,
    });
    client.notify('initialized', {});
    await resting(client.pid);
    const index = used(client.pid);
    await client.request('workspace/diagnostic', { previousResultIds: [] });
    const all = used(client.pid);
    await sleep(restsFor);
    return { index, all };
  } finally {
    await client.close();
  }
}

const used = (pid: number): number => cpuOf(treeOf(pid)) / 1000;
