/** Composed skills where no `execution` gives an order: that of `composes` (docs/composer.md, step 5). */
import { type FlowNames, flowNames, groupNeighbours } from '../../skill/neighbours.ts';
import type { PackageSkill, PackageStage, SkillPackage } from '../../skill/package.ts';
import { fieldNames } from '../../skill/summary.ts';
import { span } from '../../text.ts';
import { addDecision, type ShapeContext } from './context.ts';
import type { OpenEdge } from './graph.ts';
import { addGroup } from './groups.ts';
import { addSkill } from './nested.ts';

/** Composed skills that begin together, with the stage of the approach that waits for them, 0 being the first. */
interface Turn {
  readonly stage: number;
  readonly entries: readonly PackageSkill[];
}

/** What runs before each stage of an approach; without stages, all of it is in the first place. */
export function turnsOf(skillPackage: SkillPackage, stages: readonly PackageStage[]): readonly Turn[] {
  const { composes } = skillPackage;
  const waiting = stagesThatWait(composes, stages);
  return groupNeighbours(composes.map(flowOf)).flatMap((group) => {
    const places = [...new Set(group.map((at) => waiting[at] ?? 0))];
    return places.map((stage) => ({
      stage,
      entries: group.flatMap((at) => ((waiting[at] ?? 0) === stage ? (composes[at] ?? []) : [])),
    }));
  });
}

/**
 * For each entry the stage that it runs before: the first that refers to it or to a later entry, since none overtakes
 * another. One that nothing waits for runs as soon as it may.
 */
function stagesThatWait(composes: readonly PackageSkill[], stages: readonly PackageStage[]): readonly number[] {
  const limits = new Array<number>(composes.length).fill(Number.POSITIVE_INFINITY);
  let limit = Number.POSITIVE_INFINITY;
  for (let at = composes.length - 1; at >= 0; at--) {
    const entry = composes[at];
    limit = Math.min(limit, entry ? stageThatRefersTo(entry, stages) : limit);
    limits[at] = limit;
  }
  let last = 0;
  return composes.map((entry, at) => {
    if (stageThatRefersTo(entry, stages) < Number.POSITIVE_INFINITY) last = limits[at] ?? last;
    return last;
  });
}

/** By its name or by that of its step. */
function stageThatRefersTo({ name, step }: PackageSkill, stages: readonly PackageStage[]): number {
  const at = stages.findIndex(({ references }) =>
    references.some((one) => one.kind === 'skill' && (one.name === step || one.name === name)),
  );
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

export const addTurns = (
  context: ShapeContext,
  open: readonly OpenEdge[],
  turns: readonly Turn[],
  stages: readonly PackageStage[],
): readonly OpenEdge[] =>
  turns.reduce((last, { stage, entries }) => {
    for (const entry of entries) {
      const isOwn = stageThatRefersTo(entry, stages) === stage;
      const reason = isOwn ? `runs in stage ${stage + 1}, which refers to it` : 'runs in the order of composes';
      addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    }
    return addTurn(context, last, entries);
  }, open);

function addTurn(
  context: ShapeContext,
  open: readonly OpenEdge[],
  entries: readonly PackageSkill[],
): readonly OpenEdge[] {
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return open;
  if (first === last) return addSkill(context, open, first);
  return addGroup(context, open, {
    kind: 'parallel',
    label: 'In parallel',
    span: span(first.span.start, last.span.end),
    arms: entries,
    add: addSkill,
  }).open;
}

/** Undefined where the skill is not known. */
function flowOf({ package: composed, inputMapping, outputMapping }: PackageSkill): FlowNames | undefined {
  if (typeof composed === 'string') return undefined;
  const { inputSchema, outputSchema } = composed;
  return flowNames(
    { fields: inputSchema ? fieldNames(inputSchema.json) : [], mapping: Object.entries(inputMapping) },
    { fields: outputSchema ? fieldNames(outputSchema.json) : [], mapping: Object.entries(outputMapping) },
  );
}
