/** Creates the text of `skills.tools.json` from the replies of servers. Equal replies result in identical text. */
import type { Json } from '../languages/yaml/node.ts';
import type { Snapshot, SnapshotServer, SnapshotTool } from '../workspace/tool-snapshot.ts';
import { type Mask, maskOf } from './mask.ts';

/** The tools and the version of one server. */
export interface ServerAnswer {
  readonly name: string;
  readonly version: string | undefined;
  readonly tools: readonly ListedTool[];
  /** The invalid tools, each with its problem. */
  readonly leftOut: readonly string[];
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/** The maximum depth of a schema. */
const MAX_DEPTH = 100;

/** Returns a tool as it is written to the snapshot. Throws a `RangeError` if its schema is nested too deeply. */
export function snapshotTool(server: string, tool: ListedTool, tokens: readonly string[]): SnapshotTool {
  const mask = maskOf(tokens);
  const { name, description, inputSchema, annotations } = tool;
  return {
    name,
    ...(description !== undefined && { description: mask(description) }),
    ...(inputSchema !== undefined && { inputSchema: tidy(inputSchema as Json, mask, 0) }),
    operation: annotations?.readOnlyHint === true ? 'READ' : 'WRITE',
    server,
  };
}

/** Masks secrets, and sorts the keys, which servers write in any order. */
function tidy(json: Json, mask: Mask, depth: number): Json {
  if (depth > MAX_DEPTH) throw new RangeError(`Its schema is nested deeper than ${MAX_DEPTH} levels.`);
  if (typeof json === 'string') return mask(json);
  if (Array.isArray(json)) return json.map((item) => tidy(item, mask, depth + 1));
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => [key, tidy(value, mask, depth + 1)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => compare(a, b)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface Pulled {
  readonly version: string | undefined;
  readonly tools: readonly SnapshotTool[];
}

/**
 * Returns the next snapshot. `pulled` contains the servers that replied. A server that is only in `configured` keeps
 * its tools, or is marked as unknown. Servers that are not configured are removed, and the editor's own tools are kept.
 */
export function nextSnapshot(
  before: Snapshot | undefined,
  configured: readonly string[],
  pulled: ReadonlyMap<string, Pulled>,
): Snapshot {
  const old = new Map(before?.servers.map((server) => [server.name, server]));
  const keeps = new Set(configured.filter((name) => !pulled.has(name)));
  const servers = [...new Set(configured)].map((name): SnapshotServer => {
    const answer = pulled.get(name);
    if (!answer) return old.get(name) ?? { name, unknown: true };
    return { name, ...(answer.version !== undefined && { version: answer.version }) };
  });
  const kept = (before?.tools ?? []).filter(
    ({ server, from }) => from === 'editor' || (server !== undefined && keeps.has(server)),
  );
  return sorted({ servers, tools: [...kept, ...[...pulled.values()].flatMap(({ tools }) => tools)] });
}

/** Returns the snapshot with the editor's tools replaced with `tools`. */
export function withEditorTools(before: Snapshot | undefined, tools: readonly SnapshotTool[]): Snapshot {
  const others = (before?.tools ?? []).filter(({ from }) => from !== 'editor');
  return sorted({ servers: before?.servers ?? [], tools: [...others, ...tools] });
}

/** Returns a tool of the editor as it is written to the snapshot. */
export function editorTool({ name, description, inputSchema }: ListedTool): SnapshotTool {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema: tidy(inputSchema as Json, (text) => text, 0) }),
    from: 'editor',
  };
}

const sorted = ({ servers, tools }: Snapshot): Snapshot => ({
  servers: [...servers].sort((a, b) => compare(a.name, b.name)),
  tools: [...tools].sort((a, b) => compare(a.name, b.name) || compare(a.server ?? '', b.server ?? '')),
});

export const printSnapshot = (snapshot: Snapshot): string => `${JSON.stringify(snapshot, undefined, 2)}\n`;
