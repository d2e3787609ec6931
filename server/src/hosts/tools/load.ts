/** Loads the code that calls servers from a separate script, so that other commands do not load this code. */
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
  // The first run of a package installs it, which takes a while.
  connectSeconds: 60,
  seconds: 120,
  tools: 10_000,
  pages: 1_000,
  bytes: 10 * 1024 * 1024,
};
