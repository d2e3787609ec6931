/** Which names are there, and the token of each kind of name. Unknown names get none, so that they look unlike known ones. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { type Token, type TokenModifier, type TokenType, token } from './token.ts';

export type NameKind = 'tool' | 'skill' | 'step' | 'interrupt' | 'artifact';

/** The types whose colours the grammar gives to `#kind:name`. */
const TOKEN_TYPE_OF: Readonly<Record<NameKind, readonly [TokenType, ...TokenModifier[]]>> = {
  tool: ['function', 'defaultLibrary'],
  skill: ['class', 'defaultLibrary'],
  step: ['class'],
  interrupt: ['enumMember'],
  artifact: ['function'],
};

/** The token of a name; none where nothing has it. */
export type NameToken = (kind: NameKind, name: string, span: Span) => readonly Token[];

/** While files are being read, and where no catalog lists the tools, every name counts as known. */
export function nameTokens(analysis: Analysis, { uri, body, contract }: SkillFile): NameToken {
  const catalog = analysis.catalogOf(uri);
  const artifacts = new Set(body?.artifacts.map(({ name }) => name));
  const steps = new Set(contract.composes.map(({ step }) => step));
  const isKnown = (kind: NameKind, name: string): boolean => {
    if (kind === 'artifact') return artifacts.has(name);
    if (kind === 'step') return steps.has(name);
    if (analysis.partial) return true;
    if (kind === 'tool') return !catalog.toolsKnown || analysis.isKnownTool(catalog, name);
    return kind === 'skill' ? analysis.isSkillName(name) : catalog.interrupts.has(name);
  };
  return (kind, name, span) => (isKnown(kind, name) ? [token(span, ...TOKEN_TYPE_OF[kind])] : []);
}
