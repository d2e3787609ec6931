/** `--agents`: runs clients on agent files, and writes which of them they load to `lab/agents/observed.json`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startOpenCode } from '../../server/src/services/observing/clients/open-code.ts';
import { stringsIn } from '../../server/src/services/observing/model/json-values.ts';
import { startModel } from '../../server/src/services/observing/model/server.ts';
import type { Place } from '../../server/src/services/observing/observed-client.ts';
import { runClient } from '../../server/src/services/observing/process.ts';
import type { LabClient } from '../client.ts';
import { claudeCode } from '../clients/claude-code.ts';
import { codex } from '../clients/codex.ts';
import { copilotCli } from '../clients/copilot-cli.ts';
import { openCode } from '../clients/open-code.ts';
import { install } from '../install.ts';
import { Runner } from '../runner.ts';
import { COMMAND_FORMS } from './command-forms.ts';
import { AGENT_FORMS } from './forms.ts';
import { OPENAI_FORMS } from './openai-forms.ts';

/** The agent files that a client loaded, by their ID; for OpenCode, those with which it started. */
export interface AgentObservation {
  readonly client: string;
  readonly version: string;
  /** The ISO date of the runs. */
  readonly observed: string;
  readonly loaded: Readonly<Record<string, boolean>>;
}

interface Asked {
  readonly client: LabClient;
  readonly folder: string;
  /** Returns the IDs of the forms that the client loads. */
  readonly ask: (runner: Runner, place: Place) => Promise<ReadonlySet<string>>;
}

const ASKED: readonly Asked[] = [
  { client: claudeCode, folder: '.claude/agents', ask: askClaude },
  { client: copilotCli, folder: '.github/agents', ask: askCopilot },
  { client: openCode, folder: '.opencode/agents', ask: askOpenCode },
];

export interface AgentRunOptions {
  /** The path of the checkout. */
  readonly root: string;
  /** The folder for packages and workspaces. */
  readonly folder: string;
  readonly today: string;
  readonly print: (line: string) => void;
}

/**
 * Runs the clients twice on all agent files.
 *
 * @throws Error if a client cannot be installed or run, or if two runs differ
 */
export async function runAgents({ root, folder, today, print }: AgentRunOptions): Promise<void> {
  await runCodex({ root, folder, today, print });
  await runCommands({ root, folder, today, print });
  const observations: AgentObservation[] = [];
  for (const { client, folder: agents, ask } of ASKED) {
    const installed = install(client, join(folder, 'installed'), join(root, 'lab', 'programs'));
    const model = await startModel();
    try {
      const runner = new Runner(client, model, installed, join(folder, 'runs'), print);
      const runs: ReadonlySet<string>[] = [];
      for (let run = 0; run < 2; run++) {
        const place = runner.write([]);
        if (ask !== askOpenCode) write(place, agents, AGENT_FORMS);
        runs.push(await ask(runner, place));
      }
      const [loaded, again] = runs.map((ids) => Object.fromEntries(AGENT_FORMS.map(({ id }) => [id, ids.has(id)])));
      if (!loaded || JSON.stringify(loaded) !== JSON.stringify(again))
        throw new Error(`two runs of ${client.name} differ`);
      print(`${client.name} ${client.package.version}: ${runs[0]?.size} of ${AGENT_FORMS.length} are loaded`);
      observations.push({
        client: client.facts ?? client.id,
        version: client.package.version,
        observed: today,
        loaded,
      });
    } finally {
      await model.close();
    }
  }
  writeFileSync(join(root, 'lab', 'agents', 'observed.json'), `${JSON.stringify(observations, undefined, 2)}\n`);
}

/** Runs Copilot CLI twice on commands, and writes which of them it lists to `lab/agents/command-observed.json`. */
async function runCommands({ root, folder, today, print }: AgentRunOptions): Promise<void> {
  const installed = install(copilotCli, join(folder, 'installed'), join(root, 'lab', 'programs'));
  const model = await startModel();
  try {
    const runner = new Runner(copilotCli, model, installed, join(folder, 'runs'), print);
    const runs: (readonly string[])[] = [];
    for (let run = 0; run < 2; run++) {
      const place = runner.write([]);
      write(place, '.claude/commands', COMMAND_FORMS);
      const { requests } = await runner.run(place);
      const all = requests.flatMap(({ body }) => stringsIn(body)).map(({ text }) => text);
      const ids = COMMAND_FORMS.map(({ id }) => id);
      runs.push(ids.filter((id) => all.some((text) => text.includes(`<name>${id}</name>`))));
    }
    const [loaded, again] = runs;
    if (!loaded || loaded.length === 0 || JSON.stringify(loaded) !== JSON.stringify(again))
      throw new Error('two runs of Copilot CLI differ, or list no command');
    print(`${copilotCli.name} ${copilotCli.package.version}: ${loaded.length} of ${COMMAND_FORMS.length} commands`);
    const observation = { client: copilotCli.id, version: copilotCli.package.version, observed: today, loaded };
    writeFileSync(
      join(root, 'lab', 'agents', 'command-observed.json'),
      `${JSON.stringify(observation, undefined, 2)}\n`,
    );
  } finally {
    await model.close();
  }
}

