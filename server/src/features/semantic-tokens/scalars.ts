/** The places of scalars as tokens need them: without quotes, and line by line. */
import type { YamlScalar } from '../../languages/yaml/node.ts';
import { inner } from '../../rules/common/name-fixes.ts';
import { type Span, span } from '../../text.ts';
import { type Token, token } from './token.ts';

export const innerOf = (text: string, { span }: YamlScalar): Span => inner(text, span);

/** Each line of a text; a block's header is none of them. */
export function proseTokens(text: string, scalar: YamlScalar, place = innerOf(text, scalar)): readonly Token[] {
  const isBlock = scalar.style === 'literal' || scalar.style === 'folded';
  const lines = text.slice(place.start, place.end).matchAll(/[^\s][^\r\n]*/g);
  return [...lines].slice(isBlock ? 1 : 0).map(({ 0: line, index }) => {
    const start = place.start + index;
    return token(span(start, start + line.trimEnd().length), 'prose');
  });
}
