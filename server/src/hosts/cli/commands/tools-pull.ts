/** `skill-composer tools pull`: takes the tools of servers into the snapshot beside each catalog. */
import { basename, dirname, join } from 'node:path';
import { inWords } from '../../../nearest.ts';
import { MAX_FILE_BYTES } from '../../../protocol.ts';
import { compareSnapshots } from '../../../tools/compare.ts';
import { showServer } from '../../../tools/shown.ts';
import { type ToolSource, toolSources } from '../../../tools/sources.ts';
import { usesUnder } from '../../../tools/uses.ts';
import type { Catalog } from '../../../workspace/catalog.ts';
import { parseSnapshot, SNAPSHOT_NAME, type Snapshot } from '../../../workspace/tool-snapshot.ts';
import { LIMITS, type Limits } from '../../tools/limits.ts';
import { loadAskServer } from '../../tools/load.ts';
import { type Plan, type PlannedServer, PlanProblem, planPull, shownPath } from '../../tools/plan.ts';
import { type Pull, pullTools } from '../../tools/pull.ts';
import type { Console } from '../console.ts';
import { type CatalogPull, pullJson, pullText } from '../formats/pull.ts';
import { assertCatalogsParse, openProject, type Project } from '../project.ts';
import { findText } from '../read-named.ts';
import { Stop } from '../stop.ts';
import { writeResult } from '../write-result.ts';
import { mayStart } from './ask-to-pull.ts';

export const PULL_FORMATS = ['pretty', 'json'] as const;

export interface PullCommand {
  readonly cwd: string;
  readonly config: string | undefined;
  readonly format: (typeof PULL_FORMATS)[number];
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly check: boolean;
  readonly seconds: number | undefined;
  readonly servers: readonly string[];
  /** `ID=VALUE` each. */
  readonly inputs: readonly string[];
}

interface Source {
  readonly catalog: Catalog;
  readonly path: string;
  readonly sources: readonly ToolSource[];
}

/** Asks, pulls and writes; returns 1 where a server has not answered, or `--check` finds a difference. */
export async function runPull(command: PullCommand, console: Console): Promise<number> {
  const { cwd, config, format, check } = command;
  const { progress } = console;
  const project = await openProject({ cwd, paths: [], config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  try {
    const sources = sourcesOf(project);
    const plans = await makePlans(sources, command);
    const servers = plans.flatMap(({ plan }) => plan.servers);
    if (servers.length > 0 && !(await mayStart(servers.map(described), command, console))) return declined(console);
    const pulls = await pullAll(plans, limitsOf(command), console);
    const catalogs: CatalogPull[] = [];
    for (const pull of pulls) catalogs.push(await settle(project, pull, check));
    console.print(format === 'json' ? pullJson({ catalogs }) : pullText({ catalogs }));
    const isIncomplete = catalogs.some(({ servers }) => servers.some(({ status }) => MISSED.has(status)));
    return isIncomplete || (check && catalogs.some(({ differs }) => differs)) ? 1 : 0;
  } catch (error) {
    throw error instanceof PlanProblem ? new Stop(error.message) : error;
  }
}

const MISSED: ReadonlySet<string> = new Set(['failed', 'skipped']);

function declined(console: Console): number {
  console.note('Nothing was started and nothing was written.');
  return 1;
}

const limitsOf = ({ seconds }: PullCommand): Limits =>
  seconds === undefined ? LIMITS : { ...LIMITS, seconds, connectSeconds: Math.min(seconds, LIMITS.connectSeconds) };

function sourcesOf({ workspace: { analysis }, pathOf }: Project): readonly Source[] {
  const found = [...analysis.index.catalogs.values()].flatMap((catalog) => {
    const file = analysis.file(catalog.uri);
    const sources = file ? toolSources(file) : [];
    return sources.length === 0 ? [] : [{ catalog, path: pathOf(catalog.uri), sources }];
  });
  if (found.length > 0) return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  throw new Stop(
    'No catalog here takes tools from servers: write `- from: .vscode/mcp.json` under `tools` in `skills.config.yaml`.',
  );
}

interface Planned extends Source {
  readonly plan: Plan;
  /** The text of the snapshot as it is. */
  readonly before: string | undefined;
}

async function makePlans(
  sources: readonly Source[],
  { cwd, servers, inputs }: PullCommand,
): Promise<readonly Planned[]> {
  const options = { inputs: parseInputs(inputs), environment: process.env, shown: shownPath(cwd) };
  const planned: Planned[] = [];
  for (const source of sources) {
    const plan = await planPull(dirname(source.path), source.sources, options);
    const before = await findText(join(dirname(source.path), SNAPSHOT_NAME), SNAPSHOT_NAME);
    planned.push({ ...source, plan, before });
  }
  const known = planned.flatMap(({ plan }) => [...plan.servers, ...plan.skipped].map(({ name }) => name));
  const missing = servers.find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new Stop(`\`--server ${missing}\` is no server here: there are ${inWords([...new Set(known)], 'and')}.`);
  }
  return servers.length === 0 ? planned : planned.map((one) => ({ ...one, plan: only(one.plan, servers) }));
}

function only(plan: Plan, names: readonly string[]): Plan {
  const isMeant = ({ name }: { readonly name: string }) => names.includes(name);
  return { ...plan, servers: plan.servers.filter(isMeant), skipped: plan.skipped.filter(isMeant) };
}

function parseInputs(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const [, id, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      // The word itself may be a secret.
      if (id === undefined || value === undefined) throw new Stop('`--input` takes `ID=VALUE`, such as `token=…`.');
      return [id, value] as const;
    }),
  );
}

