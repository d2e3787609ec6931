/** The way to what speaks with servers, which is a script of its own: no other command waits for it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { askServer } from './ask-server.ts';

export async function loadAskServer(): Promise<typeof askServer> {
  const loaded = (await import(pathToFileURL(join(__dirname, 'tools.cjs')).href)) as {
    readonly askServer: typeof askServer;
  };
  return loaded.askServer;
}
