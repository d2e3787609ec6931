/**
 * What an edit costs where skills compose skills: CPU of parsing it and of checking every file that it concerns.
 *
 *     npx esbuild bench/composition.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench-composition.mjs
 *     node out/bench-composition.mjs
 *
 * An edit in a body costs the same in 100 skills and in 10,000: the last line of the first table is the ratio, which is
 * to be at most 1.2. One that changes a summary costs what its dependents cost: the second table, in the largest
 * workspace. The workspaces are taken in turn, round after round, so that what else the machine does meets all alike.
 */
import { check } from '../server/src/rules/check.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';

const SIZES = [100, 1_000, 10_000];
const DEPENDENTS = [1, 10, 100, 1_000];
const ROUNDS = 40;
const EDITS = 20;

const uriOf = (name: string): string => `file:///bench/${name}.skill.md`;

function skill(
  name: string,
  lines: readonly string[],
  body = 'Reads what the notes say, and says it in one line.',
): string {
  const head = [`name: ${name}`, `description: Does its part of the work, ${name}.`, 'version: 1.2.0', ...lines];
  const sections = Array.from({ length: 8 }, (_, n) => `## Section ${n}\n\n${`${body} `.repeat(6)}\n`);
  return `---\n${head.join('\n')}\n---\n\n${body}\n\n${sections.join('\n')}`;
}

const atom = (name: string, output = 'string', effects = 'Query'): string =>
  skill(name, [
    'level: 1',
    'input_schema: {topic: string}',
    `output_schema: {note: ${output}}`,
    `effects: [${effects}]`,
  ]);

/** A part that is composed by `dependents`, each of them with a composer of its own above it. */
interface Hub {
  readonly name: string;
  readonly dependents: number;
}

interface Bench {
  readonly workspace: Workspace;
  readonly size: number;
  readonly hubs: readonly Hub[];
}

/** Of ten skills six are atomic, three compose two of those and the part of a hub, and one composes two of the three. */
function open(size: number): Bench {
  const workspace = new Workspace();
  workspace.apply({ kind: 'partial', partial: true });
  const put = (name: string, text: string) => workspace.apply({ kind: 'text', uri: uriOf(name), text });
  const groups = Math.floor(size / 10);
  const hubs = DEPENDENTS.filter((dependents) => dependents <= groups * 3).map((dependents) => ({
    name: `hub-${dependents}`,
    dependents,
  }));
  for (const { name } of hubs) put(name, atom(name));
  for (let group = 0; group < groups; group++) {
    for (let n = 0; n < 6; n++) put(`atom-${group}-${n}`, atom(`atom-${group}-${n}`));
    for (let n = 0; n < 3; n++) {
      const shared = hubs.filter(({ dependents }) => group * 3 + n < dependents).map(({ name }) => name);
      const parts = [`atom-${group}-${2 * n}`, `atom-${group}-${2 * n + 1}`, ...shared];
      const lines = ['level: 2', 'input_schema: {topic: string}', 'output_schema: {note: string}'];
      put(
        `pair-${group}-${n}`,
        skill(`pair-${group}-${n}`, [...lines, `composes: [${parts.join(', ')}]`, 'effects: [Query]']),
      );
    }
    const lines = ['level: 3', 'input_schema: {topic: string}', 'output_schema: {note: string}'];
    put(`flow-${group}`, skill(`flow-${group}`, [...lines, `composes: [pair-${group}-0, pair-${group}-1]`]));
  }
  workspace.apply({ kind: 'partial', partial: false });
  return { workspace, size, hubs };
}

interface Cost {
  /** Milliseconds of CPU for one edit. */
  readonly ms: number;
  /** Files that were checked for one edit. */
  readonly files: number;
}

/** Makes edits, each with the checks of all files that it concerns. */
function cost(workspace: Workspace, uri: string, texts: readonly string[]): Cost {
  let files = 0;
  const before = process.cpuUsage();
  for (const text of texts) {
    const affected = workspace.apply({ kind: 'text', uri, text });
    const index = workspace.index();
    for (const one of affected === 'all' ? index.documents.keys() : affected) {
      const document = index.documents.get(one);
      if (!document) continue;
      check(index, document);
      files++;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000 / texts.length, files: files / texts.length };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const cells = (...columns: readonly (string | number)[]) =>
  console.log(columns.map((one) => String(one).padStart(14)).join(''));

const typed = (text: string): readonly string[] =>
  Array.from({ length: EDITS }, (_, n) => `${text}${'x'.repeat(n + 1)}`);

const benches = SIZES.map(open);
const kinds = ['atom-3-1', 'pair-3-1', 'flow-3'] as const;
const bodies = kinds.map(() => benches.map((): number[] => []));
for (let round = 0; round < ROUNDS; round++) {
  for (const [kind, name] of kinds.entries()) {
    for (const [at, { workspace }] of benches.entries()) {
      const text = workspace.index().documents.get(uriOf(name))?.text ?? '';
      bodies[kind]?.[at]?.push(cost(workspace, uriOf(name), typed(text)).ms);
      workspace.apply({ kind: 'text', uri: uriOf(name), text });
    }
  }
}
console.log('One keystroke in a body, ms of CPU');
cells('skills', 'atomic', 'composite', 'workflow');
// The first rounds are the compiler's.
const medians = bodies.map((rows) => rows.map((costs) => median(costs.slice(ROUNDS / 4))));
for (const [at, { size }] of benches.entries()) cells(size, ...medians.map((row) => (row[at] ?? 0).toFixed(3)));
cells('ratio', ...medians.map((row) => ((row.at(-1) ?? 0) / (row[0] ?? 1)).toFixed(2)));

console.log('\nOne edit that changes a summary, ms of CPU, in the largest workspace');
cells('dependents', 'of', 'files checked', 'ms', 'ms a file');
const largest = benches.at(-1);
for (const { name, dependents } of largest?.hubs ?? []) {
  for (const [what, texts] of [
    ['a type', [atom(name, 'integer'), atom(name, 'string')]],
    ['an effect', [atom(name, 'string', 'Query, Network'), atom(name)]],
  ] as const) {
    const costs = Array.from({ length: 5 }, () => cost(largest?.workspace ?? new Workspace(), uriOf(name), texts));
    const ms = median(costs.map((one) => one.ms));
    const files = costs[0]?.files ?? 0;
    cells(dependents, what, files, ms.toFixed(2), (ms / files).toFixed(3));
  }
}
