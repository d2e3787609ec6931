/** Joins the blocks of the prompt in their fixed order, under fixed headings (docs/composer.md, step 4). */

import { fenceFor } from '../languages/markdown/code-fences.ts';
import { printYaml } from '../languages/schema/schema.ts';
import type { PackageArtifact } from '../skill/package.ts';
import type { ComposeRequest, FileSpan, PromptPart, Segment } from './composition.ts';
import { sortKeys } from './json.ts';
import type { Tokenizer } from './tokens.ts';

/** A piece of a block. */
export interface TextPart {
  readonly text: string;
  readonly kind: Segment['kind'];
  readonly source: FileSpan | undefined;
  readonly artifact: string | undefined;
}

/** A block of authored text. `title` is the artifact whose name is in the block's heading. */
export interface AuthoredBlock {
  readonly part: PromptPart;
  readonly artifact: string | undefined;
  readonly title?: PackageArtifact;
  readonly textParts: readonly TextPart[];
}

export interface Prompt {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly tokens: number;
}

type PromptTextPart = TextPart & { readonly part: PromptPart };

/** The part of the tokenizer that counts tokens. */
type Counter = Pick<Tokenizer, 'countBetween'>;

/**
 * Returns the prompt with its segments and its number of tokens (docs/composer.md, step 4). The prompt consists of
 * `blocks` in the given order, followed by the request.
 */
export function assemblePrompt(tokens: Counter, request: ComposeRequest, blocks: readonly AuthoredBlock[]): Prompt {
  const { uri } = request.skillPackage;
  const parts: PromptTextPart[] = [];
  const put = (part: PromptPart, textParts: readonly TextPart[]): void => {
    if (textParts.every(({ text }) => text === '')) return;
    // The line breaks between two blocks belong to the first.
    const before = parts.at(-1);
    if (before) parts.push({ ...fixed('\n\n'), part: before.part });
    for (const textPart of textParts) if (textPart.text !== '') parts.push({ ...textPart, part });
  };
  const heading = (text: string, { headingSpan, id }: PackageArtifact): TextPart => ({
    ...fixed(text, { uri, span: headingSpan }),
    artifact: id,
  });
  let examples = 0;
  for (const { part, title, textParts } of blocks) {
    if (part === 'examples' && examples === 0) put(part, [fixed('## Examples')]);
    if (title && part === 'context') put(part, [heading(`## Context: ${title.name}`, title)]);
    if (title && part === 'examples') put(part, [heading(`### Example ${++examples}: ${title.name}`, title)]);
    put(part, textParts);
  }
  for (const textParts of requestBlocks(request)) put('request', textParts);
  return joinParts(tokens, parts);
}

const fixed = (text: string, source?: FileSpan): TextPart => ({ text, kind: 'fixed', source, artifact: undefined });

/** Returns the blocks with the user's request and the parameters; an empty list if the invocation contains neither. */
function requestBlocks({ skillPackage, userRequest, parameters, madeUp, places }: ComposeRequest): TextPart[][] {
  const { uri } = skillPackage;
  const value = (text: string, span: FileSpan['span'] | undefined, kind: 'value' | 'madeUp' = 'value'): TextPart => ({
    text,
    kind,
    source: span && { uri, span },
    artifact: undefined,
  });
  const blocks: TextPart[][] = [];
  if (userRequest.trim() !== '') blocks.push([value(userRequest, places?.request)]);
  const lines = Object.entries(sortKeys(parameters)).map(([name, json]) =>
    value(
      printYaml({ [name]: json }),
      places?.parameters.get(name) ?? places?.parameters.get(''),
      madeUp.includes(name) ? 'madeUp' : 'value',
    ),
  );
  if (lines.length > 0) {
    const fence = fenceFor(lines.map(({ text }) => text).join('\n'));
    const separated = lines.flatMap((line, at) => [fixed(at === 0 ? `${fence}yaml\n` : '\n'), line]);
    blocks.push([...separated, fixed(`\n${fence}`)]);
  }
  return blocks.length === 0 ? [] : [[fixed('## Request')], ...blocks];
}

function joinParts(tokens: Counter, parts: readonly PromptTextPart[]): Prompt {
  const text = parts.map((part) => part.text).join('');
  let end = 0;
  const ends = parts.map((part) => (end += part.text.length));
  const counts = tokens.countBetween(text, ends);
  const segments = parts.map(
    ({ part, kind, source, artifact }, at): Segment => ({
      start: ends[at - 1] ?? 0,
      end: ends[at] ?? 0,
      part,
      kind,
      source,
      artifact,
      tokens: counts[at] ?? 0,
    }),
  );
  return { text, segments, tokens: counts.reduce((sum, count) => sum + count, 0) };
}
