/** Checks the `inputs` of steps and all references in `execution` (docs/format.md, section 4, "Execution"). */

import type { DataFlow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import {
  type Field,
  findField,
  isAlwaysSet,
  lacks,
  namesOf,
  relateFields,
  requires,
} from '../../analysis/data-flow/fields.ts';
import { isGuarded, isProven, narrowedPart } from '../../analysis/data-flow/narrowing.ts';
import type { ValuePath } from '../../analysis/data-flow/value-paths.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { RelatedLocation } from '../../finding.ts';
import {
  fieldAt,
  hasReference,
  type JsonObject,
  type SchemaPart,
  type TypeClash,
} from '../../languages/schema/schema.ts';
import { type Json, jsonOf, type YamlEntry, type YamlNode } from '../../languages/yaml/node.ts';
import { nearestNames } from '../../nearest.ts';
import type { Named } from '../../skill/contract.ts';
import { referencesIn, type StepReference } from '../../skill/execution/execution.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { messageOf, pathIn, problemOfClash, worstOf } from './clashes.ts';
import type { FlowProblem } from './flow-problem.ts';
import { gapOfOptional } from './gaps.ts';
import { requireInput } from './input-fixes.ts';
import { type TextProblem, textProblems } from './input-texts.ts';
import { unknownName } from './unknown-names.ts';

/** Checks the `inputs` of a step, which map names of inputs to values that may contain references. */
export function* checkInputs(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, input, inputs } = visit;
  for (const one of inputs?.entries ?? []) {
    const name = String(one.key.value);
    if (lacks(input, name)) {
      yield unknownName(file, one.key.span, `\`${entry.name}\` has no input \`${name}\``, name, namesOf(input));
      continue;
    }
    const field = input && findField(input, name);
    const problems = field ? [...checkInput({ file, data, visit, field }, one)] : [];
    const texts = textProblems(file, data, one.value);
    // Such a text explains that the type of the value is wrong.
    const explains =
      ({ draft }: FlowProblem) =>
      (text: TextProblem) =>
        text.node.span.start === draft.span.start;
    yield* problems.filter((problem) => !texts.some(explains(problem)));
    for (const text of texts) {
      const isWrong = problems.some((problem) => explains(problem)(text));
      const { span, message, fixes } = text;
      yield { rule: 'type-mismatch', draft: { ...(isWrong ? {} : { severity: 'warning' }), span, message, fixes } };
    }
  }
}

/** An input of a step, and where it is. */
interface Place {
  readonly file: SkillFile;
  readonly data: DataFlow;
  readonly visit: VisitedStep;
  readonly field: Field;
  /** True to leave out the values that the conditions of the step rule out. */
  readonly isNarrowed?: true;
  /** True to take every value for certain. */
  readonly isComplete?: true;
}

/** A scalar in an input: a reference or a constant. */
interface Leaf {
  readonly span: Span;
  readonly reference: StepReference | undefined;
  readonly target: Target | undefined;
  /** True for a string with text around references. */
  readonly isText: boolean;
  /** True if a value might not exist when the step runs. */
  readonly isAbsent: boolean;
}

/** The values in an input by the text of their paths, and the spans at which missing fields of maps are reported. */
interface Values {
  readonly leaves: Map<string, Leaf>;
  readonly maps: Map<string, Span>;
  /** The paths of the items of lists. */
  readonly items: Set<string>;
}

function* checkInput(place: Place, entry: YamlEntry): Iterable<FlowProblem> {
  const { key, value } = entry;
  const { visit, field } = place;
  const written = newValues();
  const part = partOf(place, written, value, [], key.span);
  const leaf = written.leaves.get('');
  if (leaf?.isAbsent && requires(field)) {
    yield gapOf(place, leaf, field);
    return;
  }
  const misspelt = misspeltKeys(place, value, []);
  if (!place.isNarrowed) for (const { problem } of misspelt) yield problem;
  const shorter = relateFields(part, field);
  if (shorter.kind !== 'clash') return;
  // Only a value that does not fit is narrowed by the conditions.
  if (!place.isNarrowed && visit.guards.isConditional) {
    yield* checkInput({ ...place, isNarrowed: true }, entry);
    return;
  }
  const missing = [...written.leaves].find(([path, { isAbsent }]) => isAbsent && written.items.has(path));
  // A list whose items may be missing is compared again with all of them, where each item has its place.
  const values = missing ? newValues() : written;
  const whole = missing && partOf({ ...place, isComplete: true }, values, value, [], key.span);
  const verdict = whole ? relateFields(whole, field) : shorter;
  if (verdict.kind !== 'clash') {
    if (missing) yield gapOfItem(place, ...missing);
    return;
  }
  // A misspelt key explains that the field is missing.
  const meant = new Set(misspelt.flatMap(({ rights }) => rights));
  const others = verdict.clashes.filter(({ kind, path, isDisjoint }) => {
    if (kind === 'missing') return !meant.has(textOfPath(path));
    // The text around a reference is known only at run time.
    return isDisjoint || !values.leaves.get(textOfPath(path))?.isText;
  });
  const [first, ...rest] = others;
  if (!first) return;
  for (const clash of leaf ? [worstOf([first, ...rest])] : distinct(others))
    yield problemAt(place, values, clash, `\`${visit.entry.step}\` expects`);
}

