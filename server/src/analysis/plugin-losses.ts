/** The clients of plugins, and the skills that they lose (docs/clients.md, "Skills of plugins"). */
import type { Client } from '../clients/facts/client.ts';
import { clients } from '../clients/facts/clients.ts';
import type { ClientRow, Reason } from '../clients/matrix/cell.ts';
import { skillsFolderOf } from '../clients/matrix/client-folders.ts';
import { stepsOf } from '../clients/matrix/prediction.ts';
import type { Subject } from '../clients/matrix/subject.ts';
import { splitPath } from '../clients/pipeline/file.ts';
import type { PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import type { FileEntry } from '../skill/skill-file.ts';
import type { Analysis } from './analysis.ts';

/** The clients whose loading of plugins is known. */
const LOADING = clients.filter((client) => stepsOf(client).plugins);

const pathsOf = ({ manifests, entries }: PluginFolder): readonly string[] =>
  [...manifests, ...entries].map(({ path }) => path);

/** Returns the clients for which the plugins around a skill were written: they own one of the manifests. */
export const ownersOfPlugins = ({ file: { plugins = [] } }: Subject): readonly Client[] =>
  LOADING.filter((client) => {
    const own = stepsOf(client).plugins?.own ?? [];
    return plugins.some((plugin) => pathsOf(plugin).some((path) => own.includes(path)));
  });

/** A client that loses a skill of a plugin, with the reason. */
export interface PluginLoss {
  readonly client: Client;
  readonly reason: Reason;
}

/** Returns the losses of a skill for a reason that is about a plugin. Parses nothing. */
export function pluginLosses(
  analysis: Analysis,
  file: Pick<FileEntry, 'uri' | 'text' | 'summary'>,
  asked: readonly Client[] = LOADING,
): readonly PluginLoss[] {
  const rows: readonly ClientRow[] = asked.length > 0 ? analysis.clientRows(file, asked) : [];
  return rows.flatMap(({ client, found }) =>
    // A reason that is not certain, such as the depth of a search, does not count.
    found.reasons.flatMap((reason) =>
      isAboutPlugin(reason) && (found.outcome === 'no' || reason.isOpen) ? [{ client, reason }] : [],
    ),
  );
}

const isAboutPlugin = ({ cause }: Reason): boolean => cause?.code.startsWith('find/plugin-') === true;

/**
 * Returns whether the name of a skill's folder means nothing, because the folder is that of a plugin, or a folder of its
 * skills, and in no folder of a client.
 */
export const isDirectSkill = (subject: Subject): boolean =>
  subject.file.plugins?.some(({ direct }) => direct.has(splitPath(subject.file.path).folder)) === true &&
  !skillsFolderOf(subject);
