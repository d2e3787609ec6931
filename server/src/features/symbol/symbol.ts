/** Finds the symbol at an offset, for hover, definition, references, highlights and rename. */

import { inner } from '../../analysis/name-fixes.ts';
import { findFunction } from '../../languages/minijinja/builtins.ts';
import type { NameUse, Scopes } from '../../languages/minijinja/scope-model.ts';
import { parseSchema, type Schema } from '../../languages/schema/schema.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import {
  findValue,
  nodeAt,
  stringOf,
  type YamlNode,
  type YamlScalar,
  type YamlTree,
} from '../../languages/yaml/node.ts';
import { sourceSpans, valueOffset } from '../../languages/yaml/source-spans.ts';
import type { ExampleData } from '../../skill/artifact-data.ts';
import { stagesOf } from '../../skill/body.ts';
import { type Condition, inFile } from '../../skill/conditions.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { referencesIn, referencesInGuard, type StepReference } from '../../skill/execution/execution.ts';
import { findFallbackField } from '../../skill/fallbacks.ts';
import { isName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, type Span, sliceOf, span, spanOf, touches } from '../../text.ts';
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { agentFileOf, clientFileOf, isOfClient } from '../../vocabulary/dialect.ts';
import { type Domain, findKey, type KeyTable } from '../../vocabulary/shape.ts';
import { mentionsInBody, mentionsInHead } from '../../workspace/skill-mentions.ts';
import { keyTableOf } from '../client-file-keys.ts';
import {
  DATA_KEYWORDS,
  findScalar,
  isParameter,
  matchesPattern,
  namesField,
  placeInTable,
  type ScalarPlace,
  schemaOf,
  schemaPlaceAt,
  textOf,
} from './schema-place.ts';
import type { FieldOwner, SkillSymbol } from './skill-symbol.ts';
import { findTemplate } from './template-values.ts';

export function symbolAt(file: SkillFile, offset: number): SkillSymbol | undefined {
  const { frontmatter, contract } = file;
  const mentions = offset < frontmatter.bodyStart ? mentionsInHead(file) : mentionsInBody(file);
  const plain = findTouching(mentions, offset, spanOf);
  if (plain) return { kind: 'name', span: plain.nameSpan, domain: 'skill', name: plain.name, plain };
  if (offset < frontmatter.bodyStart) {
    // Conditions and suppressions require parsing the body, which a search in many files must avoid.
    const inCondition = contract.interrupts.some(({ when }) => when && touches(when.span, offset));
    const inComment = findTouching(frontmatter.tree.comments, offset, spanOf) !== undefined;
    return (
      (inCondition ? symbolInCondition(file, offset) : undefined) ??
      symbolInYaml(file, frontmatter.tree, keyTableOf(file), offset) ??
      (inComment ? symbolInSuppression(file, offset) : undefined)
    );
  }
  const metadata = findTouching(file.metadata, offset, ({ tree }) => tree.span);
  const example = findTouching(file.examples, offset, ({ tree }) => tree.span);
  return (
    symbolInCondition(file, offset) ??
    symbolInYaml(file, frontmatter.tree, keyTableOf(file), offset) ??
    (metadata && symbolInYaml(file, metadata.tree, artifactKeys[metadata.artifact.kind], offset, true)) ??
    (example && symbolInExample(example, offset)) ??
    symbolInBody(file, offset) ??
    symbolInTemplate(file, offset) ??
    symbolInSuppression(file, offset)
  );
}

/** Returns the rule in a suppression comment at an offset. */
function symbolInSuppression({ suppressions }: SkillFile, offset: number): SkillSymbol | undefined {
  const here = suppressions.find(({ span }) => touches(span, offset));
  return here && { kind: 'rule', span: here.span, name: here.rule };
}

