/**
 * Reads one file as a package. `KnownNames` contains the declarations in other files: tools, interrupts, composed
 * skills.
 */

import { subtract, trimSpan } from '../languages/markdown/spans.ts';
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import {
  findValue,
  jsonOf,
  listItems,
  numberOf,
  stringOf,
  type YamlMap,
  type YamlNode,
} from '../languages/yaml/node.ts';
import { nextLine, type Span, sliceOf, span } from '../text.ts';
import { wholeVersion } from '../vocabulary/formats.ts';
import { assertionFault } from './assertion-problems.ts';
import { type Artifact, type ExamplePart, type Stage, stagesOf } from './body.ts';
import { contentDigest } from './content-digest.ts';
import {
  type ComposesEntry,
  type ErrorEntry,
  findSkillEntry,
  type InterruptEntry,
  itemsOf,
  namedOf,
  namesOf,
  requiresTools,
  type ToolEntry,
} from './contract.ts';
import { readExit } from './execution/exit.ts';
import { readFallback } from './fallbacks.ts';
import type {
  PackageArtifact,
  PackageCall,
  PackageError,
  PackageExpression,
  PackageFault,
  PackageInterrupt,
  PackageReference,
  PackageService,
  PackageSkill,
  PackageStage,
  PackageStep,
  PackageTool,
  Passage,
  Permission,
  SkillPackage,
  ToolDescriptor,
} from './package.ts';
import { readSamples } from './package-samples.ts';
import { readRetry } from './retry.ts';
import type { SkillFile } from './skill-file.ts';
import { missingKeySpan } from './skill-file.ts';

/** The declarations in other files of the names that a skill uses. */
export interface KnownNames {
  /** Returns a tool; undefined if the catalog lists the tools and does not contain it. */
  tool(name: string): ToolDescriptor | undefined;
  /** Returns the skill that is called as a tool; undefined for other tools. */
  toolSkill(name: string): SkillPackage | undefined;
  /** Returns the kind of node that fires an interrupt; undefined if neither the format nor the catalog defines it. */
  interruptNode(name: string): string | undefined;
  skill(entry: ComposesEntry): PackageSkill['package'];
  /** Returns the skill that a fallback names; undefined if no skill has the name. */
  fallback(name: string): PackageSkill['package'] | undefined;
  permission: Permission | undefined;
  faults: readonly PackageFault[];
}

/**
 * Reads a file as a package. `known` contains the declarations in other files. Never throws: a file with errors results
 * in a package in which the composer finds these errors.
 */
export function readPackage(document: SkillFile, known: KnownNames): SkillPackage {
  const { uri, dialect, text, contract, frontmatter, body } = document;
  const { root, broken, problems } = frontmatter.tree;
  const value = (key: string): YamlNode | undefined => findSkillEntry(root, key)?.value;
  const isAgentSkill = dialect === 'agent-skill';
  const policy = value('policy');
  const problem = problems.find(({ kind }) => kind === 'syntax');
  return {
    uri,
    digest: document.derive(digestOfFile),
    dialect,
    unreadable:
      broken || isUnclosed(frontmatter)
        ? { span: problem?.span ?? missingKeySpan(document), message: problem?.message ?? '' }
        : undefined,
    headSpan: missingKeySpan(document),
    id: stringOf(value('id')) ?? contract.name?.name,
    name: contract.name,
    description: contract.description?.name,
    version: contract.version && wholeVersion(contract.version.name),
    level: contract.level,
    framing: isAgentSkill ? undefined : contract.framing,
    prose: body ? readProse(document, isAgentSkill ? [body.span] : body.framing) : [],
    proseReferences: (body?.references ?? []).filter(
      (reference) => !body?.artifacts.some((artifact) => isWithin(reference.span, artifact.span)),
    ),
    artifacts: isAgentSkill ? [] : document.derive(readArtifacts),
    inputSchema: asData(inputSchemaOf(document)),
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
    deprecated: contract.deprecation && {
      span: contract.deprecation.span,
      successor: contract.deprecation.use?.name,
    },
    interrupts: contract.interrupts.map((interrupt) => readInterrupt(document, interrupt, known)),
    progress: value('progress')?.kind === 'map' ? jsonOf(value('progress')) : null,
    ...readExitOf(document),
    modelPreference: namesOf(value('model_preference')).map(({ name }) => name),
    plannerDelegatesShape: booleanOf(value('planner_delegates_shape')) ?? false,
    samples: readSamples(contract.samples),
    composes: isAgentSkill ? [] : contract.composes.map((entry) => readSkill(entry, known)),
    execution: value('execution')?.kind === 'list' ? readSteps(text, value('execution')) : undefined,
    faults: known.faults,
    timeoutMs: numberOf(findValue(policy, 'timeout_ms')),
    retry: readRetry(value('retry') ?? findValue(policy, 'retry')),
    errors: isAgentSkill ? [] : contract.errors.map((error) => readError(document, error, known)),
    backed: contract.backed,
    service: contract.backed ? readService(value('backing_service'), policy) : undefined,
  };
}

