/** The rows of the table: the measurements that each row compares, and the limit for their ratio. */
import { median } from './process.ts';
import { REFERENCE_ROWS } from './reference.ts';
import { SCALING_ROWS } from './scaling.ts';

/** The name of a measurement in `measurements.ts`, and the name of one of its figures. */
export type Source = readonly [measurement: string, figure: string];

export interface Row {
  readonly figure: string;
  readonly against: string;
  /** The limit: a ratio (`1/20`, `1.2x`), an amount if there is no peer, or a lead in percentage points. */
  readonly limit: string;
  /** The unit of the figures in the row: milliseconds, megabytes, calls, or a share (more is better). */
  readonly unit: 'ms' | 'MB' | 'calls' | '%';
  readonly ours: Source;
  readonly theirs?: Source;
}

const YAML = 'yaml-language-server';
const SKILL = 'skill-language-server';
const REMARK = 'remark-cli with schema';
const CHECK = '`check` of 1,000';
const ms = { unit: 'ms' } as const;
const mb = { unit: 'MB' } as const;

const edits = (lines: string, figure: string, limit: string, source: string): Row => ({
  ...{ ...ms, figure: `edit to diagnostics, ${lines} lines, ${figure}`, against: YAML, limit },
  ours: [`edits ${lines}`, source],
  theirs: [`${YAML} ${lines}`, source],
});

/** Returns a row that compares the same measurement in a large and a small workspace of `SKILL.md` files. */
const agentSkills = (large: string, small: string, limit = '1.3x'): Row => ({
  ...{ ...ms, figure: `\`SKILL.md\`: ${large.replace(' SKILL.md', '')}, CPU`, against: 'among 100', limit },
  ours: [large, 'cpu'],
  theirs: [small, 'cpu'],
});

/**
 * Returns the rows for the percentages of requests for which a right skill is first, among the first three, and among
 * the first eight.
 */
const recalls = (half: string, atOne: string): readonly Row[] =>
  [1, 3, 8].map((depth) => ({
    ...{
      unit: '%',
      figure: `match, recall at ${depth}, ${half}`,
      against: 'plain BM25',
      limit: depth === 1 ? atOne : '+0 points',
    },
    ours: ['matching quality', `${half} at ${depth}`],
    theirs: ['matching quality', `${half} at ${depth}, plain`],
  }));

export const ROWS: readonly Row[] = [
  ...REFERENCE_ROWS,
  ...SCALING_ROWS,
  edits('200', 'wall, 95th percentile', '1/20', 'p95'),
  edits('2,000', 'wall, 95th percentile', '1/20', 'p95'),
  edits('200', 'CPU of all threads', '0.7x', 'cpu'),
  edits('2,000', 'CPU of all threads', '1/5', 'cpu'),
  {
    ...{ ...ms, figure: 'edit of a 400-line `SKILL.md` among 1,000, wall', against: SKILL, limit: '1x' },
    ours: ['edits SKILL.md', 'median'],
    theirs: [`${SKILL} edits`, 'median'],
  },
  {
    ...{ ...ms, figure: 'their index with all diagnostics, CPU', against: SKILL, limit: '1.5x' },
    ours: ['index SKILL.md', 'withDiagnostics'],
    theirs: [`${SKILL} index`, 'withDiagnostics'],
  },
  {
    ...{ ...ms, figure: 'edit among 10,000, CPU', against: 'among 100', limit: '1.2x' },
    ours: ['edits among 10,000', 'cpu'],
    theirs: ['edits among 100', 'cpu'],
  },
  {
    ...{ ...ms, figure: 'edit to prompt, 10,000 lines, wall', against: '', limit: '250 ms' },
    ours: ['prompt 10,000', 'median'],
  },
  {
    ...{ ...ms, figure: 'edit to prompt, 10,000 lines, CPU', against: '', limit: '250 ms' },
    ours: ['prompt 10,000', 'cpu'],
  },
  agentSkills('description among 3,000', 'description among 100'),
  agentSkills('description among 10,000', 'description among 100'),
  agentSkills('longest description among 3,000', 'longest description among 100'),
  agentSkills('body among 3,000', 'body among 100'),
  agentSkills('first SKILL.md among 3,000', 'first SKILL.md among 100', '3x'),
  {
    ...{ ...ms, figure: 'count of the listed skills among 500 `SKILL.md`, wall', against: '', limit: '3000 ms' },
    ours: ['count of 500', 'count'],
  },
  {
    ...{
      ...ms,
      figure: 'clients of an opened `SKILL.md` after the count among 500, wall',
      against: '',
      limit: '1000 ms',
    },
    ours: ['count of 500', 'clients'],
  },
  {
    ...{ ...ms, figure: 'opened file while 10,000 are read, wall', against: 'idle', limit: '3x' },
    ours: ['opening', 'reading'],
    theirs: ['opening', 'idle'],
  },
  {
    ...{ ...ms, figure: 'index of 10,000, CPU', against: 'floor (YAML and scans)', limit: '1x' },
    ours: ['index 10,000', 'index'],
    theirs: ['floor 10,000', 'cpu'],
  },
  {
    ...{ ...ms, figure: `${CHECK}, CPU`, against: REMARK, limit: '1/5' },
    ours: ['check', 'cpu'],
    theirs: ['remark-cli', 'cpu'],
  },
  {
    ...{ ...mb, figure: `${CHECK}, memory`, against: REMARK, limit: '0.5x' },
    ours: ['check', 'memory'],
    theirs: ['remark-cli', 'memory'],
  },
  {
    ...{ ...ms, figure: `${CHECK}, CPU`, against: 'markdownlint-cli2', limit: '0.9x' },
    ours: ['check', 'cpu'],
    theirs: ['markdownlint-cli2', 'cpu'],
  },
  {
    ...{
      ...ms,
      figure: '`clients` of 100 broken `SKILL.md` of one name, CPU',
      against: 'different names',
      limit: '2x',
    },
    ours: ['clients of broken', 'cpu'],
    theirs: ['clients among 100', 'cpu'],
  },
  { ...ms, figure: '`test` of 1,000, CPU', against: '', limit: '3000 ms', ours: ['test', 'cpu'] },
  {
    ...ms,
    figure: '`test --watch` among 1,000, edit to tests, wall',
    against: '',
    limit: '200 ms',
    ours: ['test --watch', 'wall'],
  },
  {
    ...ms,
    figure: '`test --watch` among 1,000, edit to tests, CPU',
    against: '',
    limit: '200 ms',
    ours: ['test --watch', 'cpu'],
  },
  {
    ...{ ...mb, figure: 'heap kept per skill, text included', against: 'bytes of its file', limit: '5x' },
    ours: ['heap', 'kept'],
    theirs: ['heap', 'files'],
  },
  {
    ...{ ...ms, figure: 'start to `initialize`', against: '`node -e 0`', limit: '2.5x' },
    ours: ['start', 'server'],
    theirs: ['start', 'node'],
  },
  {
    ...{ ...ms, figure: '`mcp`, start to `initialize`', against: '`node -e 0`', limit: '3.5x' },
    ours: ['start', 'agents'],
    theirs: ['start', 'node'],
  },
  {
    ...ms,
    figure: 'match among 10,000, wall, 95th percentile',
    against: '',
    limit: '100 ms',
    ours: ['matching', 'p95'],
  },
  {
    ...ms,
    figure: 'match among 10,000, CPU, 95th percentile',
    against: '',
    limit: '100 ms',
    ours: ['matching', 'cpu95'],
  },
  {
    ...ms,
    figure: 'match of 200 misspelt words among 10,000, CPU, 95th percentile',
    against: '',
    limit: '100 ms',
    ours: ['matching', 'long'],
  },
  {
    ...{ ...ms, figure: 'match after an edit among 10,000, CPU', against: 'without an edit', limit: '1.5x' },
    ours: ['matching', 'edited'],
    theirs: ['matching', 'cpu'],
  },
  {
    ...{
      ...ms,
      figure: 'edit of a description that is searched, among 10,000, CPU',
      against: 'among 100',
      limit: '1.5x',
    },
    ours: ['matching', 'update'],
    theirs: ['matching among 100', 'update'],
  },
  { ...ms, figure: '`audit` of 10,000, CPU', against: '', limit: '10 s', ours: ['audit', 'cpu'] },
  { ...mb, figure: '`audit` of 10,000, memory', against: '', limit: '1024 MB', ours: ['audit', 'memory'] },
  ...recalls('held-out half', '+10 points'),
  ...recalls('tuning half', '+10 points'),
  { ...mb, figure: '`.vsix`', against: '', limit: '5.1 MB', ours: ['package', 'size'] },
];