/** Returns the symbol at an offset in the prose and the headings of the body. */
function symbolInBody({ text, body, dialect }: SkillFile, offset: number): SkillSymbol | undefined {
  if (!body) return undefined;
  const reference = findTouching(body.references, offset, spanOf);
  if (reference) {
    return { kind: 'name', span: reference.nameSpan, domain: reference.kind, name: reference.name };
  }
  if (dialect !== 'composer') return undefined;
  const artifact = findTouching(body.artifacts, offset, ({ heading }) => heading.span);
  if (artifact) {
    const { kindSpan, nameSpan, kind, name } = artifact;
    if (touches(kindSpan, offset)) return { kind: 'artifact-kind', span: kindSpan, name: kind };
    return nameSpan && touches(nameSpan, offset)
      ? { kind: 'name', span: nameSpan, domain: 'artifact', name }
      : undefined;
  }
  const around = findTouching(body.artifacts, offset, ({ contentSpan }) => contentSpan);
  const stages = around ? stagesOf(text, body, around) : [];
  const stage = stages.find(({ nameSpan, markerSpan }) => nameSpan !== markerSpan && touches(nameSpan, offset));
  if (stage) return { kind: 'name', span: stage.nameSpan, domain: 'stage', name: stage.name };
  const retired = findTouching(body.retiredKinds, offset, ({ kindSpan }) => kindSpan);
  return retired && { kind: 'artifact-kind', span: retired.kindSpan, name: retired.kind };
}

/** Returns the symbol at an offset in YAML. */
function symbolInYaml(
  file: SkillFile,
  tree: YamlTree,
  table: KeyTable,
  offset: number,
  isMetadata = false,
): SkillSymbol | undefined {
  const place = findScalar(tree, offset);
  if (!place) return undefined;
  const byPath = isMetadata
    ? undefined
    : (symbolByPath(file, tree, place, offset) ?? symbolInFlow(file, place, offset));
  if (byPath) return byPath;
  const holder = placeInTable(table, place.role === 'key' ? place.path.slice(0, -1) : place.path);
  if (holder.schema) return symbolInSchema(file, tree, place, holder.schema.at, isMetadata);
  return place.role === 'key' ? symbolOfKey(file, tree, place, table) : symbolOfValue(place, table);
}

function symbolOfKey(
  { dialect }: SkillFile,
  tree: YamlTree,
  { path, scalar }: ScalarPlace,
  table: KeyTable,
): SkillSymbol | undefined {
  const name = textOf(scalar);
  const { shapes } = placeInTable(table, path.slice(0, -1));
  const domain = shapes.flatMap((shape) => (shape.kind === 'record' ? (shape.keyDomain ?? []) : []))[0];
  if (domain) return { kind: 'name', span: scalar.span, domain, name };
  const key = shapes.flatMap((shape) => (shape.kind === 'map' ? (findKey(shape.keys, name) ?? []) : []))[0];
  if (key) return { kind: 'key', span: scalar.span, key, value: nodeAt(tree.root, path) };
  const isClientKey = clientKeyTables.some(({ keys }) => keys.some((client) => client.name === name));
  return dialect === 'agent-skill' && path.length === 1 && isClientKey
    ? { kind: 'client-key', span: scalar.span, name }
    : undefined;
}

function symbolOfValue({ path, scalar }: ScalarPlace, table: KeyTable): SkillSymbol | undefined {
  for (const shape of placeInTable(table, path).shapes) {
    if (shape.kind === 'string' && shape.domain) {
      return { kind: 'name', span: scalar.span, domain: shape.domain, name: textOf(scalar) };
    }
    const choice = shape.kind === 'choice' && shape.choices.find(({ value }) => value === scalar.value);
    if (choice) return { kind: 'choice', span: scalar.span, value: String(choice.value), docs: choice.docs };
  }
  return undefined;
}

