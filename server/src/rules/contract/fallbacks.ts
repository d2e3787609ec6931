/** Checks the fallbacks of errors: a constant, an input or a skill (docs/format.md, section 6, "Fallbacks"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { doubtfulExit } from '../../analysis/data-flow/data-flow.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { reachedBy } from '../../analysis/permissions.ts';
import type { Draft } from '../../finding.ts';
import {
  type Assignability,
  compareTypes,
  fieldAt,
  hasReference,
  isUsable,
  type Schema,
  typeAt,
  validateJson,
} from '../../languages/schema/schema.ts';
import type { Json, YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import {
  constantsIn,
  type Fallback,
  fallbackSchemas,
  findFallbackField,
  inputReferences,
  isWord,
  readFallback,
} from '../../skill/fallbacks.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { EXITS } from '../data-flow/doubt-fixes.ts';
import { schemaOfItems } from '../data-flow/inputs.ts';

/** Reports a fallback that is an unknown name, or that cannot replace the result. */
export function* checkFallbacks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const nodes = file.contract.errors.flatMap(({ fallback }) => fallback ?? []);
  if (nodes.length === 0 || analysis.partial || !fallbackSchemas(file).every(isUsable)) return;
  const isSkill = (name: string) => analysis.skillsNamed(name, file.uri).length > 0;
  for (const node of nodes) {
    const fallback = readFallback(file, node, isSkill);
    const draft = unknownName(file, analysis, node, fallback) ?? misfit(file, analysis, fallback);
    if (draft) yield { span: node.span, ...draft };
  }
}

type Found = Partial<Draft> & Pick<Draft, 'message'>;

/** Reports a word that names neither a constant of the schemas nor a field or a skill. Other values are constants. */
function unknownName(file: SkillFile, analysis: Analysis, node: YamlNode, { kind }: Fallback): Found | undefined {
  const name = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  if (kind === 'skill' || kind === 'output' || !isWord(name) || findFallbackField(file, name)) return undefined;
  const schemas = fallbackSchemas(file);
  const constants = new Set(schemas.flatMap(({ json }) => constantsIn(json)));
  if (constants.has(name)) return undefined;
  const near = nearestNames(name, [
    ...constants,
    ...schemas.flatMap(({ fields }) => fields.map((field) => field.name)),
    ...analysis.graph.names.filter((one) => one !== file.contract.name?.name),
  ]);
  return {
    // A string that is not similar to any known name may be a constant of the caller.
    ...(near.length === 0 ? { severity: 'warning' as const } : {}),
    message: `Unknown fallback \`${name}\`.${didYouMean(near) || ' Use a constant or a field from the schemas, or the name of a skill.'}`,
    fixes: replaceName(file, [node.span], near),
  };
}

/** Reports a known fallback whose result does not match the output schema, or that cannot run. */
function misfit(file: SkillFile, analysis: Analysis, fallback: Fallback): Found | undefined {
  const output = file.contract.output?.schema;
  const input = file.contract.input?.schema;
  if (fallback.kind === 'skill') return misfitOfSkill(file, analysis, fallback.name);
  if (fallback.kind === 'output') {
    const name = fallback.path.join('.');
    const message = `\`${name}\` is a field of the output, which has no value after a failure. Use a constant, an input or a skill.`;
    return { severity: 'warning', message };
  }
  if (fallback.kind === 'value') {
    const [first] = output ? validateJson(output, fallback.value) : [];
    if (!first) return undefined;
    const where = first.path.length > 0 ? `\`${first.path.join('.')}\`: ` : '';
    return { severity: 'warning', message: `The fallback does not match the output schema: ${where}${first.message}` };
  }
  const unknown = inputReferences(fallback.mapping).find((path) => input && !typeAt(input, path));
  if (unknown) return { message: `Unknown input \`$input.${unknown.join('.')}\`. Use a field of the input schema.` };
  return misfitOfInputs(fallback.mapping, input, output);
}

/** Reports a value with references to inputs that may not match the output schema. */
function misfitOfInputs(mapping: Json, input: Schema | undefined, output: Schema | undefined): Found | undefined {
  if (!input || !output) return undefined;
  const { json } = schemaOf(mapping, input, 0);
  const verdict = compareTypes({ json, root: {}, dialect: '2020-12' }, part(output, output.json), 'as-produced');
  if (verdict.kind !== 'clash') return undefined;
  const [clash] = verdict.clashes;
  const name = clash.path.join('.');
  const own = valueAt(mapping, clash.path);
  const references = inputReferences(own ?? null);
  const absent = clash.kind === 'missing' ? references.find((path) => !isGiven(input, path)) : undefined;
  if (absent) {
    const message = `\`$input.${absent.join('.')}\` is optional, but the output \`${name}\` is required. Use a required input or a constant.`;
    return { severity: 'warning', message };
  }
  if (references.length > 0 && typeof own === 'string') {
    const message = `\`${own}\` (\`${clash.from}\`) cannot replace the output \`${name}\` (\`${clash.to}\`). Use another input or a constant.`;
    return { severity: 'warning', message };
  }
  const what = clash.kind === 'missing' ? 'is missing' : `is \`${clash.from}\`, not \`${clash.to}\``;
  const where = name === '' ? 'it' : `\`${name}\``;
  return { severity: 'warning', message: `The fallback does not match the output schema: ${where} ${what}.` };
}

