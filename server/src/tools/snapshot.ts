/** Creates the text of `skills.tools.json` from the replies of servers. Equal replies result in identical text. */
import type { Json } from '../languages/yaml/node.ts';
import { decoded } from '../vocabulary/dialect.ts';
import {
  type InvalidTool,
  MAX_SCHEMA_DEPTH,
  type Snapshot,
  type SnapshotServer,
  type SnapshotTool,
} from '../workspace/tool-snapshot.ts';
import { type Mask, maskOf } from './mask.ts';

/** The tools and the version of one server. */
export interface ServerAnswer {
  readonly name: string;
  readonly version: string | undefined;
  readonly tools: readonly ListedTool[];
  /** The tools that the protocol does not allow. A tool without a name has the name `''`. */
  readonly invalid: readonly InvalidTool[];
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/** Returns a tool as it is written to the snapshot. Throws a `RangeError` if its schema is nested too deeply. */
export function snapshotTool(server: string, tool: ListedTool): SnapshotTool {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema: tidy(inputSchema as Json, 0) }),
    ...(outputSchema !== undefined && { outputSchema: tidy(outputSchema as Json, 0) }),
    operation: annotations?.readOnlyHint === true ? 'READ' : 'WRITE',
    server,
  };
}

/** Sorts the keys, which servers write in any order. */
function tidy(json: Json, depth: number): Json {
  if (depth > MAX_SCHEMA_DEPTH) throw new RangeError(`its schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
  if (Array.isArray(json)) return json.map((item) => tidy(item, depth + 1));
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => [key, tidy(value, depth + 1)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => compare(a, b)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// Masks the secrets in tools. The names of tools and the keys of their schemas keep their relations.

/**
 * Masks everything that a server wrote into its tools. Two names never become the same name, and the references to a
 * key (`required`, `$ref`) keep naming it.
 */
export function maskTools<Tool extends ListedTool>(tools: readonly Tool[], mask: Mask): readonly Tool[] {
  const names = new Set(tools.map(({ name }) => name));
  for (const { inputSchema, outputSchema } of tools) addKeys([inputSchema, outputSchema], names, 0);
  const renamed = renamedNames(names, mask);
  const maskText = (text: string): string => renamed.get(text) ?? maskPointer(text, renamed, mask) ?? mask(text);
  const maskJson = (json: unknown, depth: number): unknown => {
    if (typeof json === 'string') return maskText(json);
    if (typeof json === 'number') return mask(`${json}`) === `${json}` ? json : mask(`${json}`);
    // A deeper schema is refused later.
    if (typeof json !== 'object' || json === null || depth > MAX_SCHEMA_DEPTH) return json;
    if (Array.isArray(json)) return json.map((item) => maskJson(item, depth + 1));
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => [renamed.get(key) ?? key, maskJson(value, depth + 1)]),
    );
  };
  return tools.map((tool) => ({
    ...tool,
    name: renamed.get(tool.name) ?? tool.name,
    ...(tool.description !== undefined && { description: mask(tool.description) }),
    ...(tool.inputSchema !== undefined && { inputSchema: maskJson(tool.inputSchema, 0) }),
    ...(tool.outputSchema !== undefined && { outputSchema: maskJson(tool.outputSchema, 0) }),
  }));
}

function addKeys(json: unknown, keys: Set<string>, depth: number): void {
  if (typeof json !== 'object' || json === null || depth > MAX_SCHEMA_DEPTH) return;
  for (const [key, value] of Object.entries(json)) {
    if (!Array.isArray(json)) keys.add(key);
    addKeys(value, keys, depth + 1);
  }
}

/** Returns the names that contain secrets, each with a masked name that no other name has. */
function renamedNames(names: ReadonlySet<string>, mask: Mask): ReadonlyMap<string, string> {
  const masked = [...names].map((name) => [name, mask(name)] as const);
  const changed = masked.filter(([name, shown]) => name !== shown);
  const taken = new Set(masked.flatMap(([name, shown]) => (name === shown ? [name] : [])));
  const counts = new Map<string, number>();
  return new Map(
    changed
      .sort(([a], [b]) => compare(a, b))
      .map(([name, shown]) => {
        let own = shown;
        while (taken.has(own)) {
          const count = (counts.get(shown) ?? 1) + 1;
          counts.set(shown, count);
          own = `${shown}_${count}`;
        }
        taken.add(own);
        return [name, own];
      }),
  );
}

/** Masks the keys in a reference such as `#/$defs/NAME`. Undefined for other text, and without such a key. */
function maskPointer(text: string, renamed: ReadonlyMap<string, string>, mask: Mask): string | undefined {
  if (renamed.size === 0 || !text.startsWith('#/')) return undefined;
  const keyOf = (part: string): string => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
  const parts = text.split('/').map((part) => renamed.get(keyOf(part))?.replaceAll('~', '~0').replaceAll('/', '~1'));
  if (parts.every((part) => part === undefined)) return undefined;
  return text
    .split('/')
    .map((part, at) => parts[at] ?? mask(part))
    .join('/');
}

export interface Pulled {
  readonly version: string | undefined;
  readonly tools: readonly SnapshotTool[];
  readonly invalid: readonly InvalidTool[];
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
    const invalid = answer.invalid.filter((tool) => tool.name !== '').sort((a, b) => compare(a.name, b.name));
    return {
      name,
      ...(answer.version !== undefined && { version: answer.version }),
      ...(invalid.length > 0 && { invalid }),
    };
  });
  const kept = (before?.tools ?? []).filter(
    ({ server, from }) => from === 'editor' || (server !== undefined && keeps.has(server)),
  );
  return sorted({ servers, tools: [...kept, ...[...pulled.values()].flatMap(({ tools }) => tools)] });
}

/** Returns the snapshot with the editor's tools replaced with `tools`, in which strings that look like tokens are masked. */
export function withEditorTools(before: Snapshot | undefined, tools: readonly SnapshotTool[]): Snapshot {
  const others = (before?.tools ?? []).filter(({ from }) => from !== 'editor');
  return sorted({ servers: before?.servers ?? [], tools: [...others, ...maskTools(tools, maskOf([]))] });
}

/** Returns a tool of the editor as it is written to the snapshot. */
export function editorTool({ name, description, inputSchema }: ListedTool): SnapshotTool {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema: tidy(inputSchema as Json, 0) }),
    from: 'editor',
  };
}

const sorted = ({ servers, tools }: Snapshot): Snapshot => ({
  servers: [...servers].sort((a, b) => compare(a.name, b.name)),
  tools: [...tools].sort((a, b) => compare(a.name, b.name) || compare(a.server ?? '', b.server ?? '')),
});

export const printSnapshot = (snapshot: Snapshot): string => `${JSON.stringify(snapshot, undefined, 2)}\n`;
