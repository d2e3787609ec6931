/**
 * Creates the initial text of a composite, whose inputs are those that no earlier composed skill provides, and whose
 * output is that of the last composed skill.
 */
import type { Analysis } from '../analysis/analysis.ts';
import { printYaml, type SchemaField, toShorthand } from '../languages/schema/schema.ts';
import { isName } from '../skill/kebab-name.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { renderSkill, type Scaffold, type ScaffoldProblem } from './scaffold.ts';
import source from './templates/composite.skill.md.njk';

export interface CompositeRequest {
  /** 2 for a composite, 3 for a workflow. */
  readonly level: 2 | 3;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The URIs of the skills that the composite composes. */
  readonly composes: readonly string[];
}

export function scaffoldComposite(analysis: Analysis, request: CompositeRequest): Scaffold | ScaffoldProblem {
  const { name, title, level, description } = request;
  const composed = inOrder(composedSkillsOf(analysis, request.composes));
  if (composed.length === 0) {
    return { problem: 'A composite must compose at least one skill. Choose one.' };
  }
  const { graph, operationOfTool } = analysis;
  const all = composed.flatMap(({ skill }) => [skill, ...graph.closureOf(skill)]);
  const contract = effectiveContract(all, operationOfTool);
  const lists = {
    required_scopes: [...contract.scopes.keys()],
    allowed_roles: contract.roles ?? [],
    allowed_contexts: contract.contexts ?? [],
    capabilities_required: contract.capabilities.map(({ kind, value }) => ({ [kind]: value })),
    surfaces: contract.surfaces ?? [],
  };
  const gates = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  return renderSkill({ name, title, description }, `${name}.skill.md`, source, {
    level,
    gates: Object.keys(gates).length > 0 ? printYaml(gates) : '',
    inputs: printSchema('input_schema', leftToGive(composed)),
    outputs: printSchema('output_schema', composed.at(-1)?.outputs ?? []),
    composes: printYaml({ composes: composed.map((composedSkill) => ({ skill: composedSkill.name })) }).replaceAll(
      '- skill: ',
      '- ',
    ),
  });
}

interface ComposedContract {
  readonly name: string;
  readonly inputs: readonly SchemaField[];
  readonly outputs: readonly SchemaField[];
  readonly skill: IndexedSkill;
}

/** Returns one composed skill for each name, because only `requires` could select between versions. */
function composedSkillsOf(analysis: Analysis, uris: readonly string[]): readonly ComposedContract[] {
  const composed = new Map<string, ComposedContract>();
  for (const uri of uris) {
    const skill = analysis.graph.skills.get(uri);
    const contract = analysis.file(uri)?.contract;
    const name = skill?.summary.name;
    if (!skill || !contract || name === undefined || !isName(name) || composed.has(name)) continue;
    composed.set(name, {
      name,
      inputs: contract.input?.schema.fields ?? [],
      outputs: contract.output?.schema.fields ?? [],
      skill,
    });
  }
  return [...composed.values()];
}

/**
 * Sorts the composed skills so that each skill follows the skills that provide its inputs, and otherwise keeps the
 * order.
 */
function inOrder(composed: readonly ComposedContract[]): readonly ComposedContract[] {
  const left = [...composed];
  const ordered: ComposedContract[] = [];
  while (left.length > 0) {
    const waits = (composedSkill: ComposedContract) =>
      needsOf(composedSkill).some(({ name }) => left.some((other) => other !== composedSkill && gives(other, name)));
    const next = left.findIndex((composedSkill) => !waits(composedSkill));
    ordered.push(...left.splice(Math.max(0, next), 1));
  }
  return ordered;
}

const gives = ({ outputs }: ComposedContract, name: string): boolean => outputs.some((field) => field.name === name);

const needsOf = ({ inputs }: ComposedContract): readonly SchemaField[] =>
  inputs.filter(({ required, default: value }) => required && value === undefined);

/** Returns the required inputs that no earlier skill outputs. */
function leftToGive(composed: readonly ComposedContract[]): readonly SchemaField[] {
  const flow = new Set<string>();
  const given: SchemaField[] = [];
  for (const composedSkill of composed) {
    for (const field of needsOf(composedSkill)) {
      if (flow.has(field.name)) continue;
      flow.add(field.name);
      given.push(field);
    }
    for (const { name } of composedSkill.outputs) flow.add(name);
  }
  return given;
}

function printSchema(key: string, fields: readonly SchemaField[]): string {
  const properties = Object.fromEntries(fields.map(({ name, json }) => [name, json]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return printYaml({ [key]: fields.length === 0 ? {} : (toShorthand(schema) ?? schema) });
}
