/** Whether a model works in the shape of a skill (docs/composer.md, step 5). */
import type { SkillPackage } from '../../skill/package.ts';

/** A service answers in place of a model; a contract that composes skills and has no framing is run by their order alone. */
export const hasLoop = ({ backed, dialect, composes, framing }: SkillPackage): boolean =>
  !backed && (dialect !== 'contract' || composes.length === 0 || framing !== undefined);
