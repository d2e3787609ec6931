/** `npm run lab`: runs clients in situations, and writes what was seen to `lab/observations/`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findClient } from '../server/src/clients/facts/clients.ts';
import { pipelines } from '../server/src/clients/pipeline/pipelines.ts';
import { endWithThisProcess } from '../server/src/io/processes.ts';
import { runAgents } from './agents/run.ts';
import type { LabClient } from './client.ts';
import { CLIENTS, clientCalled } from './clients/index.ts';
import { runConverted } from './converted.ts';
import { runDialects } from './dialects/run.ts';
import { newestVersion } from './install.ts';
import type { Observation } from './observation.ts';
import { observe } from './observe.ts';
import { outdatedParts } from './outdated.ts';
import { linesOfPinned } from './pinned-settings.ts';
import { observationsOf } from './pipeline.ts';
import { compare, factsOf, type Verdict } from './predict.ts';
import { type Shares, sharesOf } from './shares.ts';
import { SITUATIONS } from './situations/index.ts';
import { runTools } from './tools/run.ts';
import { runValidators } from './validate.ts';

export const USAGE = `npm run lab -- [OPTION]...

  --client ID      the client to run; may be repeated; all if omitted
  --situation ID   only this situation, printed and not written; may be repeated
  --new            ask only what the committed observation of the same version lacks, and add it; with --situation only
                   these situations, with --calls only calls and everything else that is not a list
  --report         compare the committed observations with the product's predictions, and run nothing
  --pinned         print the settings of clients that no committed observation decides, and run nothing
  --newest         run the newest version, and print what changed against the committed observation
  --converted      run frameworks on skills that \`convert\` wrote, and compare their lists with the predictions
  --validate       ask the validators of Claude Code and Gemini CLI about manifests, and write lab/manifests/verdicts.json;
                   with --new only about cases without a verdict
  --agents         run clients on agents and commands, and write lab/agents/*observed.json
  --tools          run clients with odd tools of MCP servers, and write lab/tools/observed.json
  --dialects       run libraries that read YAML, and write lab/dialects/dialects.json
  --list           print the clients and the situations
`;

export interface LabOptions {
  /** The path of the checkout. */
  readonly root: string;
  readonly clients: readonly string[];
  readonly situations: readonly string[];
  readonly isNew: boolean;
  readonly calls: boolean;
  readonly newest: boolean;
  readonly report: boolean;
  readonly pinned: boolean;
  readonly converted: boolean;
  readonly agents: boolean;
  readonly tools: boolean;
  readonly dialects: boolean;
  readonly validate: boolean;
  readonly list: boolean;
}

/** Runs the lab. Returns the exit status: 1 if a client could not be run, or differs from its observation. */
export async function runLab(options: LabOptions): Promise<number> {
  const {
    root,
    clients,
    situations,
    isNew,
    calls,
    newest,
    report,
    pinned,
    converted,
    agents,
    tools,
    dialects,
    validate,
    list,
  } = options;
  if (list) return printAll(root);
  if (report && (newest || isNew || situations.length > 0)) {
    throw new Error('--report runs nothing. Use it only with --client.');
  }
  if (newest && (isNew || situations.length > 0)) throw new Error('Use --newest only with --client.');
  if (calls && (!isNew || situations.length > 0)) throw new Error('Use --calls only with --new.');
  if (situations.length > 0 && clients.length === 0) throw new Error('--situation requires --client.');
  if (!report && !pinned && process.platform === 'win32') throw new Error('The lab does not run on Windows.');
  // A signal then also calls the listeners for `exit` that end clients.
  endWithThisProcess(() => undefined);
  const asked = clients.length === 0 ? CLIENTS : clients.map(clientCalled);
  for (const id of situations) {
    if (!SITUATIONS.has(id)) throw new Error(`Unknown situation \`${id}\`. \`--list\` prints all of them.`);
  }
  const folder = join(root, 'out', 'lab');
  mkdirSync(folder, { recursive: true });
  if (dialects) return runDialects({ root, folder, today: new Date().toISOString().slice(0, 10) });
  if (validate) return runValidators(root, folder, isNew);
  if (agents) {
    await runAgents({ root, folder, today: new Date().toISOString().slice(0, 10), print: console.log });
    return 0;
  }
  if (tools) {
    await runTools({ root, folder, clients, today: new Date().toISOString().slice(0, 10), print: console.log });
    return 0;
  }
  if (pinned) return printPinned(root, asked);
  if (converted) return printConverted(root, asked, folder);
  if (report) return printReport(root, asked, join(folder, 'report'));
  let status = 0;
  for (const client of asked) {
    try {
      const run = newest ? withNewest(client, folder) : client;
      console.log(`\n${run.name}: ${run.package.name}@${run.package.version}`);
      const observation = await observe(run, {
        folder,
        programs: join(root, 'lab', 'programs'),
        today: new Date().toISOString().slice(0, 10),
        only: situations,
        calls,
        ...(isNew && earlierOf(root, run)),
        print: (line) => console.log(`  ${line}`),
      });
      const file = observationFile(root, client);
      if (situations.length > 0 && !isNew) console.log(JSON.stringify(observation, undefined, 2));
      else if (newest) status = Math.max(status, printChanges(file, observation));
      else writeFileSync(file, `${JSON.stringify(observation, undefined, 2)}\n`);
    } catch (error) {
      console.error(`  ${client.name} could not be run: ${error instanceof Error ? error.message : String(error)}`);
      status = 1;
    }
  }
  return status;
}

/** Returns the committed observation of a client. Throws an Error if it is of another version. */
function earlierOf(root: string, client: LabClient): { readonly earlier: Observation } | undefined {
  const file = observationFile(root, client);
  if (!existsSync(file)) return undefined;
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as Observation;
  if (earlier.version === client.package.version) return { earlier };
  throw new Error(`the committed observation is of version ${earlier.version}; run without --new`);
}

