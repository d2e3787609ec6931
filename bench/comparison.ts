/**
 * The comparison of two builds on the same machine. The builds are measured in turn, because the load on a machine
 * changes: each ratio compares two values that were measured one after the other.
 */
import { writeFileSync } from 'node:fs';
import { type Figures, measurementsOf } from './measurements.ts';
import { median, quantile } from './process.ts';
import { amount, type Source } from './rows.ts';
import { openWorkspaces } from './workspaces.ts';

interface Row {
  readonly figure: string;
  readonly source: Source;
  readonly unit: 'ms' | 'MB';
}

/** CPU time and memory only, because wall time also depends on other programs. */
const ROWS: readonly Row[] = [
  { figure: '`check` of 1,000 skills, CPU', source: ['check', 'cpu'], unit: 'ms' },
  { figure: '`check` of 1,000 skills, memory', source: ['check', 'memory'], unit: 'MB' },
  { figure: 'edit to diagnostics, 200 lines, CPU', source: ['edits 200', 'cpu'], unit: 'ms' },
  { figure: 'edit to diagnostics, 2,000 lines, CPU', source: ['edits 2,000', 'cpu'], unit: 'ms' },
  { figure: 'edit of a `SKILL.md` among 100, CPU', source: ['body among 100', 'cpu'], unit: 'ms' },
  { figure: '`clients` of 1,000 `SKILL.md`, CPU', source: ['clients', 'cpu'], unit: 'ms' },
  { figure: '`clients` of 100 broken `SKILL.md` of one name, CPU', source: ['clients of broken', 'cpu'], unit: 'ms' },
  { figure: 'edit to prompt, 10,000 lines, CPU', source: ['prompt 10,000', 'cpu'], unit: 'ms' },
  { figure: 'index of 10,000 skills, CPU', source: ['index 10,000', 'index'], unit: 'ms' },
  { figure: 'start to `initialize`, CPU', source: ['start', 'cpu'], unit: 'ms' },
];

/** A ratio above this limit is worse. */
const LIMIT = 1.05;

/** In fewer rounds, a single disturbed round could change the result. */
const LEAST_ROUNDS = 4;

export interface ComparisonOptions {
  /** The paths of this checkout and of the other one, both with a minified build. */
  readonly root: string;
  readonly against: string;
  readonly quick?: boolean;
  readonly rounds?: string;
  readonly filter?: string;
  /** A path for the results as JSON. */
  readonly json?: string;
}

/** The values of one figure: one per round, of this build and of the other build. */
export interface Compared {
  readonly figure: string;
  readonly unit: 'ms' | 'MB';
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** The median of the ratios of all rounds, below 1 if this build needs less. */
  readonly ratio: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  /** True if the ratio exceeds the limit in three quarters of the rounds; never in fewer than four rounds. */
  readonly isWorse: boolean;
}

/**
 * Measures both builds in turn, and prints a table.
 *
 * @returns the number of figures that are not worse (`passed`), and that are worse or were not measured (`failed`)
 */
export async function runComparison(options: ComparisonOptions): Promise<{ passed: number; failed: number }> {
  const { root, against, quick = false, filter = '', json } = options;
  const rounds = quick ? 1 : Math.max(1, Number.parseInt(options.rounds ?? '10', 10) || 10);
  const rows = ROWS.filter(({ figure }) => figure.includes(filter));
  const workspaces = openWorkspaces();
  const setting = { workspaces, quick, realSkills: undefined, skillLanguageServer: undefined };
  const ours = measurementsOf({ root, ...setting });
  const theirs = measurementsOf({ root: against, ...setting });
  const measured = new Map<string, { ours: Figures; theirs: Figures }[]>();
  const reasons = new Map<string, string>();
  for (let round = 1; round <= rounds; round++) {
    for (const name of new Set(rows.map(({ source }) => source[0]))) {
      if (reasons.has(name)) continue;
      try {
        const pair = { ours: (await ours[name]?.()) ?? {}, theirs: (await theirs[name]?.()) ?? {} };
        measured.set(name, [...(measured.get(name) ?? []), pair]);
        console.log(`  round ${round}, ${name}`);
      } catch (error) {
        reasons.set(name, error instanceof Error ? error.message : String(error));
        console.log(`  round ${round}, ${name}: ${reasons.get(name)}`);
      }
    }
  }
  const compared = rows.flatMap(({ figure, source: [name, value], unit }) => {
    if (reasons.has(name)) return [];
    const pairs = (measured.get(name) ?? []).map(({ ours, theirs }) => [ours[value], theirs[value]] as const);
    const complete = pairs.filter((pair): pair is readonly [number, number] => !pair.includes(undefined));
    // A build that lacks the value in one round counts as not measured.
    if (complete.length < pairs.length) return [];
    return [
      compare(
        figure,
        unit,
        complete.map(([own]) => own),
        complete.map(([, other]) => other),
      ),
    ];
  });
  console.log(`\n${tableOf(compared)}\n`);
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ limit: LIMIT, rounds, figures: compared }, null, 2)}\n`);
  const passed = compared.filter(({ isWorse }) => !isWorse).length;
  return { passed, failed: rows.length - passed };
}

/** Compares the values of one figure. Values at the same position belong to the same round. */
export function compare(
  figure: string,
  unit: 'ms' | 'MB',
  ours: readonly number[],
  theirs: readonly number[],
): Compared {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  const [lowerQuartile, upperQuartile] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
  const isWorse = ratios.length >= LEAST_ROUNDS && lowerQuartile > LIMIT;
  return { figure, unit, ours, theirs, ratio: median(ratios), lowerQuartile, upperQuartile, isWorse };
}

/** Returns a table in Markdown. */
export function tableOf(compared: readonly Compared[]): string {
  const lines = compared.map(({ figure, unit, ours, theirs, ratio, lowerQuartile, upperQuartile, isWorse }) => [
    figure,
    amount(median(ours), unit),
    amount(median(theirs), unit),
    `**${ratio.toFixed(3)}**`,
    `${lowerQuartile.toFixed(3)} – ${upperQuartile.toFixed(3)}`,
    isWorse ? 'WORSE' : '',
  ]);
  const head = [
    ['figure', 'this build', 'other build', 'ratio', 'quartiles', ''],
    ['---', '---', '---', '---', '---', '---'],
  ];
  return [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
