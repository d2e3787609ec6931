/** `--tools`: runs clients with odd tools of MCP servers, and writes what reaches the model to `lab/tools/observed.json`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startModel } from '../../server/src/services/observing/model/server.ts';
import { install } from '../install.ts';
import { Runner } from '../runner.ts';
import { type Server, TOOL_CLIENTS } from './clients.ts';
import { PLAIN, TOOL_FORMS, type ToolForm } from './forms.ts';

/** How a tool reached the model. */
export interface ToolSeen {
  /** The names under which it was offered; none if it was left out. */
  readonly names: readonly string[];
  /** True if the plain tool of the same server was left out. */
  readonly losesServer?: true;
  /** The paths of the input schema that were left out or have another value, for example `properties.value.format`. */
  readonly changed?: readonly string[];
  /** The paths that the client added. */
  readonly added?: readonly string[];
  /** The number of characters of the description, if it is not the server's. */
  readonly description?: number;
}

/** The tools that one client offered to its model, by the ID of their form. */
export interface ToolObservation {
  readonly client: string;
  readonly version: string;
  /** The ISO date of the runs. */
  readonly observed: string;
  readonly tools: Readonly<Record<string, ToolSeen>>;
}

export interface ToolRunOptions {
  /** The path of the checkout. */
  readonly root: string;
  /** The folder for packages and workspaces. */
  readonly folder: string;
  /** The IDs of clients; all if empty. */
  readonly clients: readonly string[];
  readonly today: string;
  readonly print: (line: string) => void;
}

/**
 * Runs each client twice with all tools.
 *
 * @throws Error if a client cannot be installed or run, or if two runs differ
 */
export async function runTools({ root, folder, clients, today, print }: ToolRunOptions): Promise<void> {
  const file = join(root, 'lab', 'tools', 'observed.json');
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly ToolObservation[]) : [];
  const observations = new Map(earlier.map((one) => [one.client, one]));
  for (const clientWith of TOOL_CLIENTS) {
    const client = clientWith(serversIn(root));
    const id = client.facts ?? client.id;
    if (clients.length > 0 && !clients.includes(client.id)) continue;
    const installed = install(client, join(folder, 'installed'), join(root, 'lab', 'programs'));
    const model = await startModel();
    try {
      const runner = new Runner(client, model, installed, join(folder, 'runs'), print);
      const tools = await seenTwice(runner);
      const { version } = client.package;
      print(
        `${client.name} ${version}: ${Object.values(tools).filter(({ names }) => names.length > 0).length} of ${TOOL_FORMS.length} tools`,
      );
      observations.set(id, { client: id, version, observed: today, tools });
    } finally {
      await model.close();
    }
  }
  const sorted = [...observations.values()].sort((a, b) => (a.client < b.client ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

async function seenTwice(runner: Runner): Promise<ToolObservation['tools']> {
  const [first, second] = [await seen(runner), await seen(runner)];
  if (!isDeepStrictEqual(first, second)) {
    const differing = TOOL_FORMS.filter(({ id }) => !isDeepStrictEqual(first[id], second[id]));
    throw new Error(`two runs of ${runner.client.name} differ: ${differing.map(({ id }) => id).join(', ')}`);
  }
  return first;
}

/** Returns the definition of a form's tool, with a description from which it is recognized. */
export const definitionOf = ({ id, tool }: ToolForm) => {
  const { description = 'Does something.', ...more } = tool;
  return {
    name: 'form' as string,
    ...('description' in tool && typeof tool.description !== 'string'
      ? { description: tool.description }
      : { description: `FORM-${id}. ${description}` }),
    ...more,
  };
};

/** A server for each form, so that forms do not affect each other. */
const serversIn = (root: string): readonly Server[] =>
  TOOL_FORMS.map((form) => {
    const plain = {
      name: PLAIN,
      description: `PLAIN-${form.id}.`,
      inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    };
    return {
      name: form.id,
      command: process.execPath,
      args: [join(root, 'lab/tools/server.mjs'), JSON.stringify([plain, definitionOf(form)])],
    };
  });

async function seen(runner: Runner): Promise<ToolObservation['tools']> {
  const { requests } = await runner.run(runner.write([]));
  const offered = requests.flatMap(({ body }) => [...toolsIn(body)]);
  if (!offered.some(({ description }) => description.includes('PLAIN-')))
    throw new Error(`${runner.client.name} offers no tool of a server`);
  return Object.fromEntries(TOOL_FORMS.map((form) => [form.id, seenOf(form, offered)]));
}

interface Offered {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

function seenOf(form: ToolForm, offered: readonly Offered[]): ToolSeen {
  const definition = definitionOf(form);
  const found = offered.filter(({ description, schema }) =>
    typeof definition.description === 'string'
      ? description.includes(`FORM-${form.id}.`)
      : JSON.stringify(schema).includes(`only_${form.id}`),
  );
  const [first] = found;
  const isPlainHere = offered.some(({ description }) => description.includes(`PLAIN-${form.id}.`));
  return {
    names: [...new Set(found.map(({ name }) => name))].sort(),
    ...(!isPlainHere && definition.name !== PLAIN && { losesServer: true }),
    ...(first && changesOf(form.tool.inputSchema, first.schema)),
    ...(first &&
      typeof definition.description === 'string' &&
      !first.description.includes(definition.description) && { description: first.description.length }),
  };
}

const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'parameters', 'parametersJsonSchema'];

/** Returns the tools in a request of any protocol, also those in groups. */
function* toolsIn(json: unknown): Generator<Offered> {
  if (typeof json !== 'object' || json === null) return;
  const { name, description } = json as Record<string, unknown>;
  const key = SCHEMA_KEYS.find((one) => one in json);
  if (typeof name === 'string' && key !== undefined) {
    yield {
      name,
      description: typeof description === 'string' ? description : '',
      schema: (json as Record<string, unknown>)[key],
    };
    return;
  }
  for (const value of Object.values(json)) yield* toolsIn(value);
}

/** Returns the paths at which a schema was changed. The path of a value that is gone stands for everything in it. */
function changesOf(sent: unknown, offered: unknown): Pick<ToolSeen, 'changed' | 'added'> {
  const changed = differencesOf(sent, offered);
  const added = differencesOf(offered, sent).filter((path) => !changed.includes(path));
  return { ...(changed.length > 0 && { changed }), ...(added.length > 0 && { added }) };
}

function differencesOf(one: unknown, other: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  const areObjects = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) return one === undefined ? [] : [path];
  const [from, to] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys(from).flatMap((key) => differencesOf(from[key], to[key], path === '' ? key : `${path}.${key}`));
}
