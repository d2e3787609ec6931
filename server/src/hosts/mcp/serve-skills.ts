/** The `SKILL.md` folders of a workspace by the protocol's extension for skills (docs/mcp.md, "Serving skills"). */
import { basename, dirname, relative, sep } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { nodeSkillFiles } from '@modelcontextprotocol/server/ext/skills/node';
import { findBelow } from '../cli/find-skills.ts';

export interface SkillFolders {
  attach(server: McpServer): void;
  /** Reads the folders anew, so that what is served is what is there. */
  refresh(): Promise<void>;
}

export async function openSkillFolders(root: string): Promise<SkillFolders> {
  const own = nodeSkillFiles(root);
  /** By the path that clients see, without the dots in which the library would not look: `agents/skills/tidy-notes`. */
  let folders: ReadonlyMap<string, string> = new Map();
  const realOf = (path: string): string | undefined => {
    const folder = [...folders.keys()].find((one) => path === one || path.startsWith(`${one}/`));
    return folder === undefined ? undefined : `${folders.get(folder)}${path.slice(folder.length)}`;
  };
  const catalog = await SkillsExtension.load(
    {
      async list(folder) {
        if (folder === '') folders = await skillFolders(root);
        const real = realOf(folder);
        if (real !== undefined) return own.list(real);
        // On the way to the skills nothing else of the workspace is seen.
        const lead = folder === '' ? '' : `${folder}/`;
        const below = [...folders.keys()].filter((one) => one.startsWith(lead));
        const names = new Set(below.map((one) => one.slice(lead.length).split('/')[0] ?? ''));
        return [...names].map((name) => ({ name, kind: 'directory' }));
      },
      async read(path) {
        const real = realOf(path);
        if (real === undefined) throw new Error(`No skill is served at ${path}.`);
        return own.read(real);
      },
    },
    { onWarning: ({ path, message }) => process.stderr.write(`skill-composer: ${path}: ${message}\n`) },
  );
  return {
    attach: (server) => catalog.attach(server),
    async refresh() {
      await catalog.reload();
    },
  };
}

/** The folders relative to the root, with `/`. The root itself is no folder of a skill. */
async function skillFolders(root: string): Promise<ReadonlyMap<string, string>> {
  const { paths } = await findBelow(root);
  const folders = paths
    .filter((path) => basename(path) === 'SKILL.md')
    .map((path) => relative(root, dirname(path)).replaceAll(sep, '/'))
    .filter((folder) => folder !== '');
  // Of two that look the same the first in order is served.
  return new Map(folders.reverse().map((folder) => [folder.replaceAll(/(^|\/)\.+/g, '$1'), folder]));
}
