/** `skill-composer tools pull`: writes the servers' tools to the snapshot beside each catalog. */

import { createInterface } from 'node:readline';
import { notOfferedSentence } from '../../../clients/tools/tool-effects.ts';
import { assertCatalogsParse, openProject } from '../../../io/project.ts';
import { UserError } from '../../../io/user-error.ts';
import { inWords } from '../../../nearest.ts';
import { printedJson } from '../../../reports/json.ts';
import type { Limits } from '../../../services/tools/ask-server.ts';
import { type Plan, shownPath } from '../../../services/tools/plan.ts';
import { LIMITS, loadAskServer } from '../../../services/tools/pull.ts';
import {
  askAll,
  type CatalogPull,
  catalogSources,
  isMissed,
  type PlannedCatalog,
  type PulledCatalog,
  planCatalogs,
  pullLines,
  serversToStart,
  type ToStart,
  updateSnapshot,
} from '../../../services/tools/pull-catalogs.ts';
import { showFields } from '../../../text.ts';
import { describeChange, type ToolChange } from '../../../tools/compare.ts';
import type { Console } from '../console.ts';

export interface PullCommand {
  readonly cwd: string;
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json';
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly check: boolean;
  readonly seconds: number | undefined;
  readonly servers: readonly string[];
  /** The inputs, each as `ID=VALUE`. */
  readonly inputs: readonly string[];
}

/** Asks for confirmation, pulls and writes. Returns 1 if a server did not respond or `--check` finds a difference. */
export async function runPull(command: PullCommand, console: Console): Promise<number> {
  const { cwd, config, format, check, servers, inputs } = command;
  const { progress } = console;
  const project = await openProject({ cwd, paths: [], config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  const { analysis } = project.workspace;
  const shown = shownPath(cwd);
  const howToGive = (id: string): string => `\`--input ${id}=VALUE\``;
  const options = { inputs: parseInputs(inputs), environment: process.env, shown, howToGive };
  const planned = onlyServers(await planCatalogs(catalogSources(analysis, project.pathOf), options), servers);
  const starting = serversToStart(planned);
  if (starting.length > 0 && !(await mayStart(starting, command, console))) {
    console.note('Nothing was started and nothing was written.');
    return 1;
  }
  const catalogs: CatalogPull[] = [];
  for (const pulled of await askServers(planned, limitsOf(command), console)) {
    catalogs.push(await updateSnapshot(analysis, pulled, { check, shown }, project.fileOf));
  }
  console.print(format === 'json' ? pullJson(catalogs) : pullText(catalogs));
  const isIncomplete = catalogs.some((catalog) => catalog.servers.some(isMissed));
  return isIncomplete || (check && catalogs.some(({ differs }) => differs)) ? 1 : 0;
}

const limitsOf = ({ seconds }: PullCommand): Limits =>
  seconds === undefined ? LIMITS : { ...LIMITS, seconds, connectSeconds: seconds };

/** Returns the plans for only the servers in `names`, or for all servers if `names` is empty. */
function onlyServers(planned: readonly PlannedCatalog[], names: readonly string[]): readonly PlannedCatalog[] {
  if (names.length === 0) return planned;
  const all = planned.flatMap(({ plan }) => [...plan.servers, ...plan.skipped].map(({ name }) => name));
  const missing = names.find((name) => !all.includes(name));
  if (missing !== undefined) {
    throw new UserError(
      `\`--server ${missing}\`: unknown server \`${missing}\`. The catalogs have ${inWords([...new Set(all)], 'and')}.`,
    );
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
      // The message omits the word, which may be a secret.
      if (id === undefined || value === undefined)
        throw new UserError('`--input` must be `ID=VALUE`. Write for example `--input token=…`.');
      return [id, value] as const;
    }),
  );
}

async function askServers(
  planned: readonly PlannedCatalog[],
  limits: Limits,
  { progress }: Console,
): Promise<readonly PulledCatalog[]> {
  const total = serversToStart(planned).length;
  try {
    const ask = await loadAskServer();
    return await askAll(planned, ask, limits, (done) => progress.step('Asking servers', done, total));
  } finally {
    progress.end();
  }
}

// The confirmation before servers are started: on a terminal, or with `--yes`.

/**
 * Lists the servers to start, and returns whether they may be started. Throws a `UserError` if there is neither a
 * terminal nor `--yes`.
 */
async function mayStart(
  servers: readonly ToStart[],
  { yes, quiet }: { readonly yes: boolean; readonly quiet: boolean },
  console: Console,
): Promise<boolean> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!yes && !isTerminal) {
    const all = servers.map(({ name, what }) => `${name}: \`${what}\``).join('; ');
    throw new UserError(
      `No terminal is available to confirm the servers. Check them and add \`--yes\` to start or call: ${all}.`,
    );
  }
  if (!yes || !quiet) console.printError(listOf(servers));
  return yes || confirmed(console);
}

const listOf = (servers: readonly ToStart[]): string =>
  [
    'Servers to start or call:',
    ...showFields(servers).flatMap(({ name, file, what, details }) => [
      `  ${name} (${file})`,
      `    ${what}`,
      ...details.map((line) => `      ${line}`),
    ]),
    '',
  ].join('\n');

async function confirmed(console: Console): Promise<boolean> {
  console.printError('Continue? [y/N] ');
  const input = createInterface({ input: process.stdin });
  try {
    // The end of the input counts as no.
    const { value, done } = await input[Symbol.asyncIterator]().next();
    return !done && /^y(?:es)?$/i.test(String(value).trim());
  } finally {
    input.close();
  }
}

const pullJson = (catalogs: readonly CatalogPull[]): string =>
  printedJson({
    version: 1,
    catalogs: catalogs.map(({ file, snapshot, differs, written, servers, changes, notOffered, notes }) => ({
      file,
      snapshot,
      differs,
      written,
      servers: servers.map(({ version, reason, ...server }) => ({
        ...server,
        version: version ?? null,
        reason: reason ?? null,
      })),
      changes: changes.map(({ change: { server, ...change }, skills }) => ({
        ...change,
        server: server ?? null,
        skills,
        message: describeChange({ ...change, server } as ToolChange, skills),
      })),
      notOffered: notOffered.map((one) => ({
        server: one.server,
        tool: one.tool ?? null,
        clients: one.clients,
        message: notOfferedSentence(one, one.server),
      })),
      notes,
    })),
  });

const pullText = (catalogs: readonly CatalogPull[]): string =>
  catalogs.map((catalog) => `${pullLines(catalog).join('\n')}\n`).join('\n');
