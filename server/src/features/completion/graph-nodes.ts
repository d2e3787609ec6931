/** The names of the nodes that a skill's graph may have (docs/composer.md, step 5), for `expect.nodes`. */
import { skillIdOf } from '../../composer/subgraph/graph.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { allStages } from '../../skill/body.ts';
import { type ExecutionNode, readExecution } from '../../skill/execution/execution.ts';
import { hasLoop } from '../../skill/package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/**
 * Returns the names of the nodes, in the order of a run. The input of a composition
 * decides which nodes it has, so there may be more names than nodes. Never throws.
 */
export function graphNodeNames(file: SkillFile): readonly string[] {
  const { contract, body, text, frontmatter } = file;
  const groups = groupNames(readExecution(text, findValue(frontmatter.tree.root, 'execution')), new Map());
  const skills = contract.composes.map(({ step }) => skillIdOf(step));
  return [
    'validate_input',
    ...groups,
    ...skills,
    ...workNames(file, body ? allStages(text, body).length : 0),
    'check_exit',
  ];
}

function workNames({ contract, dialect, frontmatter }: SkillFile, stages: number): readonly string[] {
  const backed = findValue(frontmatter.tree.root, 'backing_service') !== undefined;
  if (backed) return ['call_service'];
  const framing = findValue(frontmatter.tree.root, 'framing');
  if (!hasLoop({ backed, dialect, composes: contract.composes, framing })) return [];
  const calls = contract.tools.length > 0;
  const loop = (suffix: string) => [`plan${suffix}`, ...(calls ? [`call_tools${suffix}`] : [])];
  return stages === 0 ? loop('') : Array.from({ length: stages }, (_, at) => loop(`_${at + 1}`)).flat();
}

/** Returns the names of the groups: each kind is numbered from 1, and a group comes before the groups inside it. */
function groupNames(nodes: readonly ExecutionNode[], counts: Map<string, number>): readonly string[] {
  const next = (kind: string): string => {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return `${kind}_${number}`;
  };
  return nodes.flatMap((node): readonly string[] => {
    if (node.kind === 'step') return node.condition ? [next('branch')] : [];
    const own = node.kind === 'branch' ? [next('branch')] : [next(node.kind), next('join')];
    const inside = node.kind === 'branch' ? node.arms.flatMap(({ steps }) => steps) : node.steps;
    return [...own, ...groupNames(inside, counts)];
  });
}
