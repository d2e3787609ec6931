/** Reads one file as a package. `known` gives what other files declare: tools, interrupts, composed skills. */
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { findValue, jsonOf, numberOf, stringOf, type YamlMap, type YamlNode } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import { contentDigest } from './content-digest.ts';
import {
  type ComposesEntry,
  findSkillEntry,
  type InterruptEntry,
  itemsOf,
  namesOf,
  requiresTools,
  type ToolEntry,
} from './contract.ts';
import { executionProblems } from './execution/execution-problems.ts';
import { readExit } from './execution/exit.ts';
import { headOf } from './head.ts';
import type {
  PackageInterrupt,
  PackageSkill,
  PackageTool,
  Permission,
  SkillPackage,
  ToolDescriptor,
} from './package.ts';
import { readArtifacts, readExpression, readProse } from './package-body.ts';
import { readRetry, readSteps } from './package-execution.ts';
import { readSamples } from './package-samples.ts';
import type { SkillFile } from './skill-file.ts';

/** What other files declare under the names in a skill. */
export interface KnownNames {
  /** The tool of that name; undefined where a catalog knows the tools and it is not among them. */
  tool(name: string): ToolDescriptor | undefined;
  /** The graph node that fires an interrupt. */
  interruptNode(name: string): string | undefined;
  skill(entry: ComposesEntry): PackageSkill['package'];
  permission: Permission | undefined;
}

/** A file with defects gives a package, too, in which the composer finds what is missing. */
export function readPackage(document: SkillFile, known: KnownNames): SkillPackage {
  const { uri, dialect, text, contract, frontmatter, body } = document;
  const { root, broken, problems } = frontmatter.tree;
  const value = (key: string): YamlNode | undefined => findSkillEntry(root, key)?.value;
  const isAgentSkill = dialect === 'agent-skill';
  const policy = value('policy');
  const deprecated = findSkillEntry(root, 'deprecated');
  const problem = problems.find(({ kind }) => kind === 'syntax');
  return {
    uri,
    digest: contentDigest(text),
    dialect,
    unreadable:
      broken || isUnclosed(frontmatter)
        ? { span: problem?.span ?? headOf(document), message: problem?.message ?? '' }
        : undefined,
    headSpan: headOf(document),
    id: stringOf(value('id')) ?? contract.name?.name,
    name: contract.name,
    description: contract.description?.name,
    version: contract.version?.name,
    level: contract.level,
    framing: isAgentSkill ? undefined : contract.framing,
    prose: body ? readProse(document, isAgentSkill ? [body.span] : body.framing) : [],
    proseReferences: (body?.references ?? []).filter(
      (reference) => !body?.artifacts.some((artifact) => isWithin(reference.span, artifact.span)),
    ),
    artifacts: isAgentSkill ? [] : readArtifacts(document),
    // An Agent Skill has no contract: only the request is passed to it.
    inputSchema: isAgentSkill ? parseSchema(undefined) : asData(contract.input?.schema),
    outputSchema: asData(contract.output?.schema),
    tools: isAgentSkill ? [] : contract.tools.map((tool) => readTool(tool, known)),
    toolsSpan: value('tools')?.span,
    requiresTools: requiresTools(contract),
    requiresToolsSpan: contract.requiresTools?.span,
    requiredScopes: contract.requiredScopes,
    allowedRoles: contract.allowedRoles,
    allowedContexts: contract.allowedContexts,
    capabilitiesRequired: contract.capabilitiesRequired,
    permission: known.permission,
    deprecated:
      contract.deprecated && deprecated
        ? { span: deprecated.key.span, successor: contract.successor?.name }
        : undefined,
    interrupts: contract.interrupts.map((interrupt) => readInterrupt(document, interrupt, known)),
    progress: value('progress')?.kind === 'map' ? jsonOf(value('progress')) : null,
    ...readExitOf(document),
    modelPreference: namesOf(value('model_preference')).map(({ name }) => name),
    plannerDelegatesShape: booleanOf(value('planner_delegates_shape')) ?? false,
    samples: readSamples(contract.samples),
    composes: isAgentSkill ? [] : contract.composes.map((entry) => readSkill(entry, known)),
    execution: value('execution')?.kind === 'list' ? readSteps(text, value('execution')) : undefined,
    executionProblems: isAgentSkill
      ? []
      : executionProblems(document).map(({ span: place, message, advice }) => ({ span: place, message, advice })),
    timeoutMs: numberOf(findValue(policy, 'timeout_ms')),
    retry: readRetry(value('retry') ?? findValue(policy, 'retry')),
    backed: contract.backed,
  };
}

/** A schema as plain data: a package crosses to a worker, and getters that read on demand do not. */
const asData = (schema: Schema | undefined): Schema | undefined =>
  schema && {
    span: schema.span,
    form: schema.form,
    dialect: schema.dialect,
    json: schema.json,
    fields: schema.fields,
    problems: schema.problems,
  };

const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

function readTool({ name, span: place, optional, constraints }: ToolEntry, known: KnownNames): PackageTool {
  const narrowed = constraints && jsonOf(constraints);
  return { name, span: place, optional, constraints: narrowed, descriptor: known.tool(name) };
}

function readInterrupt(
  document: SkillFile,
  { name, span: place, when }: InterruptEntry,
  known: KnownNames,
): PackageInterrupt {
  const entry = itemsOf(findSkillEntry(document.frontmatter.tree.root, 'interrupts')?.value, 'name').find(
    ([named]) => named.span === place || named.name === name,
  );
  return {
    name,
    span: place,
    when: readExpression(document.text, when),
    message: stringOf(findValue(entry?.[1], 'message')),
    node: known.interruptNode(name),
  };
}

function readSkill(entry: ComposesEntry, known: KnownNames): PackageSkill {
  return {
    name: entry.name,
    span: entry.span,
    step: entry.step,
    inputMapping: readMapping(entry.inputMapping),
    outputMapping: readMapping(entry.outputMapping),
    package: known.skill(entry),
  };
}

const readMapping = (map: YamlMap | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (map?.entries ?? []).flatMap(({ key, value }) => {
      const to = stringOf(value);
      return to === undefined ? [] : [[String(key.value), to]];
    }),
  );

/** An Agent Skill has no contract, and so none that could be wrong. */
function readExitOf({ dialect, frontmatter, contract }: SkillFile): Pick<SkillPackage, 'exit' | 'exitProblems'> {
  const root = dialect === 'agent-skill' ? undefined : frontmatter.tree.root;
  const { exit, problems } = readExit(root, contract);
  return { exit, exitProblems: problems.map(({ span, message, suggestion }) => ({ span, message, suggestion })) };
}

const booleanOf = (node: YamlNode | undefined): boolean | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;
