/** Markdown about the names that a workspace declares: tools, skills, interrupts and the rest of the catalog. */
import type { Analysis } from '../../analysis/analysis.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import { stagesOf } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Domain } from '../../vocabulary/shape.ts';
import type { Catalog, CatalogTool } from '../../workspace/catalog.ts';
import { strongestOperation } from '../../workspace/effective-contract.ts';
import { code, factLine, fence, listed, type Markdown, md, paragraphs, prose, rows } from '../markdown.ts';
import { fieldLine } from './describe.ts';

const DECLARED = 'Declared by the workspace.';

/** Returns the author's description, or the default text if it is missing. */
const descriptionOr = ({ description }: { readonly description?: string | undefined }, otherwise = ''): Markdown =>
  prose(description ?? otherwise);

/** Describes a name; undefined for an unknown name. */
export function describeName(
  analysis: Analysis,
  file: SkillFile,
  domain: Domain | 'artifact' | 'agent',
  name: string,
): Markdown | undefined {
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
      return step && step.name !== name ? paragraphs(md`**${name}** · step`, skill) : skill;
    }
    case 'stage': {
      const { text, body } = file;
      const within = (body?.artifacts ?? []).flatMap((artifact) =>
        body ? stagesOf(text, body, artifact).map((stage, at) => ({ ...stage, at, approach: artifact.name })) : [],
      );
      const stage = within.find((one) => one.name === name);
      return stage && md`**${name}** · stage ${stage.at + 1} of the approach ${code(stage.approach)}`;
    }
    case 'interrupt': {
      const interrupt = catalog.interrupts.get(name);
      return (
        interrupt && paragraphs(md`**${name}** · interrupt, fired by ${code(interrupt.node)}`, descriptionOr(interrupt))
      );
    }
    case 'role': {
      const role = catalog.roles?.get(name);
      const callers = [...catalog.profiles.values()].filter((profile) => profile.role === name);
      return (
        role &&
        paragraphs(
          md`**${name}** · role`,
          md`Scopes: ${role.scopes.length > 0 ? listedCode(role.scopes) : 'none'}.`,
          callers.length > 0 && md`Callers: ${namesOf(callers)}.`,
        )
      );
    }
    case 'profile': {
      const profile = catalog.profiles.get(name);
      return (
        profile &&
        paragraphs(
          md`**${name}** · profile`,
          descriptionOr(profile, 'A caller for the preview.'),
          profile.role !== undefined && md`Role: ${code(profile.role)}.`,
          profile.scopes && md`Scopes: ${profile.scopes.length > 0 ? listedCode(profile.scopes) : 'none'}.`,
          profile.tools && md`Tools: ${profile.tools.length > 0 ? listedCode(profile.tools) : 'none'}.`,
        )
      );
    }
    case 'effect': {
      const effect = catalog.effects.get(name);
      return effect && paragraphs(md`**${name}** · effect`, descriptionOr(effect, DECLARED));
    }
    case 'scope':
      return describeScope(catalog, name);
    case 'surface':
    case 'channel':
      return catalog[`${domain}s`]?.has(name) ? paragraphs(md`**${name}** · ${domain}`, md`${DECLARED}`) : undefined;
    case 'model':
      return describeModel(catalog, name);
    case 'agent':
      return describeAgent(analysis, file, name);
    case 'template':
    case 'artifact':
      return describeArtifact(file, domain, name);
    default:
      return undefined;
  }
}

function describeModel({ models }: Catalog, name: string): Markdown | undefined {
  const model = models?.get(name);
  const members = [...(models?.values() ?? [])].filter(({ family }) => family === name).map((one) => one.name);
  return (
    model &&
    paragraphs(
      md`**${name}** · ${model.family === undefined ? 'model family' : 'model'}`,
      md`${DECLARED}`,
      model.family !== undefined && md`Family: ${code(model.family)}.`,
      members.length > 0 && md`Models: ${listedCode(members)}.`,
    )
  );
}