const described = ({ name, file, ready }: PlannedServer) => ({ name, file, ...showServer(ready) });

async function pullAll(plans: readonly Planned[], limits: Limits, console: Console) {
  const ask = await loadAskServer();
  const total = plans.reduce((sum, { plan }) => sum + plan.servers.length, 0);
  // Servers run in groups of their own, which an interrupt does not reach; what hangs on `exit` ends them.
  const leave = () => process.exit(130);
  for (const signal of SIGNALS) process.once(signal, leave);
  let before = 0;
  const pulls: (Planned & { readonly pull: Pull })[] = [];
  try {
    for (const planned of plans) {
      const done = before;
      const onAnswer = (count: number) => console.progress.step('Asking servers', done + count, total);
      const pull = await pullTools(planned.plan, planned.before, ask, limits, onAnswer);
      pulls.push({ ...planned, pull });
      before += planned.plan.servers.length;
    }
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, leave);
    console.progress.end();
  }
  return pulls;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes the snapshot where it differs, and tells what has changed. */
async function settle(
  project: Project,
  { catalog, path, pull, before }: Planned & { readonly pull: Pull },
  check: boolean,
): Promise<CatalogPull> {
  const { analysis } = project.workspace;
  const target = join(dirname(path), SNAPSHOT_NAME);
  const snapshot = shownPath(project.cwd)(target);
  const differs = before !== pull.text;
  const isLarge = Buffer.byteLength(pull.text) > MAX_FILE_BYTES;
  if (isLarge) throw new Stop(`\`${snapshot}\` would be too large to be read: name fewer servers with \`servers\`.`);
  const writes = differs && !check && pull.servers.some(({ status }) => status === 'pulled' || status === 'off');
  if (writes) await writeResult(target, pull.text, `\`${snapshot}\``);
  const usesOf = usesUnder(analysis, catalog.uri);
  const old = before === undefined ? undefined : parseSnapshot(before);
  // Nothing that is new at the first time has changed.
  const compared = old ? compareSnapshots(old, pull.snapshot) : [];
  const changes = compared.map((change) => {
    const skills = usesOf(change.tool, change.server);
    return { change, skills: skills.map(({ name, uri }) => ({ name, file: project.fileOf(uri) })) };
  });
  const file = `${shownPath(project.cwd)(dirname(path))}/${basename(path)}`.replace(/^\.\//, '');
  return {
    file,
    snapshot,
    differs,
    written: writes,
    servers: pull.servers,
    changes,
    shared: sharedNames(pull.snapshot),
  };
}

function sharedNames({ tools }: Snapshot): CatalogPull['shared'] {
  const servers = new Map<string, string[]>();
  for (const { name, server } of tools) {
    if (server !== undefined) servers.set(name, [...(servers.get(name) ?? []), server]);
  }
  return [...servers].filter(([, all]) => all.length > 1).map(([tool, all]) => ({ tool, servers: all }));
}
