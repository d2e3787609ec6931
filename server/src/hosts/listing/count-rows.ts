/** Counts what the list of skills tells of each text, a piece at a time: meanwhile the server answers others. */
import type { SkillRows } from '../../features/skill-list.ts';
import { systemClock } from '../session/clock.ts';
import { SLICE } from '../session/pacing.ts';
import type { Session } from '../session/session.ts';

export async function countRows(rows: SkillRows, session: Session): Promise<void> {
  let end = systemClock.now() + SLICE;
  for (const uri of session.analysis.graph.skills.keys()) {
    rows.find(session.analysis, uri);
    if (systemClock.now() < end) continue;
    await new Promise<void>((resolve) => systemClock.soon(resolve));
    end = systemClock.now() + SLICE;
  }
}