function readError(
  document: SkillFile,
  { name, span: place, retry, fallback: node }: ErrorEntry,
  known: KnownNames,
): PackageError {
  const found = node && readFallback(document, node, (skill) => known.fallback(skill) !== undefined);
  const fallback =
    found?.kind === 'skill' ? { ...found, package: known.fallback(found.name) ?? ('missing' as const) } : found;
  return { name, span: place, retry: retry?.name, fallback };
}

function readService(service: YamlNode | undefined, policy: YamlNode | undefined): PackageService {
  const given = (key: string, node: YamlNode | undefined) => (node ? { [key]: jsonOf(node) } : {});
  return {
    endpoint: stringOf(findValue(service, 'endpoint')),
    ...given('healthCheck', findValue(service, 'health_check')),
    ...given('idempotent', findValue(policy, 'idempotent')),
    ...given('idempotencyKey', findValue(policy, 'idempotency_key')),
    ...given('idempotencyScope', findValue(policy, 'idempotency_scope')),
    ...given('rateLimit', findValue(policy, 'rate_limit')),
    ...given('circuitBreaker', findValue(policy, 'circuit_breaker')),
  };
}

// Computing the digest of a long file takes longer than parsing an edit.
const digestOfFile = ({ text }: SkillFile): string => contentDigest(text);

/**
 * Returns the input schema of a skill; undefined if it is missing. Only the request is passed to a `SKILL.md`, and a
 * skill with only an `id` may omit the schema (docs/format.md, section 2, "Short form").
 */
function inputSchemaOf({ dialect, contract }: SkillFile): Schema | undefined {
  if (dialect === 'agent-skill') return parseSchema(undefined);
  return contract.input?.schema ?? (contract.isNamedById ? parseSchema(undefined) : undefined);
}

/** Returns a schema as plain data, because a package is sent to a worker, and getters are lost on the way. */
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
  const skill = known.toolSkill(name);
  return { name, span: place, optional, constraints: narrowed, descriptor: known.tool(name), ...(skill && { skill }) };
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

/** Reads the exit of a skill. A `SKILL.md` has no contract, so it has the default exit. */
function readExitOf({ dialect, frontmatter, contract }: SkillFile): Pick<SkillPackage, 'exit' | 'exitProblems'> {
  const root = dialect === 'agent-skill' ? undefined : frontmatter.tree.root;
  const { exit, problems } = readExit(root, contract);
  return { exit, exitProblems: problems.map(({ span, message, suggestion }) => ({ span, message, suggestion })) };
}

const booleanOf = (node: YamlNode | undefined): boolean | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;

/** Reads an `execution` with all data that a run needs (docs/format.md, section 4). Skips unknown forms. */
function readSteps(text: string, node: YamlNode | undefined): readonly PackageStep[] {
  return node?.kind === 'list' ? node.items.flatMap((item) => readStep(text, item)) : [];
}

function readStep(text: string, item: YamlNode): readonly PackageStep[] {
  const value = (key: string): YamlNode | undefined => findValue(item, key);
  const { span } = item;
  const call = readCall(text, item);
  if (call) return [call];
  if (value('parallel')) return [{ kind: 'parallel', span, steps: readSteps(text, value('parallel')) }];
  if (value('speculate')) {
    const steps = listItems(value('speculate')).flatMap((one) => readCall(text, one) ?? []);
    return [{ kind: 'speculate', span, steps, until: readUntil(text, value('until')) }];
  }
  const when = value('when');
  if (when?.kind !== 'list') return [];
  const arms = when.items.map((arm) => ({
    condition: readExpression(text, findValue(arm, 'condition')),
    steps: readSteps(text, findValue(arm, 'steps')),
  }));
  const otherwise = value('else');
  const last = otherwise ? [{ condition: undefined, steps: readSteps(text, otherwise) }] : [];
  return [{ kind: 'branch', span, arms: [...arms, ...last] }];
}

