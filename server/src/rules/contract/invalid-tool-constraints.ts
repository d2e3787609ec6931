import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft } from '../../finding.ts';
import { isUsable, parseSchema, type Schema } from '../../languages/schema/schema.ts';
import { isNull, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { checkNarrowing } from './narrowing.ts';

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
  // `invalid-schema` reports the defects of the fragment itself.
  if (fragment.form === 'json-schema' && !isUsable(fragment)) return;
  const found = findToolSchema(analysis, file, tool);
  if (!found || !isUsable(found.schema)) return;
  const { schema, uri } = found;
  const isShown = schema.form !== 'empty' && uri !== undefined;
  const related = isShown ? [{ uri, span: schema.span, message: `The input schema of \`${tool}\` is here` }] : [];
  for (const draft of checkNarrowing(file, tool, node, schema)) yield { ...draft, related };
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
