/** Renames parameters, outputs and their nested fields. */
import type { Analysis } from '../../analysis/analysis.ts';
import { type DataFlow, readDataFlow, readsByName } from '../../analysis/data-flow/data-flow.ts';
import { findField, type Side } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import type { FileEdits } from '../../finding.ts';
import type { Scopes } from '../../languages/minijinja/scopes.ts';
import { formatScalar, insertEntry, removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, nodeAt, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, contains, lineAt, overlaps, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { filesUsingFields } from '../../workspace/composition-lookups.ts';
import type { Occurrence } from '../symbol/occurrences.ts';
import { symbolAt } from '../symbol/symbol.ts';
import type { SymbolTarget } from '../symbol/target.ts';
import { valueAt } from '../symbol/template-values.ts';
import {
  isRefusal,
  type Plan,
  planEdits,
  quotedFileName,
  type RenameRefusal,
  refuse,
  refuseIdentifier,
  scalarAt,
} from './plan.ts';

type FieldTarget = SymbolTarget & { kind: 'field' };

export function refuseField(home: SkillFile, { name, key }: FieldTarget): RenameRefusal | undefined {
  const isOwn = isInput(home, key);
  const isReassigned = home.templates.some(({ source }) =>
    source.scopes.variables.some((one) => one.name === name && one.uses.some(({ certain }) => !certain)),
  );
  if (isOwn && isReassigned) {
    return refuse(
      `A template also sets \`${name}\` under a condition, so the name refers to both a parameter and a variable. Rename one of them by hand first.`,
    );
  }
  if (!isOwn && isNamedByString(home, name)) {
    return refuse(
      `A filter in ${quotedFileName(home.uri)} contains \`${name}\` as a string, which may refer to this field. Replace the string first.`,
    );
  }
  if (isOwn && isStringBesideParameters(home, name)) {
    return refuse(
      `The string \`${name}\` in ${quotedFileName(home.uri)} may refer to this field, because it is beside \`parameters\`. Replace the string first.`,
    );
  }
  const input = home.contract.input?.entry.value.span;
  const unclear = input && contains(input, key) ? findUnclearUse(home, name) : undefined;
  return unclear === undefined
    ? undefined
    : refuse(
        `\`.${name}\` in ${quotedFileName(home.uri)}, line ${lineAt(home.lines, unclear) + 1}, may refer to this field, but the type of its value is unknown. Rename both by hand.`,
      );
}

/** Returns the offset of an attribute with this name in a template or condition, if the type of its value is unknown. */
function findUnclearUse(home: SkillFile, name: string): number | undefined {
  const { text, templates, conditions } = home;
  const places = [
    ...templates.map(({ span }) => ({ span, isExpression: false })),
    ...conditions.map(({ scalar: { span } }) => ({ span, isExpression: true })),
  ];
  for (const { span, isExpression } of places) {
    const find = (from: number): number => text.indexOf(`.${name}`, from);
    for (let dot = find(span.start); dot >= 0 && dot < span.end; dot = find(dot + 1)) {
      const isWord = !/[\w(]/.test(text[dot + 1 + name.length] ?? '');
      if (isWord && (isExpression || isInTag(text, dot)) && isUnclear(home, dot + 1)) return dot;
    }
  }
  return undefined;
}

function isInTag(text: string, offset: number): boolean {
  const last = (...marks: readonly string[]): number =>
    Math.max(...marks.map((mark) => text.lastIndexOf(mark, offset)));
  return last('{{', '{%') > last('}}', '%}');
}

function isUnclear(home: SkillFile, offset: number): boolean {
  const symbol = symbolAt(home, offset);
  if (symbol?.kind !== 'variable') return symbol === undefined;
  const { name, path, variable } = symbol;
  const value = valueAt(home, name, variable, path);
  return path.length > 0 && (value === undefined || value.hasSeveralSources === true);
}

const isInput = ({ contract }: SkillFile, key: Span): boolean =>
  contract.input?.schema.fields.some(({ keySpan }) => keySpan.start === key.start) === true;

/** The scopes of all templates and conditions. */
const scopesOf = ({ templates, conditions }: SkillFile): readonly Scopes[] => [
  ...templates.map(({ source }) => source.scopes),
  ...conditions.map(({ scopes }) => scopes),
];

/**
 * The filters with an attribute name as an argument: `map(attribute="name")`, `sort(attribute="name")`,
 * `groupby("name")`.
 */
const BY_ATTRIBUTE = new Set(['map', 'selectattr', 'rejectattr', 'sort', 'groupby', 'unique', 'min', 'max', 'sum']);

const isNamedByString = (file: SkillFile, name: string): boolean =>
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

/** Returns whether a template or a condition uses `parameters` as a whole, and contains a parameter's name as a string. */
const isStringBesideParameters = ({ text, templates, conditions }: SkillFile, name: string): boolean =>
  [...templates.map(({ source, span }) => ({ scopes: source.scopes, span })), ...conditions.map(asHolder)].some(
    ({ scopes, span }) =>
      scopes.uses.some((use) => use.name === 'parameters' && !use.variable && use.path.length === 0) &&
      ["'", '"'].some((quote) => sliceOf(text, span).includes(quote + name + quote)),
  );

const asHolder = ({ scopes, scalar: { span } }: SkillFile['conditions'][number]) => ({ scopes, span });

const NAME = /^[\p{L}_$][\p{L}\d_$-]*$/u;

export function refuseFieldName(
  home: SkillFile,
  { key }: FieldTarget,
  newName: string,
  occurrences: readonly Occurrence[],
): RenameRefusal | undefined {
  if (!NAME.test(newName))
    return refuse(
      `\`${newName}\` is not a valid field name. Use letters, digits, \`_\` and \`-\`; start with a letter or \`_\`.`,
    );
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
    return refuse(`The field \`${newName}\` already exists at the same level. Choose another name.`);
  }
  const isVariable =
    isInput(home, key) &&
    scopesOf(home).some(
      (scopes) =>
        scopes.variables.some((one) => one.name === newName) ||
        scopes.undefinedUses.some((one) => one.name === newName),
    );
  return isVariable
    ? refuse(
        `A template or a condition in ${quotedFileName(home.uri)} already uses the variable \`${newName}\`. Choose another name.`,
      )
    : undefined;
}

/** Plans the edits to all occurrences of a field or a flow value, and the mapping pairs that the new name requires. */
export function planField(
  analysis: Analysis,
  home: SkillFile,
  target: SymbolTarget & { kind: 'field' | 'flow' },
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
    const added = addMappingPair(file, entry, side, key, value);
    if (added.length === 0) {
      return refuse(
        `\`${entry.name}\` in ${quotedFileName(file.uri)} needs a mapping that cannot be added automatically. Add \`${side}: {${key}: ${value}}\` first.`,
      );
    }
    files.set(file.uri, [...(files.get(file.uri) ?? []), ...added]);
  }
  const edits: FileEdits[] = [...files].map(([uri, all]) => ({ uri, edits: all }));
  return { edits, moves: [], remapped: [...remapped] };
}

