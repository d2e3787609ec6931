/** Parameters, outputs and the fields within them. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import type { Scopes } from '../../languages/minijinja/scopes.ts';
import { nodeAt } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, overlaps, type Span, type TextEdit } from '../../text.ts';
import type { Occurrence } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import { addPair, dropPair, type MappingKey } from './edit-mapping.ts';
import { refuseIdentifier } from './local.ts';
import { findNeededPairs } from './needed-pairs.ts';
import { fileOf, isRefusal, type Plan, planEdits, type Refusal, refuse, scalarAt } from './plan.ts';

type FieldTarget = Target & { kind: 'field' };

export function refuseField(home: SkillFile, { name, key }: FieldTarget): Refusal | undefined {
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
): Refusal | undefined {
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
): Plan | Refusal {
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
