/** The outline of a file: the skill, with its frontmatter, sections, and artifacts with their parts. */
import { type DocumentSymbol, type SymbolInformation, SymbolKind } from 'vscode-languageserver-types';
import type { Node } from '../../languages/minijinja/ast.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import { findValue, listItems, type YamlEntry, type YamlMap } from '../../languages/yaml/node.ts';
import { type Artifact, stagesOf } from '../../skill/body.ts';
import { itemsOf, namedOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, shift, span } from '../../text.ts';
import { decoded, fileNameOf } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';
import { type Section, sectionsOf } from './sections.ts';

/** An entry of the outline before it is nested. */
interface Item {
  readonly name: string;
  readonly detail?: string;
  readonly kind: SymbolKind;
  readonly span: Span;
  readonly nameSpan: Span;
}

const MAX_ITEMS = 5_000;

export function documentSymbols(file: SkillFile, locate: Locate): DocumentSymbol[] {
  const items = [...itemOfSkill(file), ...itemsOfFrontmatter(file), ...itemsOfBody(file)];
  return nested(file, items.slice(0, MAX_ITEMS), locate);
}

/** The same without nesting, for clients that take no other outline. */
export const flattenSymbols = (
  uri: string,
  symbols: readonly DocumentSymbol[],
  containerName?: string,
): readonly SymbolInformation[] =>
  symbols.flatMap(({ name, kind, range, children }) => [
    { name, kind, location: { uri, range }, ...(containerName === undefined ? {} : { containerName }) },
    ...flattenSymbols(uri, children ?? [], name),
  ]);

/** Puts each item into the innermost one around it; an item that ends behind its parent is cut off there. */
function nested(file: SkillFile, items: readonly Item[], locate: Locate): DocumentSymbol[] {
  const sorted = [...items].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const roots: DocumentSymbol[] = [];
  const open: { readonly span: Span; readonly children: DocumentSymbol[] }[] = [];
  for (const item of sorted) {
    while (open.length > 0 && (open.at(-1)?.span.end ?? 0) <= item.span.start) open.pop();
    const holder = open.at(-1);
    const whole = span(item.span.start, Math.min(item.span.end, holder?.span.end ?? item.span.end));
    const name = contains(whole, item.nameSpan) ? item.nameSpan : span(whole.start, whole.start);
    const children: DocumentSymbol[] = [];
    (holder?.children ?? roots).push({
      name: item.name.trim() || '…',
      ...(item.detail ? { detail: item.detail } : {}),
      kind: item.kind,
      range: locate.range(file, whole),
      selectionRange: locate.range(file, name),
      children,
    });
    open.push({ span: whole, children });
  }
  return roots;
}

/** The skill itself: all else stands within it, so that there is one way down to whatever the cursor is in. */
function itemOfSkill({ uri, text, frontmatter, contract, dialect }: SkillFile): readonly Item[] {
  const { open, tree } = frontmatter;
  if (dialect === 'catalog' || tree.root?.kind !== 'map') return [];
  const named = contract.name ?? (dialect === 'package' ? namedOf(findValue(tree.root, 'name')) : undefined);
  const { name = decoded(fileNameOf(uri)), span: nameSpan = open ?? tree.span } = named ?? {};
  return [
    {
      name,
      detail: dialect === 'package' ? 'package' : 'skill',
      kind: SymbolKind.Class,
      span: span(0, text.length),
      nameSpan,
    },
  ];
}

function itemsOfFrontmatter({ frontmatter, contract, dialect }: SkillFile): readonly Item[] {
  const { root } = frontmatter.tree;
  if (root?.kind !== 'map') return [];
  if (dialect === 'package') return itemsOfPackage(root);
  const schemas = [contract.input, contract.output];
  return root.entries.flatMap((entry) => {
    if (entry.value.kind === 'scalar' || (dialect !== 'catalog' && !SHOWN_KEYS.has(String(entry.key.value)))) return [];
    const schema = schemas.find((one) => one?.entry.key === entry.key)?.schema;
    const inner = schema ? schema.fields.flatMap((field) => itemsOfField(field, entry)) : itemsInEntry(entry);
    const kind = schema ? SymbolKind.Interface : SymbolKind.Property;
    return [{ name: String(entry.key.value), kind, span: entry.span, nameSpan: entry.key.span }, ...inner];
  });
}