/** Returns the symbol for a name that this YAML declares, or for a field in data that a schema describes. */
function symbolByPath(file: SkillFile, tree: YamlTree, place: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { path, scalar, role } = place;
  const name = textOf(scalar);
  const named = (domain: Domain): SkillSymbol => ({ kind: 'name', span: scalar.span, domain, name });
  if (file.dialect === 'catalog') {
    if (role === 'key') {
      if (matchesPattern(path, 'roles', '*')) return named('role');
      return matchesPattern(path, 'rules', '*') ? { kind: 'rule', span: scalar.span, name } : undefined;
    }
    const declared = DECLARED.find(({ pattern }) => matchesPattern(path, ...pattern));
    return declared && named(declared.domain);
  }
  const agent = role === 'value' ? symbolOfAgent(file, place) : undefined;
  if (agent) return agent;
  if (file.dialect === 'package' || isOfClient(file.dialect)) return undefined;
  const isNamedById = matchesPattern(path, 'id') && file.contract.isNamedById;
  if (role === 'value' && (matchesPattern(path, 'name') || isNamedById)) return named('skill');
  if (file.dialect === 'agent-skill') return undefined;
  if (role === 'value' && matchesPattern(path, 'id') && isName(name)) {
    return { kind: 'name', span: scalar.span, domain: 'skill', name, isId: true };
  }
  if (role === 'value' && matchesPattern(path, 'policy', 'idempotency_key'))
    return symbolInKeyTemplate(file, place, offset);
  if (role === 'value' && matchesPattern(path, 'composes', '#', 'as')) return named('step');
  if (role === 'value' && matchesPattern(path, 'samples', '*', 'expect', 'path', '#')) {
    return named(file.contract.composes.some(({ step }) => step === name) ? 'step' : 'stage');
  }
  if (role === 'value' && matchesPattern(path, 'errors', '#', 'fallback')) return symbolInFallback(file, place, offset);
  const data = role === 'key' ? DATA.find(({ pattern }) => startsWithPattern(path, pattern)) : undefined;
  // The answers are also for composed skills, whose interrupts ask for other fields.
  const isShared = path[2] === 'answers' && file.contract.composes.length > 0;
  if (data && !isShared) return dataField(scalar.span, path.slice(data.pattern.length), data.side);
  if (role === 'key' && startsWithPattern(path, STUB)) {
    const names = path.slice(STUB.length).filter((step) => typeof step === 'string');
    return { kind: 'field', span: scalar.span, owner: { kind: 'tool', name: String(path[3]) }, path: names };
  }
  const tool =
    path[0] === 'tools' &&
    path[2] === 'constraints' &&
    stringOf(findValue(nodeAt(tree.root, path.slice(0, 2)), 'name'));
  return tool ? symbolInSchema(file, tree, place, path.slice(0, 3), true) : undefined;
}

/** Returns the name of an agent in its own file, or without that of its plugin in the `agent` of a skill or a command. */
function symbolOfAgent(file: SkillFile, { path, scalar }: ScalarPlace): SkillSymbol | undefined {
  const isOwn = matchesPattern(path, 'name') && agentFileOf(file.uri)?.kind === 'agent';
  const isCalled = file.dialect === 'agent-skill' || clientFileOf(file.uri)?.kind === 'command';
  if (!isOwn && !(isCalled && matchesPattern(path, 'agent'))) return undefined;
  const place = inner(file.text, scalar.span);
  const written = sliceOf(file.text, place);
  // A value with escapes, or on several lines, is not the text at this place.
  if (written !== scalar.value) return undefined;
  const start = place.start + written.lastIndexOf(':') + 1;
  const name = file.text.slice(start, place.end);
  return name === '' ? undefined : { kind: 'name', span: span(start, place.end), domain: 'agent', name };
}

/** The data that the input or the output schema describes. */
const DATA: readonly { readonly pattern: readonly string[]; readonly side: 'input' | 'output' }[] = [
  { pattern: ['samples', '*', 'parameters'], side: 'input' },
  { pattern: ['samples', '*', 'expect', 'output', '#', 'value'], side: 'output' },
  { pattern: ['samples', '*', 'answers', 'on_missing_input'], side: 'input' },
  { pattern: ['samples', '*', 'answers', 'on_output_mismatch'], side: 'output' },
  { pattern: ['examples', '#', 'input'], side: 'input' },
  { pattern: ['examples', '#', 'output'], side: 'output' },
];

