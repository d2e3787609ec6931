/** The figures of programs that run to their end: `check`, the floor, the heap that is kept, the errors that are found. */
import type { Bench } from './bench.ts';
import type { Kept } from './kept.ts';
import { commandOf } from './peers.ts';
import { median, type RunCost, runOnce } from './process.ts';
import { RULE_OF } from './skills.ts';
import { type Row, seconds } from './table.ts';
import type { Generated } from './workspaces.ts';

export function commandRows(bench: Bench): readonly Row[] {
  const thousand = bench.workspaces.of(1000);
  const check = [...bench.cli, '--format', 'json', 'check', 'skills'];
  const commands: Record<string, { command: readonly string[]; folder: string } | { missing: string }> = {
    check: { command: check, folder: thousand.folder },
    floor: { command: bench.self('floor', 1000), folder: thousand.folder },
  };
  for (const name of ['remark-cli', 'markdownlint-cli2'] as const) {
    const peer = bench.peer(name);
    commands[name] = 'missing' in peer ? peer : { command: commandOf(name, peer.folder), folder: thousand.folder };
  }
  if (bench.large) {
    const all = bench.workspaces.of(10_000).folder;
    commands['check 10000'] = { command: check, folder: all };
    commands['floor 10000'] = { command: bench.self('floor', 10_000), folder: all };
  }
  const runs = new Map<string, RunCost[]>();
  for (let round = 1; round <= bench.rounds; round++) {
    for (const [name, one] of Object.entries(commands)) {
      if ('missing' in one) continue;
      const cost = runOnce(one.command, one.folder);
      runs.set(name, [...(runs.get(name) ?? []), cost]);
      bench.say(`round ${round}, ${name}: ${seconds(cost.cpu)} CPU, ${Math.round(cost.peak)} MB`);
    }
  }
  const rowOf = (figure: string, ours: string, theirs: string, of: 'cpu' | 'peak', must: number, aim: number): Row => {
    const [a, b] = [ours, theirs].map((name) => runs.get(name));
    const one = commands[theirs];
    if (!a || !b) return { figure, against: theirs, must, aim, measured: one && 'missing' in one ? one.missing : '–' };
    const [own, other] = [median(a.map((run) => run[of])), median(b.map((run) => run[of]))];
    const shown = of === 'cpu' ? seconds : (value: number) => `${Math.round(value)} MB`;
    return { figure, against: theirs, must, aim, measured: own / other, from: `${shown(own)} : ${shown(other)}` };
  };
  const large = bench.large
    ? [rowOf('`check` of 10,000 files, CPU', 'check 10000', 'floor 10000', 'cpu', 1, 1 / 3)]
    : [];
  return [
    rowOf('`check` of 1,000 files, CPU', 'check', 'remark-cli', 'cpu', 1 / 15, 1 / 30),
    rowOf('`check` of 1,000 files, CPU', 'check', 'markdownlint-cli2', 'cpu', 1 / 3, 1 / 5),
    rowOf('`check` of 1,000 files, peak memory', 'check', 'remark-cli', 'peak', 0.4, 0.25),
    rowOf('`check` of 1,000 files, CPU', 'check', 'floor', 'cpu', 1, 1 / 3),
    ...large,
    ...keptRows(bench),
    seededRow(thousand, runs.get('check')?.at(-1)?.output ?? ''),
  ];
}

function keptRows(bench: Bench): readonly Row[] {
  const count = 10_000;
  const { output, status } = runOnce(bench.self('kept', count), bench.workspaces.of(count).folder);
  const { index, withFindings } =
    status === 0 ? (JSON.parse(output) as Kept) : { index: undefined, withFindings: undefined };
  const row = { figure: 'heap kept per indexed skill', against: 'bytes of its file' };
  return [
    { ...row, must: 0.5, aim: 0.25, measured: index ?? 'it failed' },
    { ...row, figure: 'the same, with what was said of it', measured: withFindings ?? 'it failed' },
  ];
}

interface Found {
  readonly file: string;
  readonly rule: string;
  readonly severity: string;
}

function seededRow({ errors }: Generated, output: string): Row {
  const row = { figure: 'seeded errors found', against: `all ${errors.size}, and no other file with an error` };
  let findings: readonly Found[];
  try {
    ({ findings } = JSON.parse(output) as { findings: readonly Found[] });
  } catch {
    return { ...row, measured: 'the output of `check` cannot be read' };
  }
  const missed = [...errors].filter(
    ([path, error]) => !findings.some(({ file, rule }) => file === path && rule === RULE_OF[error]),
  );
  const flagged = new Set(findings.flatMap(({ file, severity }) => (severity === 'error' ? [file] : [])));
  const wrong = [...flagged].filter((file) => !errors.has(file));
  const ok = missed.length === 0 && wrong.length === 0;
  return { ...row, measured: ok ? '**all, and no other**' : `${missed.length} missed, ${wrong.length} others flagged` };
}
