/** What the workspace knows about a name: tools, skills, interrupts and the rest of the catalog, as Markdown. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Domain } from '../../vocabulary/shape.ts';
import type { Catalog, CatalogTool } from '../../workspace/catalog.ts';
import { code, facts, fieldLine, listed, paragraphs } from './describe.ts';

/** Undefined where nothing is known of the name. */
export function describeName(
  analysis: Analysis,
  file: SkillFile,
  domain: Domain | 'artifact',
  name: string,
): string | undefined {
  const catalog = analysis.catalogOf(file.uri);
  switch (domain) {
    case 'tool': {
      const tool = catalog.tools.get(name);
      return tool ? describeTool(tool) : describeSkill(analysis, file, name);
    }
    case 'skill':
      return describeSkill(analysis, file, name);
    case 'step': {
      const step = file.contract.composes.find((entry) => entry.step === name);
      const skill = step && describeSkill(analysis, file, step.name);
      return step && step.name !== name ? paragraphs(`**${name}** · step`, skill) : skill;
    }
    case 'interrupt': {
      const interrupt = catalog.interrupts.get(name);
      return interrupt && paragraphs(`**${name}** · interrupt, fired by \`${interrupt.node}\``, interrupt.description);
    }
    case 'role': {
      const role = catalog.roles?.get(name);
      const scopes = role?.scopes.map((scope) => `\`${scope}\``).join(', ');
      const callers = [...catalog.profiles.values()].filter((profile) => profile.role === name);
      return (
        role &&
        paragraphs(
          `**${name}** · role`,
          `Holds ${scopes || 'no scope'}.`,
          callers.length > 0 && `Callers: ${namesOf(callers)}.`,
        )
      );
    }
    case 'profile': {
      const profile = catalog.profiles.get(name);
      return (
        profile &&
        paragraphs(
          `**${name}** · profile`,
          profile.description ?? 'A caller for the preview.',
          profile.role !== undefined && `Role: \`${profile.role}\`.`,
          profile.scopes && `Scopes: ${listedCode(profile.scopes) || 'none'}.`,
          profile.tools && `Tools: ${listedCode(profile.tools) || 'none'}.`,
        )
      );
    }
    case 'effect': {
      const effect = catalog.effects.get(name);
      return effect && paragraphs(`**${name}** · effect`, effect.description ?? 'Declared by the workspace.');
    }
    case 'scope':
      return describeScope(catalog, name);
    case 'model':
      return catalog.models?.has(name)
        ? paragraphs(`**${name}** · model family`, 'Declared by the workspace.')
        : undefined;
    case 'template':
    case 'artifact':
      return describeArtifact(file, domain, name);
    default:
      return undefined;
  }
}

export function describeTool(tool: CatalogTool): string {
  return paragraphs(
    facts(
      `**${tool.name}** · tool`,
      tool.operation,
      ...tool.scopes.map((scope) => `needs \`${scope}\``),
      tool.server && `from ${tool.server}`,
    ),
    tool.description,
    (tool.inputSchema?.fields ?? []).map(fieldLine).join('\n'),
  );
}

export function describeSkill(analysis: Analysis, file: SkillFile, name: string): string | undefined {
  const skill = analysis.resolveSkill(file, name);
  if (!skill) return undefined;
  const { contract, summary } = skill;
  const { version, level, operation, deprecated, successor } = summary;
  const inputs = (contract.input?.schema.fields ?? []).map(fieldLine);
  const outputs = (contract.output?.schema.fields ?? []).map(fieldLine);
  return paragraphs(
    facts(
      `**${name}** · skill`,
      version,
      level !== undefined && `level ${level}`,
      operation,
      deprecated && 'deprecated',
    ),
    contract.description?.name,
    successor && `Use \`${successor}\` instead.`,
    needsOf(skill),
    inputs.length > 0 && `Takes\n\n${inputs.join('\n')}`,
    outputs.length > 0 && `Gives\n\n${outputs.join('\n')}`,
  );
}

/** The scopes, roles, tools and so on that a skill declares. */
function needsOf({ contract }: SkillFile): string {
  const line = (title: string, names: readonly { readonly name: string }[]) =>
    names.length > 0 ? [`- ${title}: ${namesOf(names)}`] : [];
  return [
    ...line('scopes', contract.requiredScopes),
    ...line('roles', contract.allowedRoles),
    ...line('tools', contract.tools),
    ...line('effects', contract.effects),
    ...line('interrupts', contract.interrupts),
    ...line('composes', contract.composes),
  ].join('\n');
}

/** How many names of a list are shown. */
const MAX_NAMES = 20;

const namesOf = (named: readonly { readonly name: string }[]): string => listedCode(named.map(({ name }) => name));

const listedCode = (names: readonly string[]): string => listed(names.map(code), MAX_NAMES);

export function describeScope(catalog: Catalog, name: string): string | undefined {
  if (catalog.scopes && !catalog.scopes.has(name)) return undefined;
  const tools = [...catalog.tools.values()].filter(({ scopes }) => scopes.includes(name));
  const roles = [...(catalog.roles?.values() ?? [])].filter(({ scopes }) => scopes.includes(name));
  return paragraphs(
    `**${name}** · scope`,
    tools.length > 0 && `Needed by ${namesOf(tools)}.`,
    roles.length > 0 && `Held by ${namesOf(roles)}.`,
  );
}

function describeArtifact(
  { body, text }: SkillFile,
  domain: 'template' | 'artifact',
  name: string,
): string | undefined {
  const artifact = body?.artifacts.find(
    (candidate) => candidate.name === name && (domain === 'artifact' || candidate.kind === 'PromptTemplate'),
  );
  if (!artifact) return undefined;
  const { start, end } = artifact.template?.span ?? artifact.textSpan;
  const opening = text.slice(start, Math.min(end, start + 400));
  const shown = end - start > 400 ? `${opening}…` : opening;
  // The text may hold fences of three backticks.
  return paragraphs(`**${name}** · ${artifact.kind}`, shown.trim() !== '' && `\`\`\`\`text\n${shown}\n\`\`\`\``);
}
