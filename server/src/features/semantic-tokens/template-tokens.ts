/** The names in templates and conditions, by where they come from. */
import { findFilter, findFunction, findTest } from '../../languages/minijinja/builtins/builtins.ts';
import type { Definition, Scopes, Use, Variable } from '../../languages/minijinja/scope-model.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { shift } from '../../text.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { type Token, type TokenModifier, type TokenType, token } from './token.ts';

export function templateTokens(file: SkillFile): readonly Token[] {
  const { text, templates, conditions, contract } = file;
  const parameters = new Set((contract.input?.schema.fields ?? []).map(({ name }) => name));
  return [
    ...templates.flatMap(({ span: { start }, source }) =>
      tokensOf(source.scopes, parameters, IN_TEMPLATES).map((token) => ({ ...token, span: shift(token.span, start) })),
    ),
    // The grammar colours the references in conditions of steps.
    ...conditions
      .filter(({ place }) => place !== 'execution')
      .flatMap((condition) =>
        tokensOf(condition.scopes, parameters, IN_CONDITIONS).map((token) => ({
          ...token,
          span: inFile(text, condition, token.span),
        })),
      ),
  ];
}

type Names = ReadonlySet<string>;

const IN_TEMPLATES: Names = new Set(TEMPLATE_VARIABLES.map(({ name }) => name));
const IN_CONDITIONS: Names = new Set(CONDITION_VARIABLES.map(({ name }) => name));

function tokensOf({ uses, variables, filters, tests }: Scopes, parameters: Names, ambient: Names): readonly Token[] {
  // A filter or test that a string names, `map("upper")`, stays a string.
  const named = [
    ...filters.filter(({ call, name }) => call && findFilter(name)),
    ...tests.filter(({ call, name }) => call && findTest(name)),
  ];
  return [
    ...named.map(({ span }) => token(span, 'function', 'defaultLibrary')),
    ...variables.flatMap(({ definitions, implicit }) =>
      implicit ? [] : definitions.map((definition) => token(definition.span, typeOf(definition), 'declaration')),
    ),
    ...uses.flatMap((use): readonly Token[] => {
      const [type, ...modifiers] = meaningOf(use, parameters, ambient);
      const attributes = use.path.filter(({ kind }) => kind === 'attribute');
      return [
        ...(type ? [token(use.span, type, ...modifiers)] : []),
        ...attributes.map(({ span }) => token(span, 'property')),
      ];
    }),
  ];
}

type Meaning = readonly [TokenType, ...TokenModifier[]] | readonly [];

function meaningOf({ name, role, variable }: Use, parameters: Names, ambient: Names): Meaning {
  if (variable) return ofVariable(variable, role);
  if (parameters.has(name)) return ['parameter'];
  if (role === 'call') return findFunction(name) ? ['function', 'defaultLibrary'] : [];
  return ambient.has(name) ? ['variable', 'readonly'] : [];
}

/** `loop`, `self`, `super` and `caller` are words of the language, which the grammar knows. */
function ofVariable({ definitions, implicit }: Variable, role: Use['role']): Meaning {
  const [definition] = definitions;
  if (implicit || !definition) return [];
  return definition.kind === 'import' && role === 'call' ? ['function'] : [typeOf(definition)];
}

const typeOf = ({ kind }: Definition): TokenType =>
  kind === 'macro' ? 'function' : kind === 'parameter' ? 'parameter' : 'variable';
