/** Messages of the composition graph's panel: real graphs of skills given as text, and large graphs. */
import type { ToGraphPage } from '../../client/src/panels/graph/messages.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { clientLists } from '../../server/src/features/clients/clients-view.ts';
import { countSeverities, graphView } from '../../server/src/features/graph/graph-view.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { withRanges } from '../../server/src/features/preview/with-ranges.ts';
import type { GraphReply } from '../../server/src/protocol.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { contract } from '../core/workspace/skills.ts';

export type ShowGraph = Extract<ToGraphPage, { type: 'show' }>;

const uriOf = (path: string): string => `file:///skills-here/${path}`;

/**
 * The message that shows the graph of `files` (contents by path). `scope` is one of the paths, or null for all files.
 */
export function showGraph(files: Readonly<Record<string, string>>, scope: string | null = null): ShowGraph {
  const workspace = new Workspace();
  workspace.apply({ kind: 'partial', partial: true });
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: uriOf(path), text });
  workspace.apply({ kind: 'partial', partial: false });
  const analysis = workspace.analysis;
  const roots = scope === null ? {} : { roots: [uriOf(scope)] };
  // The counts as in the Problems view.
  const countFindings = (uri: string) => {
    const file = analysis.file(uri);
    return countSeverities(file ? check(file, analysis).map(({ severity }) => severity) : []);
  };
  const graph = withRanges(analysis, utf16, {
    ...graphView(analysis, { ...roots, countFindings }),
    lists: clientLists(analysis),
  });
  return { type: 'show', graph, scope: scope === null ? null : uriOf(scope) };
}

/** Skill files with these lines of frontmatter, by skill name. */
export const skillFiles = (skills: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(skills).map(([name, lines]) => [`${name}.skill.yaml`, contract(name, ...lines)] as const),
  );

/**
 * A graph of `count` skills on three levels. Each skill composes three or four skills of the next level. The graph is
 * the same in every run. `perFolder` is the number of skills in a folder; without `perFolder`, all skills are in one
 * folder.
 */
export function manySkills(count: number, perFolder = count): ShowGraph {
  const [workflows, composites] = [Math.floor(count / 20), Math.floor(count / 4)];
  const nodes: GraphReply['nodes'][number][] = [];
  const edges: GraphReply['edges'][number][] = [];
  const range = { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } };
  const uriAt = (at: number): string => uriOf(`part-${Math.floor(at / perFolder)}/skill-${at}.skill.md`);
  let seed = 1;
  const pick = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let at = 0; at < count; at++) {
    const level = at < workflows ? 3 : at < workflows + composites ? 2 : 1;
    const uri = uriAt(at);
    nodes.push({
      kind: 'skill',
      ...{ id: uri, uri, range, name: `gather-and-check-${at}`, version: '1.2.0', level, rank: 3 - level },
      ...{ description: 'What it is.', isDeprecated: false, isDisabled: false, isBroken: false, isInCycle: false },
      ...{ effects: ['Query', 'Network'], operation: 'READ', isInferred: { effects: false, operation: false } },
      ...{ p95: { declared: 300, ofParts: null }, cost: null, stages: [] },
      findings: { errors: at % 50 === 0 ? 1 : 0, warnings: 0, infos: 0, hints: 0 },
    });
    const [first, among] =
      level === 3 ? [workflows, composites] : [workflows + composites, count - workflows - composites];
    const parts = level === 1 ? 0 : level === 2 ? 3 : 4;
    for (let part = 0; part < parts; part++) {
      edges.push({
        kind: 'composes',
        ...{ from: uri, to: uriAt(first + pick(among)), uri, range, step: `step-${part}` },
        ...{ as: null, requires: '^1.0.0', version: '1.2.0', adapter: null, isAllowed: true, stage: part + 1 },
        ...{ isInCycle: false, isCritical: part === 0 },
      });
    }
  }
  return { type: 'show', graph: { nodes, edges, cycles: [], partial: false, lists: [] }, scope: null };
}
