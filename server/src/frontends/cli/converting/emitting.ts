/** The folders that `convert --to agent-skill` writes, and access to them. */
import { dirname, resolve } from 'node:path';
import { targetsBeside } from '../../../analysis/targets.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { isWithin, toPath, toUri } from '../../../io/paths.ts';
import { nameOf } from '../../../io/project.ts';
import { UserError } from '../../../io/user-error.ts';
import { shownBelow } from '../../../io/write-new.ts';
import { diskFolder } from '../../../services/packing/disk-folder.ts';
import { type Emitting, targetFoldersFor } from '../../../services/packing/plan-skills.ts';
import { folderOf } from '../../../vocabulary/dialect.ts';
import { clientCalled } from '../commands/clients.ts';
import type { Console } from '../console.ts';
import type { OpenedSources } from './open-sources.ts';
import type { ConvertOptions } from './options.ts';

/** Returns the folders and how to write them. Throws a `UserError` if no client and no folder is known. */
export function emittingFor(
  { cwd, out, clients: ids }: Pick<ConvertOptions, 'cwd' | 'out' | 'clients'>,
  { analysis, sources }: OpenedSources,
  console: Pick<Console, 'note'>,
): Emitting {
  const asked = ids?.map((id) => clientCalled(id, '--clients'));
  const clients = asked ?? [...new Set(sources.flatMap(({ uri }) => targetsBeside(analysis, uri).clients))];
  if (out === undefined && clients.length === 0) {
    throw new UserError(
      '`--to agent-skill` creates folders. Name the clients that read them, such as `--clients claude-code`, or add `--out DIR`.',
    );
  }
  const shown = out === undefined ? (path: string) => path : shownBelow(out);
  const own = sources.map(({ uri }) => folderOf(uri));
  const roots = [...analysis.index.graph.roots, toUri(cwd), ...own].map(toPath);
  return {
    folder: diskFolder(out === undefined ? cwd : resolve(cwd, out), console.note),
    targetFolders: out === undefined ? targetFoldersFor(clients) : [{ path: '', clients: asked?.map(({ id }) => id) }],
    home: nodeFiles.home,
    onlyGood: false,
    read: (uri, most) => {
      const path = toPath(uri);
      const project = diskFolder(roots.find((root) => isWithin(root, path)) ?? dirname(path));
      return project.read(project.relativePathOfUri(uri), most);
    },
    shown,
    fileOf: (uri) => sources.find((one) => one.uri === uri)?.shown ?? nameOf(cwd, toPath(uri)),
  };
}
