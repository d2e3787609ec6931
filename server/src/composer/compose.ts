/**
 * The composer (docs/composer.md): makes a prompt and a subgraph from a skill package and a request. The composer is
 * synchronous, and the same request gives the same bytes. One function implements each step of the documentation.
 */

import { generateValues, isUsable } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import { isLeftOut, validateParameters } from '../skill/parameters.ts';
import { type AuthoredBlock, assemblePrompt, type Prompt } from './assemble.ts';
import { checkBudget } from './budget.ts';
import type { ComposeError, ComposeRequest, ComposeResult, Composition, Decision } from './composition.ts';
import { chooseApproach } from './conditions.ts';
import { type Framing, findFraming } from './find-framing.ts';
import { renderFraming, renderWith } from './framing.ts';
import { conditionContext } from './prepare.ts';
import { assertionsOf, recordOf, usedArtifacts } from './record.ts';
import { ENGINE, TemplateEngine } from './render/engine.ts';
import { evaluateCondition, evaluateValue } from './render/explain.ts';
import { type RenderFailure, renderTemplate } from './render.ts';
import { selectArtifacts } from './select.ts';
import { shapeSubgraph } from './subgraph.ts';
import { Tokenizer } from './tokens.ts';
import { unrenderedFraming } from './unrendered.ts';
import { referenceErrors, shallowParameters, toolDecisions, validate } from './validate.ts';

export interface Composer {
  /** Composes a skill, or returns all errors that prevent it. Never throws, whichever values the request has. */
  compose(request: ComposeRequest): ComposeResult;
  /** Returns the number of tokens in a string. */
  count(text: string): number;
  /** Evaluates an expression or renders a template, as a debugger requires. Never throws. */
  evaluate(question: Evaluation): Evaluated;
}

/** An expression or a template, with the variables that it can read. */
export interface Evaluation {
  readonly kind: 'condition' | 'value' | 'template';
  readonly source: string;
  readonly context: Readonly<Record<string, Json>>;
  /** True if a test of an undefined value fails (docs/templates.md, "Undefined values"). */
  readonly isStrict?: boolean | undefined;
}

/** The value as JSON; for a condition a boolean, and for a template a string. */
export type Evaluated = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/**
 * Creates a composer. Callers should reuse the composer, because creating one sets up the tokenizer's table and the
 * template engine.
 */
export function createComposer(): Composer {
  const tokens = new Tokenizer();
  const engine = new TemplateEngine();
  return {
    compose: (request) => compose(withAsked(request), tokens, engine.inMode(request.strictTemplates === true)),
    count: (text) => tokens.count(text),
    evaluate: (question) => evaluate(engine.inMode(question.isStrict === true), question),
  };
}

function evaluate(engine: TemplateEngine, { kind, source, context }: Evaluation): Evaluated {
  if (kind === 'template') {
    const template = { name: 'main', uri: '', span: { start: 0, end: source.length }, text: source, artifact: '' };
    const result = renderTemplate(engine, { main: template.name, templates: [template], context });
    return result.ok ? { ok: true, value: result.text } : { ok: false, message: explained(result.failure) };
  }
  const result = (kind === 'condition' ? evaluateCondition : evaluateValue)(engine, source, context);
  return result.ok ? result : { ok: false, message: explained(result.failure) };
}

const explained = ({ message, suggestion }: Pick<RenderFailure, 'message' | 'suggestion'>): string =>
  suggestion === undefined ? message : `${message} Did you mean \`${suggestion}\`?`;

/**
 * Returns a request with made-up values for the parameters that `on_missing_input` asks for, because the prompt needs
 * values (docs/composer.md, step 1).
 */
function withAsked(request: ComposeRequest): ComposeRequest {
  const { skillPackage, parameters } = request;
  const { inputSchema, interrupts } = skillPackage;
  if (!inputSchema || !isUsable(inputSchema) || inputSchema.form === 'empty') return request;
  if (!interrupts.some(({ name }) => name === 'on_missing_input')) return request;
  const missing = validateParameters(inputSchema, shallowParameters(parameters)).filter(isLeftOut);
  if (missing.length === 0) return request;
  const { values } = generateValues(inputSchema, shallowParameters(parameters));
  const asked = missing.flatMap(({ path: [name] }) => (Object.hasOwn(values, String(name)) ? [String(name)] : []));
  return {
    ...request,
    parameters: { ...parameters, ...Object.fromEntries(asked.map((name) => [name, values[name] as Json])) },
    madeUp: [...request.madeUp, ...asked],
  };
}