/** Runs frameworks on converted skills. Returns 1 if a list differs from its prediction. */
async function printConverted(root: string, asked: readonly LabClient[], folder: string): Promise<number> {
  const known = asked.filter(({ id, facts = id }) => findClient(facts)?.framework);
  let status = known.length === 0 ? 1 : 0;
  for (const client of known) {
    console.log(`\n${client.name}: ${client.package.name}@${client.package.version}`);
    const isEqual = await runConverted(client, { root, folder, print: (line) => console.log(`  ${line}`) });
    if (!isEqual) status = 1;
  }
  return status;
}

/** Prints the settings of clients that their observations leave open. Returns 0. */
function printPinned(root: string, asked: readonly LabClient[]): number {
  const observations = observationsOf(join(root, 'lab'));
  const known = pipelines.flatMap((pipeline) => {
    const observation = observations.get(pipeline.id);
    return observation && asked.some(({ id }) => id === observation.client) ? [{ pipeline, observation }] : [];
  });
  for (const line of linesOfPinned(known)) console.log(line);
  return 0;
}

/** Prints how many predictions are right, each one that is not, and what the observations leave open. Returns 0. */
async function printReport(root: string, asked: readonly LabClient[], folder: string): Promise<number> {
  for (const client of asked) {
    const file = observationFile(root, client);
    if (!existsSync(file)) {
      if (asked.length < CLIENTS.length)
        console.log(`\n${client.name}: no observation; run it with --client ${client.id}`);
      continue;
    }
    const observation = JSON.parse(readFileSync(file, 'utf8')) as Observation;
    const comparisons = await compare(observation, folder);
    const counts = VERDICTS.map(
      (verdict) => `${comparisons.filter((one) => one.verdict === verdict).length} ${WORDS[verdict]}`,
    );
    const result = comparisons.length === 0 ? 'the product has no facts about it' : counts.join(', ');
    console.log(`\n${client.name} ${observation.version}: ${result}`);
    for (const part of outdatedParts(observation)) console.log(`  out of date: ${part}`);
    const compared = new Set(comparisons.map(({ situation }) => situation));
    const others = Object.keys(observation.situations).filter((id) => !compared.has(id));
    if (comparisons.length > 0 && others.length > 0) {
      console.log(`  not compared: ${others.length} situations (${others.join(', ')})`);
    }
    for (const { situation, verdict, seen, predicted } of comparisons) {
      if (verdict === 'right') continue;
      console.log(`  ${situation}: ${WORDS[verdict]}`);
      if (verdict !== 'unknown') console.log(`    seen:      ${shown(seen)}\n    predicted: ${shown(predicted)}`);
    }
    const facts = factsOf(observation);
    if (facts) printFacts(sharesOf(facts));
  }
  return 0;
}

/** Prints how the facts about a client are known. */
const printFacts = ({ observed, read, unverified, unknown }: Shares): void =>
  console.log(`  facts: ${observed} observed, ${read} read, ${unverified} unverified, ${unknown} unknown`);

/** The words for verdicts, here and in `test/core/clients/observations.txt`. */
const WORDS: Readonly<Record<Verdict, string>> = {
  right: 'right',
  'wrong-list': 'wrong in the list',
  'wrong-text': 'wrong in the text',
  unknown: 'unknown',
};

const VERDICTS: readonly Verdict[] = ['right', 'wrong-list', 'wrong-text', 'unknown'];

const shown = (entries: readonly string[]): string =>
  entries.length === 0 ? 'not in the list' : entries.map((entry) => JSON.stringify(entry)).join(' and ');

const observationFile = (root: string, { id }: LabClient): string => join(root, 'lab', 'observations', `${id}.json`);

/** A package for the platform has the version of the client's package, or its own newest one. */
function withNewest(client: LabClient, folder: string): LabClient {
  const newestOf = ({ name }: LabClient['package']) => ({ name, version: newestVersion(name, folder) });
  return { ...client, package: newestOf(client.package), ...(client.with && { with: client.with.map(newestOf) }) };
}

function printAll(root: string): number {
  for (const client of CLIENTS) {
    const { id, name, package: installed } = client;
    const file = observationFile(root, client);
    const observation = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Observation) : undefined;
    const seen = observation ? `observed ${observation.version} on ${observation.observed}` : 'no observation';
    console.log(`${id}: ${name} (${installed.name}@${installed.version}), ${seen}`);
  }
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
  const ignored = new Set(['version', 'observed', 'platform', 'format', 'orderVaries']);
  const isRandom = ({ path }: Change): boolean => committed.orderVaries === true && /^lists\.\d+\.order/.test(path);
  const changes = changesBetween(committed, now).filter((one) => !ignored.has(one.path) && !isRandom(one));
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

/** Returns the differences. A value that varies equals each of its values, and a set of them. */
export function changesBetween(before: unknown, after: unknown, path = ''): readonly Change[] {
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
  if (one === other) return [];
  const known = variantsOf(before);
  if (known && (variantsOf(after) ?? [other]).every((variant) => known.includes(variant))) return [];
  const areObjects = [before, after].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects || known || variantsOf(after)) return [{ path, before: one ?? 'nothing', after: other ?? 'nothing' }];
  const [left, right] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => changesBetween(left[key], right[key], path === '' ? key : `${path}.${key}`));
}

/** Returns the values of a value that varies, as JSON; undefined for any other value. */
function variantsOf(value: unknown): readonly (string | undefined)[] | undefined {
  if (typeof value !== 'object' || value === null || !('varies' in value)) return undefined;
  return Array.isArray(value.varies) ? value.varies.map((one) => JSON.stringify(one)) : undefined;
}
