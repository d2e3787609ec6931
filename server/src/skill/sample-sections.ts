/** Finds sections of the body that look like samples, which belong in the frontmatter (docs/format.md, section 2). */
import { within } from '../languages/markdown/spans.ts';
import { findValue, type Json, jsonOf, mapEntries } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import { type Span, sliceOf, span } from '../text.ts';
import type { SkillFile } from './skill-file.ts';

export interface SampleSection {
  readonly span: Span;
  /** The span of the heading's text. */
  readonly headingSpan: Span;
  readonly name: string;
  /** The sample as in the frontmatter. */
  readonly sample: Json;
  /** True if the section contains only the sample, without text around it and without comments. */
  readonly isAlone: boolean;
}

const HEADING = /^samples?\s*:\s*(.*\S)\s*$/i;

/**
 * Returns the level-2 sections `Sample: NAME` whose content is a map of inputs of the skill, or has the key
 * `parameters`, in a fence or without one. Other sections with such a heading are prose.
 */
export function sampleSections({ body, contract, text }: SkillFile): readonly SampleSection[] {
  const inputs = new Set((contract.input?.schema.fields ?? []).map(({ name }) => name));
  return (body?.sections ?? []).flatMap(({ heading, contentSpan, span: place }): SampleSection[] => {
    const name = HEADING.exec(heading.text)?.[1];
    if (heading.level !== 2 || name === undefined) return [];
    const [fence] = within(body?.fences ?? [], contentSpan);
    const { root, problems } = parseYaml(text, fence?.contentSpan ?? contentSpan);
    const keys = mapEntries(root).map(({ key }) => String(key.value));
    if (problems.length > 0 || keys.length === 0) return [];
    const isWhole = findValue(root, 'parameters')?.kind === 'map';
    if (!isWhole && !keys.every((key) => inputs.has(key))) return [];
    const sample = isWhole ? jsonOf(root) : { parameters: jsonOf(root) };
    const around = fence
      ? text.slice(contentSpan.start, fence.span.start) + text.slice(fence.span.end, contentSpan.end)
      : '';
    const isAlone = around.trim() === '' && !/(?:^|\s)#/m.test(sliceOf(text, fence?.contentSpan ?? contentSpan));
    return [{ isAlone, span: span(place.start, place.end), headingSpan: heading.textSpan, name, sample }];
  });
}
