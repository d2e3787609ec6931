/** The saved list of server tools, in a file beside a catalog (docs/tools.md, "The snapshot"). */
import { TOOL_FAULT_KINDS, type ToolFault, toolFaults } from '../clients/tools/tool-faults.ts';
import { nestsDeeper } from '../languages/yaml/json-values.ts';
import type { Json } from '../languages/yaml/node.ts';

export const SNAPSHOT_NAME = 'skills.tools.json';

/** The maximum depth of a schema. Recursive code reads the schemas. */
export const MAX_SCHEMA_DEPTH = 100;

/** A tool as described by a server or the editor. */
export interface SnapshotTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Json;
  readonly outputSchema?: Json;
  readonly operation?: 'READ' | 'WRITE';
  readonly server?: string;
  /** Set for a tool of the editor that no configured server has. */
  readonly from?: 'editor';
}

/** A tool that is not among the tools of its server, because the protocol does not allow its definition. */
export interface InvalidTool {
  readonly name: string;
  /** A sentence without a full stop. */
  readonly problem: string;
  readonly faults: readonly ToolFault[];
}

export interface SnapshotServer {
  readonly name: string;
  readonly version?: string;
  /** True for a server that never responded, so its tools are unknown. */
  readonly unknown?: true;
  readonly invalid?: readonly InvalidTool[];
}

export interface Snapshot {
  readonly servers: readonly SnapshotServer[];
  readonly tools: readonly SnapshotTool[];
}

/** A tool with faults, because of which clients may leave it out (docs/tools.md, "What clients leave out"). */
export interface FaultyServerTool {
  readonly server: string;
  readonly name: string;
  readonly faults: readonly ToolFault[];
}

export interface ParsedSnapshot extends Snapshot {
  readonly faulty: readonly FaultyServerTool[];
}

/** Returns the tools of servers that have faults, also the invalid ones. Never throws. */
export const faultyTools = ({ servers, tools }: Snapshot): readonly FaultyServerTool[] =>
  [
    ...servers.flatMap(({ name: server, invalid = [] }) =>
      invalid.map(({ name, faults }) => ({ server, name, faults })),
    ),
    ...tools.flatMap((tool) =>
      tool.server === undefined
        ? []
        : [{ server: tool.server, name: tool.name, faults: toolFaults(tool, tool.server) }],
    ),
  ].filter(({ faults }) => faults.length > 0);

/** Parses the JSON text of a snapshot; undefined if it is invalid. Omits invalid entries. Never throws. */
export function parseSnapshot(text: string): ParsedSnapshot | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { tools, servers } = (json ?? {}) as { tools?: unknown; servers?: unknown };
  if (!Array.isArray(tools)) return undefined;
  const snapshot = {
    servers: Array.isArray(servers) ? servers.flatMap(readServer) : [],
    tools: tools.flatMap(readTool),
  };
  return { ...snapshot, faulty: faultyTools(snapshot) };
}

/**
 * Returns whether a snapshot contains all tools of a catalog's servers; `named` are the servers that the catalog names.
 * Returns false if a server never responded, or if the snapshot contains only tools of the editor. Never throws.
 */
export function hasAllTools(snapshot: Snapshot | undefined, named: readonly string[]): boolean {
  const { servers = [], tools = [] } = snapshot ?? {};
  const asked = new Set([...servers.map(({ name }) => name), ...tools.map(({ server }) => server)]);
  asked.delete(undefined);
  return asked.size > 0 && servers.every(({ unknown }) => !unknown) && named.every((name) => asked.has(name));
}

type Fields = Readonly<Record<string, unknown>>;

function readTool(item: unknown): readonly SnapshotTool[] {
  const { name, description, inputSchema, outputSchema, operation, server, from } = fieldsOf(item);
  if (typeof name !== 'string' || nestsDeeper([inputSchema, outputSchema] as Json, MAX_SCHEMA_DEPTH + 1)) return [];
  return [
    {
      name,
      ...(typeof description === 'string' && { description }),
      ...(typeof inputSchema === 'object' && inputSchema !== null && { inputSchema: inputSchema as Json }),
      ...(typeof outputSchema === 'object' && outputSchema !== null && { outputSchema: outputSchema as Json }),
      ...((operation === 'READ' || operation === 'WRITE') && { operation }),
      ...(typeof server === 'string' && { server }),
      ...(from === 'editor' && { from }),
    },
  ];
}

function readServer(item: unknown): readonly SnapshotServer[] {
  const { name, version, unknown, invalid } = fieldsOf(item);
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ...(typeof version === 'string' && { version }),
      ...(unknown === true && { unknown }),
      ...(Array.isArray(invalid) && { invalid: invalid.flatMap(readInvalid) }),
    },
  ];
}

function readInvalid(item: unknown): readonly InvalidTool[] {
  const { name, problem, faults } = fieldsOf(item);
  if (typeof name !== 'string' || typeof problem !== 'string') return [];
  return [{ name, problem, faults: Array.isArray(faults) ? faults.flatMap(readFault) : [] }];
}

function readFault(item: unknown): readonly ToolFault[] {
  const { kind, at } = fieldsOf(item);
  const known = TOOL_FAULT_KINDS.find((one) => one === kind);
  return known === undefined || typeof at !== 'string' ? [] : [{ kind: known, at }];
}

const fieldsOf = (item: unknown): Fields => (typeof item === 'object' && item !== null ? (item as Fields) : {});
