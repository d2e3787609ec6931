/**
 * Semantic tokens for frontmatter values, names in templates and conditions, and references in prose. Text that the
 * grammar already colours gets a type with the same colour, so that colours do not flicker. Unknown names get no token.
 */
import type { Range, SemanticTokens } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { inner } from '../../analysis/name-fixes.ts';
import { findFilter, findFunction, findTest } from '../../languages/minijinja/builtins.ts';
import type { Definition, NameUse, Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import { findTypeWord, JSON_TYPES, type Schema } from '../../languages/schema/schema.ts';
import { findValue, listItems, stringOf, type YamlNode, type YamlScalar } from '../../languages/yaml/node.ts';
import { inFile } from '../../skill/conditions.ts';
import { itemsOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { readToolWords } from '../../skill/tool-words.ts';
import { type Span, shift, span } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { isOfClient } from '../../vocabulary/dialect.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { type Domain, type Shape, shapesUnder } from '../../vocabulary/shape.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import type { Locate } from '../locate.ts';
import { isFieldMap, namesField, type SchemaPlace, schemaOf, stepInto, textOf } from '../symbol/schema-place.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES, type Token, type TokenModifier, type TokenType, token } from './token.ts';

/** Returns the tokens that touch the range; all tokens without a range. */
export function semanticTokens(analysis: Analysis, file: SkillFile, locate: Locate, range?: Range): SemanticTokens {
  const from = range ? locate.offset(file, range.start) : 0;
  const to = range ? locate.offset(file, range.end) : file.text.length;
  const ofName = nameTokens(analysis, file);
  const tokens = [...frontmatterTokens(file, ofName), ...referenceTokens(file, ofName), ...templateTokens(file)]
    .filter(({ span }) => span.start < to && from < span.end)
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { data: encoded(file, tokens, locate) };
}

/** Encodes each token as five numbers: relative line and column, length, type, and a bit for each modifier. */
function encoded(file: SkillFile, tokens: readonly Token[], locate: Locate): number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  let end = 0;
  for (const { span, type, modifiers } of tokens) {
    const place = locate.range(file, span);
    // Clients support neither nested nor multi-line tokens.
    if (span.start < end || span.end === span.start || place.start.line !== place.end.line) continue;
    end = span.end;
    const { start } = place;
    const bits = modifiers.reduce((all, modifier) => all | (1 << TOKEN_MODIFIERS.indexOf(modifier)), 0);
    const column = start.line === line ? start.character - character : start.character;
    data.push(start.line - line, column, place.end.character - start.character, TOKEN_TYPES.indexOf(type), bits);
    ({ line, character } = start);
  }
  return data;
}

type NameKind = 'tool' | 'skill' | 'step' | 'interrupt' | 'artifact';

/** The token types that have the same colours as `#kind:name` in the grammar. */
const TOKEN_TYPE_OF: Readonly<Record<NameKind, readonly [TokenType, ...TokenModifier[]]>> = {
  tool: ['function', 'defaultLibrary'],
  skill: ['class', 'defaultLibrary'],
  step: ['class'],
  interrupt: ['enumMember'],
  artifact: ['function'],
};

/** Returns the token for a name. An unknown name has no token, so that it looks different from a known name. */
type NameToken = (kind: NameKind, name: string, span: Span) => readonly Token[];

/** Treats every name as known while files are being read, and every tool if no catalog lists the tools. */
function nameTokens(analysis: Analysis, { uri, body, contract }: SkillFile): NameToken {
  const catalog = analysis.catalogOf(uri);
  const artifacts = new Set(body?.artifacts.map(({ name }) => name));
  const steps = new Set(contract.composes.map(({ step }) => step));
  const isKnown = (kind: NameKind, name: string): boolean => {
    if (kind === 'artifact') return artifacts.has(name);
    if (kind === 'step') return steps.has(name);
    if (analysis.partial) return true;
    if (kind === 'tool') return !catalog.toolsKnown || analysis.isKnownTool(catalog, name);
    return kind === 'skill' ? analysis.isSkillName(name) : catalog.interrupts.has(name);
  };
  return (kind, name, span) => (isKnown(kind, name) ? [token(span, ...TOKEN_TYPE_OF[kind])] : []);
}

/** Returns tokens for references in prose to existing tools, skills, interrupts and artifacts. */
const referenceTokens = ({ body }: SkillFile, ofName: NameToken): readonly Token[] =>
  (body?.references ?? []).flatMap(({ kind, name, nameSpan }) => ofName(kind, name, nameSpan));

/** Returns the span of a scalar without quotes. */
const innerOf = (text: string, { span }: YamlScalar): Span => inner(text, span);

/** Returns one token for each line of a string, without the header of a block scalar. */
function proseTokens(text: string, scalar: YamlScalar, place = innerOf(text, scalar)): readonly Token[] {
  const isBlock = scalar.style === 'literal' || scalar.style === 'folded';
  const lines = text.slice(place.start, place.end).matchAll(/[^\s][^\r\n]*/g);
  return [...lines].slice(isBlock ? 1 : 0).map(({ 0: line, index }) => {
    const start = place.start + index;
    return token(span(start, start + line.trimEnd().length), 'prose');
  });
}

const KIND_OF: Readonly<Partial<Record<Domain, NameKind>>> = {
  skill: 'skill',
  tool: 'tool',
  interrupt: 'interrupt',
  step: 'step',
  template: 'artifact',
};

function frontmatterTokens(file: SkillFile, ofName: NameToken): readonly Token[] {
  const { text, dialect, contract, frontmatter } = file;
  const declared = [
    ...(contract.name ? [contract.name] : []),
    ...contract.composes.flatMap(({ as }) => (as ? [as] : [])),
  ];
  const { root } = frontmatter.tree;
  if (isOfClient(dialect)) return [];
  return [
    ...(dialect === 'catalog'
      ? listed(root)
      : declared.map(({ span: at }) => token(inner(text, at), 'class', 'declaration'))),
    ...ofTree(file, root, { kind: 'map', keys: tableOf(dialect) }, ofName),
    ...file.metadata.flatMap(({ artifact, tree }) =>
      ofTree(file, tree.root, { kind: 'map', keys: artifactKeys[artifact.kind] }, ofName),
    ),
    ...(dialect === 'agent-skill' ? allowedTools(text, root) : []),
  ];
}

function ofTree(file: SkillFile, root: YamlNode | undefined, shape: Shape, ofName: NameToken): readonly Token[] {
  const tokens: Token[] = [];
  const walk = (node: YamlNode, shapes: readonly Shape[]): void => {
    if (shapes.some(({ kind }) => kind === 'schema')) {
      const schema = schemaOf(file, node);
      const isInput = file.contract.input?.entry.value === node;
      tokens.push(...schemaTokens(file.text, node, schema.form, isInput ? 'parameter' : 'property'));
    } else if (node.kind === 'scalar') tokens.push(...ofScalar(file.text, node, shapes, ofName));
    else if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) walk(item, shapesUnder(shapes, index));
    } else {
      for (const { key, value } of node.entries) walk(value, shapesUnder(shapes, String(key.value)));
    }
  };
  if (root) walk(root, [shape]);
  return tokens;
}

