/** What stands at a place in a template, or in a condition in YAML. */
import { findFunction } from '../../languages/minijinja/builtins/builtins.ts';
import type { Scopes, Use } from '../../languages/minijinja/scope-model.ts';
import { valueOffset } from '../../languages/yaml/source-spans.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { touches } from '../../text.ts';
import { isParameter } from './fields.ts';
import type { SkillSymbol } from './skill-symbol.ts';
import { findTemplate } from './template-at.ts';

type Holder = 'template' | 'condition';

export function symbolInTemplate(file: SkillFile, offset: number): SkillSymbol | undefined {
  const here = findTemplate(file, offset);
  return here && symbolInScopes(file, here.scopes, offset, 'template');
}

/** Conditions of steps hold references instead, which `in-flow.ts` finds. */
export function symbolInCondition(file: SkillFile, offset: number): SkillSymbol | undefined {
  const { text, conditions } = file;
  const here = conditions.find(({ scalar, place }) => place !== 'execution' && touches(scalar.span, offset));
  const at = here && valueOffset(text, here.scalar, offset);
  if (!here || at === undefined) return undefined;
  const symbol = symbolInScopes(file, here.scopes, at, 'condition');
  return symbol && { ...symbol, span: inFile(text, here, symbol.span) };
}

function symbolInScopes(file: SkillFile, scopes: Scopes, offset: number, place: Holder): SkillSymbol | undefined {
  const filter = scopes.filters.find(({ span }) => touches(span, offset));
  if (filter) return { kind: 'filter', span: filter.span, name: filter.name };
  const test = scopes.tests.find(({ span }) => touches(span, offset));
  if (test) return { kind: 'test', span: test.span, name: test.name };
  for (const { names } of scopes.references) {
    const included = names.find(({ span }) => touches(span, offset));
    if (included) {
      return { kind: 'name', span: included.content ?? included.span, domain: 'template', name: included.name };
    }
  }
  for (const use of scopes.uses) {
    const symbol = symbolOfUse(file, scopes, use, offset, place);
    if (symbol) return symbol;
  }
  for (const variable of scopes.variables) {
    const definition = variable.implicit ? undefined : variable.definitions.find(({ span }) => touches(span, offset));
    if (definition)
      return { kind: 'variable', span: definition.span, name: variable.name, path: [], variable, scopes, place };
  }
  return undefined;
}

function symbolOfUse(
  file: SkillFile,
  scopes: Scopes,
  { name, span, variable, path, role }: Use,
  offset: number,
  place: Holder,
): SkillSymbol | undefined {
  const at = touches(span, offset) ? 0 : path.findIndex((segment) => touches(segment.span, offset)) + 1;
  if (at === 0 && !touches(span, offset)) return undefined;
  const where = at === 0 ? span : (path[at - 1]?.span ?? span);
  const segments = path.slice(0, at);
  const isLoop = variable?.definitions[0]?.kind === 'loop';
  if (isLoop && segments.length === 1) return { kind: 'loop-field', span: where, name: segments[0]?.name ?? '' };
  const names = segments.flatMap((segment) => (segment.kind === 'index' ? [] : [segment.name]));
  if (!variable && isParameter(file, name))
    return { kind: 'field', span: where, owner: { kind: 'self', side: 'input' }, path: [name, ...names] };
  if (!variable && name === 'parameters' && names.length > 0) {
    return { kind: 'field', span: where, owner: { kind: 'self', side: 'input' }, path: names };
  }
  if (!variable && role === 'call' && segments.length === 0 && findFunction(name)) {
    return { kind: 'function', span: where, name };
  }
  return { kind: 'variable', span: where, name, path: segments, variable, scopes, place };
}
