/** `npm run lab`: runs clients in situations, and writes what was seen to `lab/observations/`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabClient } from './client.ts';
import { CLIENTS, clientCalled } from './clients/index.ts';
import { newestVersion } from './install.ts';
import type { Observation } from './observation.ts';
import { observe } from './observe.ts';
import { compare, type Verdict } from './predict.ts';
import { SITUATIONS } from './situations/index.ts';

export const USAGE = `npm run lab -- [OPTION]...

  --client ID      the client to run; may be repeated; all if omitted
  --situation ID   only this situation, printed and not written; may be repeated
  --report         compare the committed observations with the product's predictions, and run nothing
  --newest         run the newest version, and print what changed against the committed observation
  --list           print the clients and the situations
`;

export interface LabOptions {
  /** The path of the checkout. */
  readonly root: string;
  readonly clients: readonly string[];
  readonly situations: readonly string[];
  readonly newest: boolean;
  readonly report: boolean;
  readonly list: boolean;
}

/** Runs the lab. Returns the exit status: 1 if a client could not be run, or differs from its observation. */
export async function runLab({ root, clients, situations, newest, report, list }: LabOptions): Promise<number> {
  if (list) return printAll();
  const asked = clients.length === 0 ? CLIENTS : clients.map(clientCalled);
  for (const id of situations) {
    if (!SITUATIONS.has(id)) throw new Error(`Unknown situation \`${id}\`. \`--list\` prints all of them.`);
  }
  const folder = join(root, 'out', 'lab');
  mkdirSync(folder, { recursive: true });
  if (report) return printReport(root, asked, join(folder, 'report'));
  let status = 0;
  for (const client of asked) {
    const run = newest ? withNewest(client, folder) : client;
    console.log(`\n${run.name}: ${run.package.name}@${run.package.version}`);
    try {
      const observation = await observe(run, {
        folder,
        programs: join(root, 'lab', 'programs'),
        today: new Date().toISOString().slice(0, 10),
        only: situations,
        print: (line) => console.log(`  ${line}`),
      });
      const file = observationFile(root, client);
      if (situations.length > 0) console.log(JSON.stringify(observation, undefined, 2));
      else if (newest) status = Math.max(status, printChanges(file, observation));
      else writeFileSync(file, `${JSON.stringify(observation, undefined, 2)}\n`);
    } catch (error) {
      console.error(`  ${client.name} could not be run: ${error instanceof Error ? error.message : String(error)}`);
      status = 1;
    }
  }
  return status;
}

/** Prints how many predictions are right, and each one that is not. Returns 0. */
async function printReport(root: string, asked: readonly LabClient[], folder: string): Promise<number> {
  for (const client of asked) {
    const file = observationFile(root, client);
    if (!existsSync(file)) continue;
    const observation = JSON.parse(readFileSync(file, 'utf8')) as Observation;
    const comparisons = await compare(observation, folder);
    const counts = VERDICTS.map(
      (verdict) => `${comparisons.filter((one) => one.verdict === verdict).length} ${verdict}`,
    );
    const result = comparisons.length === 0 ? 'the product has no facts about it' : counts.join(', ');
    console.log(`\n${client.name} ${observation.version}: ${result}`);
    for (const { situation, verdict, seen, predicted } of comparisons) {
      if (verdict === 'right') continue;
      console.log(`  ${situation}: ${verdict}`);
      if (verdict !== 'unknown') console.log(`    seen:      ${shown(seen)}\n    predicted: ${shown(predicted)}`);
    }
  }
  return 0;
}

const VERDICTS: readonly Verdict[] = ['right', 'wrong-list', 'wrong-text', 'unknown'];

const shown = (entries: readonly string[]): string =>
  entries.length === 0 ? 'not in the list' : entries.map((entry) => JSON.stringify(entry)).join(' and ');

const observationFile = (root: string, { id }: LabClient): string => join(root, 'lab', 'observations', `${id}.json`);

/** A package for the platform has the version of the client's package, or its own newest one. */
function withNewest(client: LabClient, folder: string): LabClient {
  const newestOf = ({ name }: LabClient['package']) => ({ name, version: newestVersion(name, folder) });
  return { ...client, package: newestOf(client.package), ...(client.with && { with: client.with.map(newestOf) }) };
}

function printAll(): number {
  for (const {
    id,
    name,
    package: { name: of, version },
  } of CLIENTS)
    console.log(`${id}: ${name} (${of}@${version})`);
  console.log('');
  for (const { id, question } of SITUATIONS.values()) console.log(`${id}: ${question}`);
  return 0;
}

/** Prints the values that differ from the committed observation. Returns 1 if one differs. */
function printChanges(file: string, now: Observation): number {
  if (!existsSync(file)) {
    console.log('  There is no committed observation.');
    return 1;
  }
  const committed = JSON.parse(readFileSync(file, 'utf8')) as Observation;
  const ignored = new Set(['version', 'observed', 'platform']);
  const changes = changesBetween(committed, now).filter(({ path }) => !ignored.has(path));
  console.log(
    `  ${committed.version} → ${now.version}: ${changes.length === 0 ? 'no change' : `${changes.length} changes`}`,
  );
  for (const { path, before, after } of changes) console.log(`  ${path}\n    - ${before}\n    + ${after}`);
  return changes.length === 0 ? 0 : 1;
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function changesBetween(before: unknown, after: unknown, path = ''): readonly Change[] {
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
  if (one === other) return [];
  const areObjects = [before, after].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) return [{ path, before: one ?? 'nothing', after: other ?? 'nothing' }];
  const [left, right] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => changesBetween(left[key], right[key], path === '' ? key : `${path}.${key}`));
}
