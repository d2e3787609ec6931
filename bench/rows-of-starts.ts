/** The figures of a start in a large workspace: the first one, and the next, which knows what the first one knew. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bench } from './bench.ts';
import { startClient } from './client.ts';
import { cpuOf, median, runOnce, treeOf } from './process.ts';
import { type Row, seconds } from './table.ts';

const COUNT = 10_000;
/** The server keeps what it knows when nothing has changed for two seconds. */
const KEEPING_MS = 8_000;

export async function startRows(bench: Bench): Promise<readonly Row[]> {
  if (!bench.large) return [];
  const { folder, paths } = bench.workspaces.of(COUNT);
  // A file that has just been written is not relied upon.
  for (const path of paths) utimesSync(path, 1_700_000_000, 1_700_000_000);
  const cache = mkdtempSync(join(tmpdir(), 'skill-bench-cache-'));
  const command = ['env', `XDG_CACHE_HOME=${cache}`, ...bench.server];
  const [cold, second, floor]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 1; round <= bench.rounds; round++) {
      floor.push(runOnce(bench.self('floor', COUNT), folder).cpu);
      // The first round's is what the others begin with.
      cold.push(await start(command, folder, round === 1 ? {} : { cache: false }, round === 1 ? KEEPING_MS : 0));
      second.push(await start(command, folder, {}, 0));
      bench.say(
        `round ${round}, start among 10,000: ${seconds(cold.at(-1) ?? 0)}, then ${seconds(second.at(-1) ?? 0)}`,
      );
    }
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  const rowOf = (figure: string, against: string, own: number, other: number, must: number, aim: number): Row => ({
    ...{ figure, against, must, aim, measured: own / other, from: `${seconds(own)} : ${seconds(other)}` },
  });
  return [
    rowOf('index of 10,000 files, CPU', 'floor', median(cold), median(floor), 1, 1 / 3),
    rowOf('the same, second start', 'the first', median(second), median(cold), 1 / 5, 1 / 10),
  ];
}

/** Seconds of CPU from the start until every file's diagnostics are known. */
async function start(
  command: readonly string[],
  folder: string,
  initializationOptions: object,
  restsFor: number,
): Promise<number> {
  const client = startClient(command, folder, {});
  try {
    const rootUri = pathToFileURL(folder).href;
    await client.request('initialize', {
      ...{ processId: process.pid, rootUri, workspaceFolders: [{ uri: rootUri, name: 'workspace' }] },
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions,
    });
    client.notify('initialized', {});
    await client.request('workspace/diagnostic', { previousResultIds: [] });
    const used = cpuOf(treeOf(client.pid)) / 1000;
    await sleep(restsFor);
    return used;
  } finally {
    await client.close();
  }
}