const STUB = ['samples', '*', 'stubs', '*', 'returns'];

const startsWithPattern = (path: KeyPath, pattern: readonly string[]): boolean =>
  path.length > pattern.length && matchesPattern(path.slice(0, pattern.length), ...pattern);

const DECLARED: readonly { readonly pattern: readonly string[]; readonly domain: Domain }[] = [
  { pattern: ['tools', '#', 'name'], domain: 'tool' },
  { pattern: ['interrupts', '#', 'name'], domain: 'interrupt' },
  { pattern: ['profiles', '#', 'name'], domain: 'profile' },
  { pattern: ['scopes', '#'], domain: 'scope' },
  { pattern: ['effects', '#'], domain: 'effect' },
  { pattern: ['models', '#'], domain: 'model' },
  { pattern: ['models', '#', 'name'], domain: 'model' },
  { pattern: ['models', '#', 'family'], domain: 'model' },
  { pattern: ['surfaces', '#'], domain: 'surface' },
  { pattern: ['channels', '#'], domain: 'channel' },
];

/** Returns the field for a key in the data of an Example. */
function symbolInExample({ tree, side }: ExampleData, offset: number): SkillSymbol | undefined {
  const place = findScalar(tree, offset);
  return place?.role === 'key' ? dataField(place.scalar.span, place.path, side) : undefined;
}

const dataField = (place: Span, path: KeyPath, side: 'input' | 'output'): SkillSymbol => ({
  kind: 'field',
  span: place,
  owner: { kind: 'self', side },
  path: path.filter((step) => typeof step === 'string'),
});

function symbolInSchema(
  file: SkillFile,
  tree: YamlTree,
  { path, role, scalar }: ScalarPlace,
  at: KeyPath,
  isOther: boolean,
): SkillSymbol | undefined {
  const root = nodeAt(tree.root, at);
  const rest = path.slice(at.length);
  const form = at[2] === 'constraints' ? 'json-schema' : schemaOf(file, root).form;
  const name = textOf(scalar);
  const owner = (): FieldOwner =>
    ownerOf(file, at, isOther) ?? { kind: 'schema', schema: parseSchema(root), isOfOutput: isAssertion(at) };
  const field = (path: readonly string[]): SkillSymbol => ({ kind: 'field', span: scalar.span, owner: owner(), path });
  if (role === 'key') {
    const data = namesInData(root, rest, form);
    if (data) return field(data);
    const holder = schemaPlaceAt(root, rest.slice(0, -1), form);
    if (!holder) return undefined;
    const { place, names } = holder;
    if (namesField(place, name)) return field([...names, name]);
    if (place.kind === 'keyword' && DEPENDENCIES.has(place.key)) return field([...names, name]);
    return { kind: 'schema-key', span: scalar.span, name };
  }
  const value = schemaPlaceAt(root, rest, form);
  if (value && matchesPattern(rest.slice(-3), 'propertyNames', 'enum', '#')) return field([...value.names, name]);
  const isRequired =
    (value?.place.kind === 'keyword' || value?.place.kind === 'field-key') && value.place.key === 'required';
  if (value && isRequired && typeof path.at(-1) === 'number') return field([...value.names, name]);
  const isType =
    value?.place.kind === 'field' ||
    (value && 'key' in value.place && value.place.key === 'type' && typeof path.at(-1) !== 'number');
  const word = isType ? /^[A-Za-z]+/.exec(name)?.[0] : undefined;
  if (word === undefined) return undefined;
  const start = scalar.span.start + (scalar.style === 'plain' ? 0 : 1);
  return { kind: 'type', span: span(start, start + word.length), name: word };
}

/** Keywords with names of fields as keys. */
const DEPENDENCIES: ReadonlySet<string> = new Set(['dependentRequired', 'dependentSchemas', 'dependencies']);