function readCall(text: string, item: YamlNode): PackageCall | undefined {
  const step = namedOf(findValue(item, 'step'));
  const inputs = findValue(item, 'inputs');
  return (
    step && {
      kind: 'step',
      name: step.name,
      span: step.span,
      condition: readExpression(text, findValue(item, 'condition')),
      keepWhen: readExpression(text, findValue(item, 'keep_when')),
      inputs: inputs && jsonOf(inputs),
      retry: readRetry(findValue(item, 'retry')),
    }
  );
}

function readUntil(text: string, node: YamlNode | undefined): PackageCall | undefined {
  const step = namedOf(node);
  if (!step) return node && readCall(text, node);
  const { name, span } = step;
  return { kind: 'step', name, span, condition: undefined, keepWhen: undefined, inputs: undefined, retry: undefined };
}

// Reads the body of a file for the composer: prose and artifacts, each part with its span.

/**
 * Returns the prose in `spans` of the file, trimmed and without empty passages. The result is empty if the spans
 * contain only comments.
 */
export function readProse(document: SkillFile, spans: readonly Span[]): readonly Passage[] {
  const comments = (document.body?.htmlComments ?? []).map(({ span: place }) => place);
  if (subtract(spans, comments).every((place) => sliceOf(document.text, place).trim() === '')) return [];
  return spans.map((place) => passageOf(document, place)).filter((passage) => passage.length > 0);
}

/**
 * Returns authored text without the comments that suppress findings (`skill-disable-next-line`). Other comments stay,
 * because they may be instructions for the model.
 */
function passageOf({ text, suppressions }: SkillFile, place: Span): Passage {
  const silenced = suppressions
    .filter(({ comment }) => place.start <= comment.start && comment.end <= place.end)
    .map(({ comment }) => wholeLine(text, comment, place));
  const parts = silenced.length === 0 ? [place] : subtract([place], distinct(silenced));
  const trimmed = parts.filter((part, at) => at === 0 || part.start < part.end);
  const outer = trimOuter(text, trimmed);
  return outer.map((part) => ({ span: part, text: text.slice(part.start, part.end) }));
}

/** Returns the span of a comment, extended to its line if the line has no other text. */
function wholeLine(text: string, comment: Span, { start, end }: Span): Span {
  const lineStart = Math.max(start, text.lastIndexOf('\n', comment.start - 1) + 1);
  const next = nextLine(text, comment.end, end);
  const alone = text.slice(lineStart, comment.start).trim() === '' && text.slice(comment.end, next).trim() === '';
  return alone ? span(lineStart, next) : comment;
}

/**
 * Returns the sorted spans without duplicates, because a comment that suppresses several rules occurs several times.
 */
