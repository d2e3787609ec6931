/** A skill with what other files say about the names in it: tools, interrupts, composed skills, callers, limits. */

import type { Json } from '../languages/yaml/node.ts';
import type { ComposesEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { PackageSkill, SkillPackage, Surroundings, ToolDescriptor } from '../skill/package.ts';
import { readPackage } from '../skill/read-package.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { type Catalog, NO_CATALOG } from './catalog.ts';
import { resolveSkill } from './resolve-skill.ts';
import { findCatalog, isKnownTool, settledCatalogOf, skillsNamed, type WorkspaceIndex } from './workspace-index.ts';

/** Undefined where the index has no such file, or one that is no skill. Costs the skill and all that it composes, each once. */
export function packageOf(index: WorkspaceIndex, uri: string): SkillPackage | undefined {
  const document = index.documents.get(uri);
  if (!document?.isSkill) return undefined;
  return assemble(index, document, new Map(), new Set());
}

/** `made` keeps every package, so that a shared skill is read once; `path` holds the skills that are being assembled. */
function assemble(
  index: WorkspaceIndex,
  document: SkillDocument,
  made: Map<string, SkillPackage>,
  path: Set<string>,
): SkillPackage {
  const known = made.get(document.uri);
  if (known) return known;
  path.add(document.uri);
  const catalog = findCatalog(index, document.uri);
  const skill = (entry: ComposesEntry): PackageSkill['package'] => {
    const composed = resolveSkill(index, document, entry.name);
    if (!composed) return 'missing';
    if (path.has(composed.uri) || path.size > MAX_DEPTH) return 'cycle';
    return assemble(index, composed, made, path);
  };
  const assembled = readPackage(document, {
    tool: (name) => findTool(index, catalog, name),
    interruptNode: (name) => (catalog ?? NO_CATALOG).interrupts.get(name)?.node,
    skill,
  });
  path.delete(document.uri);
  made.set(document.uri, assembled);
  return assembled;
}

/** Levels allow a depth of three; deeper chains are errors already, and must not exhaust the stack. */
const MAX_DEPTH = 50;

const bare = (name: string): ToolDescriptor => ({
  name,
  description: undefined,
  operation: undefined,
  scopes: [],
  inputSchema: undefined,
});

/** Where no catalog knows the tools, every declared one counts as there (section 6). */
function findTool(index: WorkspaceIndex, catalog: Catalog | undefined, name: string): ToolDescriptor | undefined {
  const tool = catalog?.tools.get(name);
  if (tool) return { ...bare(name), ...pick(tool) };
  const backed = index.graph.tools.has(name) ? findBacked(index, name) : undefined;
  if (backed) return backed;
  if (AUTHORING_TOOLS.includes(name)) return { ...bare(name), operation: name === 'list_skills' ? 'READ' : 'WRITE' };
  if (!catalog?.toolsKnown || isKnownTool(index, catalog, name)) return bare(name);
  return undefined;
}

const pick = ({ description, operation, scopes, inputSchema }: NonNullable<ReturnType<Catalog['tools']['get']>>) => ({
  description,
  operation,
  scopes,
  inputSchema: inputSchema?.json,
});

/** A contract with a backing service, as the tool that it also is. */
function findBacked(index: WorkspaceIndex, name: string): ToolDescriptor | undefined {
  const skill = skillsNamed(index, name).find(({ summary }) => summary.isTool);
  if (!skill) return undefined;
  const { operation, requiredScopes } = skill.summary;
  const contract = index.documents.get(skill.uri)?.contract;
  const inputSchema = contract?.input?.schema.json as Json | undefined;
  return { name, description: contract?.description?.name, operation, scopes: requiredScopes, inputSchema };
}

/** What an invocation of the skill at `uri` meets beside its package. */
export function surroundingsOf(index: WorkspaceIndex, uri: string): Surroundings {
  const catalog = settledCatalogOf(index, uri);
  const { roles, profiles, limits } = catalog;
  return {
    toolsKnown: catalog.toolsKnown,
    profiles: [...profiles.values()].map(({ name, role, scopes, tools }) => ({ name, role, scopes, tools })),
    roles: roles && Object.fromEntries([...roles.values()].map(({ name, scopes }) => [name, scopes])),
    examples: limits.examples,
    contextTokens: limits.contextTokens,
  };
}