/** Returns the problem with an item that may be missing, without which the list is too short. */
function gapOfItem(place: Place, text: string, leaf: Leaf): FlowProblem {
  const { field } = place;
  const path = text.split('\n').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return gapOf(place, leaf, fieldBelow(field, path, pathIn(field.name, path)), true);
}

const newValues = (): Values => ({ leaves: new Map(), maps: new Map(), items: new Set() });

const distinct = (clashes: readonly TypeClash[]): readonly TypeClash[] => [
  ...new Map(clashes.map((clash) => [textOfPath(clash.path), clash])).values(),
];

const textOfPath = (path: TypeClash['path']): string => path.join('\n');

/** The maximum depth of maps and lists whose parts are compared separately. */
const MAX_DEPTH = 20;

/** Returns the schema of a value with references, and collects the parts of the value. */
function partOf(place: Place, values: Values, node: YamlNode, path: TypeClash['path'], owner: Span): SchemaPart {
  if (path.length > MAX_DEPTH) return plain({});
  if (node.kind === 'map' && node.entries.length > 0) {
    values.maps.set(textOfPath(path), owner);
    const fields = node.entries.map(({ key, value }) => {
      const name = String(key.value);
      const inner = [...path, name];
      const json = inlined(partOf(place, values, value, inner, key.span));
      const isAbsent = values.leaves.get(textOfPath(inner))?.isAbsent === true;
      return { name, json: isAbsent ? withoutDefault(json) : json, isAbsent };
    });
    const required = fields.filter(({ isAbsent }) => !isAbsent).map(({ name }) => name);
    const properties = Object.fromEntries(fields.map(({ name, json }) => [name, json]));
    return plain({ type: 'object', properties, required, additionalProperties: false });
  }
  const references = referencesIn(place.file.text, node);
  const [reference] = references;
  if (node.kind === 'list' && reference) {
    const items = node.items.map((item, at) => {
      const inner = [...path, at];
      const json = inlined(partOf(place, values, item, inner, item.span));
      values.items.add(textOfPath(inner));
      return { json, isAbsent: values.leaves.get(textOfPath(inner))?.isAbsent === true };
    });
    return plain(schemaOfItems(items));
  }
  const isWhole = node.kind === 'scalar' && references.length === 1 && isAllOf(node.value, reference);
  const target = isWhole && reference ? targetOf(place, reference) : undefined;
  // Text is left out if one of its references has no value.
  const missing = references.find((one) => targetOf(place, one)?.isCertain === false);
  values.leaves.set(textOfPath(path), {
    span: reference && isWhole ? reference.span : node.span.start < node.span.end ? node.span : owner,
    reference: missing ?? reference,
    target: missing ? targetOf(place, missing) : target,
    isText: reference !== undefined && !isWhole,
    isAbsent: missing !== undefined && !place.isComplete,
  });
  if (target) return place.isNarrowed && reference ? narrowedTo(place, reference, target.part) : target.part;
  if (!reference) return plain({ const: jsonOf(node) });
  return plain(isWhole ? {} : { type: 'string' });
}

/** Returns the schema of a reference without the values that the conditions of the step rule out. */
const narrowedTo = ({ visit }: Place, reference: StepReference, part: SchemaPart): SchemaPart =>
  narrowedPart(part, pathOf(reference), visit.guards);

/** Returns the schema of a list. An item that may be missing is left out, so that the later items move up. */
export function schemaOfItems(items: readonly { readonly json: Json; readonly isAbsent: boolean }[]): Json {
  const first = items.findIndex(({ isAbsent }) => isAbsent);
  const certain = first < 0 ? items : items.slice(0, first);
  const later = items.slice(certain.length).map(({ json }) => json);
  return {
    type: 'array',
    prefixItems: certain.map(({ json }) => json),
    items: later.length === 0 ? false : later.length === 1 ? (later[0] ?? {}) : { anyOf: later },
    minItems: items.filter(({ isAbsent }) => !isAbsent).length,
    maxItems: items.length,
  };
}

const plain = (json: Json): SchemaPart => ({ json, root: {}, dialect: '2020-12' });

