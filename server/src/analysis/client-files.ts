/** The agents and commands of a workspace (docs/clients.md, "Agents"). */

import { type ClientFile, clientFileOf } from '../vocabulary/dialect.ts';
import type { Index } from '../workspace/workspace-index.ts';

/** An agent or a command with its URI. */
export interface ClientFileAt extends ClientFile {
  readonly uri: string;
}

/** Returns all agents and commands among the files of an index. */
export const clientFilesIn = ({ files }: Pick<Index, 'files'>): readonly ClientFileAt[] =>
  [...files.values()].flatMap(({ uri, dialect }) => {
    const file = dialect === 'client-file' ? clientFileOf(uri) : undefined;
    return file ? [{ ...file, uri }] : [];
  });
