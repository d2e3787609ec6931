/** What stands inside artifacts, read: metadata, templates, the data of examples (skill-format.md, section 5). */

import type { Span } from '../text.ts';
import type { Artifact, Fence } from './body.ts';
import { parseYaml } from './frontmatter.ts';
import { parseTemplate, type Template } from './template/parser.ts';
import { resolveScopes, type Scopes } from './template/scopes.ts';
import type { YamlTree } from './yaml/node.ts';

/** A PromptTemplate with its syntax tree and the meaning of its names. All spans are places in the file. */
export interface SkillTemplate {
  readonly artifact: Artifact;
  readonly template: Template;
  readonly scopes: Scopes;
}

/** The metadata fence of an artifact, read. */
export interface ArtifactMetadata {
  readonly artifact: Artifact;
  readonly tree: YamlTree;
}

/** One side of an Example that is data, read. */
export interface ExampleData {
  readonly artifact: Artifact;
  readonly side: 'input' | 'output';
  readonly fence: Fence;
  readonly tree: YamlTree;
}

/** The file before an edit: what says the same at the same place is taken over from it. */
interface Previous {
  readonly text: string;
  readonly metadata: readonly ArtifactMetadata[];
  readonly examples: readonly ExampleData[];
  readonly templates: readonly SkillTemplate[];
}

const saysTheSame = (text: string, place: Span, previous: Previous, { start, end }: Span): boolean =>
  start === place.start && end === place.end && previous.text.slice(start, end) === text.slice(place.start, place.end);

function readYaml(
  text: string,
  place: Span,
  previous: Previous | undefined,
  known: readonly { readonly tree: YamlTree }[] = [],
): YamlTree {
  const same = previous && known.find(({ tree }) => saysTheSame(text, place, previous, tree.span));
  return same?.tree ?? parseYaml(text, place);
}

export function readMetadata(text: string, artifact: Artifact, previous: Previous | undefined): ArtifactMetadata[] {
  if (!artifact.metadata) return [];
  return [{ artifact, tree: readYaml(text, artifact.metadata.span, previous, previous?.metadata) }];
}

export function readTemplate(text: string, artifact: Artifact, previous: Previous | undefined): SkillTemplate[] {
  if (!artifact.template) return [];
  const place = artifact.template.span;
  const known = previous?.templates.find(({ template }) => saysTheSame(text, place, previous, template.span));
  if (known) return [{ ...known, artifact }];
  const template = parseTemplate(text.slice(place.start, place.end), place.start);
  return [{ artifact, template, scopes: resolveScopes(template) }];
}

export function readExamples(text: string, artifact: Artifact, previous: Previous | undefined): ExampleData[] {
  const sides = [
    ['input', artifact.example?.input],
    ['output', artifact.example?.output],
  ] as const;
  return sides.flatMap(([side, part]) => {
    const fence = part?.fence;
    return fence
      ? [{ artifact, side, fence, tree: readYaml(text, fence.contentSpan, previous, previous?.examples) }]
      : [];
  });
}