/** Returns a limit as a number, with seconds converted to milliseconds. */
function limitOf({ limit }: Row): number {
  const [over = '', under = '1'] = limit.split('/');
  return (Number.parseFloat(over) / Number.parseFloat(under)) * (limit.endsWith(' s') ? 1000 : 1);
}

/**
 * Returns a table in Markdown, without the rows that were not measured. `figuresOf` returns the figures of all rounds, or
 * the reason why there are no figures.
 */
export function tableOf(rows: readonly Row[], figuresOf: (source: Source) => readonly number[] | string): string {
  const lines = rows.flatMap((row) => {
    const { figure, against, limit, unit } = row;
    const ours = figuresOf(row.ours);
    const theirs = row.theirs && figuresOf(row.theirs);
    if (typeof ours === 'string' || typeof theirs === 'string') return [];
    // Each ratio compares figures from the same round, so that other load on the machine affects both figures.
    if (theirs && unit === '%') {
      const ahead = median(ours) - median(theirs);
      const from = `${amount(median(ours), unit)} : ${amount(median(theirs), unit)}`;
      const isMet = ahead >= Number.parseFloat(limit);
      const lead = `**${ahead >= 0 ? '+' : ''}${ahead.toFixed(1)}**`;
      return [[figure, against, limit, lead, isMet ? 'met' : 'MISSED', from]];
    }
    const rounds = theirs ? ours.slice(0, theirs.length) : ours;
    const measured = median(rounds.map((value, round) => value / (theirs?.[round] ?? 1)));
    const shown = theirs ? ratio(measured) : amount(measured, unit);
    const from = theirs ? `${amount(median(ours), unit)} : ${amount(median(theirs), unit)}` : '';
    return [[figure, against, limit, `**${shown}**`, measured > limitOf(row) ? 'MISSED' : 'met', from]];
  });
  const head = [
    ['figure', 'against', 'limit', 'measured', '', 'from'],
    ['---', '---', '---', '---', '---', '---'],
  ];
  return [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Formats a ratio below one half as `1/12`, and any other ratio as `1.30x`. */
const ratio = (value: number): string =>
  value < 0.5 ? `1/${(1 / value).toFixed(1 / value < 10 ? 1 : 0)}` : `${value.toFixed(2)}x`;

/** Formats an amount; one of at least a second in seconds. */
export const amount = (value: number, unit: Row['unit']): string =>
  unit === '%'
    ? `${value.toFixed(1)} %`
    : unit === 'ms' && value >= 1000
      ? `${(value / 1000).toFixed(2)} s`
      : `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
