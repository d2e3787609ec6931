/** The way to what speaks with servers, which is a script of its own: no other command waits for it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { askServer, Limits } from './ask-server.ts';

export async function loadAskServer(): Promise<typeof askServer> {
  const loaded = (await import(pathToFileURL(join(__dirname, 'tools.cjs')).href)) as {
    readonly askServer: typeof askServer;
  };
  return loaded.askServer;
}

export const LIMITS: Limits = {
  // The first run of a package installs it.
  connectSeconds: 60,
  seconds: 120,
  tools: 10_000,
  pages: 1_000,
  bytes: 10 * 1024 * 1024,
};