function ofScalar(text: string, scalar: YamlScalar, shapes: readonly Shape[], ofName: NameToken): readonly Token[] {
  for (const shape of shapes) {
    if (shape.kind === 'choice') {
      const isChoice = shape.choices.some(({ value }) => typeof value === 'string' && value === scalar.value);
      if (isChoice) return [token(innerOf(text, scalar), 'enumMember')];
    }
    if (shape.kind !== 'string' || typeof scalar.value !== 'string') continue;
    if (shape.prose) return proseTokens(text, scalar);
    if (shape.domain === 'effect') return [token(innerOf(text, scalar), 'enumMember')];
    const kind = shape.domain && KIND_OF[shape.domain];
    if (kind) return ofName(kind, textOf(scalar), innerOf(text, scalar));
  }
  return [];
}

/** Returns the declarations in a catalog. */
function listed(root: YamlNode | undefined): readonly Token[] {
  const names = (key: string) => itemsOf(findValue(root, key), 'name');
  return [
    ...names('tools').map(([{ span: place }]) => token(place, 'function', 'declaration')),
    ...names('interrupts').map(([{ span: place }]) => token(place, 'enumMember', 'declaration')),
  ];
}

/** Returns the tool names in `Bash(git:*) Read`, without the patterns. */
function allowedTools(text: string, root: YamlNode | undefined): readonly Token[] {
  const value = findValue(root, 'allowed-tools');
  const scalars = value?.kind === 'list' ? value.items : value ? [value] : [];
  return scalars.flatMap((scalar) => {
    if (scalar.kind !== 'scalar') return [];
    const { start, end } = innerOf(text, scalar);
    const written = text.slice(start, end);
    let at = 0;
    return readToolWords(written).words.flatMap((word) => {
      const begin = start + written.indexOf(word, at);
      at = begin - start + word.length;
      const [name = ''] = /^[\p{L}\p{N}_*.:-]+/u.exec(word) ?? [];
      return name === '' ? [] : [token(span(begin, begin + name.length), 'function', 'defaultLibrary')];
    });
  });
}

