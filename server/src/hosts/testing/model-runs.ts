/** Makes the prompts for running the samples of a skill with a model (docs/testing-vscode.md, "With a model"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { findEntry, findValue, jsonOf } from '../../languages/yaml/node.ts';
import type { ModelRun, ModelTool } from '../../protocol.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { readExpectation } from '../../testing/expectation.ts';
import { listTests } from '../../testing/list-tests.ts';
import { sampleRequests } from '../composing/compose-samples.ts';
import type { Composing } from '../composing/composing.ts';
import { composeCase, type EvalFile } from './eval-files.ts';

export interface ModelRuns {
  readonly runs: readonly ModelRun[];
  /** The number of assertions that only a model can answer. */
  readonly questions: number;
}

/**
 * Returns the prompts of samples and evals, but not of samples that do not compose or are expected to fail. Rejects if
 * no composing worker can be started.
 */
export async function modelRuns(
  analysis: Analysis,
  file: SkillFile,
  composing: Composing,
  evals: readonly EvalFile[],
  only: ReadonlySet<string> | undefined,
): Promise<ModelRuns> {
  const isSelected = ({ name }: { readonly name: string }): boolean => !only || only.has(name);
  const runs: ModelRun[] = [];
  let questions = 0;
  for (const { semantic } of listTests(file).filter(isSelected)) questions += semantic.length;
  for (const { sample, request } of sampleRequests(analysis, file.uri)) {
    const entry = file.contract.samples.find(({ name }) => name === sample);
    if (!entry || !isSelected(entry) || readExpectation(entry.value).fails) continue;
    const composed = await composing.compose(`run ${sample} of ${file.uri}`, request);
    if (composed === 'superseded' || !composed.result.ok) continue;
    const { prompt, tokens, subgraph, assertions } = composed.result.composition;
    const isSemantic = ({ assertion }: (typeof assertions)[number]): boolean =>
      typeof assertion === 'object' && assertion !== null && 'type' in assertion && assertion.type === 'semantic';
    questions += assertions.filter(isSemantic).length;
    const stubs = findValue(entry.value, 'stubs');
    const toolOf = (name: string): ModelTool => {
      const known = request.availableTools.find((tool) => tool.name === name);
      const returns = findEntry(findValue(stubs, name), 'returns');
      return {
        name,
        description: known?.description ?? null,
        inputSchema: known?.inputSchema ?? null,
        stub: returns ? { returns: jsonOf(returns.value) } : null,
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
  return { runs, questions };
}
