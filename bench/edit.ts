/**
 * What a keystroke costs in workspaces of different sizes: CPU of parse and check for one character in a skill's body.
 *
 *     npx esbuild bench/edit.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench-edit.mjs
 *     node out/bench-edit.mjs FOLDER_OF_100_SKILLS FOLDER_OF_10000_SKILLS
 *
 * The folders are taken in turn, round after round, so that what else the machine does meets both alike.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../server/src/rules/check.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';

const ROUNDS = 40;
const EDITS = 25;

interface Bench {
  readonly workspace: Workspace;
  readonly uri: string;
  readonly text: string;
  readonly size: number;
  readonly costs: number[];
}

function open(folder: string): Bench {
  const workspace = new Workspace();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(md|yaml)$/.test(path));
  for (const path of paths.sort()) {
    workspace.apply({ kind: 'text', uri: `file:///bench/${path}`, text: readFileSync(join(folder, path), 'utf8') });
  }
  const uri = `file:///bench/${paths.find((path) => path.endsWith('.skill.md'))}`;
  return { workspace, uri, text: workspace.index().documents.get(uri)?.text ?? '', size: paths.length, costs: [] };
}

/** Types characters at the end of the body; gives the CPU of one in milliseconds. */
function edit({ workspace, uri, text }: Bench): number {
  const before = process.cpuUsage();
  for (let typed = 1; typed <= EDITS; typed++) {
    workspace.apply({ kind: 'text', uri, text: `${text}${'x'.repeat(typed)}` });
    const document = workspace.index().documents.get(uri);
    if (document) check(workspace.index(), document);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / EDITS;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const benches = process.argv.slice(2).map(open);
for (let round = 0; round < ROUNDS; round++) for (const bench of benches) bench.costs.push(edit(bench));
// The first rounds are the compiler's.
const medians = benches.map(({ costs }) => median(costs.slice(ROUNDS / 4)));
for (const [number, { size }] of benches.entries()) console.log(`${size} files: ${medians[number]?.toFixed(2)} ms CPU`);
if (medians.length > 1) console.log(`ratio: ${((medians.at(-1) ?? 0) / (medians[0] ?? 1)).toFixed(2)}`);
