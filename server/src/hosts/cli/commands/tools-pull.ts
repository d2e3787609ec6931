/** `skill-composer tools pull`: takes the tools of servers into the snapshot beside each catalog. */
import { inWords } from '../../../nearest.ts';
import { LIMITS, type Limits } from '../../tools/limits.ts';
import { loadAskServer } from '../../tools/load.ts';
import { type Plan, PlanProblem, shownPath } from '../../tools/plan.ts';
import {
  askAll,
  type CatalogPull,
  catalogSources,
  type PlannedCatalog,
  type PulledCatalog,
  planCatalogs,
  settle,
  toStart,
} from '../../tools/pull-catalogs.ts';
import { isMissed } from '../../tools/pull-lines.ts';
import type { Console } from '../console.ts';
import { pullJson, pullText } from '../formats/pull.ts';
import { assertCatalogsParse, openProject } from '../project.ts';
import { Stop } from '../stop.ts';
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

/** Asks, pulls and writes; returns 1 where a server has not answered, or `--check` finds a difference. */
export async function runPull(command: PullCommand, console: Console): Promise<number> {
  try {
    return await pull(command, console);
  } catch (error) {
    throw error instanceof PlanProblem ? new Stop(error.message) : error;
  }
}

async function pull(command: PullCommand, console: Console): Promise<number> {
  const { cwd, config, format, check, servers, inputs } = command;
  const { progress } = console;
  const project = await openProject({ cwd, paths: [], config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  const { analysis } = project.workspace;
  const shown = shownPath(cwd);
  const howToGive = (id: string): string => `\`--input ${id}=VALUE\``;
  const options = { inputs: parseInputs(inputs), environment: process.env, shown, howToGive };
  const planned = only(await planCatalogs(catalogSources(analysis, project.pathOf), options), servers);
  const starting = toStart(planned);
  if (starting.length > 0 && !(await mayStart(starting, command, console))) {
    console.note('Nothing was started and nothing was written.');
    return 1;
  }
  const catalogs: CatalogPull[] = [];
  for (const pulled of await askThem(planned, limitsOf(command), console)) {
    catalogs.push(await settle(analysis, pulled, { check, shown }, project.fileOf));
  }
  console.print(format === 'json' ? pullJson(catalogs) : pullText(catalogs));
  const isIncomplete = catalogs.some((catalog) => catalog.servers.some(isMissed));
  return isIncomplete || (check && catalogs.some(({ differs }) => differs)) ? 1 : 0;
}

const limitsOf = ({ seconds }: PullCommand): Limits =>
  seconds === undefined ? LIMITS : { ...LIMITS, seconds, connectSeconds: seconds };

/** The plans for these servers alone; for all where none is named. */
function only(planned: readonly PlannedCatalog[], names: readonly string[]): readonly PlannedCatalog[] {
  if (names.length === 0) return planned;
  const all = planned.flatMap(({ plan }) => [...plan.servers, ...plan.skipped].map(({ name }) => name));
  const missing = names.find((name) => !all.includes(name));
  if (missing !== undefined) {
    throw new Stop(`\`--server ${missing}\` is no server here: there are ${inWords([...new Set(all)], 'and')}.`);
  }
  const isMeant = ({ name }: { readonly name: string }) => names.includes(name);
  const part = (plan: Plan): Plan => ({
    ...plan,
    servers: plan.servers.filter(isMeant),
    skipped: plan.skipped.filter(isMeant),
  });
  return planned.map((one) => ({ ...one, plan: part(one.plan) }));
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

async function askThem(
  planned: readonly PlannedCatalog[],
  limits: Limits,
  { progress }: Console,
): Promise<readonly PulledCatalog[]> {
  const total = toStart(planned).length;
  // Servers run in groups of their own, which an interrupt does not reach; what hangs on `exit` ends them.
  const leave = () => process.exit(130);
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    const ask = await loadAskServer();
    return await askAll(planned, ask, limits, (done) => progress.step('Asking servers', done, total));
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, leave);
    progress.end();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