/** Returns the schema of a value that may be missing: the default of an output does not fill it in. */
const withoutDefault = (json: Json): Json => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const { default: _, ...rest } = json as JsonObject;
  return rest;
};

/** Returns a schema without references to its root, because the schema becomes a part of another one. */
const inlined = ({ json }: SchemaPart): Json => (hasReference(json) ? {} : json);

/** Returns the problem with the part of a value that a clash is about. */
function problemAt(place: Place, { leaves, maps }: Values, clash: TypeClash, expectation: string): FlowProblem {
  const { visit, field } = place;
  const here = [{ uri: field.uri, span: field.span, message: `The type of \`${field.name}\`` }];
  for (let length = clash.path.length; length >= 0; length--) {
    const at = clash.path.slice(0, length);
    const name = pathIn(field.name, at);
    const inner = { ...clash, path: clash.path.slice(length) };
    const leaf = leaves.get(textOfPath(at));
    if (leaf) {
      if (leaf.isAbsent && inner.kind === 'missing' && inner.path.length === 0) {
        return gapOf(place, leaf, fieldBelow(field, at, name));
      }
      const what = leaf.isText
        ? 'Text with a reference'
        : leaf.target && leaf.reference
          ? `\`${textOf(leaf.reference)}\``
          : 'The value';
      const related = [...(leaf.target?.place ?? []), ...here];
      return problemOfClash(clash, messageOf(what, inner, expectation, name), leaf.span, related);
    }
    const span = maps.get(textOfPath(at));
    if (span) return problemOfClash(clash, messageOf('The value', inner, expectation, name), span, here);
  }
  return problemOfClash(clash, messageOf('The value', clash, expectation, field.name), visit.entry.span, here);
}

/** Returns the field of an input at a path, under the path's name. */
function fieldBelow(field: Field, path: TypeClash['path'], name: string): Field {
  const found = fieldAt(field.root, field.json, path.map(String));
  return { ...field, name, written: found.kind === 'found' ? found.json : {} };
}

function gapOf({ file, visit }: Place, { reference, target }: Leaf, field: Field, isItem = false): FlowProblem {
  const [name] = reference?.source === 'input' ? reference.path : [];
  const what = reference ? `\`${textOf(reference)}\`` : 'The value';
  const fixes = name === undefined || reference?.path.length !== 1 ? [] : requireInput(file, name.name);
  const span = reference?.span ?? field.span;
  return gapOfOptional(file, visit, field, {
    what,
    span,
    places: target?.place ?? [],
    fixes,
    isItem,
    doubt: target?.doubt,
  });
}

/** A key of a map that is similar to fields of the input which the map lacks; `rights` are the paths of these fields. */
interface MisspeltKey {
  readonly problem: FlowProblem;
  readonly rights: readonly string[];
}

function misspeltKeys(place: Place, node: YamlNode, path: readonly string[]): readonly MisspeltKey[] {
  if (node.kind !== 'map' || path.length > MAX_DEPTH) return [];
  const { file, field } = place;
  const written = node.entries.map(({ key }) => String(key.value));
  return node.entries.flatMap(({ key, value }) => {
    const name = String(key.value);
    const found = fieldAt(field.root, field.json, [...path, name]);
    if (found.kind === 'found') return misspeltKeys(place, value, [...path, name]);
    if (found.kind !== 'missing' || found.at < path.length) return [];
    const near = nearestNames(
      name,
      found.known.filter((one) => !written.includes(one)),
    );
    if (near.length === 0) return [];
    const says = `\`${pathIn(field.name, path)}\` has no field \`${name}\``;
    const problem = unknownName(file, key.span, says, name, near);
    return [{ problem, rights: near.map((one) => textOfPath([...path, one])) }];
  });
}

const textOf = ({ source, path }: StepReference): string => `$${[source, ...path.map(({ name }) => name)].join('.')}`;

const isAllOf = (value: unknown, reference: StepReference | undefined): boolean =>
  typeof value === 'string' && reference !== undefined && value.trim() === textOf(reference);

/** The value to which a reference refers. */
interface Target {
  readonly part: SchemaPart;
  /** True if the value exists when the step runs. */
  readonly isCertain: boolean;
  readonly doubt: ReturnType<VisitedStep['flow']['ran']['get']>;
  readonly place: readonly RelatedLocation[];
}

/** Returns the target of a reference; undefined if the target is not known. */
function targetOf({ data, visit }: Place, reference: StepReference): Target | undefined {
  if (data.early.has(reference.span.start)) return undefined;
  const found = findTarget(data, reference);
  if (!found) return undefined;
  const doubt = reference.source === 'input' ? undefined : visit.flow.ran.get(reference.source);
  const isDoubtful = doubt !== undefined && !isGuarded(doubt, visit.guards);
  return {
    ...found,
    doubt: isDoubtful ? doubt : undefined,
    isCertain: !isDoubtful && (found.isGiven || isProven(pathOf(reference), visit.guards, found.least)),
  };
}

