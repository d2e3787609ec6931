/** `skill/abilities`: reads the folder of a `SKILL.md` when it is asked for, and keeps nothing of it. */
import type { Connection } from 'vscode-languageserver';
import { abilitiesView } from '../../features/abilities-view.ts';
import { type AbilitiesParams, type AbilitiesReply, AbilitiesRequest } from '../../protocol.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { FolderReadings } from '../disk/folder-readings.ts';
import type { Session } from '../session/session.ts';
import { attempt } from './guard.ts';

export function handleAbilities(connection: Connection, session: Session, readings: FolderReadings): void {
  connection.onRequest<AbilitiesReply | null, void>(AbilitiesRequest, async ({ uri }: AbilitiesParams) => {
    if (!session.analysis.file(uri)) await session.read();
    if (session.analysis.file(uri)?.dialect !== 'agent-skill') return null;
    const inFolder = await readings.share(folderOf(uri));
    const skill = session.analysis.file(uri);
    return attempt(connection, 'abilities', () => (skill && abilitiesView(skill, inFolder, session.locate)) ?? null);
  });
}
