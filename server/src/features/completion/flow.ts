/** Completion of data that flows between steps: names in mappings, inputs of steps, references such as `$input.x`. */

import { isObject } from '../../languages/schema/model.ts';
import type { Schema, SchemaField } from '../../languages/schema/schema.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import { findValue, jsonOf, nodeAt, stringOf } from '../../languages/yaml/node.ts';
import { type ExecutionNode, readExecution } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { code, describedBy, type Markdown, md } from '../markdown.ts';
import { findField } from '../symbol/schema-place.ts';
import { fieldProposal, fieldProposals } from './data.ts';
import { type Cursor, Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { offerAt, written, type YamlCursor } from './yaml-place.ts';

/** Offers names in `input_mapping` and `output_mapping` in an entry of `composes`. */
export function offerMappedNames(cursor: YamlCursor, at: KeyPath, rest: KeyPath): Offer | undefined {
  const [, entry, mapping] = at;
  if (typeof entry !== 'number' || rest.length !== (cursor.place.role === 'key' ? 0 : 1)) return undefined;
  return offerAt(cursor, mappingNames(cursor, entry, mapping === 'input_mapping' ? mapping : 'output_mapping'));
}

/** Offers names and references in the `inputs` of a step in `execution`. */
export function offerStepInputs(cursor: YamlCursor, at: KeyPath, rest: KeyPath): Offer | undefined {
  const step = stringOf(findValue(nodeAt(cursor.tree.root, at.slice(0, -1)), 'step'));
  const fields = step === undefined ? [] : fieldsOfStep(cursor, step, 'input');
  if (cursor.place.role === 'key') {
    const own = rest.length === 0 ? fields : (fieldBelow(fields, rest)?.fields ?? []);
    return own.length > 0 ? offerAt(cursor, fieldProposals(cursor, own)) : undefined;
  }
  const wanted = fieldBelow(fields, rest)?.type;
  return offerReferences(cursor, (typed) => stepReferences(cursor, typed, wanted));
}

/** Offers references as the whole value, or inside a text in which `$` is typed. */
export function offerReferences(cursor: YamlCursor, propose: (typed: string) => readonly Proposal[]): Offer {
  const { file, place, offset } = cursor;
  const typed = /\$[\w.-]*$/.exec(file.text.slice(place.span.start, offset))?.[0] ?? '';
  const references = propose(typed);
  const start = offset - typed.length;
  const [after = ''] = /^[\w.-]*/.exec(file.text.slice(offset, place.span.end)) ?? [];
  const isInText = typed !== '' && (start > place.span.start || offset + after.length < place.span.end);
  if (isInText) return { span: span(start, offset + after.length), proposals: references };
  return offerAt(
    cursor,
    references.map((proposal) => ({ ...proposal, insert: written(cursor, proposal.label) })),
  );
}

/** Returns the field at a path in a value; an index in a list adds no field. */
const fieldBelow = (fields: readonly SchemaField[], path: KeyPath): SchemaField | undefined =>
  findField(
    fields,
    path.filter((step) => typeof step === 'string'),
  );

/** Returns the output schema of the skill that a step runs; undefined if it is unknown. */
export const outputOfStep = (cursor: Cursor, step: string): Schema | undefined =>
  skillOfStep(cursor, step, 'output')?.contract.output?.schema;

/** Returns the inputs or outputs of the skill that a step runs. */
export const fieldsOfStep = (cursor: Cursor, step: string, side: 'input' | 'output'): readonly SchemaField[] =>
  skillOfStep(cursor, step, side)?.contract[side]?.schema.fields ?? [];

function skillOfStep(
  { analysis, file }: Cursor,
  step: string | undefined,
  side: 'input' | 'output',
): SkillFile | undefined {
  const entry = file.contract.composes.find((candidate) => candidate.step === step);
  return entry && analysis.resolveSide(file, entry.name, side);
}

/**
 * Returns the names for a mapping: `input_mapping` maps flow names to inputs, and `output_mapping` maps outputs to flow
 * names.
 */
function mappingNames(cursor: YamlCursor, at: number, mapping: 'input_mapping' | 'output_mapping'): Proposal[] {
  const { analysis, file, tree, place } = cursor;
  const entry = nodeAt(tree.root, ['composes', at]);
  const name = stringOf(findValue(entry, 'skill'));
  const fieldsOf = (side: 'input' | 'output') =>
    (name === undefined ? undefined : analysis.resolveSide(file, name, side)?.contract[side]?.schema.fields) ?? [];
  const [inputs, outputs] = [fieldsOf('input'), fieldsOf('output')];
  if (place.role === 'key')
    return fieldProposals(cursor, mapping === 'input_mapping' ? flowFields(cursor, at) : outputs);
  const fields = mapping === 'input_mapping' ? inputs : (file.contract.output?.schema.fields ?? []);
  const mapped = Object.values(jsonOf(nodeAt(tree.root, place.path.slice(0, -1))) ?? {});
  return fields
    .filter((field) => !mapped.includes(field.name) || field.name === place.path.at(-1))
    .map((field) => ({ ...fieldProposal(field), insert: written(cursor, field.name) }));
}

/**
 * Returns the flow values before an entry of `composes` runs: the inputs, and the mapped outputs of earlier entries.
 */
function flowFields({ analysis, file, tree }: YamlCursor, before: number): readonly SchemaField[] {
  const fields = new Map((file.contract.input?.schema.fields ?? []).map((field) => [field.name, field]));
  for (const [position, { name }] of file.contract.composes.slice(0, before).entries()) {
    const renamed = jsonOf(nodeAt(tree.root, ['composes', position, 'output_mapping']));
    for (const field of analysis.resolveSide(file, name, 'output')?.contract.output?.schema.fields ?? []) {
      const other = isObject(renamed) && Object.hasOwn(renamed, field.name) ? renamed[field.name] : undefined;
      const flowName = typeof other === 'string' ? other : field.name;
      fields.set(flowName, { ...field, name: flowName });
    }
  }
  return [...fields.values()];
}

/**
 * Returns `$input.x`, `$step.output` and `$step.output.x` for all earlier steps, and the fields of the objects that the
 * word `typed` names. References of type `wanted` come first.
 */
export function stepReferences(cursor: YamlCursor, typed: string, wanted?: string): Proposal[] {
  const typing = { typed, wanted };
  return [
    ...fieldReferences('$input', cursor.file.contract.input?.schema.fields ?? [], typing),
    ...stepsBefore(cursor).flatMap((step) => [
      reference(`$${step}.output`, 'object', typing, md`The complete output of ${code(step)}.`),
      ...fieldReferences(`$${step}.output`, fieldsOfStep(cursor, step, 'output'), typing),
    ]),
  ];
}

/** The reference before the cursor, and the type of the value that is expected. */
interface Typing {
  readonly typed: string;
  readonly wanted?: string | undefined;
}

const reference = (label: string, type: string | undefined, { wanted }: Typing, docs?: Markdown): Proposal => ({
  label,
  kind: Kind.Reference,
  detail: type,
  docs,
  rank: wanted !== undefined && type === wanted ? Rank.near : Rank.known,
});

/** Returns references such as `$input.x` to fields, and to the fields of the objects that the word names. */
export const fieldReferences = (head: string, fields: readonly SchemaField[], typing: Typing): Proposal[] =>
  fields.flatMap(({ name, type, description, fields: inner }) => {
    const label = `${head}.${name}`;
    const isInside = typing.typed.startsWith(`${label}.`) && !type.endsWith('[]');
    return [
      reference(label, type, typing, describedBy(description)),
      ...(isInside ? fieldReferences(label, inner, typing) : []),
    ];
  });

/** The lists whose items run in order. Items of `parallel` and `speculate` cannot read each other's output. */
const IN_ORDER: ReadonlySet<unknown> = new Set(['execution', 'steps', 'else']);

/** Returns the steps that run before the step at the cursor. For `keep_when`, they include the step in `until`. */
export function stepsBefore({ file, tree, place: { path } }: YamlCursor): readonly string[] {
  const names = path.flatMap((step, depth) => {
    if (typeof step !== 'number' || !IN_ORDER.has(path[depth - 1])) return [];
    const list = nodeAt(tree.root, path.slice(0, depth));
    return list?.kind === 'list'
      ? stepsIn(readExecution(file.text, { ...list, items: list.items.slice(0, step) }))
      : [];
  });
  const speculation = path.at(-1) === 'keep_when' ? path.lastIndexOf('speculate') : -1;
  const until = speculation < 0 ? undefined : findValue(nodeAt(tree.root, path.slice(0, speculation)), 'until');
  const decides = stringOf(until?.kind === 'map' ? findValue(until, 'step') : until);
  return [...new Set(decides === undefined ? names : [...names, decides])];
}

function stepsIn(nodes: readonly ExecutionNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'step') return [node.step.name];
    if (node.kind === 'branch') return node.arms.flatMap(({ steps }) => stepsIn(steps));
    const steps = stepsIn(node.steps);
    return node.kind === 'speculate' && node.until ? [...steps, node.until.step.name] : steps;
  });
}
