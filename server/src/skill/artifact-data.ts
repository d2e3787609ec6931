/** What stands inside artifacts, read: metadata, templates, the data of examples (skill-format.md, section 5). */
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

/** The file before an edit, as far as templates are taken over from it. */
interface PreviousTemplates {
  readonly text: string;
  readonly templates: readonly SkillTemplate[];
}

export function readMetadata(text: string, artifact: Artifact): ArtifactMetadata[] {
  return artifact.metadata ? [{ artifact, tree: parseYaml(text, artifact.metadata.span) }] : [];
}

export function readTemplate(
  text: string,
  artifact: Artifact,
  previous: PreviousTemplates | undefined,
): SkillTemplate[] {
  if (!artifact.template) return [];
  const place = artifact.template.span;
  const source = text.slice(place.start, place.end);
  const known = previous?.templates.find(
    ({ template }) =>
      template.span.start === place.start && previous.text.slice(template.span.start, template.span.end) === source,
  );
  if (known) return [{ ...known, artifact }];
  const template = parseTemplate(source, place.start);
  return [{ artifact, template, scopes: resolveScopes(template) }];
}

export function readExamples(text: string, artifact: Artifact): ExampleData[] {
  const sides = [
    ['input', artifact.example?.input],
    ['output', artifact.example?.output],
  ] as const;
  return sides.flatMap(([side, part]) => {
    const fence = part?.fence;
    return fence ? [{ artifact, side, fence, tree: parseYaml(text, fence.contentSpan) }] : [];
  });
}