/** Runs Codex twice on skills with settings, and writes which of them it hides to `lab/agents/openai-observed.json`. */
async function runCodex({ root, folder, today, print }: AgentRunOptions): Promise<void> {
  const installed = install(codex, join(folder, 'installed'), join(root, 'lab', 'programs'));
  const model = await startModel();
  try {
    const runner = new Runner(codex, model, installed, join(folder, 'runs'), print);
    const runs: (readonly string[])[] = [];
    for (let run = 0; run < 2; run++) {
      const place = runner.write([]);
      for (const { id, text } of OPENAI_FORMS) {
        const skill = join(place.workspace, '.agents/skills', id);
        mkdirSync(join(skill, 'agents'), { recursive: true });
        writeFileSync(join(skill, 'SKILL.md'), `---\nname: ${id}\ndescription: Form.\n---\n\nBody.\n`);
        if (text !== undefined) writeFileSync(join(skill, 'agents/openai.yaml'), text);
      }
      const { requests } = await runner.run(place);
      const all = requests.flatMap(({ body }) => stringsIn(body)).map(({ text }) => text);
      const hidden = OPENAI_FORMS.filter(({ id }) => !all.some((text) => text.includes(`- ${id}:`))).map(
        ({ id }) => id,
      );
      if (hidden.length === OPENAI_FORMS.length) throw new Error('Codex lists no skill');
      runs.push(hidden);
    }
    const [hidden, again] = runs;
    if (!hidden || JSON.stringify(hidden) !== JSON.stringify(again)) throw new Error('two runs of Codex differ');
    print(`${codex.name} ${codex.package.version}: ${hidden.length} of ${OPENAI_FORMS.length} are hidden`);
    const observation = { client: codex.id, version: codex.package.version, observed: today, hidden };
    writeFileSync(
      join(root, 'lab', 'agents', 'openai-observed.json'),
      `${JSON.stringify(observation, undefined, 2)}\n`,
    );
  } finally {
    await model.close();
  }
}

function write(
  { workspace }: Place,
  folder: string,
  forms: readonly { readonly id: string; readonly text: string }[],
): void {
  rmSync(join(workspace, folder), { recursive: true, force: true });
  for (const { id, text } of forms) {
    const file = join(workspace, folder, `${id}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Claude Code lists its agents in a request, each on a line. */
async function askClaude(runner: Runner, place: Place): Promise<ReadonlySet<string>> {
  const { requests } = await runner.run(place);
  const lines = requests
    .flatMap(({ body }) => [...stringsIn(body)])
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => /^- .*\(Tools: |^- a10: /.test(line));
  return new Set(
    AGENT_FORMS.flatMap(({ id }) => (lines.some((line) => new RegExp(`\\b${id}\\b`).test(line)) ? [id] : [])),
  );
}

/** Copilot CLI names in its log each file that it does not load. */
async function askCopilot(runner: Runner, place: Place): Promise<ReadonlySet<string>> {
  const { requests } = await runner.run(place);
  if (requests.length === 0) throw new Error('Copilot CLI asked the model nothing');
  const logs = join(place.home, 'logs');
  const text = readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('\n');
  const refused = [...text.matchAll(/agents\/(a\d+)\.md: custom agent markdown frontmatter is malformed/g)].map(
    ([, id]) => id,
  );
  if (refused.length === 0) throw new Error('Copilot CLI names no refused agent in its log');
  return new Set(AGENT_FORMS.flatMap(({ id }) => (refused.includes(id) ? [] : [id])));
}

/** OpenCode ends at an agent that it does not accept, so each one has a workspace without the others. */
async function askOpenCode(runner: Runner, place: Place): Promise<ReadonlySet<string>> {
  const started = new Set<string>();
  for (const form of AGENT_FORMS) {
    write(place, '.opencode/agents', [form]);
    const run = await runner.prepare(place);
    const { status, output } = await runClient(run, startOpenCode(['agent', 'list']));
    if (status === 0) started.add(form.id);
    else if (!output.includes('Configuration is invalid'))
      throw new Error(`OpenCode ended with ${status}: ${output.slice(0, 500)}`);
  }
  return started;
}