/** Returns the schema of a value with references to inputs, and whether the value may be left out. */
function schemaOf(value: Json, input: Schema, depth: number): { readonly json: Json; readonly isAbsent: boolean } {
  const references = inputReferences(value);
  if (depth > MAX_DEPTH || references.length === 0)
    return { json: depth > MAX_DEPTH ? {} : { const: value }, isAbsent: false };
  if (Array.isArray(value)) {
    return { json: schemaOfItems(value.map((item: Json) => schemaOf(item, input, depth + 1))), isAbsent: false };
  }
  if (typeof value === 'object') {
    const fields = Object.entries(value ?? {}).map(([name, own]) => ({ name, ...schemaOf(own, input, depth + 1) }));
    const properties = Object.fromEntries(fields.map(({ name, json }) => [name, json]));
    const required = fields.filter(({ isAbsent }) => !isAbsent).map(({ name }) => name);
    return { json: { type: 'object', properties, required, additionalProperties: false }, isAbsent: false };
  }
  // A value or a text without one of its inputs is left out.
  const isAbsent = references.some((path) => !isGiven(input, path));
  const [path = []] = references;
  if (value !== `$input.${path.join('.')}`) return { json: { type: 'string' }, isAbsent };
  const found = fieldAt(input.json, input.json, path);
  return { json: found.kind === 'found' && !hasReference(found.json) ? found.json : {}, isAbsent };
}

const MAX_DEPTH = 20;

/** Returns whether an input always has a value; true if that is not known. */
function isGiven({ json }: Schema, path: readonly string[]): boolean {
  const found = fieldAt(json, json, path);
  return found.kind !== 'found' || found.isGiven;
}

function valueAt(value: Json, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) at = typeof at === 'object' && at !== null ? (at as Record<string, Json>)[step] : undefined;
  return at;
}

const part = ({ json: root, dialect }: Schema, json: Json) => ({ json, root, dialect });

function misfitOfSkill(file: SkillFile, analysis: Analysis, name: string): Found | undefined {
  const skill = resolveSummary(analysis.graph, file, name);
  const other = skill && analysis.file(skill.uri);
  if (!other) return undefined;
  const isEndless = skill.uri === file.uri || reachedBy(analysis, skill).some(({ uri }) => uri === file.uri);
  if (isEndless) {
    const why = skill.uri === file.uri ? 'is this skill' : 'runs this skill';
    return {
      message: `The fallback \`${name}\` ${why}, so it would never end. Use another skill, a constant or an input.`,
    };
  }
  const { input, output } = file.contract;
  const { input: needed, output: given } = other.contract;
  const compared = (from: Schema | undefined, to: Schema | undefined): Assignability =>
    from && to && isUsable(from) && isUsable(to)
      ? compareTypes(part(from, from.json), part(to, to.json), 'as-produced')
      : { kind: 'unknown' };
  const inputs = compared(input?.schema, needed?.schema);
  // Inputs that the fallback does not have are left out.
  const refused =
    inputs.kind === 'clash' ? inputs.clashes.filter(({ kind, path }) => kind !== 'extra' || path.length > 1) : [];
  const [{ path } = { path: undefined }] = refused;
  if (path) {
    const message = `The fallback \`${name}\` does not accept the inputs of this skill: \`${path.join('.')}\` is missing or has another type.`;
    return { severity: 'warning', message };
  }
  const exit = doubtfulExit(analysis, skill);
  if (exit && output?.schema.fields.some((field) => field.required)) {
    const message = `The fallback \`${name}\` may end ${EXITS[exit.on]}, without its output. Let it end with \`exit: {on: output_schema}\`, or use another fallback.`;
    return { severity: 'warning', message };
  }
  const outputs = compared(given?.schema, output?.schema);
  if (outputs.kind !== 'clash') return undefined;
  const [{ path: at }] = outputs.clashes;
  const message = `The output of the fallback \`${name}\` does not match the output schema: \`${at.join('.')}\` is missing or has another type.`;
  return { severity: 'warning', message };
}
