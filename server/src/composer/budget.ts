/** The context budget (composer.md, step 3): where the prompt is too long, the smallest trimming that fits. */
import { assemblePrompt, type Block, type Prompt } from './assemble.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';

/** Nothing is dropped: the author decides, and is told what would do. */
export function checkBudget(
  request: ComposeRequest,
  blocks: readonly Block[],
  prompt: Prompt,
): ComposeError | undefined {
  const { skillPackage, limits } = request;
  const { contextTokens } = limits;
  if (prompt.tokens <= contextTokens) return undefined;
  const { uri, headSpan } = skillPackage;
  const trimming = findTrimming(request, blocks, prompt);
  const message = `The prompt has ${count(prompt.tokens)} tokens, ${count(prompt.tokens - contextTokens)} over the budget of ${count(contextTokens)}.`;
  const names = trimming?.map(({ title }) => `\`${title?.kind}: ${title?.name}\``) ?? [];
  const left = trimming && assemblePrompt(request, without(blocks, trimming)).tokens;
  const first = trimming?.[0]?.title;
  return {
    kind: 'ArtifactBudgetExceeded',
    uri,
    span: first?.headingSpan ?? headSpan,
    subject: first?.id ?? 'framing',
    message,
    suggestion: trimming
      ? `Without ${names.join(', ')} it has ${count(left ?? 0)}.`
      : 'Framing and request alone are over the budget: shorten them, or raise `context_tokens` in the catalog.',
    ...(trimming && left !== undefined
      ? { trimming: { without: trimming.flatMap(({ artifact }) => artifact ?? []), tokens: left } }
      : {}),
  };
}

const count = (n: number): string => n.toLocaleString('en-US');

const without = (blocks: readonly Block[], trimmed: readonly Block[]): readonly Block[] =>
  blocks.filter((block) => !trimmed.includes(block));

/**
 * As few artifacts as possible, and of as many the ones that lose the least. Undefined where not even leaving out all
 * of them is enough. What a block weighs is measured by leaving it out, since headings and token bounds go with it.
 */
function findTrimming(request: ComposeRequest, blocks: readonly Block[], prompt: Prompt): readonly Block[] | undefined {
  const { contextTokens } = request.limits;
  const fits = (trimmed: readonly Block[]): boolean =>
    assemblePrompt(request, without(blocks, trimmed)).tokens <= contextTokens;
  const candidates = blocks
    .filter(({ title }) => title)
    .map((block) => ({ block, weight: weightOf(prompt, block) }))
    .sort((a, b) => a.weight - b.weight);
  const taken: Block[] = [];
  while (candidates.length > 0) {
    // The lightest that is enough by itself; while none is, the heaviest goes.
    const enough = candidates.find(
      ({ block, weight }) => weight >= lacking(prompt, taken, contextTokens) && fits([...taken, block]),
    );
    if (enough) return [...taken, enough.block];
    const heaviest = candidates.pop();
    if (heaviest) taken.push(heaviest.block);
    if (fits(taken)) return taken;
  }
  return undefined;
}

const weightOf = ({ segments }: Prompt, { artifact }: Block): number =>
  segments.reduce((sum, segment) => sum + (segment.artifact === artifact ? segment.tokens : 0), 0);

/** A block's own headings and line breaks are not all counted as its own, so a little less than what lacks may be enough. */
const lacking = (prompt: Prompt, taken: readonly Block[], budget: number): number =>
  prompt.tokens - taken.reduce((sum, block) => sum + weightOf(prompt, block), 0) - budget - 16;
