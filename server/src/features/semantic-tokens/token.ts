/** A token of semantic highlighting. */
import type { Span } from '../../text.ts';

/** Standard types, which every theme colours, and `prose`, which package.json maps to the colour of text. */
export const TOKEN_TYPES = [
  'parameter',
  'variable',
  'property',
  'function',
  'class',
  'keyword',
  'enumMember',
  'prose',
] as const;
export const TOKEN_MODIFIERS = ['declaration', 'readonly', 'defaultLibrary'] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];
export type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

export interface Token {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

export const token = (span: Span, type: TokenType, ...modifiers: readonly TokenModifier[]): Token => ({
  span,
  type,
  modifiers,
});
