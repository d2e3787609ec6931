/**
 * `npm run bench -- [--peers] [--large] [--rounds N] [--yardstick FILE] [--real-skills FOLDER --skill-language-server FILE]`:
 * the table of figures, as ratios of what was measured in turns in one run.
 * `--peers` installs the tools that we are measured against into the cache; `--large` adds workspaces of 10,000 skills.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { runFloor } from './floor.ts';
import { keptPerByte } from './kept.ts';
import { findPeer, PEER_NAMES, type Peer, type PeerName, versionsOf } from './peers.ts';
import { findRealSkills } from './real-skills.ts';
import { commandRows } from './rows-of-commands.ts';
import { packageRow } from './rows-of-package.ts';
import { serverRows } from './rows-of-servers.ts';
import { startRows } from './rows-of-starts.ts';
import { tableOf } from './table.ts';
import { openWorkspaces } from './workspaces.ts';

export interface BenchOptions {
  /** The checkout. */
  readonly root: string;
  readonly peers: boolean;
  readonly large: boolean;
  /** How often each session and program has its turn; the figures are medians. */
  readonly rounds: number;
  readonly yardstick: string | undefined;
  readonly real: { readonly folder: string; readonly server: string } | undefined;
}

export async function runBench({ root, peers, large, rounds, yardstick, real }: BenchOptions): Promise<void> {
  const workspaces = openWorkspaces();
  const found = new Map<PeerName, Peer>();
  for (const name of PEER_NAMES) {
    found.set(name, peers ? await findPeer(name) : { missing: 'not asked for (`--peers`)' });
  }
  const program = join(root, 'out', 'bench.mjs');
  const bench: Bench = {
    workspaces,
    large,
    server: [process.execPath, join(root, 'dist', 'server.js'), '--stdio'],
    cli: [process.execPath, join(root, 'dist', 'cli.cjs')],
    self: (part, count) => [
      ...[process.execPath, ...(part === 'kept' ? ['--expose-gc', '--no-opt', '--no-sparkplug'] : []), program],
      ...[part, workspaces.of(count).folder],
    ],
    peer: (name) => found.get(name) ?? { missing: 'unknown' },
    real: real && findRealSkills(real.folder, real.server),
    yardstick,
    rounds,
    say: (line) => console.log(`  ${line}`),
  };
  try {
    const rows = [...(await serverRows(bench)), ...(await startRows(bench)), ...commandRows(bench), packageRow(root)];
    const text = `${tableOf(rows)}\n`;
    console.log(`\n${text}`);
    writeFileSync(join(root, 'bench', 'RESULTS.md'), `${headOf(root, found, rounds)}\n${text}`);
  } finally {
    workspaces.remove();
  }
}

function headOf(root: string, found: ReadonlyMap<PeerName, Peer>, rounds: number): string {
  const [cpu] = cpus();
  const peers = [...found].flatMap(([name, peer]) => ('folder' in peer ? [`- ${versionsOf(name)}`] : []));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  return [
    ...['# Results', '', 'Written by `npm run bench`; see the README beside it for what the figures mean.', ''],
    `- ${new Date().toISOString().slice(0, 10)}, upon commit ${commit || 'unknown'}, Node.js ${process.version}, medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    `- ${cpu?.model.trim() || 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; load average at the end ${loadavg()[0]?.toFixed(1)}`,
    ...[...peers, ''],
  ].join('\n');
}

/** The parts that run as processes of their own. */
const [part, folder] = process.argv.slice(2);
if (part === 'floor' || part === 'kept') {
  const { readdirSync } = await import('node:fs');
  const paths = readdirSync(folder ?? '.', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.startsWith('skills/') && path.endsWith('.md'))
    .map((path) => join(folder ?? '.', path));
  console.log(part === 'floor' ? runFloor(paths) : JSON.stringify(await keptPerByte(paths)));
}
