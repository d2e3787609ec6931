/** The tools of servers that clients do not offer to their models (docs/tools.md, "What clients leave out"). */
import { listed } from '../../nearest.ts';
import { findClient } from '../facts/clients.ts';
import effects from './effects.json';
import { reasonOf, type ToolFault, type ToolFaultKind } from './tool-faults.ts';

/** The effects of tools with faults in a client (lab/README.md, "Tools"). */
export interface ToolEffects {
  /** The ID of the client. */
  readonly client: string;
  readonly version: string;
  /** The ISO date of the runs. */
  readonly observed: string;
  /** The faults of one tool because of which the client offers no tool of the server. */
  readonly losesServer: readonly ToolFaultKind[];
  /** The faults because of which the client leaves out the tool. */
  readonly losesTool: readonly ToolFaultKind[];
}

/** The clients that were run. Others are unknown. */
export const toolEffects = effects as readonly ToolEffects[];

/** A tool as it is known for a server. */
export interface FaultyTool {
  readonly name: string;
  readonly faults: readonly ToolFault[];
}

/** Tools that clients leave out, for one reason. */
export interface LeftOutTools {
  /** The names of the clients with their versions. */
  readonly clients: readonly string[];
  /** The tool that is left out; undefined for all tools of the server. */
  readonly tool: string | undefined;
  /** The end of a sentence. */
  readonly reason: string;
}

/**
 * Returns the tools of a server that clients leave out: first those reasons for which a client leaves out the whole server,
 * then single tools.
 *
 * @param tools the tools of one server that have faults
 * @param asked the IDs of clients; all clients that were run if undefined
 */
export function leftOutTools(tools: readonly FaultyTool[], asked?: readonly string[]): readonly LeftOutTools[] {
  const known = toolEffects.filter(({ client }) => asked?.includes(client) ?? true);
  const found = new Map<
    string,
    { readonly clients: string[]; readonly tool: string | undefined; readonly reason: string }
  >();
  const add = (tool: string | undefined, reason: string, client: string): void => {
    const key = JSON.stringify([tool, reason]);
    const one = found.get(key) ?? { clients: [], tool, reason };
    one.clients.push(client);
    found.set(key, one);
  };
  const all = tools.flatMap(({ name, faults }) => faults.map((fault) => ({ name, fault })));
  for (const { client, version, losesServer, losesTool } of known) {
    const named = `${findClient(client)?.name ?? client} ${version}`;
    const worst = all.find(({ fault }) => losesServer.includes(fault.kind));
    if (worst) add(undefined, reasonOf(worst.fault, worst.name), named);
    else {
      for (const { name, fault } of all) if (losesTool.includes(fault.kind)) add(name, reasonOf(fault, name), named);
    }
  }
  return [...found.values()].sort((a, b) => Number(a.tool !== undefined) - Number(b.tool !== undefined));
}

/** Returns a sentence about tools of a server that clients leave out. */
export function notOfferedSentence({ clients, tool, reason }: LeftOutTools, server: string): string {
  const isOne = clients.length === 1;
  const what =
    tool === undefined
      ? `${isOne ? 'offers' : 'offer'} no tool of the server \`${server}\``
      : `${isOne ? 'does' : 'do'} not offer \`${tool}\` of the server \`${server}\``;
  return `${listed(clients)} ${what} to the model, because ${reason}.`;
}
