/** `skill-composer graph`. */

import { toDot, toMermaid } from '../../../features/graph/drawing.ts';
import { countFindings, graphView, NO_FINDINGS } from '../../../features/graph/graph-view.ts';
import { mapPlaces } from '../../../features/preview/with-ranges.ts';
import type { GraphView } from '../../../protocol.ts';
import { rangeOf } from '../../../text.ts';
import { visibleSkills } from '../../../workspace/workspace-index.ts';
import { assertCatalogsParse, openProject, type Project } from '../../node/project.ts';
import { printedJson } from '../../reports/json.ts';
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
  const view = graphView(analysis, {
    roots,
    // A drawing shows no findings.
    countFindings: (uri) => (format === 'json' ? countFindings(analysis, uri) : NO_FINDINGS),
  });
  const root = roots.length === 1 ? roots[0] : undefined;
  console.print(
    format === 'json' ? toJson(project, view) : format === 'dot' ? toDot(view, root) : toMermaid(view, root),
  );
  return 0;
}

/** Returns the graph as JSON. File paths replace URIs as the IDs of skills. */
function toJson({ workspace, fileOf }: Project, { nodes, edges, cycles }: GraphView): string {
  const { analysis } = workspace;
  const idOf = (id: string): string => (analysis.index.files.has(id) ? fileOf(id) : id);
  const json = {
    version: 1,
    nodes: nodes.map((node) => ({ ...node, id: idOf(node.id) })),
    edges: edges.map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) })),
    cycles: cycles.map((cycle) => cycle.map(idOf)),
  };
  const placed = mapPlaces(json, (uri, span) => ({
    file: fileOf(uri),
    range: rangeOf(analysis.file(uri)?.lines ?? [0], span),
  }));
  return printedJson(placed);
}
