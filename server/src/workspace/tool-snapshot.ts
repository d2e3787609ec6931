/** The snapshot of the tools of servers, which stands beside a catalog (docs/format.md, section 6). */
import type { Json } from '../languages/yaml/node.ts';

export const SNAPSHOT_NAME = 'skills.tools.json';

/** A tool as a server describes it, as it stands in the snapshot `skills.tools.json`. */
export interface SnapshotTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Json;
  readonly server?: string;
}

/** The tools of a snapshot file `{"tools": [{name, description, inputSchema, server}]}`; undefined if it is not one. */
export function parseSnapshot(text: string): readonly SnapshotTool[] | undefined {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown };
    if (!Array.isArray(tools)) return undefined;
    return tools.filter((tool): tool is SnapshotTool => typeof tool?.name === 'string');
  } catch {
    return undefined;
  }
}
