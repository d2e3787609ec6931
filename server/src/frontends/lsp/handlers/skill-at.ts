/** The skill that a request names, as soon as the session has read what the request needs. */
import type { Session } from '../../../services/session/session.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { isSkillDialect } from '../../../vocabulary/dialect.ts';

/** Returns the skill at a URI after its catalog has been read; undefined for a file that is not a skill. */
export async function skillAt(session: Session, uri: string): Promise<SkillFile | undefined> {
  if (!session.analysis.file(uri)) await session.read();
  await session.catalogLoaded(uri);
  const file = session.analysis.file(uri);
  return file?.isSkill && isSkillDialect(file.dialect) ? file : undefined;
}

/** Returns the same after the whole workspace has been read, because a run needs all composed skills. */
export async function runnableAt(session: Session, uri: string): Promise<SkillFile | undefined> {
  await session.read();
  return skillAt(session, uri);
}
