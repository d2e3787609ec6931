import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import {
  isUsable,
  type JsonObject,
  KEYWORDS,
  nearestKeyword,
  parseSchema,
  type Schema,
} from '../../languages/schema/schema.ts';
import { isNull, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { checkNarrowing, inputsOf } from './narrowing.ts';

/** Tool constraints that do not narrow the tool's input schema. */
export const invalidToolConstraints: Rule = {
  name: 'invalid-tool-constraints',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: SKILLS,
  *check(file, analysis) {
    for (const { name, constraints } of file.contract.tools) {
      if (constraints && !isNull(constraints)) yield* checkConstraints(file, analysis, name, constraints);
    }
  },
};

function* checkConstraints(file: SkillFile, analysis: Analysis, tool: string, node: YamlNode): Iterable<Draft> {
  if (node.kind !== 'map') {
    yield {
      span: node.span,
      message: '`constraints` must be a map. Write a JSON Schema, for example `{properties: {limit: {maximum: 20}}}`.',
    };
    return;
  }
  const fragment = parseSchema(node);
  const found = findToolSchema(analysis, file, tool);
  yield* checkKeys(file, node, fragment, found && inputsOf(found.schema));
  // `invalid-schema` reports the defects of the fragment itself.
  if (fragment.form === 'json-schema' && !isUsable(fragment)) return;
  if (!found || !isUsable(found.schema)) return;
  const { schema, uri } = found;
  const isShown = schema.form !== 'empty' && uri !== undefined;
  const related = isShown ? [{ uri, span: schema.span, message: `The input schema of \`${tool}\` is here` }] : [];
  for (const draft of checkNarrowing(file, tool, node, schema)) yield { ...draft, related };
}

/** Reports keys at the top of the fragment that are not keywords, such as an input that must be under `properties`. */
function* checkKeys(file: SkillFile, node: YamlMap, fragment: Schema, inputs: JsonObject = {}): Iterable<Draft> {
  for (const { key } of node.entries) {
    const name = String(key.value);
    if (KEYWORDS.has(name) || name.startsWith('x-')) continue;
    const isTold = fragment.problems.some(({ span }) => span.start === key.span.start);
    const isInput = Object.hasOwn(inputs, name);
    if (fragment.form === 'json-schema' && isTold && !isInput) continue;
    const keyword = isInput ? undefined : nearestKeyword(name, 'object');
    if (keyword !== undefined) {
      const message = `Unknown keyword \`${name}\`.${didYouMean([keyword])}`;
      yield { span: key.span, severity: 'warning', message, fixes: replaceName(file, [key.span], [keyword]) };
      continue;
    }
    const [near] = isInput ? [] : nearestNames(name, Object.keys(inputs), 1);
    const advice = isInput
      ? 'Move it under `properties`.'
      : near === undefined
        ? 'Write inputs under `properties`, or remove it.'
        : `Move it under \`properties\` as \`${near}\`.`;
    const message = `\`${name}\` has no effect here, because \`constraints\` is a JSON Schema. ${advice}`;
    yield { span: key.span, message, ...(isInput ? {} : { severity: 'warning' }) };
  }
}

interface ToolSchema {
  readonly schema: Schema;
  /** The file that contains the schema; undefined for a tool from a snapshot, which is a generated file. */
  readonly uri: string | undefined;
}

/** Returns the input schema of a tool that a catalog or a contract defines, or undefined if the schema is not known. */
function findToolSchema(analysis: Analysis, file: SkillFile, name: string): ToolSchema | undefined {
  const known = analysis.parsedCatalogOf(file.uri).tools.get(name);
  if (known) return known.inputSchema && { schema: known.inputSchema, uri: known.span && known.uri };
  if (!analysis.graph.tools.has(name)) return undefined;
  const contract = analysis.resolveSkill(file, name);
  const schema = contract?.contract.input?.schema;
  return contract && schema && { schema, uri: contract.uri };
}
