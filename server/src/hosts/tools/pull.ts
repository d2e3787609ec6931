/** Asks the servers of a plan, and makes the next snapshot of what they answer. Writes nothing. */
import { counted } from '../../languages/schema/model.ts';
import { maskOf } from '../../tools/mask.ts';
import { nextSnapshot, type Pulled, printSnapshot, snapshotTool } from '../../tools/snapshot.ts';
import { parseSnapshot, type Snapshot, type SnapshotTool } from '../../workspace/tool-snapshot.ts';
import type { Answer, askServer, Limits } from './ask-server.ts';
import type { Plan, PlannedServer } from './plan.ts';

export interface ServerReport {
  readonly name: string;
  readonly file: string;
  readonly status: 'pulled' | 'failed' | 'skipped' | 'off';
  readonly version: string | undefined;
  /** How many tools of it are in the snapshot now: those that it has listed, else those of before. */
  readonly tools: number;
  /** Why there is no answer, as the rest of a sentence that begins with the name; of one that answered, what is left out. */
  readonly reason: string | undefined;
}

export interface Pull {
  readonly servers: readonly ServerReport[];
  readonly snapshot: Snapshot;
  readonly text: string;
}

/** How many servers are asked at the same time. */
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
  const old = before === undefined ? undefined : parseSnapshot(before);
  const snapshot = nextSnapshot(old, plan.configured, pulled);
  const kept = (name: string): number => snapshot.tools.filter(({ server }) => server === name).length;
  const servers = reports
    .map((report) => ({ ...report, tools: report.status === 'off' ? 0 : kept(report.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { servers, snapshot, text: printSnapshot(snapshot) };
}

/** Keeps an answer, and reports what came of the server. */
function take({ name, file, ready }: PlannedServer, answer: Answer, pulled: Map<string, Pulled>): ServerReport {
  const failed = (reason: string): ServerReport => ({
    ...{ name, file, status: 'failed', version: undefined, tools: 0, reason },
  });
  if (answer.kind === 'failure') return failed(answer.reason);
  const { version } = answer;
  const tools: SnapshotTool[] = [];
  const leftOut = [...answer.leftOut];
  for (const tool of answer.tools) {
    try {
      tools.push(snapshotTool(name, tool, ready.tokens));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      leftOut.push(`\`${tool.name}\`: ${error.message}`);
    }
  }
  const reason = leftOut.length === 0 ? undefined : maskOf(ready.hidden)(toldOf(leftOut));
  if (reason !== undefined && tools.length === 0) return failed(reason);
  pulled.set(name, { version, tools });
  return { name, file, status: 'pulled', version, tools: tools.length, reason };
}

/** Of more tools that cannot be kept only the number is told. */
const MAX_LEFT_OUT = 5;

function toldOf(leftOut: readonly string[]): string {
  const more = leftOut.length - MAX_LEFT_OUT;
  const told = leftOut.slice(0, MAX_LEFT_OUT).map((one) => one.replace(/\.$/, '').slice(0, 200));
  return `lists ${counted(leftOut.length, 'tool')} that cannot be kept: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