/** Returns the names of the fields on a path that ends in a default or in another value inside a schema. */
function namesInData(root: YamlNode | undefined, rest: KeyPath, form: Schema['form']): readonly string[] | undefined {
  for (let length = 1; length < rest.length; length++) {
    const holder = schemaPlaceAt(root, rest.slice(0, length), form);
    if (!holder) return undefined;
    const { place, names } = holder;
    const isData = (place.kind === 'keyword' || place.kind === 'field-key') && DATA_KEYWORDS.has(place.key);
    if (isData) return [...names, ...rest.slice(length).filter((step) => typeof step === 'string')];
  }
  return undefined;
}

/** Returns whether the schema at a path is part of an assertion on an output. */
const isAssertion = (at: KeyPath): boolean =>
  matchesPattern(at, 'assertions', '#', 'schema') ||
  matchesPattern(at, 'samples', '*', 'expect', 'output', '#', 'schema');

/** Returns the owner if the path leads to the input or output schema of the contract. */
function ownerOf(file: SkillFile, at: KeyPath, isOther: boolean): FieldOwner | undefined {
  if (isOther || at.length !== 1 || file.dialect === 'catalog') return undefined;
  const { root } = file.frontmatter.tree;
  const side = (['input', 'output'] as const).find((one) => findSkillEntry(root, `${one}_schema`)?.key.value === at[0]);
  return side && { kind: 'self', side };
}

/** Returns the symbol at an offset in mappings, inputs and references, where data flows between steps. */
function symbolInFlow(file: SkillFile, place: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { path, role, scalar } = place;
  const { root } = file.frontmatter.tree;
  const field = (owner: FieldOwner, span: Span, names: readonly string[]): SkillSymbol => ({
    kind: 'field',
    span,
    owner,
    path: names,
  });
  if (path[0] === 'composes' && path.length === 4 && (path[2] === 'input_mapping' || path[2] === 'output_mapping')) {
    const skill = stringOf(findValue(nodeAt(root, path.slice(0, 2)), 'skill'));
    const side = path[2] === 'input_mapping' ? 'input' : 'output';
    // One side of a mapping names flow values; the other side names fields of the composed skill.
    const isOwn = (side === 'input') === (role === 'key');
    if (!isOwn && skill === undefined) return undefined;
    return field(isOwn ? { kind: 'self', side } : { kind: 'skill', name: skill ?? '', side }, scalar.span, [
      textOf(scalar),
    ]);
  }
  if (path[0] !== 'execution' || findSkillEntry(root, 'execution') === undefined) return undefined;
  const inputs = path.indexOf('inputs');
  if (role === 'key') {
    const names = inputs < 0 ? [] : path.slice(inputs + 1).filter((step) => typeof step === 'string');
    const name = skillOfStep(file, stringOf(findValue(nodeAt(root, path.slice(0, inputs)), 'step')));
    return name === undefined || names.length === 0
      ? undefined
      : field({ kind: 'skill', name, side: 'input' }, scalar.span, names);
  }
  if (inputs >= 0) return symbolOfReference(file, place, offset, referencesIn(file.text, scalar));
  if (path.at(-1) !== 'condition' && path.at(-1) !== 'keep_when') return undefined;
  return symbolOfReference(file, place, offset, referencesInGuard(file.text, scalar)) ?? symbolOfBareName(file, offset);
}

const skillOfStep = ({ contract }: SkillFile, step: string | undefined): string | undefined =>
  contract.composes.find((entry) => entry.step === step)?.name;

/** Returns the step name or the field in a reference such as `$input.x` or `$step.output.x`. */
function symbolOfReference(
  file: SkillFile,
  { scalar }: ScalarPlace,
  offset: number,
  references: readonly StepReference[],
): SkillSymbol | undefined {
  const reference = references.find(({ span }) => touches(span, offset));
  if (!reference || valueOffset(file.text, scalar, offset) === undefined) return undefined;
  const { source, sourceSpan, path } = reference;
  const name = skillOfStep(file, source);
  if (source === 'input') {
    if (path.length === 0) return undefined;
  } else if (offset <= sourceSpan.end || path.length < 2 || name === undefined) {
    return { kind: 'name', span: span(sourceSpan.start + 1, sourceSpan.end), domain: 'step', name: source };
  }
  const owner: FieldOwner =
    source === 'input' ? { kind: 'self', side: 'input' } : { kind: 'skill', name: name ?? '', side: 'output' };
  // `output` itself is not a field.
  const first = source === 'input' ? 0 : 1;
  const names = path.map((part) => part.name);
  for (const [i, { span: nameSpan }] of path.entries()) {
    const isLast = i === path.length - 1;
    if (i < first || (offset > nameSpan.end && !isLast)) continue;
    return {
      kind: 'field',
      span: isLast ? reference.span : nameSpan,
      nameSpan,
      owner,
      path: names.slice(first, i + 1),
    };
  }
  return undefined;
}

