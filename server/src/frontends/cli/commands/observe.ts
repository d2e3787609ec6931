/** `skill-composer observe`: runs an installed client, and prints what it sent beside the prediction. */
import type { Client } from '../../../clients/facts/client.ts';
import { clients, frameworks } from '../../../clients/facts/clients.ts';
import { stepsOf } from '../../../clients/matrix/prediction.ts';
import { OBSERVED } from '../../../clients/pipeline/pipeline.ts';
import { absolute, isFolder } from '../../../io/paths.ts';
import { openProject } from '../../../io/project.ts';
import { writeResult } from '../../../io/read-named.ts';
import { withoutLinks } from '../../../io/select-files.ts';
import { UserError } from '../../../io/user-error.ts';
import { listed } from '../../../nearest.ts';
import { counted } from '../../../reports/check-report.ts';
import {
  leftOutText,
  type ObservableClient,
  observableToJson,
  observableToPretty,
  type PlannedRun,
  plannedToJson,
} from '../../../reports/observable.ts';
import {
  differencesIn,
  type ObservedReport,
  observedToJson,
  observedToMarkdown,
  observedToPretty,
} from '../../../reports/observed.ts';
import { OBSERVED_CLIENTS, whyNotRun } from '../../../services/observing/clients/index.ts';
import { type Copies, copiesOf, type Other } from '../../../services/observing/copies.ts';
import { findInstalled, findOnPath, type InstalledClient } from '../../../services/observing/find-client.ts';
import { type Observed, observe } from '../../../services/observing/observe.ts';
import type { ObservedClient } from '../../../services/observing/observed-client.ts';
import { withoutUser } from '../../../services/observing/user.ts';
import type { Console } from '../console.ts';
import { clientCalled } from './clients.ts';

export interface ObserveOptions {
  readonly cwd: string;
  /** Undefined to list the clients. */
  readonly client: string | undefined;
  /** The folder that the client would open. */
  readonly path: string;
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json' | 'markdown';
  /** A file for the report: JSON if its name ends with `.json`, else Markdown. */
  readonly output: string | undefined;
  readonly yes: boolean;
  /** True to print what would be started, and to start nothing. */
  readonly dryRun: boolean;
  /** The only program that may be started. Undefined for the first one in `PATH`. */
  readonly program: string | undefined;
  readonly seconds: number;
  readonly others: readonly Other[];
}

/**
 * Lists the clients; or asks, runs one once, and prints the report. Returns 1 if something differs from the prediction,
 * else 0.
 */
export async function runObserve(options: ObserveOptions, console: Console): Promise<number> {
  const { cwd, path, config, output, format, seconds, others } = options;
  const { progress, colors } = console;
  if (process.platform === 'win32') {
    throw new UserError(
      '`observe` does not run on Windows, where a client cannot be ended with all its processes. Use WSL.',
    );
  }
  if (options.client === undefined) {
    const all = await observable(cwd);
    console.print(format === 'json' ? observableToJson(all) : observableToPretty(all, colors));
    return 0;
  }
  const facts = clientCalled(options.client, 'observe');
  const client = observedClient(facts);
  const named = absolute(cwd, path);
  if (!(await isFolder(named)))
    throw new UserError(`\`${path}\` is not a folder. Name the folder that the client would open.`);
  // The project has the skills of a link at their real paths.
  const folder = await withoutLinks(cwd, named);
  const project = await openProject({ cwd, paths: [path], config, progress, mayBeEmpty: true }).finally(() =>
    progress.end(),
  );
  const copies = await copiesOf(project, clients, folder, client.skills.project, others);
  if (copies.skills.length === 0) {
    throw new UserError(`\`${path}\` contains no \`SKILL.md\`. Name the folder that the client would open.`);
  }
  const installed = await findInstalled(client, folder);
  if (!installed) {
    throw new UserError(
      `${client.name} was not found: \`PATH\` has no program \`${client.program}\`. Install it, for example with \`npm install --global ${client.npm}\`.`,
    );
  }
  if (options.program !== undefined && options.program !== installed.program) {
    throw new UserError(
      `\`PATH\` has the program \`${installed.program}\`, and \`--program\` allows only \`${options.program}\`. Nothing was started. Run the command again with the program that you want.`,
    );
  }
  const plan = await planOf(facts, installed, copies);
  if (options.dryRun) {
    console.print(format === 'json' ? plannedToJson(plan) : `${announcement(plan).join('\n')}\n`);
    return 0;
  }
  console.printError(`${announcement(plan).join('\n')}\n`);
  if (!options.yes) {
    const may = await console.confirm('Start it?');
    if (may === undefined) throw new UserError('No terminal is available to confirm the start. Add `--yes`.');
    if (!may) throw new UserError('Nothing was started.');
  }
  const observed = await observe({
    ...installed,
    ...{ facts, copies, milliseconds: seconds * 1_000 },
    onStep: (step) => progress.step(`${client.name}: ${step}`, 0, 1),
  }).finally(() => progress.end());
  const report = reportOf(facts, installed, copies, observed, plan.missing);
  if (output !== undefined) {
    const text = /\.json$/i.test(output) ? observedToJson(report) : observedToMarkdown(report);
    await writeResult(absolute(cwd, output), text, `--output ${output}`);
  }
  if (format === 'json') console.print(observedToJson(report));
  else console.print(format === 'markdown' ? observedToMarkdown(report) : observedToPretty(report, colors));
  return differencesIn(report) > 0 ? 1 : 0;
}

