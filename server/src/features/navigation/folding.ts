/** What can be folded: frontmatter, maps and lists, sections, fences, template blocks, comments. */
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver-types';
import type { Body as Block, Node, Template } from '../../languages/minijinja/ast.ts';
import type { YamlComment, YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, type Span, shift } from '../../text.ts';
import { sectionsOf } from './sections.ts';

interface Fold {
  readonly span: Span;
  readonly kind?: FoldingRangeKind;
  /** True where the last line closes what the first opens, and stays visible. */
  readonly closed?: boolean;
}

/** Folds of whole lines, as every client takes them. Of two that begin on one line the larger counts. */
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

/** Comments on consecutive lines are one fold. */
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

/** Of one template; its places count from the template's start. */
function* foldsOfTemplate({ nodes, tags }: Template): Iterable<Fold> {
  yield* foldsOfBlocks(nodes);
  for (const { kind, span } of tags) {
    if (kind === 'comment') yield { span, kind: FoldingRangeKind.Comment };
    else if (kind === 'raw') yield { span, closed: true };
  }
}

function* foldsOfBlocks(nodes: readonly Node[]): Iterable<Fold> {
  for (const node of nodes) {
    // Each branch folds up to the tag of the next one, the last up to the closing tag.
    for (const { from, body } of foldedBodies(node)) {
      yield { span: { start: from, end: body.span.end + 1 }, closed: true };
      yield* foldsOfBlocks(body.nodes);
    }
  }
}

/** The bodies of a block, with the start of the tag that opens each. */
function foldedBodies(node: Node): readonly { readonly from: number; readonly body: Block }[] {
  const branches = node.kind === 'if' ? node.branches : 'body' in node ? [node] : [];
  const parts = branches.map(({ tag, body }) => ({ from: tag.span.start, body }));
  const otherwise = 'otherwise' in node ? node.otherwise : undefined;
  return otherwise ? [...parts, { from: otherwise.span.start, body: otherwise }] : parts;
}
