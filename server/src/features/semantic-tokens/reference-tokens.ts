/** Names of tools, skills, interrupts and artifacts that exist, in the frontmatter and in prose. */
import type { Analysis } from '../../analysis/analysis.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { inner } from '../../rules/common/name-fixes.ts';
import { itemsOf, type Named } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Token, TokenModifier, TokenType } from './token.ts';

type ReferenceKind = 'tool' | 'skill' | 'interrupt' | 'artifact';

/** The types whose colours the grammar gives to `#kind:name`. */
const TOKEN_TYPE_OF: Readonly<Record<ReferenceKind, readonly [TokenType, ...TokenModifier[]]>> = {
  tool: ['function', 'defaultLibrary'],
  skill: ['class', 'defaultLibrary'],
  interrupt: ['variable', 'readonly', 'defaultLibrary'],
  artifact: ['function'],
};

export function referenceTokens(analysis: Analysis, file: SkillFile): readonly Token[] {
  const { contract, body, metadata, text, dialect } = file;
  if (dialect === 'catalog') return [];
  const isKnown = knownNames(analysis, file);
  const tokens: Token[] = [];
  const add = (kind: ReferenceKind, { name, span }: Named): void => {
    if (!isKnown(kind, name)) return;
    const [type, ...modifiers] = TOKEN_TYPE_OF[kind];
    tokens.push({ span: inner(text, span), type, modifiers });
  };
  for (const tool of contract.tools) add('tool', tool);
  for (const interrupt of contract.interrupts) add('interrupt', interrupt);
  for (const skill of [...contract.composes, ...contract.requires]) add('skill', skill);
  if (contract.successor) add('skill', contract.successor);
  if (contract.framing) add('artifact', contract.framing);
  for (const { tree } of metadata) {
    for (const [tool] of itemsOf(findValue(tree.root, 'tools'), 'name')) add('tool', tool);
  }
  for (const { kind, name, nameSpan } of body?.references ?? []) add(kind, { name, span: nameSpan });
  return tokens;
}

/** While files are being read, and where no catalog lists the tools, every name counts as known. */
function knownNames(analysis: Analysis, { uri, body }: SkillFile) {
  const catalog = analysis.catalogOf(uri);
  const artifacts = new Set(body?.artifacts.map(({ name }) => name));
  return (kind: ReferenceKind, name: string): boolean => {
    if (kind === 'artifact') return artifacts.has(name);
    if (analysis.partial) return true;
    if (kind === 'tool') return !catalog.toolsKnown || analysis.isKnownTool(catalog, name);
    return kind === 'skill' ? analysis.isSkillName(name) : catalog.interrupts.has(name);
  };
}