function observedClient({ id, name }: Client): ObservedClient {
  const client = OBSERVED_CLIENTS.find((one) => one.id === id);
  if (client) return client;
  const ids = OBSERVED_CLIENTS.map((one) => one.id).join(', ');
  throw new UserError(`\`observe\` cannot run \`${id}\`: ${name} ${whyNotRun(id)}. It runs ${ids}.`);
}

/** Returns every client, and its program if it can be run and is installed. */
const observable = (folder: string): Promise<readonly ObservableClient[]> =>
  Promise.all(
    [...clients, ...frameworks].map(async (facts): Promise<ObservableClient> => {
      const { id, name } = facts;
      const client = OBSERVED_CLIENTS.find((one) => one.id === id);
      if (!client) return { id, name, reason: `${name} ${whyNotRun(id)}.` };
      const { program, version } = (await findInstalled(client, folder)) ?? {};
      return { id, name: client.name, package: client.npm, program, version, knownVersion: knownVersion(facts) };
    }),
  );

async function planOf(
  facts: Client,
  { client, program, version }: InstalledClient,
  { skills, installed, leftOut, others }: Copies,
): Promise<PlannedRun> {
  const isMissing = client.needs !== undefined && (await findOnPath(client.needs)) === undefined;
  return {
    ...{ id: facts.id, name: client.name, program, version, knownVersion: knownVersion(facts) },
    ...{ skills: skills.length, installed, folder: client.skills.project, leftOut, others },
    missing: isMissing ? client.needs : undefined,
    contacts: client.contacts ?? [],
  };
}

/** Returns the version that the facts were compared with. */
const knownVersion = (facts: Client): string | undefined =>
  /@(\d[\w.+-]*)/.exec(stepsOf(facts).sources[OBSERVED]?.where ?? '')?.[1];

/** Returns the lines about the program, its files, and the limits of the isolation. */
function announcement(plan: PlannedRun): readonly string[] {
  const { name, program, version, knownVersion, skills, installed, folder, leftOut, missing, contacts } = plan;
  const isOther = version !== undefined && version !== knownVersion;
  return [
    `This starts ${name}: ${program}, version ${version ?? 'not known yet'}${isOther ? ` (the facts are of ${knownVersion})` : ''}.`,
    `It runs in a new temporary folder with a home of its own and copies of ${counted(skills, 'skill')}${installed > 0 ? `, ${installed} of them in \`${folder}\`` : ''}. It gets no key, and no hooks, servers or settings of yours.`,
    ...(leftOut.length > 0 ? [`Not copied: ${leftOutText(leftOut)}.`] : []),
    ...(missing === undefined ? [] : [withoutProgram(name, missing)]),
    'Its only model is on this machine. Telemetry and updates are off where the client has documented settings, and its proxy refuses all connections. A client that ignores these settings can still reach the network and your files.',
    ...(contacts.length > 0 ? [`${name} was seen to ask for ${listed(contacts)} all the same.`] : []),
  ];
}

const withoutProgram = (name: string, missing: string): string =>
  `\`PATH\` has no program \`${missing}\`, without which ${name} loads no skill: only its list is observed.`;

function reportOf(
  facts: Client,
  { client }: InstalledClient,
  { installed, leftOut }: Copies,
  observed: Observed,
  missing: string | undefined,
): ObservedReport {
  const { version, context, list, comparison, delivered, isEnded, leftBehind } = observed;
  const known = knownVersion(facts);
  const own = (text: string | undefined): string | undefined => text && withoutUser(text);
  return {
    client: { id: facts.id, name: client.name },
    package: client.npm,
    version,
    knownVersion: known,
    date: new Date().toISOString().slice(0, 10),
    platform: `${process.platform} ${process.arch}`,
    context,
    place: list?.place,
    list: comparison.skills.map((one) => ({ ...one, predicted: own(one.predicted), seen: own(one.seen) })),
    others: comparison.others.map(({ name }) => withoutUser(name.trim())),
    delivered: delivered.map(({ note, ...one }) => ({
      ...one,
      predicted: own(one.predicted),
      seen: own(one.seen),
      reasons: note === undefined ? [] : [note],
    })),
    notes: [
      ...(version === known
        ? []
        : [`The facts are of version ${known ?? 'unknown'}, so a difference may be a change of the client.`]),
      ...(installed > 0
        ? [`${counted(installed, 'skill')} in no client's folder: put into ${client.skills.project}.`]
        : []),
      ...(leftOut.length > 0 ? [`Not copied: ${withoutUser(leftOutText(leftOut))}.`] : []),
      ...(missing === undefined ? [] : [withoutProgram(client.name, missing)]),
      ...(isEnded ? ['The client did not end by itself after the last answer, and was ended.'] : []),
      ...leftBehind.map((command) => `A process was left behind and ended: ${withoutUser(command).slice(0, 160)}`),
    ],
  };
}
