/** A cursor in a PromptTemplate, or in an expression of the template language. */
import type { Template, TemplateExpression } from '../../../languages/minijinja/ast.ts';
import { FILTERS, FUNCTIONS, TESTS } from '../../../languages/minijinja/builtins/builtins.ts';
import { type CallAt, expectAt, type TemplateCursor } from '../../../languages/minijinja/cursor/cursor.ts';
import type { Scopes } from '../../../languages/minijinja/scope-model.ts';
import { resolveScopes } from '../../../languages/minijinja/scopes.ts';
import type { Span } from '../../../text.ts';
import { type AmbientVariable, TEMPLATE_VARIABLES } from '../../../vocabulary/known-names.ts';
import { findTemplate } from '../../symbol/template-at.ts';
import { valueAt } from '../../symbol/template-values.ts';
import type { Cursor, Offer, Proposal } from '../proposal.ts';
import { Kind, literal, Rank } from '../proposal.ts';
import { filterProposals } from './filters.ts';
import { statementProposals } from './statements.ts';
import { comparisonProposals, memberProposals, variableProposals } from './variables.ts';
import { builtinProposals, operatorProposals } from './words.ts';

export function offerInTemplate(cursor: Cursor): Offer | undefined {
  const here = findTemplate(cursor.file, cursor.offset);
  if (!here) return undefined;
  const { template, scopes } = here;
  const expected = expectAt(template, cursor.offset, scopes);
  return offerForExpectation(cursor, expected, TEMPLATE_VARIABLES, template, (place) => place, scopes);
}

/** What may be typed where the grammar expects something. `toFile` leads from the places of the expression to those of the file. */
export function offerForExpectation(
  cursor: Cursor,
  expected: TemplateCursor | undefined,
  ambient: readonly AmbientVariable[],
  parsed: Template | TemplateExpression,
  toFile: (place: Span) => Span,
  scopes: Scopes = resolveScopes(parsed),
): Offer | undefined {
  if (!expected || expected.kind === 'text' || expected.kind === 'name') return undefined;
  const { file } = cursor;
  const { word } = expected;
  const pad = parsed.kind === 'template' ? blanksAround(parsed, word.span) : asItIs;
  const asWritten = (proposals: readonly Proposal[]): Offer => ({ span: toFile(word.span), proposals });
  const offer = (proposals: readonly Proposal[]): Offer => asWritten(proposals.map(pad));
  switch (expected.kind) {
    case 'expression': {
      const before = parsed.text.slice(0, word.span.start - parsed.base);
      return offer([
        ...comparisonProposals(file, scopes, before, expected.visible),
        ...keywordArguments(expected.call),
        ...variableProposals(file, scopes, expected.visible, ambient),
        ...builtinProposals(FUNCTIONS, Kind.Function, Rank.rest),
        ...literals(),
      ]);
    }
    case 'operator':
      return offer(operatorProposals(parsed.text.slice(0, word.span.start - parsed.base), word.prefix));
    case 'filter':
      return offer(filterProposals(file, scopes, expected.input));
    case 'test':
      return offer([...builtinProposals(TESTS, Kind.Function), { label: 'not', kind: Kind.Keyword, rank: Rank.near }]);
    case 'attribute': {
      const { receiver } = expected;
      if (!receiver) return undefined;
      const value = valueAt(file, scopes, receiver.name, receiver.variable, receiver.segments);
      return value && offer(memberProposals(value));
    }
    case 'statement':
      return parsed.kind === 'template' ? asWritten(statementProposals(parsed, word.span, expected.open)) : undefined;
    case 'include-name':
      return asWritten(templateNames(cursor));
    case 'string': {
      const compared = expected.comparedWith;
      const value = compared && valueAt(file, scopes, compared.name, compared.variable, compared.segments);
      return asWritten(
        (value?.constants ?? [])
          .filter((constant) => typeof constant === 'string')
          .map((constant) => ({ label: constant, kind: Kind.EnumMember, insert: constant.replace(/["'\\]/g, '\\$&') })),
      );
    }
  }
}

const asItIs = (proposal: Proposal): Proposal => proposal;

/** Puts the blanks around a word that directly touches the delimiters of its tag, and leaves the cursor behind the word. */
function blanksAround({ text, base }: Template, word: Span): (proposal: Proposal) => Proposal {
  const start = word.start - base;
  const end = word.end - base;
  const before = /\{\{[-+]?$/.test(text.slice(Math.max(0, start - 3), start)) ? ' ' : '';
  const isTight = /^[-+]?[}%]\}/.test(text.slice(end, end + 3));
  if (!isTight) return before === '' ? asItIs : (one) => ({ ...one, insert: before + (one.insert ?? one.label) });
  return ({ insert, isSnippet, ...one }) => {
    const inserted = isSnippet && insert !== undefined ? insert : literal(insert ?? one.label);
    return { ...one, insert: `${before}${inserted}$0 `, isSnippet: true };
  };
}

const literals = (): Proposal[] =>
  ['true', 'false', 'none', 'not'].map((label) => ({ label, kind: Kind.Keyword, rank: Rank.rest }));

/** The parameters of a filter or function that can be given by name. */
function keywordArguments(call: CallAt | undefined): Proposal[] {
  const name = call?.path.at(-1);
  if (!call || name === undefined || call.keyword !== undefined) return [];
  const table = call.kind === 'filter' ? FILTERS : call.kind === 'test' ? TESTS : FUNCTIONS;
  return (table.get(name)?.parameters ?? [])
    .filter(({ passed }) => passed === 'name' || passed === 'either')
    .map((parameter) => ({
      label: `${parameter.name}=`,
      kind: Kind.Property,
      detail: `of ${name}`,
      rank: Rank.demanded,
    }));
}

/** The other templates of the skill. */
function templateNames({ file, offset }: Cursor): Proposal[] {
  const artifacts = file.body?.artifacts ?? [];
  const own = artifacts.find(({ span }) => span.start <= offset && offset < span.end)?.name;
  return artifacts
    .filter(({ kind, name }) => kind === 'PromptTemplate' && name !== own)
    .map(({ name }) => ({ label: name, kind: Kind.File, detail: 'PromptTemplate' }));
}
