/** Makes the prompts and questions for running the tests of a skill with a model (docs/testing-vscode.md, "With a model"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { nameOfCase, routingCases } from '../../analysis/routing.ts';
import { choiceQuestions } from '../../features/clients/choice-question.ts';
import type { ModelRun, ModelRunsReply, ModelTool, RoutingRuns } from '../../protocol.ts';
import { testProblems } from '../../rules/engine/test-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { readExpectation } from '../../testing/expectation.ts';
import { firstOfEach, listTests } from '../../testing/list-tests.ts';
import { sampleRequests } from '../composing/compose-samples.ts';
import type { Composing } from '../composing/composing.ts';
import { composeCase, type EvalFile } from './eval-files.ts';
import { runInputs } from './run-request.ts';

/** The maximum number of routing cases that a model decides; each question contains the whole list of the client. */
const MAX_CASES = 100;

/**
 * Returns the prompts of samples and evals, but not of samples that are invalid, do not compose or must fail, and the
 * questions of routing cases. Rejects if no composing worker can be started.
 */
export async function modelRuns(
  analysis: Analysis,
  file: SkillFile,
  composing: Composing,
  evals: readonly EvalFile[],
  only: ReadonlySet<string> | undefined,
): Promise<Omit<ModelRunsReply, 'uri'>> {
  const isSelected = ({ name }: { readonly name: string }): boolean => !only || only.has(name);
  const runs: ModelRun[] = [];
  let questions = 0;
  for (const { semantic } of listTests(file).filter(isSelected)) questions += semantic.length;
  const invalid = testProblems(analysis, file).filter(({ part }) => part.kind === 'sample' && !part.isWhole);
  for (const { sample, request } of sampleRequests(analysis, file.uri)) {
    if (invalid.some(({ part }) => part.name === sample)) continue;
    const entry = file.contract.samples.find(({ name }) => name === sample);
    if (!entry || !isSelected(entry) || readExpectation(entry.value).fails) continue;
    const composed = await composing.compose(`run ${sample} of ${file.uri}`, request);
    if (composed === 'superseded' || !composed.result.ok) continue;
    const { prompt, tokens, subgraph, assertions } = composed.result.composition;
    const isSemantic = ({ assertion }: (typeof assertions)[number]): boolean =>
      typeof assertion === 'object' && assertion !== null && 'type' in assertion && assertion.type === 'semantic';
    questions += assertions.filter(isSemantic).length;
    const { stubs } = runInputs(entry.value);
    const toolOf = (name: string): ModelTool => {
      const known = request.availableTools.find((tool) => tool.name === name);
      const { name: _, ...stub } = stubs.find((one) => one.name === name) ?? {};
      return {
        name,
        description: known?.description ?? null,
        inputSchema: known?.inputSchema ?? null,
        stub: 'returns' in stub || 'fails' in stub ? stub : null,
      };
    };
    runs.push({
      kind: 'sample',
      sample,
      prompt,
      tokens: tokens.total,
      model: request.model ?? null,
      tools: subgraph.toolAvailability.map(toolOf),
    });
  }
  for (const one of evals.flatMap(({ evals: { cases } }) => cases).filter(isSelected)) {
    const composed = await composeCase(analysis, file, one, composing);
    if (!composed) continue;
    const { prompt, tokens } = composed.composition;
    questions += one.checks.length;
    runs.push({ kind: 'evals', sample: one.name, prompt, tokens: tokens.total, model: null, tools: [] });
  }
  return { runs, questions, routing: routingRuns(analysis, file, evals, isSelected) };
}

/** Returns the selected routing cases as questions for the first target client; null if its list has not this skill. */
function routingRuns(
  analysis: Analysis,
  file: SkillFile,
  evals: readonly EvalFile[],
  isSelected: (one: { readonly name: string }) => boolean,
): RoutingRuns | null {
  const triggers = evals.flatMap(({ evals: found }) => found.triggers);
  const written = [...routingCases(file), ...triggers.map((one) => ({ ...one, should: one.shouldTrigger }))];
  const named = written.map((one) => ({ kind: 'routing' as const, name: nameOfCase(one), ...one }));
  const cases = firstOfEach(named, (one) => one)
    .filter(isSelected)
    .slice(0, MAX_CASES);
  const choice =
    cases.length > 0
      ? choiceQuestions(
          analysis,
          file,
          undefined,
          cases.map(({ request }) => request),
        )
      : undefined;
  return choice ? { choice, cases: cases.map(({ name, should }) => ({ name, should })) } : null;
}
