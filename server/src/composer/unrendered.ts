/** Makes the prompt of a skill without rendering: each template becomes a gap that shows its source. */
import type { PackageArtifact, Passage } from '../skill/package.ts';
import { type AuthoredBlock, assemblePrompt, type TextPart } from './assemble.ts';
import type { ComposeRequest, PartialPrompt } from './composition.ts';
import { findFraming } from './find-framing.ts';
import { tokensAtLeast } from './tokens-estimate.ts';

/** Returns the framing without rendering it; if the framing cannot be chosen, returns all candidates. */
export function unrenderedFraming({ skillPackage, modelNames }: ComposeRequest): readonly AuthoredBlock[] {
  const { uri, prose, artifacts } = skillPackage;
  const found = findFraming(skillPackage, modelNames);
  const templates =
    found?.kind === 'template' ? [found.template] : artifacts.filter(({ kind }) => kind === 'PromptTemplate');
  const isProse = found?.kind === 'prose' || (found === undefined && prose.length > 0);
  if (isProse) return prose.map((passage) => framingBlock(authoredParts(uri, passage), undefined));
  return templates.map((template) => framingBlock(gapParts(uri, template), template.id));
}

/**
 * Returns the prompt for a request whose composition was stopped. The prompt omits the parameters, which may be the
 * cause, and its token counts are lower bounds.
 */
export function unrenderedPrompt(stopped: ComposeRequest): PartialPrompt {
  const request: ComposeRequest = { ...stopped, parameters: {} };
  const countBetween = (text: string, ends: readonly number[]) =>
    ends.map((end, at) => tokensAtLeast(text.slice(ends[at - 1] ?? 0, end)));
  const { text, segments, tokens } = assemblePrompt({ countBetween }, request, unrenderedFraming(request));
  const { contextTokens } = request.limits;
  return { prompt: text, segments, tokens: { tokenizer: 'words', total: tokens, budget: contextTokens ?? null } };
}

const framingBlock = (textParts: readonly TextPart[], artifact: string | undefined): AuthoredBlock => ({
  part: 'framing',
  artifact,
  textParts,
});

/** Returns one gap for a template that cannot be rendered. */
export const gapParts = (uri: string, { id, template }: PackageArtifact): readonly TextPart[] =>
  template ? [{ text: template.text, kind: 'gap', source: { uri, span: template.span }, artifact: id }] : [];

/** Returns the parts of a passage in the file `uri`; `artifact` is the ID of the artifact that contains the passage. */
export const authoredParts = (uri: string, passage: Passage, artifact?: string): readonly TextPart[] =>
  passage.map(({ span, text }) => ({ text, kind: 'authored', source: { uri, span }, artifact }));
