/** The names of the nodes that a skill's graph may have (docs/composer.md, step 5), for `expect.nodes`. */
import type { Analysis } from '../../analysis/analysis.ts';
import { packageOf } from '../../analysis/package-of.ts';
import type { NodeKind } from '../../composer/composition.ts';
import { groupSkillsByStage } from '../../composer/subgraph/execution.ts';
import { newGraph, nextNumberedId, uniqueSkillId } from '../../composer/subgraph/graph.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { allStages } from '../../skill/body.ts';
import { callsIn, type ExecutionNode, readExecution } from '../../skill/execution/execution.ts';
import { hasLoop } from '../../skill/package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/**
 * Returns the names of the nodes: the composed skills with their groups in the order of a run, then the other nodes. The
 * input of a composition decides which nodes it has, so there may be more names than nodes. Never throws.
 */
export const graphNodeNames = (analysis: Analysis, file: SkillFile): readonly string[] => [
  'validate_input',
  ...(file.contract.backed ? ['call_service'] : [...skillNames(analysis, file), ...loopNames(file)]),
  'check_exit',
];

function loopNames({ contract, dialect, frontmatter, body, text }: SkillFile): readonly string[] {
  const framing = findValue(frontmatter.tree.root, 'framing');
  if (!hasLoop({ backed: false, dialect, composes: contract.composes, framing })) return [];
  const stages = body ? allStages(text, body).length : 0;
  const calls = contract.tools.length > 0;
  const loop = (suffix: string) => [`plan${suffix}`, ...(calls ? [`call_tools${suffix}`] : [])];
  return stages === 0 ? loop('') : Array.from({ length: stages }, (_, at) => loop(`_${at + 1}`)).flat();
}

/** Returns the names of the composed skills and of the groups around them, numbered as the composer numbers them. */
function skillNames(analysis: Analysis, file: SkillFile): readonly string[] {
  const { text, frontmatter, contract, uri } = file;
  const graph = newGraph();
  const known = new Set(contract.composes.map(({ step }) => step));
  const grouped = (kind: NodeKind, inside: () => readonly string[]): readonly string[] => {
    const [start, join] = [nextNumberedId(graph, kind), nextNumberedId(graph, 'join')];
    return [start, ...inside(), join];
  };
  const skill = (step: string): readonly string[] => (known.has(step) ? [uniqueSkillId(graph, step)] : []);
  const namesOf = (node: ExecutionNode): readonly string[] => {
    const steps = callsIn([node]).map(({ step }) => step.name);
    if (!steps.some((step) => known.has(step))) return [];
    switch (node.kind) {
      case 'step':
        return [...(node.condition ? [nextNumberedId(graph, 'branch')] : []), ...steps.flatMap(skill)];
      case 'branch':
        return [nextNumberedId(graph, 'branch'), ...node.arms.flatMap((arm) => arm.steps.flatMap(namesOf))];
      case 'parallel':
        return grouped('parallel', () => node.steps.flatMap(namesOf));
      case 'speculate':
        return grouped('speculate', () => steps.flatMap(skill));
    }
  };
  const execution = findValue(frontmatter.tree.root, 'execution');
  if (execution) return readExecution(text, execution).flatMap(namesOf);
  const own = packageOf(analysis, uri, () => []);
  const groups = own
    ? groupSkillsByStage(
        own,
        own.artifacts.flatMap(({ stages }) => stages),
      )
    : [];
  return groups.flatMap(({ entries }) => {
    const inside = () => entries.flatMap(({ step }) => skill(step));
    return entries.length > 1 ? grouped('parallel', inside) : inside();
  });
}
