/** Which skills of the list were imported, and how they differ from what was: the lock files of the workspace say it. */
import * as vscode from 'vscode';
import type { InstalledSkill } from '../../../../server/src/protocol.ts';
import { coalesce } from '../../coalesce.ts';
import { errorMessage } from '../../error-message.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';

export interface ImportedSkills extends vscode.Disposable {
  readonly find: (uri: string) => InstalledSkill | undefined;
  /** Looks at the disk, and from then on after each change. */
  readonly refresh: () => void;
  /** Tells the skills of which something else is known now. */
  readonly onDidChange: vscode.Event<readonly string[]>;
}

export function followImported(server: SkillServer, log: vscode.LogOutputChannel): ImportedSkills {
  const changed = new vscode.EventEmitter<readonly string[]>();
  let known: ReadonlyMap<string, InstalledSkill> = new Map();
  const ask = async ({ uri }: vscode.WorkspaceFolder): Promise<readonly InstalledSkill[]> => {
    const reply = await server.installed({ folder: uri.toString() });
    if ('skills' in reply) return reply.skills;
    log.warn(reply.problem);
    return [];
  };
  const refresh = coalesce(async () => {
    try {
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => server.wordFor(uri) !== undefined);
      const skills = (await Promise.all(folders.map(ask))).flat();
      const before = known;
      known = new Map(skills.map((skill) => [skill.uri, skill]));
      const other = [...new Set([...before.keys(), ...known.keys()])].filter(
        (uri) => JSON.stringify(before.get(uri)) !== JSON.stringify(known.get(uri)),
      );
      if (other.length > 0) changed.fire(other);
    } catch (error) {
      log.debug(`imported: ${errorMessage(error)}`);
    }
  });
  const watcher = vscode.workspace.createFileSystemWatcher('**/skills.lock.json');
  let isAsked = false;
  const again = (): void => {
    if (isAsked) refresh();
  };
  const disposables = vscode.Disposable.from(
    changed,
    watcher,
    watcher.onDidCreate(again),
    watcher.onDidChange(again),
    watcher.onDidDelete(again),
    // What is not a skill, such as a script, may be of an imported one.
    vscode.workspace.onDidSaveTextDocument(again),
  );
  return {
    find: (uri) => known.get(uri),
    refresh: () => {
      isAsked = true;
      refresh();
    },
    onDidChange: changed.event,
    dispose: () => disposables.dispose(),
  };
}

/** Whether it is still what was imported. */
export const isAsImported = ({ files, changes }: InstalledSkill): boolean => files.length + changes.length === 0;
