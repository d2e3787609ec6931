/** Creates the initial text of a composite, with the inputs that no composed skill outputs, and the last output. */
import type { Analysis } from '../analysis/analysis.ts';
import { printYaml, type SchemaField, toShorthand } from '../languages/schema/schema.ts';
import { isName } from '../skill/kebab-name.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import { renderSkill, type Scaffold, type ScaffoldProblem } from './scaffold.ts';
import source from './templates/composite.skill.md.njk';

export interface CompositeRequest {
  /** 2 for a composite, 3 for a workflow. */
  readonly level: 2 | 3;
  readonly name: string;
  readonly description?: string | undefined;
  /** The URIs of the skills that it composes. */
  readonly composes: readonly string[];
}

export function scaffoldComposite(analysis: Analysis, request: CompositeRequest): Scaffold | ScaffoldProblem {
  const { name, level, description } = request;
  const parts = inOrder(partsOf(analysis, request.composes));
  if (parts.length === 0) {
    return { problem: 'It composes no skills. Choose at least one.' };
  }
  const scopes = [...new Set(parts.flatMap((part) => part.scopes))];
  return renderSkill({ name, description }, `${name}.skill.md`, source, {
    level,
    scopes: scopes.length > 0 ? printYaml({ required_scopes: scopes }) : '',
    inputs: printSchema('input_schema', leftToGive(parts)),
    outputs: printSchema('output_schema', parts.at(-1)?.outputs ?? []),
    composes: printYaml({ composes: parts.map((part) => ({ skill: part.name })) }).replaceAll('- skill: ', '- '),
  });
}

interface CompositePart {
  readonly name: string;
  readonly inputs: readonly SchemaField[];
  readonly outputs: readonly SchemaField[];
  /** Its own scopes and those of all skills that it composes. */
  readonly scopes: readonly string[];
}

/** Returns the composed skills, each name once: only `requires` could select between versions. */
function partsOf(analysis: Analysis, uris: readonly string[]): readonly CompositePart[] {
  const parts = new Map<string, CompositePart>();
  for (const uri of uris) {
    const skill = analysis.graph.skills.get(uri);
    const contract = analysis.file(uri)?.contract;
    const name = skill?.summary.name;
    if (!skill || !contract || name === undefined || !isName(name) || parts.has(name)) continue;
    parts.set(name, {
      name,
      inputs: contract.input?.schema.fields ?? [],
      outputs: contract.output?.schema.fields ?? [],
      scopes: [...effectiveContract([skill, ...analysis.graph.closureOf(skill)]).scopes.keys()],
    });
  }
  return [...parts.values()];
}

/** Sorts the composed skills so that each follows those that output its inputs. Otherwise the order stays. */
function inOrder(parts: readonly CompositePart[]): readonly CompositePart[] {
  const left = [...parts];
  const ordered: CompositePart[] = [];
  while (left.length > 0) {
    const waits = (part: CompositePart) =>
      needsOf(part).some(({ name }) => left.some((other) => other !== part && gives(other, name)));
    const next = left.findIndex((part) => !waits(part));
    ordered.push(...left.splice(Math.max(0, next), 1));
  }
  return ordered;
}

const gives = ({ outputs }: CompositePart, name: string): boolean => outputs.some((field) => field.name === name);

const needsOf = ({ inputs }: CompositePart): readonly SchemaField[] =>
  inputs.filter(({ required, default: value }) => required && value === undefined);

/** Returns the required inputs that no earlier skill outputs. */
function leftToGive(parts: readonly CompositePart[]): readonly SchemaField[] {
  const flow = new Set<string>();
  const given: SchemaField[] = [];
  for (const part of parts) {
    for (const field of needsOf(part)) {
      if (flow.has(field.name)) continue;
      flow.add(field.name);
      given.push(field);
    }
    for (const { name } of part.outputs) flow.add(name);
  }
  return given;
}

function printSchema(key: string, fields: readonly SchemaField[]): string {
  const properties = Object.fromEntries(fields.map(({ name, json }) => [name, json]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return printYaml({ [key]: fields.length === 0 ? {} : (toShorthand(schema) ?? schema) });
}
