/** What stands at a place in YAML. */
import { parseSchema } from '../../languages/schema/schema.ts';
import type { Path } from '../../languages/yaml/cursor-place.ts';
import { findValue, nodeAt, stringOf, type YamlTree } from '../../languages/yaml/node.ts';
import type { ExampleData } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import { type Domain, findKey, type KeyTable } from '../../vocabulary/shape.ts';
import { symbolInFlow, symbolInKeyTemplate } from './in-flow.ts';
import { findScalar, type ScalarPlace, textOf } from './scalar-place.ts';
import { namesField, schemaOf, schemaPlaceAt } from './schema-place.ts';
import type { FieldOwner, SkillSymbol } from './skill-symbol.ts';
import { fits, placeInTable } from './table-place.ts';

export function symbolInYaml(
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

/** Names that are declared here, and fields in data of a schema. */
function symbolByPath(file: SkillFile, tree: YamlTree, place: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { path, scalar, role } = place;
  const name = textOf(scalar);
  const named = (domain: Domain): SkillSymbol => ({ kind: 'name', span: scalar.span, domain, name });
  if (file.dialect === 'catalog') {
    if (role === 'key') {
      if (fits(path, 'roles', '*')) return named('role');
      return fits(path, 'rules', '*') ? { kind: 'rule', span: scalar.span, name } : undefined;
    }
    const declared = DECLARED.find(({ pattern }) => fits(path, ...pattern));
    return declared && named(declared.domain);
  }
  if (file.dialect === 'package') return undefined;
  if (role === 'value' && fits(path, 'name')) return named('skill');
  if (file.dialect === 'agent-skill') return undefined;
  if (role === 'value' && fits(path, 'policy', 'idempotency_key')) return symbolInKeyTemplate(file, place, offset);
  if (role === 'value' && fits(path, 'composes', '#', 'as')) return named('step');
  if (role === 'key' && path[0] === 'samples' && path[2] === 'parameters' && path.length > 3) {
    return dataField(scalar.span, path.slice(3), 'input');
  }
  const tool =
    path[0] === 'tools' &&
    path[2] === 'constraints' &&
    stringOf(findValue(nodeAt(tree.root, path.slice(0, 2)), 'name'));
  return tool ? symbolInSchema(file, tree, place, path.slice(0, 3), true) : undefined;
}

const DECLARED: readonly { readonly pattern: readonly string[]; readonly domain: Domain }[] = [
  { pattern: ['tools', '#', 'name'], domain: 'tool' },
  { pattern: ['interrupts', '#', 'name'], domain: 'interrupt' },
  { pattern: ['profiles', '#', 'name'], domain: 'profile' },
  { pattern: ['scopes', '#'], domain: 'scope' },
  { pattern: ['effects', '#'], domain: 'effect' },
  { pattern: ['models', '#'], domain: 'model' },
  { pattern: ['surfaces', '#'], domain: 'surface' },
  { pattern: ['channels', '#'], domain: 'channel' },
];

/** The keys of an Example's data. */
export function symbolInExample({ tree, side }: ExampleData, offset: number): SkillSymbol | undefined {
  const place = findScalar(tree, offset);
  return place?.role === 'key' ? dataField(place.scalar.span, place.path, side) : undefined;
}

const dataField = (place: Span, path: Path, side: 'input' | 'output'): SkillSymbol => ({
  kind: 'field',
  span: place,
  owner: { kind: 'self', side },
  path: path.filter((step) => typeof step === 'string'),
});

function symbolInSchema(
  file: SkillFile,
  tree: YamlTree,
  { path, role, scalar }: ScalarPlace,
  at: Path,
  isOther: boolean,
): SkillSymbol | undefined {
  const root = nodeAt(tree.root, at);
  const rest = path.slice(at.length);
  const form = at[2] === 'constraints' ? 'json-schema' : schemaOf(file, root).form;
  const name = textOf(scalar);
  const owner = (): FieldOwner => ownerOf(file, at, isOther) ?? { kind: 'schema', schema: parseSchema(root) };
  if (role === 'key') {
    const holder = schemaPlaceAt(root, rest.slice(0, -1), form);
    if (!holder) return undefined;
    if (namesField(holder.place, name)) {
      return { kind: 'field', span: scalar.span, owner: owner(), path: [...holder.names, name] };
    }
    return { kind: 'schema-key', span: scalar.span, name };
  }
  const value = schemaPlaceAt(root, rest, form);
  const isRequired =
    (value?.place.kind === 'keyword' || value?.place.kind === 'field-key') && value.place.key === 'required';
  if (value && isRequired && typeof path.at(-1) === 'number') {
    return { kind: 'field', span: scalar.span, owner: owner(), path: [...value.names, name] };
  }
  const isType =
    value?.place.kind === 'field' ||
    (value && 'key' in value.place && value.place.key === 'type' && typeof path.at(-1) !== 'number');
  const word = isType ? /^[A-Za-z]+/.exec(name)?.[0] : undefined;
  if (word === undefined) return undefined;
  const start = scalar.span.start + (scalar.style === 'plain' ? 0 : 1);
  return { kind: 'type', span: span(start, start + word.length), name: word };
}

/** Which of the contract's two schemas stands at a path, if it is one of them. */
function ownerOf(file: SkillFile, at: Path, isOther: boolean): FieldOwner | undefined {
  if (isOther || at.length !== 1 || file.dialect === 'catalog') return undefined;
  const { root } = file.frontmatter.tree;
  const side = (['input', 'output'] as const).find((one) => findSkillEntry(root, `${one}_schema`)?.key.value === at[0]);
  return side && { kind: 'self', side };
}
