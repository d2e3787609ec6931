/** Parameters, outputs and the fields within them. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import type { Scopes } from '../../languages/minijinja/scopes.ts';
import { formatScalar, insertEntry, removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, nodeAt, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { type DataFlow, readDataFlow, type VisitedStep } from '../../rules/common/data-flow/data-flow.ts';
import { findField, pairsOf, type Side } from '../../rules/common/data-flow/values.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, contains, overlaps, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { composersOf } from '../../workspace/parts-and-composers.ts';
import type { Occurrence } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import {
  fileOf,
  isRefusal,
  type Plan,
  planEdits,
  type RenameRefusal,
  refuse,
  refuseIdentifier,
  scalarAt,
} from './plan.ts';

type FieldTarget = Target & { kind: 'field' };

export function refuseField(home: SkillFile, { name, key }: FieldTarget): RenameRefusal | undefined {
  const isOwn = isInput(home, key);
  const isReassigned = home.templates.some(({ source }) =>
    source.scopes.variables.some((one) => one.name === name && one.uses.some(({ certain }) => !certain)),
  );
  if (isOwn && isReassigned) {
    return refuse(
      `A template sets \`${name}\` anew under a condition: one name for parameter and variable. Part them by hand first.`,
    );
  }
  return !isOwn && namesByString(home, name)
    ? refuse(
        `A filter of ${fileOf(home.uri)} names \`${name}\` by a string, which may mean this field. Write that in another way first.`,
      )
    : undefined;
}

const isInput = ({ contract }: SkillFile, key: Span): boolean =>
  contract.input?.schema.fields.some(({ keySpan }) => keySpan.start === key.start) === true;

/** The scopes of all templates and conditions. */
const scopesOf = ({ templates, conditions }: SkillFile): readonly Scopes[] => [
  ...templates.map(({ source }) => source.scopes),
  ...conditions.map(({ scopes }) => scopes),
];

/** The filters that take the name of an attribute: `map(attribute="name")`, `sort(attribute="name")`, `groupby("name")`. */
const BY_ATTRIBUTE = new Set(['map', 'selectattr', 'rejectattr', 'sort', 'groupby', 'unique', 'min', 'max', 'sum']);

const namesByString = (file: SkillFile, name: string): boolean =>
  scopesOf(file).some((scopes) =>
    scopes.filters.some(
      ({ name: filter, call }) =>
        BY_ATTRIBUTE.has(filter) &&
        call?.args.some(
          ({ value }) =>
            value.kind === 'literal' && typeof value.value === 'string' && value.value.split('.').includes(name),
        ),
    ),
  );

const NAME = /^[\p{L}_$][\p{L}\d_$-]*$/u;

export function refuseFieldName(
  home: SkillFile,
  { key }: FieldTarget,
  newName: string,
  occurrences: readonly Occurrence[],
): RenameRefusal | undefined {
  if (!NAME.test(newName))
    return refuse(`\`${newName}\` is no name for a field. Write letters, digits, \`_\` and \`-\`.`);
  const inTemplate = occurrences.some(
    ({ file, span }) =>
      file.templates.some((template) => contains(template.span, span)) ||
      file.conditions.some(({ scalar }) => contains(scalar.span, span)),
  );
  const refusal = inTemplate ? refuseIdentifier(newName) : undefined;
  if (refusal) return refusal;
  const place = scalarAt(home, key);
  const siblings = place && nodeAt(home.frontmatter.tree.root, place.path.slice(0, -1));
  if (siblings?.kind === 'map' && siblings.entries.some((entry) => entry.key.value === newName)) {
    return refuse(`There is a field \`${newName}\` already beside it. Choose another name.`);
  }
  const isVariable =
    isInput(home, key) &&
    scopesOf(home).some(
      (scopes) =>
        scopes.variables.some((one) => one.name === newName) || scopes.free.some((one) => one.name === newName),
    );
  return isVariable
    ? refuse(
        `A template or a condition of ${fileOf(home.uri)} has a variable \`${newName}\` already. Choose another name.`,
      )
    : undefined;
}

/** All places of the field or of a value of the flow, and the mapping pairs that the new name needs. */
export function planField(
  analysis: Analysis,
  home: SkillFile,
  target: Target & { kind: 'field' | 'flow' },
  newName: string,
  occurrences: readonly Occurrence[],
): Plan | RenameRefusal {
  const plan = planEdits(occurrences, newName);
  const needed = findNeededPairs(analysis, home, target, newName);
  if (isRefusal(plan)) return plan;
  if (isRefusal(needed)) return needed;
  const remapped = new Set(needed.map(({ file }) => file.uri));
  const files = new Map<string, readonly TextEdit[]>(plan.edits.map(({ uri, edits }) => [uri, edits]));
  for (const file of new Set(occurrences.map((one) => one.file))) {
    for (const removal of redundantPairs(file, occurrences, newName)) {
      remapped.add(file.uri);
      const others = (files.get(file.uri) ?? []).filter(
        ({ span }) => !removal.some((edit) => overlaps(edit.span, span)),
      );
      files.set(file.uri, [...others, ...removal]);
    }
  }
  for (const { file, entry, side, key, value } of needed) {
    const added = addPair(file, entry, side, key, value);
    if (added.length === 0) {
      return refuse(
        `In ${fileOf(file.uri)} \`${entry.name}\` needs \`${side}: {${key}: ${value}}\` first, which cannot be added without rewriting more.`,
      );
    }
    files.set(file.uri, [...(files.get(file.uri) ?? []), ...added]);
  }
  const edits: FileEdits[] = [...files].map(([uri, all]) => ({ uri, edits: all }));
  return { edits, moves: [], remapped: [...remapped] };
}