/** Yields the edits to remove mapping pairs that would map the new name to itself. */
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
        const removal = joins
          ? removeMappingPair(file, entry, side, String(key.value), String(value.value))
          : undefined;
        if (removal) yield removal;
      }
    }
  }
}

type MappingKey = 'input_mapping' | 'output_mapping';

const itemOf = ({ frontmatter }: SkillFile, entry: ComposesEntry): YamlNode | undefined => {
  const list = findSkillEntry(frontmatter.tree.root, 'composes')?.value;
  return list?.kind === 'list' ? list.items.find((item) => contains(item.span, entry.span)) : undefined;
};

const mappingOf = (entry: ComposesEntry, side: MappingKey): YamlMap | undefined =>
  side === 'input_mapping' ? entry.inputMapping : entry.outputMapping;

/** Returns the edits that add `key: value` to an entry's mapping; no edits if other text would also have to change. */
function addMappingPair(
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
 * Returns the edits that remove a pair, or undefined if the pair must stay. A pair is removed only if adding the pair
 * again restores the same bytes, so that renaming a field back restores the file.
 */
function removeMappingPair(
  file: SkillFile,
  entry: ComposesEntry,
  side: MappingKey,
  key: string,
  value: string,
): readonly TextEdit[] | undefined {
  const { text, uri } = file;
  const index = file.contract.composes.indexOf(entry);
  return removalCandidates(file, entry, side, key).find((edits) => {
    if (edits.length === 0) return false;
    const without = new SkillFile(uri, applyEdits(text, edits));
    const same = without.contract.composes[index];
    if (!same || same.name !== entry.name) return false;
    const added = addMappingPair(without, same, side, key, value);
    return added.length > 0 && applyEdits(without.text, added) === text;
  });
}

function removalCandidates(
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
 * A mapping pair that is necessary after a field is renamed. Without a mapping, a step reads the flow value with the
 * name of its input, and an output enters the flow under its own name (docs/format.md, section 4, "Data flow"). If only
 * one of two connected names changes, a mapping must connect the two names.
 */
interface NeededPair {
  readonly file: SkillFile;
  readonly entry: ComposesEntry;
  readonly side: MappingKey;
  readonly key: string;
  readonly value: string;
}

type PairTarget = SymbolTarget & { kind: 'field' | 'flow' };

/** Returns the pairs that mappings need after the rename, or a refusal if no mapping can replace the shared name. */
function findNeededPairs(
  analysis: Analysis,
  home: SkillFile,
  target: PairTarget,
  newName: string,
): readonly NeededPair[] | RenameRefusal {
  const needed: NeededPair[] = [];
  const skill = analysis.graph.skills.get(home.uri);
  const uris = new Set([home.uri, ...(skill ? [...filesUsingFields(analysis.graph, skill)].sort() : [])]);
  for (const uri of uris) {
    const file = analysis.file(uri);
    const data = file && readDataFlow(analysis, file);
    if (!file || !data) continue;
    const found = [
      ...pairsForComposedSkills(file, data, target, newName),
      ...pairsForComposite(file, data, target, newName),
    ];
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

const isMapped = ({ outputMapping }: ComposesEntry, name: string): boolean =>
  pairsOf(outputMapping).some(({ from }) => from === name);

/** Yields the pairs for a field that is an input or an output of a composed skill. */
function* pairsForComposedSkills(
  file: SkillFile,
  data: DataFlow,
  target: PairTarget,
  newName: string,
): Iterable<NeededPair | RenameRefusal> {
  const { name } = target;
  for (const visit of data.visits) {
    const { entry, flow } = visit;
    if (isField(visit.input, target) && readsByName(visit, name)) {
      if (flow.values.has(name)) yield { file, entry, side: 'input_mapping', key: name, value: newName };
      else if (flow.values.has(newName)) yield refuseTakenName(file, newName);
    }
    if (!isField(visit.output, target) || isMapped(entry, name)) continue;
    const origin = (values: readonly { readonly entry: ComposesEntry | undefined }[] | undefined) =>
      values?.some((value) => value.entry === entry) === true;
    const isRead =
      data.visits.some(
        (other) =>
          origin(other.flow.values.get(name)) &&
          (readsByName(other, name) || pairsOf(other.entry.inputMapping).some(({ from }) => from === name)),
      ) ||
      (origin(data.end.values.get(name)) && data.output !== undefined && findField(data.output, name) !== undefined);
    const isInTheWay = data.end.values.has(newName) || data.visits.some((other) => readsByName(other, newName));
    // The output hides another value with the old name; the rename would make that value visible.
    const hides = data.visits.some(({ flow: { values } }) => values.get(name)?.some((value) => value.entry !== entry));
    if (isRead || isInTheWay || hides) yield { file, entry, side: 'output_mapping', key: newName, value: name };
  }
}

/** Yields the pairs for an input or an output of the composite itself, or for a value that only its mappings name. */
function* pairsForComposite(
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
  const inTheWay = data.end.values.has(newName) || data.visits.some((visit) => readsByName(visit, newName));
  if (inTheWay) yield refuseTakenName(file, newName);
  if (isInput && data.output && findField(data.output, name) && given.some(({ entry }) => !entry)) {
    yield refuse(
      `The input \`${name}\` of ${quotedFileName(file.uri)} is also its output, and no mapping can connect two names. Return the value from a step first.`,
    );
  }
  if (isInput && given.some(({ entry }) => entry)) {
    yield refuse(
      `A step in ${quotedFileName(file.uri)} also returns \`${name}\` and replaces the input. Map the output of the step to another name first.`,
    );
  }
  if (isOutput && (given.some(({ entry }) => !entry) || data.input?.fields.some((field) => field.name === name))) {
    yield refuse(
      `\`${name}\` is both an input and an output of ${quotedFileName(file.uri)}. Rename one of them by hand first.`,
    );
  }
  for (const visit of data.visits) {
    const { entry, flow } = visit;
    if (flow.values.has(name) && readsByName(visit, name)) {
      yield { file, entry, side: 'input_mapping', key: newName, value: name };
    }
    const gives = !isInput && visit.output && findField(visit.output, name) && !isMapped(entry, name);
    if (gives) yield { file, entry, side: 'output_mapping', key: name, value: newName };
  }
}

const refuseTakenName = ({ uri }: SkillFile, name: string): RenameRefusal =>
  refuse(`The data flow of ${quotedFileName(uri)} already has a value \`${name}\`. Choose another name.`);
