/** Sends the list of skills: completely on request, then its changes. */

import type { Connection } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { findGoverningCatalog } from '../../../analysis/permissions.ts';
import { permissionEdits } from '../../../features/permission.ts';
import { SkillRows, skillDetails, unlistedSkills } from '../../../features/skill-list.ts';
import {
  type ListedSkill,
  RefreshRequest,
  type SetEnabledReply,
  SetEnabledRequest,
  SkillDetailsRequest,
  SkillsChangedNotification,
  SkillsRequest,
  sendNotification,
  UnlistedRequest,
  type UnlistedSkill,
} from '../../../protocol.ts';
import type { Changes } from '../../../services/session/options.ts';
import { inSlices, systemClock } from '../../../services/session/pacing.ts';
import type { Session } from '../../../services/session/session.ts';
import { isEqualData } from '../../../skill/summary.ts';
import type { RequestedData } from './client.ts';
import { onRequest } from './guard.ts';

export function handleSkills(connection: Connection, session: Session, shown: RequestedData): void {
  const rows = new SkillRows();
  /** The skills as last sent to the client, by URI. */
  let sent = new Map<string, ListedSkill>();

  /** The losses of skills in the lists of clients, for the same state. */
  let losses: Analysis['listLosses']['lossy'] = new Map();

  const sendChanges = (concerned: Changes['concerned']): void => {
    const { analysis } = session;
    const all = concerned === 'all' ? [...sent.keys(), ...analysis.graph.skills.keys()] : concerned;
    const uris = new Set(all);
    if (!analysis.partial) {
      // An edit of one skill can remove another one from a client's list.
      const before = losses;
      losses = analysis.listLosses.lossy;
      for (const uri of [...before.keys(), ...losses.keys()]) if (before.get(uri) !== losses.get(uri)) uris.add(uri);
    }
    const changed: ListedSkill[] = [];
    const gone: string[] = [];
    for (const uri of uris) {
      const skill = rows.find(analysis, uri);
      if (!skill && sent.delete(uri)) gone.push(uri);
      if (!skill || isEqualData(skill, sent.get(uri))) continue;
      sent.set(uri, skill);
      changed.push(skill);
    }
    if (changed.length + gone.length === 0) return;
    sendNotification(connection, SkillsChangedNotification, { changed, gone });
  };

  onRequest(connection, SkillsRequest, async () => {
    await session.read();
    await countLosses(session);
    await countRows(rows, session);
    // Another view may still need the changes that this reply includes.
    if (shown.skills) sendChanges('all');
    const { analysis } = session;
    const skills = [...analysis.graph.skills.keys()].flatMap((uri) => rows.find(analysis, uri) ?? []);
    sent = new Map(skills.map((skill) => [skill.uri, skill]));
    losses = analysis.listLosses.lossy;
    shown.skills = sendChanges;
    return { skills };
  });

  onRequest(connection, UnlistedRequest, async () => {
    await session.read();
    await countLosses(session);
    const skills: UnlistedSkill[] = [];
    const { analysis, locate } = session;
    await inSlices(collected(unlistedSkills(analysis, locate), skills), systemClock);
    return { skills };
  });

  onRequest(connection, RefreshRequest, async () => {
    session.receive({ kind: 'refresh' });
    await session.upToDate();
    return null;
  });

  onRequest(connection, SetEnabledRequest, async ({ uri, enabled }): Promise<SetEnabledReply> => {
    await session.read();
    const { analysis, locate } = session;
    const skill = analysis.graph.skills.get(uri);
    const found = skill && permissionEdits(analysis, skill, enabled);
    if (found === 'no-catalog') return { kind: 'no-catalog' };
    const catalog = found && analysis.file(found.uri);
    if (!catalog) return { kind: 'nothing', catalog: findGoverningCatalog(analysis, uri)?.uri ?? '' };
    const edits = found.edits.map(({ span, newText }) => ({ range: locate.range(catalog, span), newText }));
    return { kind: 'edits', uri: catalog.uri, edits };
  });

  onRequest(connection, SkillDetailsRequest, ({ uri }) => skillDetails(session.analysis, uri, session.locate) ?? null);
}

/** Counts the tokens for the rows of the list in slices of time, because counting is slow. */
const countRows = (rows: SkillRows, session: Session): Promise<void> => inSlices(counted(rows, session), systemClock);

/**
 * Counts the skills that target clients do not list, in slices of time, because the first count reads every skill. Ends
 * at once while files are being read.
 */
export const countLosses = (session: Session): Promise<void> => inSlices(readLosses(session), systemClock);

function* readLosses(session: Session): Iterable<unknown> {
  while (session.analysis.listLosses.readNext()) yield;
}

function* collected<Value>(values: Iterable<Value>, into: Value[]): Iterable<unknown> {
  for (const value of values) yield into.push(value);
}

function* counted(rows: SkillRows, session: Session): Iterable<unknown> {
  for (const uri of session.analysis.graph.skills.keys()) yield rows.find(session.analysis, uri);
}