/** The edits that remove pairs which would map the new name to itself. */
function* redundantPairs(
  file: SkillFile,
  occurrences: readonly Occurrence[],
  newName: string,
): Iterable<readonly TextEdit[]> {
  const isRenamed = (place: Span) => occurrences.some((one) => one.file === file && contains(place, one.span));
  for (const entry of file.contract.composes) {
    const sides: readonly (readonly [MappingKey, typeof entry.inputMapping])[] = [
      ['input_mapping', entry.inputMapping],
      ['output_mapping', entry.outputMapping],
    ];
    for (const [side, mapping] of sides) {
      for (const { key, value } of mapping?.entries ?? []) {
        if (value.kind !== 'scalar') continue;
        const joins =
          (isRenamed(key.span) && !isRenamed(value.span) && value.value === newName) ||
          (isRenamed(value.span) && !isRenamed(key.span) && key.value === newName);
        const removal = joins ? dropPair(file, entry, side, String(key.value), String(value.value)) : undefined;
        if (removal) yield removal;
      }
    }
  }
}

/** Adds pairs to the mappings in `composes`, and removes them. */
type MappingKey = 'input_mapping' | 'output_mapping';

const itemOf = ({ frontmatter }: SkillFile, entry: ComposesEntry): YamlNode | undefined => {
  const list = findSkillEntry(frontmatter.tree.root, 'composes')?.value;
  return list?.kind === 'list' ? list.items.find((item) => contains(item.span, entry.span)) : undefined;
};

const mappingOf = (entry: ComposesEntry, side: MappingKey): YamlMap | undefined =>
  side === 'input_mapping' ? entry.inputMapping : entry.outputMapping;

/** Adds `key: value` to an entry's mapping; nothing where that cannot be done without rewriting more. */
function addPair(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
  value: string,
): readonly TextEdit[] {
  const { text } = file;
  const item = itemOf(file, entry);
  const mapping = mappingOf(entry, side);
  if (mapping) return insertEntry(text, mapping, key, formatScalar(value, true));
  const pair = `{${formatScalar(key, true)}: ${formatScalar(value, true)}}`;
  if (item?.kind === 'map') return insertEntry(text, item, side, pair);
  if (item?.kind !== 'scalar') return [];
  return [{ span: item.span, newText: `{skill: ${sliceOf(text, item.span)}, ${side}: ${pair}}` }];
}

/**
 * Removes a pair if adding it again would give the same bytes, so that a rename and its undoing leave the file as it was.
 * Undefined where the pair has to stay.
 */
function dropPair(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
  value: string,
): readonly TextEdit[] | undefined {
  const { text, uri } = file;
  const index = file.contract.composes.indexOf(entry);
  return removals(file, entry, side, key).find((edits) => {
    if (edits.length === 0) return false;
    const without = new SkillFile(uri, applyEdits(text, edits));
    const same = without.contract.composes[index];
    if (!same || same.name !== entry.name) return false;
    const added = addPair(without, same, side, key, value);
    return added.length > 0 && applyEdits(without.text, added) === text;
  });
}

function removals(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
): readonly (readonly TextEdit[])[] {
  const { text } = file;
  const item = itemOf(file, entry);
  const mapping = mappingOf(entry, side);
  if (item?.kind !== 'map' || !mapping) return [];
  if (mapping.entries.length > 1) return [removeEntry(text, mapping, key)];
  const name = findEntry(item, 'skill')?.value;
  const bare = name && item.entries.length === 2 ? [{ span: item.span, newText: sliceOf(text, name.span) }] : [];
  return [bare, removeEntry(text, item, side)];
}

/**
 * The mapping pairs that a rename of a field needs. Without a mapping, a step takes the flow's value of the same name
 * as its input, and the flow takes outputs under their own names (docs/format.md, section 4, "Data flow"). A rename of
 * one of the two needs a mapping in place of the shared name.
 */
interface NeededPair {
  readonly file: SkillFile;
  readonly entry: ComposesEntry;
  readonly side: MappingKey;
  readonly key: string;
  readonly value: string;
}

type PairTarget = Target & { kind: 'field' | 'flow' };

/** The pairs that mappings need after the rename; a refusal where no mapping can replace the shared name. */
function findNeededPairs(
  analysis: Analysis,
  home: SkillFile,
  target: PairTarget,
  newName: string,
): readonly NeededPair[] | RenameRefusal {
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

const isField = (side: Side | undefined, target: PairTarget): boolean =>
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
  target: PairTarget,
  newName: string,
): Iterable<NeededPair | RenameRefusal> {
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
  target: PairTarget,
  newName: string,
): Iterable<NeededPair | RenameRefusal> {
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

const taken = ({ uri }: SkillFile, name: string): RenameRefusal =>
  refuse(`In ${fileOf(uri)} the flow has \`${name}\` already, which would be taken for it. Choose another name.`);
