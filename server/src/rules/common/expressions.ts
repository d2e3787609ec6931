/** Every stretch of template language in a document, with the way from its places to the file's. */

import type { Scopes } from '../../languages/minijinja/scopes.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, shift } from '../../text.ts';
import { halfTyped } from './half-typed.ts';

export interface TemplateCode {
  readonly scopes: Scopes;
  readonly place: (span: Span) => Span;
  /** Of a name, whether it is still being typed. */
  readonly isHalfTyped: (span: Span) => boolean;
}

export function templateCode(file: SkillFile): readonly TemplateCode[] {
  return [
    ...file.templates.map(({ span: { start }, source }) => ({
      scopes: source.scopes,
      place: (span: Span) => shift(span, start),
      isHalfTyped: halfTyped(source.template.problems),
    })),
    ...file.conditions.map((condition) => ({
      scopes: condition.scopes,
      place: (span: Span) => inFile(file.text, condition, span),
      isHalfTyped: halfTyped(condition.expression.problems),
    })),
  ];
}
