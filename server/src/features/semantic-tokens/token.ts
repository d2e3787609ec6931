/** A token of semantic highlighting. */
import type { Span } from '../../text.ts';

/** Standard types, so every theme has a colour for each. */
export const TOKEN_TYPES = ['parameter', 'variable', 'property', 'function', 'class'] as const;
export const TOKEN_MODIFIERS = ['declaration', 'readonly', 'defaultLibrary'] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];
export type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

export interface Token {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}
