/** Returns the parts of a file that determine its framing (docs/composer.md, step 2). */
import { chooseFraming, type FramingParts } from '../../composer/find-framing.ts';
import { missingKeySpan } from '../../skill/head.ts';
import { readProse } from '../../skill/read-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

/** Returns the prose that no prompt contains, because a template is the framing. */
export const unusedProseSpans = (file: SkillFile): readonly Span[] =>
  file.body && typeof chooseFraming(framingParts(file)) === 'object' ? file.body.framing : [];

export function framingParts(file: SkillFile): FramingParts {
  const { uri, dialect, body, contract } = file;
  const isAgentSkill = dialect === 'agent-skill';
  return {
    uri,
    dialect,
    framing: isAgentSkill ? undefined : contract.framing,
    headSpan: missingKeySpan(file),
    prose: body ? readProse(file, isAgentSkill ? [body.span] : body.framing) : [],
    artifacts: isAgentSkill || !body ? [] : body.artifacts,
  };
}
