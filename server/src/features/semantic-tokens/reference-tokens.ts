/** Names of tools, skills, interrupts and artifacts that exist, in prose. */
import type { SkillFile } from '../../skill/skill-file.ts';
import type { NameToken } from './known-names.ts';
import type { Token } from './token.ts';

export const referenceTokens = ({ body }: SkillFile, ofName: NameToken): readonly Token[] =>
  (body?.references ?? []).flatMap(({ kind, name, nameSpan }) => ofName(kind, name, nameSpan));
