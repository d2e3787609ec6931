/** Names of tools, skills, interrupts and artifacts, in the frontmatter and in prose, where there is what they name. */

import { findValue } from '../../languages/yaml/node.ts';
import { inner } from '../../rules/common/naming-fixes.ts';
import { itemsOf, type Named } from '../../skill/contract.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { catalogOf, isKnownTool, isSkillName, type WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Token, TokenModifier, TokenType } from './token.ts';

type ReferenceKind = 'tool' | 'skill' | 'interrupt' | 'artifact';

/** The types whose colours the grammar gives to `#kind:name`. */
const MEANINGS: Readonly<Record<ReferenceKind, readonly [TokenType, ...TokenModifier[]]>> = {
  tool: ['function', 'defaultLibrary'],
  skill: ['class', 'defaultLibrary'],
  interrupt: ['variable', 'readonly', 'defaultLibrary'],
  artifact: ['function'],
};

export function referenceTokens(index: WorkspaceIndex, document: SkillDocument): readonly Token[] {
  const { contract, body, metadata, text, dialect } = document;
  if (dialect === 'catalog') return [];
  const isThere = knows(index, document);
  const tokens: Token[] = [];
  const add = (kind: ReferenceKind, { name, span }: Named): void => {
    if (!isThere(kind, name)) return;
    const [type, ...modifiers] = MEANINGS[kind];
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

/** While files are being read, and where no catalog says what there is, every name counts as known. */
function knows(index: WorkspaceIndex, { uri, body }: SkillDocument) {
  const catalog = catalogOf(index, uri);
  const artifacts = new Set(body?.artifacts.map(({ name }) => name));
  return (kind: ReferenceKind, name: string): boolean => {
    if (kind === 'artifact') return artifacts.has(name);
    if (index.partial) return true;
    if (kind === 'tool') return !catalog.toolsKnown || isKnownTool(index, catalog, name);
    return kind === 'skill' ? isSkillName(index, name) : catalog.interrupts.has(name);
  };
}
