/** The outline of a file, its folding ranges and its selection ranges. */
import {
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type SelectionRange,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver-types';
import type { Body as Block, Node, Template } from '../../languages/minijinja/ast.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import {
  findValue,
  listItems,
  type YamlComment,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import { type Artifact, allStages, type Body, type Heading } from '../../skill/body.ts';
import { itemsOf, namedOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, findTouching, lineAt, lineEnd, type Span, shift, span, spanOf, touches } from '../../text.ts';
import { decoded, fileNameOf, isOfClient } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';

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

/** Returns the outline without nesting, for clients that do not support nested outlines. */
export const flattenSymbols = (
  uri: string,
  symbols: readonly DocumentSymbol[],
  containerName?: string,
): readonly SymbolInformation[] =>
  symbols.flatMap(({ name, kind, range, children }) => [
    { name, kind, location: { uri, range }, ...(containerName === undefined ? {} : { containerName }) },
    ...flattenSymbols(uri, children ?? [], name),
  ]);

/** Nests each item in the innermost item around it; truncates an item that ends after its parent. */
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

/** Returns one item for the skill, which contains all other items, so that the outline has one root. */
function itemOfSkill({ uri, text, frontmatter, contract, dialect }: SkillFile): readonly Item[] {
  const { open, tree } = frontmatter;
  if (dialect === 'catalog' || isOfClient(dialect) || tree.root?.kind !== 'map') return [];
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
  if (isOfClient(dialect) || root?.kind !== 'map') return [];
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

/** Returns the artifacts of a package, each with its kind. */
const itemsOfPackage = (root: YamlMap): readonly Item[] =>
  listItems(findValue(root, 'artifacts')).flatMap((node) => {
    const name = namedOf(findValue(node, 'name'));
    const kind = namedOf(findValue(node, 'kind'));
    const { span: place } = node;
    return name
      ? [{ name: name.name, detail: kind?.name ?? '', kind: SymbolKind.Field, span: place, nameSpan: name.span }]
      : [];
  });

/** The keys in the outline; the values of all other keys are single lines or lists of words. */
const SHOWN_KEYS = new Set([
  ...['input_schema', 'parameter_schema', 'input', 'output_schema', 'output'],
  ...['tools', 'interrupts', 'errors', 'progress', 'samples', 'composes', 'requires', 'execution'],
  ...['policy', 'capabilities_required', 'backing_service'],
]);

/** Returns the fields in the schema itself, without those that a `$ref` adds. */
function itemsOfField({ name, type, keySpan, span: place, fields }: SchemaField, entry: YamlEntry): readonly Item[] {
  const whole = span(keySpan.start, Math.max(keySpan.end, place.end));
  if (!contains(entry.span, whole)) return [];
  const own: Item = { name, detail: type, kind: SymbolKind.Field, span: whole, nameSpan: keySpan };
  return [own, ...fields.flatMap((field) => itemsOfField(field, entry)).filter((one) => contains(whole, one.span))];
}

/** Returns the named items of lists, and the entries of maps with keys that the author chooses. */
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
  const stages = allStages(text, body);
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

/** Returns macros and blocks, without those in branches and loops. */
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

/** A section of a body: a heading with the text up to the next heading of the same or a higher level. */
interface Section {
  readonly heading: Heading;
  readonly span: Span;
}

function sectionsOf({ headings, span: whole }: Pick<Body, 'headings' | 'span'>): readonly Section[] {
  const ends = new Array<number>(headings.length).fill(whole.end);
  const open: number[] = [];
  for (const [i, { level, span: place }] of headings.entries()) {
    while (open.length > 0 && (headings[open.at(-1) as number]?.level ?? 0) >= level)
      ends[open.pop() as number] = place.start;
    open.push(i);
  }
  return headings.map((heading, i) => ({ heading, span: span(heading.span.start, ends[i] as number) }));
}

interface Fold {
  readonly span: Span;
  readonly kind?: FoldingRangeKind;
  /** True if the last line closes the construct and stays visible. */
  readonly closed?: boolean;
}

/**
 * Returns folds of complete lines, which all clients support. If two folds start on the same line, only the larger
 * fold is returned.
 */
export function foldingRanges(file: SkillFile): FoldingRange[] {
  const { lines, text } = file;
  const byLine = new Map<number, FoldingRange>();
  for (const { span, kind, closed } of foldsOf(file)) {
    let end = span.end;
    while (end > span.start && /\s/.test(text[end - 1] ?? '')) end--;
    const startLine = lineAt(lines, span.start);
    const endLine = lineAt(lines, end) - (closed ? 1 : 0);
    const known = byLine.get(startLine);
    if (endLine <= startLine || (known && known.endLine >= endLine)) continue;
    byLine.set(startLine, { startLine, endLine, ...(kind ? { kind } : {}) });
  }
  return [...byLine.values()].sort((a, b) => a.startLine - b.startLine);
}

function* foldsOf({ frontmatter, body, metadata, examples, templates, lines }: SkillFile): Iterable<Fold> {
  const { open, close, tree } = frontmatter;
  if (open && close) yield { span: { start: open.start, end: close.end }, kind: FoldingRangeKind.Region };
  for (const { root, comments } of [tree, ...[...metadata, ...examples].map((one) => one.tree)]) {
    yield* foldsOfYaml(root);
    yield* foldsOfComments(comments, (offset) => lineAt(lines, offset));
  }
  if (!body) return;
  for (const { span } of sectionsOf(body)) yield { span, kind: FoldingRangeKind.Region };
  for (const { span } of body.fences) yield { span };
  for (const { span } of body.htmlComments) yield { span, kind: FoldingRangeKind.Comment };
  for (const { span, source } of templates) {
    for (const fold of foldsOfTemplate(source.template)) yield { ...fold, span: shift(fold.span, span.start) };
  }
}

function* foldsOfYaml(node: YamlNode | undefined): Iterable<Fold> {
  if (node?.kind === 'list') {
    for (const item of node.items) {
      if (item.kind !== 'scalar') yield { span: item.span };
      yield* foldsOfYaml(item);
    }
  }
  if (node?.kind !== 'map') return;
  for (const { span, value } of node.entries) {
    yield { span };
    yield* foldsOfYaml(value);
  }
}

/** Yields one fold for comments on consecutive lines. */
function* foldsOfComments(comments: readonly YamlComment[], lineOf: (offset: number) => number): Iterable<Fold> {
  let start: YamlComment | undefined;
  let last: YamlComment | undefined;
  for (const comment of comments) {
    const follows = last && lineOf(comment.span.start) === lineOf(last.span.start) + 1;
    if (!follows && start && last) {
      yield { span: { start: start.span.start, end: last.span.end }, kind: FoldingRangeKind.Comment };
    }
    if (!follows) start = comment;
    last = comment;
  }
  if (start && last) yield { span: { start: start.span.start, end: last.span.end }, kind: FoldingRangeKind.Comment };
}

/** Yields the folds of one template, with offsets from the start of the template. */
function* foldsOfTemplate({ nodes, tags }: Template): Iterable<Fold> {
  yield* foldsOfBlocks(nodes);
  for (const { kind, span } of tags) {
    if (kind === 'comment') yield { span, kind: FoldingRangeKind.Comment };
    else if (kind === 'raw') yield { span, closed: true };
  }
}

function* foldsOfBlocks(nodes: readonly Node[]): Iterable<Fold> {
  for (const node of nodes) {
    // Each branch folds up to the tag of the next branch; the last branch folds up to the closing tag.
    for (const { from, body } of foldedBodies(node)) {
      yield { span: { start: from, end: body.span.end + 1 }, closed: true };
      yield* foldsOfBlocks(body.nodes);
    }
  }
}

/** Returns the bodies of a block, each with the start of the opening tag. */
function foldedBodies(node: Node): readonly { readonly from: number; readonly body: Block }[] {
  const branches = node.kind === 'if' ? node.branches : 'body' in node ? [node] : [];
  const parts = branches.map(({ tag, body }) => ({ from: tag.span.start, body }));
  const otherwise = 'otherwise' in node ? node.otherwise : undefined;
  return otherwise ? [...parts, { from: otherwise.span.start, body: otherwise }] : parts;
}

/** The maximum number of nested selection ranges; a chain of operators may produce a very deep tree. */
const MAX_STEPS = 60;

export function selectionRange(file: SkillFile, offset: number, locate: Locate): SelectionRange {
  const spans = [...spansAround(file, offset)].sort((a, b) => a.end - a.start - (b.end - b.start));
  const steps: Span[] = [];
  for (const place of spans) {
    if (place.start === place.end) continue;
    const last = steps.at(-1);
    const grows = !last || (contains(place, last) && place.end - place.start > last.end - last.start);
    if (grows && touches(place, offset) && steps.length < MAX_STEPS) steps.push(place);
  }
  let range: SelectionRange = { range: locate.range(file, span(0, file.text.length)) };
  for (const place of steps.reverse()) range = { range: locate.range(file, place), parent: range };
  return range;
}

function* spansAround(file: SkillFile, offset: number): Iterable<Span> {
  const { text, lines, frontmatter, body, metadata, examples, templates } = file;
  yield wordAt(text, offset);
  const { open, close, tree } = frontmatter;
  for (const { root, span: whole } of [tree, ...[...metadata, ...examples].map((one) => one.tree)]) {
    if (!touches(whole, offset)) continue;
    yield* spansInYaml(root, offset);
    yield whole;
  }
  if (open && close) yield span(open.start, close.end);
  for (const one of templates) {
    if (!touches(one.span, offset)) continue;
    yield* spansInTree(one.inFile.template.nodes, offset);
    yield one.span;
  }
  if (!body || offset < body.span.start) return;
  const line = lineAt(lines, offset);
  yield trimmed(text, span(lines[line] ?? 0, lineEnd(text, lines, line)));
  for (const { span: whole, contentSpan } of body.fences) yield* [contentSpan, whole];
  for (const { urlSpan, textSpan, span: whole } of body.links) yield* [textSpan, urlSpan, whole];
  for (const { nameSpan, span: whole } of body.references) yield* [nameSpan, whole];
  const stages = allStages(text, body);
  for (const { textSpan, span: whole } of stages) yield* [textSpan, whole];
  for (const { textSpan } of body.artifacts) yield textSpan;
  for (const section of sectionsOf(body)) yield* [section.heading.span, section.span];
  yield body.span;
}

function* spansInYaml(root: YamlNode | undefined, offset: number): Iterable<Span> {
  for (let node = root; node && touches(node.span, offset); ) {
    yield node.span;
    if (node.kind === 'scalar') {
      if (node.style === 'single' || node.style === 'double') yield span(node.span.start + 1, node.span.end - 1);
      return;
    }
    if (node.kind === 'list') {
      node = findTouching(node.items, offset, spanOf);
      continue;
    }
    const entry: YamlEntry | undefined = findTouching(node.entries, offset, spanOf);
    if (!entry) return;
    yield entry.span;
    yield entry.key.span;
    node = touches(entry.key.span, offset) ? undefined : entry.value;
  }
}

/** Yields the spans of a syntax tree that contain an offset, from the outside in. */
function* spansInTree(root: unknown, offset: number): Iterable<Span> {
  let level: readonly unknown[] = [root];
  for (let depth = 0; depth < 10_000 && level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue;
      const place = 'span' in part ? (part.span as Span) : undefined;
      if (place && !touches(place, offset)) continue;
      if (place) yield place;
      for (const [key, value] of Object.entries(part)) {
        if (key !== 'span') for (const inner of Array.isArray(value) ? value : [value]) next.push(inner);
      }
    }
    level = next;
  }
}

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && WORD.test(text[start - 1] ?? '')) start--;
  while (WORD.test(text[end] ?? '')) end++;
  return span(start, end);
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;

function trimmed(text: string, { start, end }: Span): Span {
  const source = text.slice(start, end);
  return span(start + (source.length - source.trimStart().length), start + source.trimEnd().length);
}
