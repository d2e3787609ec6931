/**
 * Checks the context budget (docs/composer.md, step 3). If a prompt is too long, finds a small set of artifacts to
 * leave out.
 */
import { formatNumber } from '../format-amounts.ts';
import { type AuthoredBlock, assemblePrompt, type Prompt } from './assemble.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';
import type { Tokenizer } from './tokens.ts';

/**
 * If the prompt is over the budget, returns an error that names the artifacts that the author could leave out
 * (docs/composer.md, step 3). The prompt itself is not shortened.
 */
export function checkBudget(
  tokens: Tokenizer,
  request: ComposeRequest,
  blocks: readonly AuthoredBlock[],
  prompt: Prompt,
): ComposeError | undefined {
  const { skillPackage, limits } = request;
  const { contextTokens } = limits;
  if (contextTokens === undefined || prompt.tokens <= contextTokens) return undefined;
  const { uri, headSpan } = skillPackage;
  const trimming = findTrimming(tokens, request, blocks, prompt, contextTokens);
  const message = `The prompt has ${formatNumber(prompt.tokens)} tokens, ${formatNumber(prompt.tokens - contextTokens)} over the budget of ${formatNumber(contextTokens)}.`;
  const names = trimming?.map(({ title }) => `\`${title?.kind}: ${title?.name}\``) ?? [];
  const left = trimming && assemblePrompt(tokens, request, without(blocks, trimming)).tokens;
  const first = trimming?.[0]?.title;
  return {
    kind: 'ArtifactBudgetExceeded',
    uri,
    span: first?.headingSpan ?? headSpan,
    subject: first?.id ?? 'framing',
    message,
    suggestion: trimming
      ? `Without ${names.join(', ')} it has ${formatNumber(left ?? 0)}.`
      : 'The framing and the request are over the budget. Shorten them, or raise `context_tokens` in the catalog.',
    ...(trimming && left !== undefined
      ? { trimming: { without: trimming.flatMap(({ artifact }) => artifact ?? []), tokens: left } }
      : {}),
  };
}

const without = (blocks: readonly AuthoredBlock[], trimmed: readonly AuthoredBlock[]): readonly AuthoredBlock[] =>
  blocks.filter((block) => !trimmed.includes(block));

/**
 * Returns the artifacts to leave out: as few and as small artifacts as possible. Returns undefined if leaving out all
 * artifacts is not enough.
 */
function findTrimming(
  tokens: Tokenizer,
  request: ComposeRequest,
  blocks: readonly AuthoredBlock[],
  prompt: Prompt,
  contextTokens: number,
): readonly AuthoredBlock[] | undefined {
  const fits = (trimmed: readonly AuthoredBlock[]): boolean =>
    assemblePrompt(tokens, request, without(blocks, trimmed)).tokens <= contextTokens;
  const candidates = blocks
    .filter(({ title }) => title)
    .map((block) => ({ block, weight: weightOf(prompt, block) }))
    .sort((a, b) => a.weight - b.weight);
  const taken: AuthoredBlock[] = [];
  while (candidates.length > 0) {
    // Take the smallest artifact that is enough by itself. If no artifact is enough, take the largest artifact and try
    // again.
    const enough = candidates.find(
      ({ block, weight }) => weight >= excess(prompt, taken, contextTokens) && fits([...taken, block]),
    );
    if (enough) return [...taken, enough.block];
    const heaviest = candidates.pop();
    if (heaviest) taken.push(heaviest.block);
    if (fits(taken)) return taken;
  }
  return undefined;
}

const weightOf = ({ segments }: Prompt, { artifact }: AuthoredBlock): number =>
  segments.reduce((sum, segment) => sum + (segment.artifact === artifact ? segment.tokens : 0), 0);

/**
 * Returns the number of tokens over the budget, minus 16 because removing a block also removes headings and line
 * breaks.
 */
const excess = (prompt: Prompt, taken: readonly AuthoredBlock[], budget: number): number =>
  prompt.tokens - taken.reduce((sum, block) => sum + weightOf(prompt, block), 0) - budget - 16;
