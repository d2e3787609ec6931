/**
 * Serves the `SKILL.md` folders of a workspace with the protocol's extension for skills (docs/mcp.md, "Serving
 * skills").
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { type SkillFileEntry, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { nodeSkillFiles } from '@modelcontextprotocol/server/ext/skills/node';
import { readBytes } from '../../io/read-file.ts';
import { findBelow } from '../../io/select-files.ts';
import { sharedReading, stampOf } from '../../io/shared-reading.ts';
import { noteOf } from '../../io/stderr.ts';
import { MAX_ENTRY_BYTES } from '../../packing/limits.ts';

export interface SkillFolders {
  attach(server: McpServer): void;
  /** Reads the folders again, so that their current state is served. */
  refresh(): Promise<void>;
}

interface ListedFile {
  readonly stamp: string;
  readonly bytes: Uint8Array;
}

export async function openSkillFolders(root: string): Promise<SkillFolders> {
  const own = nodeSkillFiles(root);
  /**
   * The folders by the path that clients see, such as `agents/skills/tidy-notes`. Leading dots of folder names are
   * removed, because the library skips names with a leading dot.
   */
  let folders: ReadonlyMap<string, string> = new Map();
  const realOf = (path: string): string | undefined => {
    const folder = [...folders.keys()].find((one) => path === one || path.startsWith(`${one}/`));
    return folder === undefined ? undefined : `${folders.get(folder)}${path.slice(folder.length)}`;
  };
  /**
   * The files in the current and the previous listing. A file is read when it is listed. A skill with an unreadable
   * file is skipped.
   */
  let listed = new Map<string, ListedFile>();
  let before: ReadonlyMap<string, ListedFile> = listed;
  const inspected = async (folder: string, entry: SkillFileEntry): Promise<SkillFileEntry> => {
    const path = `${folder}/${entry.name}`;
    if (entry.kind === 'directory') {
      const isOpen = await readdir(join(root, path)).catch(() => undefined);
      return isOpen ? entry : { ...entry, kind: 'unsupported' };
    }
    if (entry.kind !== 'file') return entry;
    const stamp = await stampOf(join(root, path));
    const known = before.get(path);
    const read = known?.stamp === stamp ? known : await readBytes(join(root, path), MAX_ENTRY_BYTES);
    if (typeof read === 'string') return { ...entry, kind: 'unsupported' };
    listed.set(path, { stamp, bytes: read.bytes });
    return entry;
  };
  const reported = new Set<string>();
  const warn = (note: string): void => {
    if (!reported.has(note)) process.stderr.write(note);
    reported.add(note);
  };
  const catalog = await SkillsExtension.load(
    {
      async list(folder) {
        if (folder === '') {
          folders = await skillFolders(root);
          before = listed;
          listed = new Map();
        }
        const real = realOf(folder);
        if (real !== undefined) return Promise.all((await own.list(real)).map((entry) => inspected(real, entry)));
        // Above the skill folders, only folders that lead to a skill folder are listed.
        const prefix = folder === '' ? '' : `${folder}/`;
        const below = [...folders.keys()].filter((one) => one.startsWith(prefix));
        const names = new Set(below.map((one) => one.slice(prefix.length).split('/')[0] ?? ''));
        return [...names].map((name) => ({ name, kind: 'directory' }));
      },
      async read(path) {
        const real = realOf(path);
        if (real === undefined) throw new Error(`No skill is served at ${path}.`);
        const file = listed.get(real) ?? before.get(real);
        if (!file) throw new Error(`No file is served at ${path}.`);
        return file.bytes;
      },
    },
    { onWarning: ({ path, message }) => warn(noteOf(`${path}: ${message}`)) },
  );
  return {
    attach: (server) => catalog.attach(server),
    refresh: sharedReading(async () => {
      await catalog.reload();
    }),
  };
}

/** Returns the folders relative to the root, with `/`. The root itself cannot be a skill's folder. */
async function skillFolders(root: string): Promise<ReadonlyMap<string, string>> {
  const { paths } = await findBelow(root);
  const folders = paths
    .filter((path) => basename(path) === 'SKILL.md')
    .map((path) => relative(root, dirname(path)).replaceAll(sep, '/'))
    .filter((folder) => folder !== '');
  // If two folders have the same path for clients, the first folder is served.
  return new Map(folders.reverse().map((folder) => [folder.replaceAll(/(^|\/)\.+/g, '$1'), folder]));
}
