/** `skill-composer graph`. */

import { toDot, toMermaid } from '../../../features/graph/drawing.ts';
import { countSeverities, type LazyGraph, lazyGraph, NO_FINDINGS } from '../../../features/graph/graph-view.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { printedJsonInPieces } from '../../../reports/json.ts';
import { compositionFindings } from '../../../rules/engine/composition-findings.ts';
import { rangeOf, type Span } from '../../../text.ts';
import { visibleSkills } from '../../../workspace/workspace-index.ts';
import type { Console } from '../console.ts';
import { useSurface } from './invocation.ts';

export interface GraphOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'mermaid' | 'dot' | 'json';
  readonly surface?: string | undefined;
}

/**
 * Prints the graph of the named skills and all skills that they compose. Returns the status 0. Throws a `UserError` for
 * status 2.
 */
export async function runGraph(options: GraphOptions, console: Console): Promise<number> {
  const { cwd, paths, config, format, surface } = options;
  const { progress } = console;
  const project = await openProject({ cwd, paths, config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  useSurface(project, surface);
  const { analysis } = project.workspace;
  const roots = visibleSkills(analysis.graph, project.listed);
  const view = lazyGraph(analysis, {
    roots,
    // A drawing shows no findings.
    countFindings: (uri) =>
      format === 'json'
        ? countSeverities(compositionFindings(analysis, uri).map(({ severity }) => severity))
        : NO_FINDINGS,
  });
  const root = roots.length === 1 ? roots[0] : undefined;
  if (format === 'json') await console.printPieces(toJson(project, view));
  else console.print(format === 'dot' ? toDot(view, root) : toMermaid(view, root));
  return 0;
}

/** Returns the graph as JSON, in pieces. File paths replace URIs as the IDs of skills. */
function toJson({ workspace, fileOf }: Project, { nodes, edges, cycles }: LazyGraph): Iterable<string> {
  const { analysis } = workspace;
  const names = new Map<string, string>();
  const nameOf = (uri: string): string => {
    const name = names.get(uri) ?? fileOf(uri);
    names.set(uri, name);
    return name;
  };
  let last = { uri: '', lines: [0] as readonly number[] };
  // The edges of a file follow one another.
  const linesOf = (uri: string): readonly number[] => {
    if (last.uri !== uri) last = { uri, lines: analysis.file(uri)?.lines ?? [0] };
    return last.lines;
  };
  const idOf = (id: string): string => names.get(id) ?? (analysis.index.files.has(id) ? nameOf(id) : id);
  const rangeIn = ({ uri, span }: { readonly uri: string; readonly span: Span }) => rangeOf(linesOf(uri), span);
  // JSON leaves out undefined values.
  return printedJsonInPieces({
    version: 1,
    nodes: converted(nodes, (node) => ({
      ...node,
      ...(node.kind === 'skill' && { uri: undefined, span: undefined, file: nameOf(node.uri), range: rangeIn(node) }),
      id: idOf(node.id),
    })),
    edges: converted(edges, (edge) => ({
      ...edge,
      uri: undefined,
      span: undefined,
      file: nameOf(edge.uri),
      range: rangeIn(edge),
      from: idOf(edge.from),
      to: idOf(edge.to),
    })),
    cycles: converted(cycles, (cycle) => cycle.map(idOf)),
  });
}

function* converted<Item>(items: Iterable<Item>, convert: (item: Item) => unknown): Iterable<unknown> {
  for (const item of items) yield convert(item);
}
