/** The context budget (docs/composer.md, step 3): where the prompt is too long, the smallest trimming that fits. */
import { grouped } from '../amounts.ts';
import { type AuthoredBlock, assemblePrompt, type Prompt } from './assemble.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';
import type { Tokenizer } from './tokens.ts';

/** The error where the prompt is over the budget. Nothing is left out: the error suggests what the author may leave out. */
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
  const message = `The prompt has ${grouped(prompt.tokens)} tokens, ${grouped(prompt.tokens - contextTokens)} over the budget of ${grouped(contextTokens)}.`;
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
      ? `Without ${names.join(', ')} it has ${grouped(left ?? 0)}.`
      : 'Framing and request alone are over the budget: shorten them, or raise `context_tokens` in the catalog.',
    ...(trimming && left !== undefined
      ? { trimming: { without: trimming.flatMap(({ artifact }) => artifact ?? []), tokens: left } }
      : {}),
  };
}

const without = (blocks: readonly AuthoredBlock[], trimmed: readonly AuthoredBlock[]): readonly AuthoredBlock[] =>
  blocks.filter((block) => !trimmed.includes(block));

/** As few artifacts as possible, and of equally many the lightest. Undefined where leaving out all of them is not enough. */
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
    // The lightest that is enough by itself; while there is none, the heaviest.
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

/** What is still over the budget, less some tokens: a block takes headings and line breaks with it that are not its own. */
const excess = (prompt: Prompt, taken: readonly AuthoredBlock[], budget: number): number =>
  prompt.tokens - taken.reduce((sum, block) => sum + weightOf(prompt, block), 0) - budget - 16;
