/** Folders with a catalog that has tools of test servers. */
import { resolve } from 'node:path';
import { folderWith, skill } from './cli.ts';

const SERVER = resolve('test/protocol/servers/stdio.mjs');

/** Returns the configuration of a server that behaves in the given way. */
export const stdio = (way: string, more: object = {}, ...args: string[]): object => ({
  command: process.execPath,
  args: [SERVER, way, ...args],
  ...more,
});

const CATALOG = 'tools:\n  - from: .mcp.json\n';

/** Creates a folder with a catalog, these servers, and further files. */
export const pullFolder = (servers: object, files: Readonly<Record<string, string>> = {}): string =>
  folderWith({
    'skills.config.yaml': CATALOG,
    '.mcp.json': JSON.stringify({ mcpServers: servers }),
    'read.skill.md': skill('read', 'tools: [read_page]'),
    ...files,
  });

export interface PullJson {
  readonly catalogs: readonly {
    readonly file: string;
    readonly snapshot: string;
    readonly differs: boolean;
    readonly written: boolean;
    readonly servers: readonly {
      readonly name: string;
      readonly status: string;
      readonly version: string | null;
      readonly tools: number;
      readonly reason: string | null;
    }[];
    readonly changes: readonly {
      readonly kind: string;
      readonly tool: string;
      readonly server: string | null;
      readonly skills: readonly { readonly name: string; readonly file: string }[];
      readonly message: string;
    }[];
    readonly notOffered: readonly {
      readonly server: string;
      readonly tool: string | null;
      readonly clients: readonly string[];
      readonly message: string;
    }[];
  }[];
}
