/** The output schemas of tools and services (docs/format.md, section 6). */
import type { Schema } from '../languages/schema/schema.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Analysis } from './analysis.ts';

interface ToolOutput {
  readonly schema: Schema;
  /** The file that contains the schema; undefined for a tool from a snapshot, which is a generated file. */
  readonly uri: string | undefined;
}

/**
 * Returns the output schema of the tool or the service `name`, as `file` sees it: from its catalog, or from the contract
 * of the skill with this name. Returns undefined if the schema is not known. Never throws.
 */
export function outputOfTool(analysis: Analysis, file: SkillFile, name: string): ToolOutput | undefined {
  const known = analysis.parsedCatalogOf(file.uri).tools.get(name);
  if (known) return known.outputSchema && { schema: known.outputSchema, uri: known.span && known.uri };
  const contract = analysis.graph.tools.has(name) ? analysis.resolveSide(file, name, 'output') : undefined;
  const schema = contract?.contract.output?.schema;
  return contract && schema && { schema, uri: contract.uri };
}
