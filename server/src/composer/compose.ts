/**
 * The composer (composer.md): a skill package and a request to a prompt and a subgraph shape. Pure and synchronous: the
 * same request gives the same bytes. Read from top to bottom, one step a function.
 */

import { assemblePrompt, type Block } from './assemble.ts';
import { checkBudget } from './budget.ts';
import type { ComposeError, ComposeRequest, ComposeResult, Decision } from './composition.ts';
import { chooseApproach, conditionContext } from './conditions.ts';
import { chooseFraming } from './find-framing.ts';
import { renderFraming } from './framing.ts';
import { memoryDependencies } from './memory.ts';
import { expectedToolCalls, recordOf, usedArtifacts } from './record.ts';
import { ENGINE } from './render.ts';
import { selectArtifacts } from './select.ts';
import { shapeSubgraph } from './shape.ts';
import { TOKENIZER } from './tokens.ts';
import { validate } from './validate.ts';
import { toolDecisions } from './validate-tools.ts';

/** Composes, or says everything that stands in the way of it. Never throws on what a request holds. */
export function compose(request: ComposeRequest): ComposeResult {
  const { skillPackage, limits } = request;
  const decisions: Decision[] = [...toolDecisions(request)];
  const failed = (errors: readonly ComposeError[]): ComposeResult => ({
    ok: false,
    errors,
    decisions,
    invocationRecord: recordOf(request, { error: errors[0]?.kind ?? null, usedArtifacts: [], expectedToolCalls: [] }),
  });

  // 1. Validate: all that is wrong, not the first alone.
  const invalid = validate(request);
  if (invalid.length > 0) return failed(invalid);

  // 2. Framing.
  const framing = chooseFraming(skillPackage, request.model);
  const rendered = renderFraming(request, framing);

  // 3. Artifacts. What the framing and the conditions say wrong is told together.
  const context = conditionContext(request.parameters, request);
  const selection = selectArtifacts(request, framing, context);
  const { approach, ...chosen } = chooseApproach(skillPackage, context);
  decisions.push(...selection.decisions, ...chosen.decisions);

  // 5. to 7. Shape, interrupts, exit condition. Before the prompt is put together, since that costs the most.
  const { shape, ...shaping } = shapeSubgraph({
    skillPackage,
    availableTools: request.availableTools,
    capabilities: request.callerCapabilities,
    source: request.invocationSource,
    approach,
    context,
    limits,
  });
  supersede(decisions, shaping.decisions);
  const malformed = [...rendered.errors, ...selection.errors, ...chosen.errors, ...shaping.errors];
  if (malformed.length > 0) return failed(malformed);

  // 4. Assemble, within the budget.
  const blocks: readonly Block[] = [...rendered.blocks, ...selection.blocks];
  const prompt = assemblePrompt(request, blocks);
  const excess = checkBudget(request, blocks, prompt);
  if (excess) return failed([excess]);

  // 8. Record.
  const used = usedArtifacts(skillPackage, prompt.segments);
  const expected = expectedToolCalls(request, framing, approach, shape.toolAvailability);
  return {
    ok: true,
    composition: {
      prompt: prompt.text,
      segments: prompt.segments,
      subgraph: shape,
      usedArtifacts: used,
      expectedToolCalls: expected,
      declaredInterrupts: [...new Set(shape.interrupts.map(({ name }) => name))],
      exitCondition: shape.exitCondition,
      modelPreference: skillPackage.modelPreference ?? null,
      decisions,
      memoryDependencies: memoryDependencies(request, framing, rendered.text),
      tokens: { tokenizer: TOKENIZER, total: prompt.tokens, budget: limits.contextTokens },
      engine: ENGINE,
      invocationRecord: recordOf(request, { error: null, usedArtifacts: used, expectedToolCalls: expected }),
    },
  };
}

/** What the shape decides about a tool of the surface, which an approach may leave out, takes the place of what was said before. */
function supersede(decisions: Decision[], later: readonly Decision[]): void {
  for (const decision of later) {
    const at = decisions.findIndex(
      ({ subject, name, uri }) =>
        subject === 'tool' && decision.subject === subject && decision.name === name && decision.uri === uri,
    );
    if (at >= 0) decisions[at] = decision;
    else decisions.push(decision);
  }
}