/** Returns the field in the fallback of an error, such as `locale`, `title.name` or `$input.locale`. */
function symbolInFallback(file: SkillFile, { scalar }: ScalarPlace, offset: number): SkillSymbol | undefined {
  const field = typeof scalar.value === 'string' ? findFallbackField(file, scalar.value) : undefined;
  if (!field) return undefined;
  const from = String(scalar.value).length - field.path.join('.').length;
  return fieldInPath(file, scalar, offset, from, field);
}

/** Returns the field at an offset in a path such as `title.name` that begins at `from` in the value of a scalar. */
function fieldInPath(
  { text }: SkillFile,
  scalar: YamlScalar,
  offset: number,
  from: number,
  { path, side }: { readonly path: readonly string[]; readonly side: 'input' | 'output' },
): SkillSymbol | undefined {
  const placeOf = sourceSpans(text, scalar);
  let at = from;
  for (const [i, part] of path.entries()) {
    const place = placeOf(at, at + part.length);
    at += part.length + 1;
    if (touches(place, offset)) {
      return { kind: 'field', span: place, owner: { kind: 'self', side }, path: path.slice(0, i + 1) };
    }
  }
  return undefined;
}

const PLACEHOLDER = /\{\s*([A-Za-z_][\w-]*(?:\.\w[\w-]*)*)\s*\}/g;

/** Returns the input field in an idempotency key such as `{title_id}:{locale}` (docs/format.md, section 6). */
function symbolInKeyTemplate(file: SkillFile, { scalar }: ScalarPlace, offset: number): SkillSymbol | undefined {
  const at = typeof scalar.value === 'string' ? valueOffset(file.text, scalar, offset) : undefined;
  if (typeof scalar.value !== 'string' || at === undefined) return undefined;
  for (const match of scalar.value.matchAll(PLACEHOLDER)) {
    if (match.index > at) return undefined;
    if (at > match.index + match[0].length) continue;
    const name = match[1] ?? '';
    const from = match.index + match[0].indexOf(name);
    const found = fieldInPath(file, scalar, offset, from, { path: name.split('.'), side: 'input' });
    if (found) return found;
  }
  return undefined;
}

type Holder = 'template' | 'condition';

function symbolInTemplate(file: SkillFile, offset: number): SkillSymbol | undefined {
  const here = findTemplate(file, offset);
  return here && symbolInScopes(file, here.scopes, offset, 'template');
}

/** Skips conditions of steps: they contain references, which `symbolInFlow` finds. */
const symbolInCondition = (file: SkillFile, offset: number): SkillSymbol | undefined =>
  symbolOfName(
    file,
    offset,
    file.conditions.find(({ scalar, place }) => place !== 'execution' && touches(scalar.span, offset)),
  );

/** Returns the input that a condition of a step names without `$input.`. */
function symbolOfBareName(file: SkillFile, offset: number): SkillSymbol | undefined {
  const symbol = symbolOfName(
    file,
    offset,
    file.conditions.find(({ scalar }) => touches(scalar.span, offset)),
  );
  return symbol?.kind === 'field' ? symbol : undefined;
}

function symbolOfName(file: SkillFile, offset: number, here: Condition | undefined): SkillSymbol | undefined {
  const { text } = file;
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
  { name, span, variable, path, role }: NameUse,
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