/** Returns the value that a reference names. */
const pathOf = ({ source, path }: StepReference): ValuePath => {
  const names = path.map(({ name }) => name);
  return { source, fields: source === 'input' ? names : names.slice(1) };
};

function findTarget(data: DataFlow, { source, path }: StepReference) {
  const side = source === 'input' ? data.input : data.steps.get(source)?.output;
  const rest = source === 'input' ? path : path.slice(1);
  if (!side || (source !== 'input' && path[0]?.name !== 'output')) return undefined;
  const { json: root, dialect } = side.schema;
  const [first, ...inner] = rest.map(({ name }) => name);
  if (first === undefined) return { part: { json: root, root, dialect }, isGiven: true, least: 0, place: [] };
  const field = findField(side, first);
  if (!field) return undefined;
  const place = [{ uri: field.uri, span: field.span, message: `\`${first}\` comes from here` }];
  const found = fieldAt(field.root, field.json, inner);
  if (found.kind !== 'found') return undefined;
  const least = 1 + (found.lastOptional ?? 0);
  return { part: { ...field, json: found.json }, isGiven: found.isGiven && isAlwaysSet(field), least, place };
}

/** Reports references to missing fields, in `inputs` and in conditions. */
export function* checkReferences(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const reference of visitExecution(file)?.references ?? []) {
    const { source, path, span } = reference;
    const step = data.steps.get(source);
    if (source !== 'input' && !step) continue;
    const side = source === 'input' ? data.input : step?.output;
    if (step && path[0]?.name !== 'output') {
      const near = path[0] !== undefined && step.output && findField(step.output, path[0].name);
      const right = `$${[source, 'output', ...(near ? path : path.slice(1)).map(({ name }) => name)].join('.')}`;
      const message = `Only the output of a step can be read. Write \`$${source}.output\` or \`$${source}.output.x\`.`;
      yield { rule: 'type-mismatch', draft: { span, message, fixes: replaceName(file, [span], [right]) } };
      continue;
    }
    const rest = source === 'input' ? path : path.slice(1);
    const [first, ...inner] = rest;
    if (!first || !side) continue;
    const whose = source === 'input' ? 'This skill has no input' : `\`${source}\` has no output`;
    if (lacks(side, first.name)) {
      yield minusSign(file, reference, first, namesOf(side)) ??
        unknownName(file, first.span, `${whose} \`${first.name}\``, first.name, namesOf(side));
      continue;
    }
    const field = findField(side, first.name);
    const found =
      field &&
      fieldAt(
        field.root,
        field.json,
        inner.map(({ name }) => name),
      );
    const wrong = found?.kind === 'missing' ? inner[found.at] : undefined;
    if (field && found?.kind === 'missing' && wrong) {
      const holder = { ...reference, path: path.slice(0, path.indexOf(wrong)) };
      yield minusSign(file, reference, wrong, found.known) ?? missingField(file, field, holder, wrong, found);
    }
  }
}

/** Returns the problem with a minus sign without spaces in a condition, which is read as a part of the name. */
function minusSign(
  file: SkillFile,
  { within }: StepReference,
  { name, span }: Named,
  known: readonly string[],
): FlowProblem | undefined {
  const field = within === 'condition' ? known.find((one) => name.startsWith(`${one}-`)) : undefined;
  if (field === undefined) return undefined;
  const right = `${field} - ${name.slice(field.length + 1)}`;
  const message = `\`-\` belongs to the name \`${name}\`. Write a minus sign with spaces: \`${right}\`.`;
  return { rule: 'type-mismatch', draft: { span, message, fixes: replaceName(file, [span], [right]) } };
}

/** Returns the problem with a reference to a field that the value of `holder` does not have. */
function missingField(
  file: SkillFile,
  field: Field,
  holder: StepReference,
  { name, span }: StepReference['path'][number],
  { type, known }: { readonly type: string; readonly known: readonly string[] },
): FlowProblem {
  const what = `\`${textOf(holder)}\``;
  const related = [{ uri: field.uri, span: field.span, message: `The type of \`${field.name}\`` }];
  if (known.length === 0) {
    const message = `${what} is \`${type}\`, so it has no field \`${name}\`. Remove \`.${name}\`.`;
    return { rule: 'type-mismatch', draft: { span, message, related } };
  }
  const problem = unknownName(file, span, `${what} has no field \`${name}\``, name, known);
  return { ...problem, draft: { ...problem.draft, related } };
}