/** The artifacts of a package, each with its kind. */
const itemsOfPackage = (root: YamlMap): readonly Item[] =>
  listItems(findValue(root, 'artifacts')).flatMap((node) => {
    const name = namedOf(findValue(node, 'name'));
    const kind = namedOf(findValue(node, 'kind'));
    const { span: place } = node;
    return name
      ? [{ name: name.name, detail: kind?.name ?? '', kind: SymbolKind.Field, span: place, nameSpan: name.span }]
      : [];
  });

/** The keys in the outline; the others are single lines or lists of words. */
const SHOWN_KEYS = new Set([
  ...['input_schema', 'parameter_schema', 'input', 'output_schema', 'output'],
  ...['tools', 'interrupts', 'errors', 'progress', 'samples', 'composes', 'requires', 'execution'],
  ...['policy', 'capabilities_required', 'backing_service'],
]);

/** The fields that are written in the schema itself, without those behind a `$ref`. */
function itemsOfField({ name, type, keySpan, span: place, fields }: SchemaField, entry: YamlEntry): readonly Item[] {
  const whole = span(keySpan.start, Math.max(keySpan.end, place.end));
  if (!contains(entry.span, whole)) return [];
  const own: Item = { name, detail: type, kind: SymbolKind.Field, span: whole, nameSpan: keySpan };
  return [own, ...fields.flatMap((field) => itemsOfField(field, entry)).filter((one) => contains(whole, one.span))];
}

/** The named items of lists, and the entries of maps whose keys the author chose. */
function itemsInEntry({ key, value }: YamlEntry): readonly Item[] {
  if (value.kind === 'list') {
    const name = key.value === 'composes' || key.value === 'requires' ? 'skill' : 'name';
    return itemsOf(value, name).map(([one, map]) => ({
      name: one.name,
      kind: SymbolKind.Object,
      span: map?.span ?? one.span,
      nameSpan: one.span,
    }));
  }
  if (value.kind !== 'map' || !NAMED_BY_AUTHOR.has(String(key.value))) return [];
  return value.entries.map((entry) => ({
    name: String(entry.key.value),
    kind: SymbolKind.Object,
    span: entry.span,
    nameSpan: entry.key.span,
  }));
}

const NAMED_BY_AUTHOR = new Set(['samples', 'roles', 'rules', 'policy']);

const KINDS: Readonly<Record<Artifact['kind'], SymbolKind>> = {
  Description: SymbolKind.Constant,
  Approach: SymbolKind.Event,
  PromptTemplate: SymbolKind.Function,
  Example: SymbolKind.Struct,
};

function itemsOfBody({ text, body, templates }: SkillFile): readonly Item[] {
  if (!body) return [];
  const artifacts = new Map(body.artifacts.map((one) => [one.heading, one]));
  const ofHeading = ({ heading, span: whole }: Section): Item => {
    const artifact = artifacts.get(heading);
    const nameSpan = artifact?.nameSpan ?? heading.textSpan;
    return artifact
      ? { name: artifact.name, detail: artifact.kind, kind: KINDS[artifact.kind], span: whole, nameSpan }
      : { name: heading.text, kind: SymbolKind.String, span: whole, nameSpan };
  };
  const stages = [...artifacts.values()].flatMap((artifact) => stagesOf(text, body, artifact));
  return [
    ...sectionsOf(body).map(ofHeading),
    ...stages.map(({ name, span: whole, nameSpan }) => ({
      name,
      detail: 'stage',
      kind: SymbolKind.EnumMember,
      span: whole,
      nameSpan,
    })),
    ...templates.flatMap(({ span: { start }, source }) => itemsOfTemplate(source.template.nodes, start)),
  ];
}

/** Macros and blocks, without those in branches and loops. */
const itemsOfTemplate = (nodes: readonly Node[], start: number): readonly Item[] =>
  nodes.flatMap((node): readonly Item[] =>
    (node.kind === 'macro' || node.kind === 'block') && node.name.text !== ''
      ? [
          {
            name: node.name.text,
            detail: node.kind,
            kind: SymbolKind.Method,
            span: shift(node.span, start),
            nameSpan: shift(node.name.span, start),
          },
          ...(node.kind === 'block' ? itemsOfTemplate(node.body.nodes, start) : []),
        ]
      : [],
  );
