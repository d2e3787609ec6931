/** Whether the contract of a service can be relied on (docs/registry.md, "Contracts"). */
import type { Analysis } from '../analysis/analysis.ts';
import {
  isObject,
  isUsable,
  type JsonObject,
  makeUp,
  parseSchema,
  toNode,
  validateJson,
} from '../languages/schema/schema.ts';
import { missingPromises, standsForService } from '../rules/incomplete-contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';

/** An input that is made up from the skill's schema; undefined where it has none that can be relied on. */
export function syntheticInput({ contract: { input } }: SkillFile): JsonObject | undefined {
  return input && isUsable(input.schema) ? makeUp(input.schema, {}) : undefined;
}

/** What the contract of a skill with a `backing_service` lacks, each as a key or a sentence. */
export function missingIn(analysis: Analysis, file: SkillFile): readonly string[] {
  const { root } = file.frontmatter.tree;
  if (!standsForService(root)) return [];
  return [...missingPromises(root), ...refusedByTool(analysis, file)];
}

/** Why the tool that the snapshot has under the skill's name would refuse the synthetic input. */
function refusedByTool(analysis: Analysis, file: SkillFile): readonly string[] {
  const name = file.contract.name?.name;
  const tools = analysis.index.snapshots.get(analysis.catalogOf(file.uri).folder)?.tools ?? [];
  const json = tools.find((tool) => tool.name === name)?.inputSchema;
  const input = syntheticInput(file);
  if (!isObject(json) || !input) return [];
  const schema = parseSchema(toNode(json));
  if (!isUsable(schema)) return [];
  return validateJson(schema, input).map(({ message }) => `an input that the tool \`${name}\` takes: ${message}`);
}