function compose(request: ComposeRequest, tokens: Tokenizer, engine: TemplateEngine): ComposeResult {
  const { skillPackage, limits } = request;
  const decisions: Decision[] = [...toolDecisions(request)];
  const failed = (errors: readonly ComposeError[], prompt: Prompt): ComposeResult => ({
    ok: false,
    errors,
    partial: { prompt: prompt.text, segments: prompt.segments, tokens: tokensOf(prompt) },
    decisions,
    invocationRecord: recordOf(request, {
      error: errors[0]?.kind ?? null,
      usedArtifacts: usedArtifacts(skillPackage, decisions),
      expectedToolCalls: [],
      declaredInterrupts: [],
    }),
  });

  const tokensOf = ({ tokens: total }: Prompt): Composition['tokens'] => ({
    tokenizer: tokens.name,
    total,
    budget: limits.contextTokens ?? null,
  });

  // 1. Validate. Reports all errors, not only the first.
  const framing = findFraming(skillPackage, request.modelNames) ?? { kind: 'none' };
  const invalid = validate(request, framing);
  if (invalid.length > 0) return failed(invalid, promptOfInvalid(tokens, engine, request));

  // 2. Framing.
  const rendered = renderFraming(engine, request, framing);
  decisions.push(...rendered.decisions);

  // 3. Artifacts.
  const context = conditionContext(request.parameters, request);
  const selection = selectArtifacts(engine, request, context);
  const { approach, ...chosen } = chooseApproach(engine, skillPackage, context);
  decisions.push(...selection.decisions, ...chosen.decisions);

  // 5. to 7. Shape, interrupts, exit condition. These steps precede step 4, so that one result contains all template
  // errors.
  const { shape, expectedToolCalls, declaredInterrupts, ...shaping } = shapeSubgraph({
    engine,
    skillPackage,
    availableTools: request.availableTools,
    capabilities: request.callerCapabilities,
    source: request.invocationSource,
    approach,
    context,
    modelNames: request.modelNames,
    limits,
  });
  addLaterDecisions(decisions, shaping.decisions);
  const blocks: readonly AuthoredBlock[] = [...rendered.blocks, ...selection.blocks];
  const taken = new Set(blocks.flatMap(({ textParts }) => textParts.map(({ artifact }) => artifact)));
  const undeclared = referenceErrors(skillPackage, framing, (one) => one === approach || taken.has(one.id));
  const malformed = [...undeclared, ...rendered.errors, ...selection.errors, ...chosen.errors, ...shaping.errors];
  if (malformed.length > 0) {
    return failed(malformed, assemblePrompt(tokens, request, [...rendered.blocksWithGaps, ...selection.blocks]));
  }

  // 4. Assemble, within the budget.
  const prompt = assemblePrompt(tokens, request, blocks);
  const excess = checkBudget(tokens, request, blocks, prompt);
  if (excess) return failed([excess], prompt);

  // 8. Record.
  const used = usedArtifacts(skillPackage, decisions);
  const expected = { expectedToolCalls, declaredInterrupts };
  return {
    ok: true,
    composition: {
      prompt: prompt.text,
      segments: prompt.segments,
      subgraph: shape,
      usedArtifacts: used,
      ...expected,
      exitCondition: shape.exitCondition,
      modelPreference: asWritten(skillPackage.modelPreference),
      progress: skillPackage.progress,
      assertions: assertionsOf(skillPackage, used),
      decisions,
      memoryDependencies: memoryDependencies(engine, request, framing, rendered.text),
      tokens: tokensOf(prompt),
      engine: ENGINE,
      invocationRecord: recordOf(request, { error: null, usedArtifacts: used, ...expected }),
    },
  };
}

/** Returns the partial prompt for an invalid invocation, or for a skill that lacks a field. */
function promptOfInvalid(tokens: Tokenizer, engine: TemplateEngine, invalid: ComposeRequest): Prompt {
  const request = { ...invalid, parameters: shallowParameters(invalid.parameters) };
  const framing = findFraming(request.skillPackage, request.modelNames);
  const framed = framing ? renderFraming(engine, request, framing).blocksWithGaps : unrenderedFraming(request);
  const { blocks } = selectArtifacts(engine, request, conditionContext(request.parameters, request));
  return assemblePrompt(tokens, request, [...framed, ...blocks]);
}

const asWritten = (preference: readonly string[]): string | readonly string[] | null =>
  preference.length > 1 ? preference : (preference[0] ?? null);

/**
 * Adds `later` to `decisions`. A later decision on a tool replaces the earlier decision on this tool, because the
 * approach may omit the tool.
 */
function addLaterDecisions(decisions: Decision[], later: readonly Decision[]): void {
  for (const decision of later) {
    const at = decisions.findIndex(
      ({ subject, name, uri }) =>
        subject === 'tool' && decision.subject === subject && decision.name === name && decision.uri === uri,
    );
    if (at >= 0) decisions[at] = decision;
    else decisions.push(decision);
  }
}

// The memory items that the prompt depends on (docs/composer.md, "Request and result").

/** The maximum number of items that are tried one by one. If there are more items, all items count as used. */
const MAX_TRIED = 64;

/** Returns the IDs of the items without which the rendered framing would differ. Only a template can read memory. */
function memoryDependencies(
  engine: TemplateEngine,
  request: ComposeRequest,
  framing: Framing,
  rendered: string,
): readonly string[] {
  const { memoryContext, skillPackage } = request;
  if (framing.kind !== 'template' || memoryContext.length === 0) return [];
  const mentions = skillPackage.artifacts.some(({ template }) => template?.text.includes('memory'));
  if (!mentions) return [];
  if (memoryContext.length > MAX_TRIED) return memoryContext.map(({ id }) => id);
  return memoryContext.flatMap((item) => {
    const rest = memoryContext.filter((other) => other !== item);
    const result = renderWith(engine, request, framing.template, rest);
    return result.ok && result.text === rendered ? [] : [item.id];
  });
}
