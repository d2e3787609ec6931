/** Asks the servers of a plan for their tools and makes the next snapshot. Writes nothing. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from '../../languages/schema/model.ts';
import { type Mask, maskOf } from '../../tools/mask.ts';
import { maskTools, nextSnapshot, type Pulled, printSnapshot, snapshotTool } from '../../tools/snapshot.ts';
import { type InvalidTool, parseSnapshot, type Snapshot, type SnapshotTool } from '../../workspace/tool-snapshot.ts';
import type { Answer, askServer, Limits } from './ask-server.ts';
import type { Plan, PlannedServer } from './plan.ts';

export interface ServerReport {
  readonly name: string;
  readonly file: string;
  readonly status: 'pulled' | 'failed' | 'skipped' | 'off';
  readonly version: string | undefined;
  /** The number of the server's tools in the new snapshot, whether new or retained from the previous snapshot. */
  readonly tools: number;
  /**
   * The failure or, if the server answered, a list of its invalid tools. Written as the end of a sentence that begins
   * with the server's name.
   */
  readonly reason: string | undefined;
}

export interface Pull {
  readonly servers: readonly ServerReport[];
  /** The snapshot before the pull, without the secrets that it may contain; otherwise undefined. */
  readonly before: Snapshot | undefined;
  readonly snapshot: Snapshot;
  readonly text: string;
}

/** The number of servers that are called in parallel. */
const AT_ONCE = 4;

export async function pullTools(
  plan: Plan,
  before: string | undefined,
  ask: typeof askServer,
  limits: Limits,
  onAnswer: (done: number) => void,
): Promise<Pull> {
  const reports: ServerReport[] = plan.skipped.map(({ name, file, reason, isOff }) => ({
    ...{ name, file, status: isOff ? 'off' : 'skipped', version: undefined, tools: 0, reason },
  }));
  const pulled = new Map<string, Pulled>();
  const waiting = [...plan.servers];
  const work = async (): Promise<void> => {
    for (let server = waiting.shift(); server; server = waiting.shift()) {
      const report = take(server, await ask(server.ready, server.program, limits), pulled);
      reports.push(report);
      onAnswer(reports.length - plan.skipped.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const parsed = before === undefined ? undefined : parseSnapshot(before);
  const old = parsed && masked(parsed, maskOf(plan.servers.flatMap(({ ready }) => ready.tokens)));
  const snapshot = nextSnapshot(old, plan.configured, pulled);
  const kept = (name: string): number => snapshot.tools.filter(({ server }) => server === name).length;
  const servers = reports
    .map((report) => ({ ...report, tools: report.status === 'off' ? 0 : kept(report.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { servers, before: old, snapshot, text: printSnapshot(snapshot) };
}

/** Masks the secrets in a snapshot, which an earlier version may have written. */
const masked = ({ servers, tools }: Snapshot, mask: Mask): Snapshot => ({
  servers: servers.map((server) => ({
    ...server,
    ...(server.version !== undefined && { version: mask(server.version) }),
    ...(server.invalid && {
      invalid: server.invalid.map(({ name, problem, faults }) => ({
        name: mask(name),
        problem: mask(problem),
        faults: faults.map(({ kind, at }) => ({ kind, at: mask(at) })),
      })),
    }),
  })),
  tools: maskTools(tools, mask),
});

/** Adds the tools of an answer to `pulled` and returns the report on the server. */
function take({ name, file, ready }: PlannedServer, answer: Answer, pulled: Map<string, Pulled>): ServerReport {
  const failed = (reason: string): ServerReport => ({
    ...{ name, file, status: 'failed', version: undefined, tools: 0, reason },
  });
  if (answer.kind === 'failure') return failed(answer.reason);
  const { version } = answer;
  const tools: SnapshotTool[] = [];
  const invalid = [...answer.invalid];
  for (const tool of answer.tools) {
    try {
      tools.push(snapshotTool(name, tool));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      invalid.push({ name: tool.name, problem: error.message, faults: [] });
    }
  }
  const reason = invalid.length === 0 ? undefined : describeInvalid(invalid);
  if (reason !== undefined && tools.length === 0) return failed(reason);
  pulled.set(name, { version, tools, invalid });
  const shownVersion = version === undefined ? undefined : maskOf(ready.hidden)(version);
  return { name, file, status: 'pulled', version: shownVersion, tools: tools.length, reason };
}

/** The maximum number of invalid tools that a report names. */
const MAX_NAMED = 5;

function describeInvalid(invalid: readonly InvalidTool[]): string {
  const more = invalid.length - MAX_NAMED;
  const named = invalid
    .slice(0, MAX_NAMED)
    .map(({ name, problem }) => `${name === '' ? 'a tool without a name' : `\`${name}\``}: ${problem.slice(0, 200)}`);
  return `has ${counted(invalid.length, 'invalid tool')}: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** Loads the code that calls servers from a separate script, so that other commands do not load this code. */
export async function loadAskServer(): Promise<typeof askServer> {
  const loaded = (await import(pathToFileURL(join(__dirname, 'tools.cjs')).href)) as {
    readonly askServer: typeof askServer;
  };
  return loaded.askServer;
}

/** The default limits of a pull. */
export const LIMITS: Limits = {
  // The first run of a package installs it, which takes a while.
  connectSeconds: 60,
  seconds: 120,
  tools: 10_000,
  pages: 1_000,
  bytes: 10 * 1024 * 1024,
};
