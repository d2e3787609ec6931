/** Counts what the list of skills tells of each text. */
import type { SkillRows } from '../../features/skill-list.ts';
import { systemClock } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import { inSlices } from './in-slices.ts';

export const countRows = (rows: SkillRows, session: Session): Promise<void> =>
  inSlices(counted(rows, session), systemClock);

function* counted(rows: SkillRows, session: Session): Iterable<unknown> {
  for (const uri of session.analysis.graph.skills.keys()) yield rows.find(session.analysis, uri);
}