function distinct(spans: readonly Span[]): Span[] {
  const byStart = new Map(spans.map((place) => [place.start, place]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** Trims white space at the start and at the end of the joined text, but not between the parts. */
function trimOuter(text: string, parts: readonly Span[]): Span[] {
  const left = [...parts];
  while (left.length > 0) {
    const first = left[0] as Span;
    const trimmed = trimSpan(text, first);
    if (trimmed.start < trimmed.end) {
      left[0] = span(trimmed.start, first.end);
      break;
    }
    left.shift();
  }
  while (left.length > 0) {
    const last = left.at(-1) as Span;
    const trimmed = trimSpan(text, last);
    if (trimmed.start < trimmed.end) {
      left[left.length - 1] = span(last.start, trimmed.end);
      break;
    }
    left.pop();
  }
  return left;
}

/** Returns the artifacts of a file as data of a package (docs/format.md, section 5), in the order of the file. */
export function readArtifacts(document: SkillFile): readonly PackageArtifact[] {
  const { text, body, metadata } = document;
  const trees = new Map(metadata.map(({ artifact, tree }) => [artifact, tree]));
  const ids = new Set<string>();
  return (body?.artifacts ?? []).map((artifact) => {
    const tree = trees.get(artifact);
    const meta = tree?.broken ? undefined : tree?.root;
    const modelVariant = artifact.kind === 'PromptTemplate' ? stringOf(findValue(meta, 'model_variant')) : undefined;
    const tools = findValue(meta, 'tools');
    const template = artifact.template?.span;
    const stages = body ? stagesOf(text, body, artifact) : [];
    const input = readPart(document, artifact.example?.input);
    const output = readPart(document, artifact.example?.output);
    return {
      id: uniqueId(ids, `${artifact.kind}:${artifact.name}${modelVariant === undefined ? '' : `@${modelVariant}`}`),
      digest: contentDigest(text.slice(artifact.span.start, artifact.span.end)),
      kind: artifact.kind,
      name: artifact.name,
      headingSpan: artifact.heading.span,
      span: artifact.span,
      text: passageOf(document, artifact.textSpan),
      includeWhen: readExpression(text, findValue(meta, 'include_when')),
      tags: artifact.kind === 'Example' ? namesOf(findValue(meta, 'tags')).map(({ name }) => name) : [],
      modelVariant,
      tools: artifact.kind === 'Approach' && tools ? namesOf(tools) : undefined,
      template: template && { span: template, text: text.slice(template.start, template.end) },
      input,
      output,
      ...readStages(document, artifact, stages),
      asides: readProse(document, asidesOf(artifact, (input ?? []).length + (output ?? []).length > 0)),
      references: referencesIn(document, artifact.span),
      assertions: listItems(findValue(meta, 'assertions'))
        .filter(({ kind }) => kind === 'map')
        .map((node) => ({
          ...{ span: node.span, json: jsonOf(node) },
          ...(assertionFault(node) !== undefined && { isInvalid: true }),
        })),
    };
  });
}

/**
 * Returns an ID that is not in `ids`, and adds it to `ids`. Two artifacts with the same name have different IDs,
 * although duplicate names are an error.
 */
function uniqueId(ids: Set<string>, wanted: string): string {
  let id = wanted;
  for (let n = 2; ids.has(id); n++) id = `${wanted}#${n}`;
  ids.add(id);
  return id;
}

const readPart = (document: SkillFile, part: ExamplePart | undefined): Passage | undefined =>
  part && passageOf(document, part.fence ? part.fence.span : part.span);

function readStages(
  document: SkillFile,
  { textSpan }: Artifact,
  stages: readonly Stage[],
): Pick<PackageArtifact, 'stages' | 'beforeStages' | 'afterStages'> {
  const [first] = stages;
  const last = stages.at(-1);
  if (!first || !last) return { stages: [], beforeStages: [], afterStages: [] };
  return {
    stages: stages.map((stage, at) => readStage(document, stage, stages[at + 1]?.span.start ?? stage.textSpan.end)),
    beforeStages: passageOf(document, span(textSpan.start, first.span.start)),
    afterStages: passageOf(document, span(last.textSpan.end, textSpan.end)),
  };
}

const readStage = (document: SkillFile, { name, span: place, textSpan }: Stage, end: number): PackageStage => ({
  name,
  span: place,
  text: passageOf(document, span(textSpan.start, end)),
  references: referencesIn(document, span(place.start, end)),
});

/** Returns the unused text of an artifact. Without a template fence or parts of an Example, all text is used. */
function asidesOf({ textSpan, template, example }: Artifact, hasParts: boolean): readonly Span[] {
  const parts = hasParts ? [example?.input, example?.output] : [];
  const held = [
    ...(template?.fence ? [template.fence.span] : []),
    ...parts.flatMap((part) => (part ? [part.heading.span, part.fence?.span ?? part.span] : [])),
  ];
  return held.length === 0
    ? []
    : subtract(
        [textSpan],
        held.sort((a, b) => a.start - b.start),
      );
}

const referencesIn = ({ body }: SkillFile, { start, end }: Span): readonly PackageReference[] =>
  (body?.references ?? [])
    .filter((reference) => start <= reference.span.start && reference.span.end <= end)
    .map(({ kind, name, span: place }) => ({ kind, name, span: place }));

/** Reads a condition in YAML. The offset of the condition is known if the scalar has no escapes and no line breaks. */
function readExpression(text: string, node: YamlNode | undefined): PackageExpression | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  const source = typeof node.value === 'string' ? node.value : node.source;
  const start = node.span.start + (node.style === 'single' || node.style === 'double' ? 1 : 0);
  const verbatim = text.startsWith(source, start);
  return { source, span: node.span, valueStart: verbatim ? start : undefined };
}
