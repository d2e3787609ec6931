/**
 * The mapping pairs that a rename of a field needs. Without a mapping, a step takes the flow's value of the same name
 * as its input, and the flow takes outputs under their own names (docs/format.md, section 4, "Data flow"). A rename of
 * one of the two needs a mapping in place of the shared name.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { type DataFlow, readDataFlow, type VisitedStep } from '../../rules/common/data-flow/data-flow.ts';
import { findField, pairsOf, type Side } from '../../rules/common/data-flow/values.ts';
import type { ComposesEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { composersOf } from '../../workspace/parts-and-composers.ts';
import type { Target } from '../symbol/target.ts';
import type { MappingKey } from './edit-mapping.ts';
import { fileOf, type Refusal, refuse } from './plan.ts';

export interface NeededPair {
  readonly file: SkillFile;
  readonly entry: ComposesEntry;
  readonly side: MappingKey;
  readonly key: string;
  readonly value: string;
}

type FieldTarget = Target & { kind: 'field' | 'flow' };

/** The pairs that mappings need after the rename; a refusal where no mapping can replace the shared name. */
export function findNeededPairs(
  analysis: Analysis,
  home: SkillFile,
  target: FieldTarget,
  newName: string,
): readonly NeededPair[] | Refusal {
  const needed: NeededPair[] = [];
  const skill = analysis.graph.skills.get(home.uri);
  const uris = new Set([home.uri, ...(skill ? composersOf(analysis.graph, skill).map(({ uri }) => uri) : [])]);
  for (const uri of uris) {
    const file = analysis.file(uri);
    const data = file && readDataFlow(analysis, file);
    if (!file || !data) continue;
    const found = [...pairsForParts(file, data, target, newName), ...pairsForOwn(file, data, target, newName)];
    for (const pair of found) {
      if ('refusal' in pair) return pair;
      const isKnown = needed.some((one) => one.entry === pair.entry && one.side === pair.side && one.key === pair.key);
      if (!isKnown) needed.push(pair);
    }
  }
  return needed;
}

const isField = (side: Side | undefined, target: FieldTarget): boolean =>
  target.kind === 'field' && side?.uri === target.uri && findField(side, target.name)?.span.start === target.key.start;

/** Whether a step takes an input from the flow by its name alone. */
const takesByName = ({ input, entry, inputs }: VisitedStep, name: string): boolean =>
  input !== undefined &&
  findField(input, name) !== undefined &&
  !pairsOf(entry.inputMapping).some(({ to }) => to === name) &&
  !inputs?.entries.some(({ key }) => key.value === name);

const isMapped = ({ outputMapping }: ComposesEntry, name: string): boolean =>
  pairsOf(outputMapping).some(({ from }) => from === name);

/** The field is an input or an output of a composed skill. */
function* pairsForParts(
  file: SkillFile,
  data: DataFlow,
  target: FieldTarget,
  newName: string,
): Iterable<NeededPair | Refusal> {
  const { name } = target;
  for (const visit of data.visits) {
    const { entry, flow } = visit;
    if (isField(visit.input, target) && takesByName(visit, name)) {
      if (flow.values.has(name)) yield { file, entry, side: 'input_mapping', key: name, value: newName };
      else if (flow.values.has(newName)) yield taken(file, newName);
    }
    if (!isField(visit.output, target) || isMapped(entry, name)) continue;
    const origin = (values: readonly { readonly entry: ComposesEntry | undefined }[] | undefined) =>
      values?.some((value) => value.entry === entry) === true;
    const isRead =
      data.visits.some(
        (other) =>
          origin(other.flow.values.get(name)) &&
          (takesByName(other, name) || pairsOf(other.entry.inputMapping).some(({ from }) => from === name)),
      ) ||
      (origin(data.end.values.get(name)) && data.output !== undefined && findField(data.output, name) !== undefined);
    const isInTheWay = data.end.values.has(newName) || data.visits.some((other) => takesByName(other, newName));
    // Another value of the old name, which the output hides, would be visible again.
    const hides = data.visits.some(({ flow: { values } }) => values.get(name)?.some((value) => value.entry !== entry));
    if (isRead || isInTheWay || hides) yield { file, entry, side: 'output_mapping', key: newName, value: name };
  }
}

/** The field is an input or an output of the composite itself, or a value that only its mappings name. */
function* pairsForOwn(
  file: SkillFile,
  data: DataFlow,
  target: FieldTarget,
  newName: string,
): Iterable<NeededPair | Refusal> {
  const { name } = target;
  const isInput = isField(data.input, target);
  const isOutput = isField(data.output, target);
  const isFlow = target.kind === 'flow' && target.uri === file.uri;
  if (!isInput && !isOutput && !isFlow) return;
  const given = data.end.values.get(name) ?? [];
  const inTheWay = data.end.values.has(newName) || data.visits.some((visit) => takesByName(visit, newName));
  if (inTheWay) yield taken(file, newName);
  if (isInput && data.output && findField(data.output, name) && given.some(({ entry }) => !entry)) {
    yield refuse(
      `In ${fileOf(file.uri)} the output \`${name}\` is the input \`${name}\`, handed through by its name. No mapping can say that of two names.`,
    );
  }
  if (isInput && given.some(({ entry }) => entry)) {
    yield refuse(
      `In ${fileOf(file.uri)} a step gives \`${name}\` as well, which takes the input's place. Map the step's output to another name first.`,
    );
  }
  if (isOutput && (given.some(({ entry }) => !entry) || data.input?.fields.some((field) => field.name === name))) {
    yield refuse(
      `In ${fileOf(file.uri)} \`${name}\` is an input as well as an output, one value of one name. Part them by hand first.`,
    );
  }
  for (const visit of data.visits) {
    const { entry, flow } = visit;
    if (flow.values.has(name) && takesByName(visit, name)) {
      yield { file, entry, side: 'input_mapping', key: newName, value: name };
    }
    const gives = !isInput && visit.output && findField(visit.output, name) && !isMapped(entry, name);
    if (gives) yield { file, entry, side: 'output_mapping', key: name, value: newName };
  }
}

const taken = ({ uri }: SkillFile, name: string): Refusal =>
  refuse(`In ${fileOf(uri)} the flow has \`${name}\` already, which would be taken for it. Choose another name.`);