/** Returns tokens for field names, types, constants and descriptions in a schema, in shorthand or JSON Schema. */
function schemaTokens(
  text: string,
  root: YamlNode | undefined,
  form: Schema['form'],
  field: TokenType,
): readonly Token[] {
  const tokens: Token[] = [];
  const walk = (node: YamlNode, from: SchemaPlace, key: string | undefined): void => {
    if (node.kind === 'scalar') return void tokens.push(...tokensOf(text, node, from, key));
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) {
        const place = from.kind === 'field' ? CONSTANT : stepInto(from, index, item);
        if (place) walk(item, place, key);
      }
      return;
    }
    const place: SchemaPlace = from.kind === 'field' && !isFieldMap(node) ? { kind: 'fields' } : from;
    for (const { key, value } of node.entries) {
      const name = String(key.value);
      if (namesField(place, name)) tokens.push(token(innerOf(text, key), field, 'declaration'));
      const next = stepInto(place, name, value);
      if (next) walk(value, next, 'key' in next ? next.key : undefined);
    }
  };
  if (root) walk(root, form === 'json-schema' ? { kind: 'schema', node: root } : { kind: 'fields' }, undefined);
  return tokens;
}

/** The schema place of a constant in a list that replaces a type. */
const CONSTANT: SchemaPlace = { kind: 'field-key', key: 'enum', map: undefined };

function tokensOf(text: string, scalar: YamlScalar, place: SchemaPlace, key: string | undefined): readonly Token[] {
  if (typeof scalar.value !== 'string') return [];
  if (place.kind === 'field') return typeTokens(text, scalar, scalar.value);
  if (!('key' in place)) return [];
  switch (key ?? place.key) {
    case 'type':
      return typeTokens(text, scalar, scalar.value);
    case 'enum':
    case 'const':
      return [token(innerOf(text, scalar), 'enumMember')];
    case 'default':
      return isOneOf(scalar.value, 'map' in place ? place.map : place.schema)
        ? [token(innerOf(text, scalar), 'enumMember')]
        : [];
    case 'description':
    case 'title':
    case '$comment':
      return proseTokens(text, scalar);
    default:
      return [];
  }
}

/** Returns whether the constants of a field or a schema include a value. */
const isOneOf = (value: string, map: YamlNode | undefined): boolean =>
  listItems(findValue(map, 'enum')).some((item) => stringOf(item) === value);

/** Returns tokens for `string[]?, description`: a keyword for the type, then prose. */
function typeTokens(text: string, scalar: YamlScalar, value: string): readonly Token[] {
  const { start, end } = innerOf(text, scalar);
  const [type = '', word = ''] = /^([A-Za-z]+)(?:\[\])*\??/.exec(value) ?? [];
  const isType = findTypeWord(word) !== undefined || (JSON_TYPES as readonly string[]).includes(word);
  if (!isType || !text.startsWith(type, start)) return [];
  const rest = span(start + type.length, end);
  return [token(span(start, rest.start), 'keyword'), ...proseTokens(text, scalar, rest)];
}

/** Returns a token for each name in templates and conditions; the token type depends on the origin of the name. */
function templateTokens(file: SkillFile): readonly Token[] {
  const { text, templates, conditions, contract } = file;
  const parameters = new Set((contract.input?.schema.fields ?? []).map(({ name }) => name));
  return [
    ...templates.flatMap(({ span: { start }, source }) =>
      tokensOfScopes(source.scopes, parameters, IN_TEMPLATES).map((token) => ({
        ...token,
        span: shift(token.span, start),
      })),
    ),
    // The grammar colours references in conditions of steps.
    ...conditions
      .filter(({ place }) => place !== 'execution')
      .flatMap((condition) =>
        tokensOfScopes(condition.scopes, parameters, IN_CONDITIONS).map((token) => ({
          ...token,
          span: inFile(text, condition, token.span),
        })),
      ),
  ];
}

type Names = ReadonlySet<string>;

const IN_TEMPLATES: Names = new Set(TEMPLATE_VARIABLES.map(({ name }) => name));
const IN_CONDITIONS: Names = new Set(CONDITION_VARIABLES.map(({ name }) => name));

function tokensOfScopes(
  { uses, variables, filters, tests }: Scopes,
  parameters: Names,
  ambient: Names,
): readonly Token[] {
  // A filter or test in a string, such as `map("upper")`, remains a string.
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

function meaningOf({ name, role, variable }: NameUse, parameters: Names, ambient: Names): Meaning {
  if (variable) return ofVariable(variable, role);
  if (parameters.has(name)) return ['parameter'];
  if (role === 'call') return findFunction(name) ? ['function', 'defaultLibrary'] : [];
  return ambient.has(name) ? ['variable', 'readonly'] : [];
}

/** Skips `loop`, `self`, `super` and `caller`, which the grammar colours. */
function ofVariable({ definitions, implicit }: Variable, role: NameUse['role']): Meaning {
  const [definition] = definitions;
  if (implicit || !definition) return [];
  return definition.kind === 'import' && role === 'call' ? ['function'] : [typeOf(definition)];
}

const typeOf = ({ kind }: Definition): TokenType =>
  kind === 'macro' ? 'function' : kind === 'parameter' ? 'parameter' : 'variable';
