/** The benchmark: measures in rounds, and prints the table of `rows.ts`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { measurementsOf } from './measurements.ts';
import { PACKAGES } from './peers.ts';
import { ROWS, type Source, tableOf } from './rows.ts';
import { openWorkspaces } from './workspaces.ts';

export { runComparison } from './comparison.ts';

export const USAGE = `npm run bench -- [OPTION]...

  --quick                        one round in small workspaces, to see that the benchmark works
  --rounds N                     how often everything is measured (3, with --against 10); the table shows medians of ratios
  --filter TEXT                  only rows that have TEXT in their first two columns
  --real-skills FOLDER           a folder of about 1,000 skills/NAME/SKILL.md, and
  --skill-language-server FILE   the script of that server: without both, its rows are not measured
  --against FOLDER               compare this build with the build of another checkout, which has its packages installed
  --json FILE                    with --against: write the results as JSON, too
  --reference FOLDER             a checkout of the commit that rows are compared with, which has its packages installed, and
  --repositories FOLDER          a folder with clones of azure-skills and bioSkills: rows without them are left out
  --write                        write the table to bench/RESULTS.md
`;

export interface BenchOptions {
  /** The path of the checkout. */
  readonly root: string;
  readonly quick?: boolean;
  readonly rounds?: string;
  readonly filter?: string;
  readonly realSkills?: string;
  readonly skillLanguageServer?: string;
  readonly reference?: string;
  readonly repositories?: string;
  readonly write?: boolean;
}

export async function runBench(options: BenchOptions): Promise<void> {
  const { root, quick = false, filter = '', realSkills, skillLanguageServer, reference, repositories } = options;
  if (options.write && (quick || filter !== ''))
    throw new Error('`--write` needs a whole run, without `--quick` and `--filter`.');
  const began = performance.now();
  const rounds = quick ? 1 : Math.max(1, Number.parseInt(options.rounds ?? '3', 10) || 3);
  const rows = ROWS.filter(({ figure, against }) => `${figure} ${against}`.includes(filter));
  const wanted = new Set(rows.flatMap(({ ours, theirs }) => [ours[0], ...(theirs ? [theirs[0]] : [])]));
  const workspaces = openWorkspaces();
  const measurements = measurementsOf({
    ...{ root, workspaces, quick, realSkills, skillLanguageServer, reference, repositories },
  });
  /** The values of each figure, one per round. A measurement that fails in one round is skipped in later rounds. */
  const measured = new Map<string, number[]>();
  const reasons = new Map<string, string>();
  const long = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      if (!wanted.has(name) || reasons.has(name) || long.has(name)) continue;
      const start = performance.now();
      try {
        const figures = await measure();
        if (performance.now() - start > LONG_MS) long.add(name);
        for (const [figure, value] of Object.entries(figures)) {
          const key = `${name}: ${figure}`;
          measured.set(key, [...(measured.get(key) ?? []), value]);
        }
        const shown = Object.entries(figures).map(([figure, value]) => `${figure} ${value.toFixed(2)}`);
        console.log(`  round ${round}, ${name}: ${shown.join(', ')}`);
      } catch (error) {
        reasons.set(name, error instanceof Error ? error.message : String(error));
        console.log(`  round ${round}, ${name}: ${reasons.get(name)}`);
      }
    }
  }
  const figuresOf = ([name, figure]: Source): readonly number[] | string =>
    measured.get(`${name}: ${figure}`) ?? reasons.get(name) ?? 'nothing was measured';
  const [head, table] = [headOf(options, rounds), tableOf(rows, figuresOf)];
  const minutes = (performance.now() - began) / 60_000;
  console.log(`\n${head}\n\n${table}\n\nThe run took ${minutes.toFixed(1)} minutes.`);
  if (options.write) writeFileSync(join(root, 'bench', 'RESULTS.md'), `# Results\n\n${head}\n\n${table}\n`);
}

/** A measurement that takes longer is not repeated, so that a run with three rounds takes at most 15 minutes. */
const LONG_MS = 15_000;

function headOf(options: BenchOptions, rounds: number): string {
  const { root, quick } = options;
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  return [
    ...(quick ? ['- A quick run in small workspaces: its figures say nothing about the limits'] : []),
    `- ${new Date().toISOString().slice(0, 10)}, commit ${commit || 'unknown'}, Node.js ${process.version}, medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    `- ${cpus()[0]?.model.trim() || 'unknown processor'}, ${cpus().length} cores, load average at the end ${loadavg()[0]?.toFixed(1)}`,
    `- \`${commandOf(options, rounds)}\``,
    ...Object.values(PACKAGES).map((packages) => `- ${packages.join(', ')}`),
  ].join('\n');
}

/** Returns the command that repeats a run. */
function commandOf({ reference, repositories, realSkills }: BenchOptions, rounds: number): string {
  const words = [
    ...[`--rounds ${rounds}`, reference && '--reference FOLDER', repositories && '--repositories FOLDER'],
    ...[realSkills && '--real-skills FOLDER --skill-language-server FILE', '--write'],
  ];
  return ['npm run bench --', ...words.filter(Boolean)].join(' ');
}