/** Describes an agent by its `description`. */
function describeAgent(analysis: Analysis, file: SkillFile, name: string): Markdown | undefined {
  const known = analysis.agents.all.find((one) => one.name === name && one.uri !== file.uri);
  const description = stringOf(findValue(analysis.file(known?.uri ?? '')?.frontmatter.tree.root, 'description'));
  return known && paragraphs(md`**${known.callName}** · agent`, prose(description ?? ''));
}

export function describeTool(tool: CatalogTool): Markdown {
  return paragraphs(
    factLine(
      md`**${tool.name}** · tool`,
      tool.operation,
      ...tool.scopes.map((scope) => md`requires ${code(scope)}`),
      tool.server && `from ${tool.server}`,
      tool.isOfEditor && 'from the editor',
    ),
    descriptionOr(tool),
    rows((tool.inputSchema?.fields ?? []).map(fieldLine)),
  );
}

export function describeSkill(analysis: Analysis, file: SkillFile, name: string): Markdown | undefined {
  const skill = analysis.resolveSkill(file, name);
  return skill && describeFile(analysis, skill, name);
}

/** Describes the skill in a file under the given name. */
export function describeFile(analysis: Analysis, skill: SkillFile, name: string): Markdown {
  const { contract, summary } = skill;
  const { version, level, deprecated, successor } = summary;
  const root = analysis.graph.skills.get(skill.uri);
  const closure = root ? [root, ...analysis.graph.closureOf(root)] : [];
  const operation = strongestOperation(closure, analysis.operationOfTool)?.name;
  const inputs = (contract.input?.schema.fields ?? []).map(fieldLine);
  const outputs = (contract.output?.schema.fields ?? []).map(fieldLine);
  return paragraphs(
    factLine(
      md`**${name}** · skill`,
      version,
      level !== undefined && `level ${level}`,
      operation,
      deprecated && 'deprecated',
    ),
    descriptionOr({ description: contract.description?.name }),
    successor && md`Use ${code(successor)} instead.`,
    requirementsOf(skill),
    ...(inputs.length > 0 ? [md`Input`, rows(inputs)] : []),
    ...(outputs.length > 0 ? [md`Output`, rows(outputs)] : []),
  );
}

/** Lists the scopes, roles, tools and so on that a skill declares. */
function requirementsOf({ contract }: SkillFile): Markdown {
  const line = (title: string, names: readonly { readonly name: string }[]) =>
    names.length > 0 ? [md`- ${title}: ${namesOf(names)}`] : [];
  return rows([
    ...line('scopes', contract.requiredScopes),
    ...line('roles', contract.allowedRoles),
    ...line('tools', contract.tools),
    ...line('effects', contract.effects),
    ...line('interrupts', contract.interrupts),
    ...line('composes', contract.composes),
  ]);
}

/** The maximum number of names that are shown in a list. */
const MAX_NAMES = 20;

const namesOf = (named: readonly { readonly name: string }[]): Markdown => listedCode(named.map(({ name }) => name));

const listedCode = (names: readonly string[]): Markdown => listed(names.map(code), MAX_NAMES);

export function describeScope(catalog: Catalog, name: string): Markdown | undefined {
  if (catalog.scopes && !catalog.scopes.has(name)) return undefined;
  const tools = [...catalog.tools.values()].filter(({ scopes }) => scopes.includes(name));
  const roles = [...(catalog.roles?.values() ?? [])].filter(({ scopes }) => scopes.includes(name));
  return paragraphs(
    md`**${name}** · scope`,
    tools.length > 0 && md`Required by ${namesOf(tools)}.`,
    roles.length > 0 && md`Granted to ${namesOf(roles)}.`,
  );
}

function describeArtifact(
  { body, text }: SkillFile,
  domain: 'template' | 'artifact',
  name: string,
): Markdown | undefined {
  const artifact = body?.artifacts.find(
    (candidate) => candidate.name === name && (domain === 'artifact' || candidate.kind === 'PromptTemplate'),
  );
  if (!artifact) return undefined;
  const { start, end } = artifact.template?.span ?? artifact.textSpan;
  const opening = text.slice(start, Math.min(end, start + 400));
  const shown = end - start > 400 ? `${opening}…` : opening;
  return paragraphs(md`**${name}** · ${artifact.kind}`, shown.trim() !== '' && fence('text', shown));
}
