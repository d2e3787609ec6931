/** The program of a client on this machine, and its version. */
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram } from '../../io/git.ts';
import { readNamed } from '../../io/read-file.ts';
import type { ObservedClient } from './observed-client.ts';

export interface InstalledClient {
  readonly client: ObservedClient;
  /** The absolute path of the program. */
  readonly program: string;
  /** Undefined if the files beside the program do not name it. */
  readonly version: string | undefined;
}

/** Returns the program of a client; undefined if no folder of `PATH` outside of `workspace` has it. Starts nothing. */
export async function findInstalled(client: ObservedClient, workspace: string): Promise<InstalledClient | undefined> {
  const program = await findOnPath(client.program, workspace);
  return program === undefined ? undefined : { client, program, version: await versionOf(await realpath(program)) };
}

/** Returns the path of a program in a folder of `PATH` outside of a workspace; undefined if it is not there. */
export const findOnPath = (name: string, workspace = '/'): Promise<string | undefined> =>
  findProgram(name, { path: process.env.PATH ?? '', platform: process.platform, workspace });

/** Returns the version in the manifest of the package that contains a program, or in the path of the program. */
async function versionOf(real: string): Promise<string | undefined> {
  for (let folder = dirname(real); dirname(folder) !== folder; folder = dirname(folder)) {
    const content = await readNamed(join(folder, 'package.json'));
    if (content.kind !== 'text') continue;
    const version = /^\s*"version":\s*"([\w.+-]+)"/m.exec(content.text)?.[1];
    // A package may have manifests without a version in its folders.
    if (version !== undefined) return version;
  }
  return versionIn(/\/versions?\/.*$/.exec(real)?.[0] ?? '');
}

/** Returns the first version in a text. */
export const versionIn = (text: string): string | undefined => /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
