/** The template around a place of the file, as it is while its end is being typed. */
import type { SkillDocument } from '../skill/document.ts';
import type { Template } from '../skill/template/ast.ts';
import { parseTemplate } from '../skill/template/parser.ts';
import { resolveScopes, type Scopes } from '../skill/template/scopes.ts';
import { touches } from '../text.ts';

export interface TemplateHere {
  readonly template: Template;
  readonly scopes: Scopes;
}

export const findTemplate = (document: SkillDocument, offset: number): TemplateHere | undefined =>
  document.templates.find(({ template }) => touches(template.span, offset)) ?? withTrailingBlanks(document, offset);

/** A template without a fence ends with its last letter; the blank that was just typed behind it belongs to it all the same. */
function withTrailingBlanks({ text, templates }: SkillDocument, offset: number): TemplateHere | undefined {
  const last = templates.findLast(({ template }) => template.span.end < offset);
  if (!last || last.artifact.template?.fence || offset > last.artifact.span.end) return undefined;
  const { start, end } = last.template.span;
  if (!/^[ \t]+$/.test(text.slice(end, offset))) return undefined;
  const template = parseTemplate(text.slice(start, offset), start);
  return { template, scopes: resolveScopes(template) };
}
