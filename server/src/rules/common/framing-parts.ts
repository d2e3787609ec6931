/** Returns the parts of a file that determine its framing (docs/composer.md, step 2). */
import type { FramingParts } from '../../composer/find-framing.ts';
import { missingKeySpan } from '../../skill/head.ts';
import { readProse } from '../../skill/read-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

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
