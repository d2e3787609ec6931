/** Parses the contents of artifacts: metadata, templates and the data of examples (docs/format.md, section 5). */
import { parseTemplate, type Template } from '../languages/minijinja/parser.ts';
import { resolveScopes, type Scopes } from '../languages/minijinja/scopes.ts';
import type { YamlTree } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import type { Span } from '../text.ts';
import type { Artifact, Fence } from './body.ts';

/** A PromptTemplate. */
export class SkillTemplate {
  readonly artifact: Artifact;
  /** The span of the source in the file. */
  readonly span: Span;
  /**
   * The parsed source. The spans count from the start of the source, so they stay valid when an edit moves the
   * template.
   */
  readonly source: ParsedTemplate;
  #placed: ParsedTemplate | undefined;

  constructor(artifact: Artifact, span: Span, source: ParsedTemplate) {
    this.artifact = artifact;
    this.span = span;
    this.source = source;
  }

  /** The parsed source with spans in the file. */
  get inFile(): ParsedTemplate {
    this.#placed ??= parseAt(this.source.template.text, this.span.start);
    return this.#placed;
  }
}

/** A template's syntax tree and its scopes. */
export interface ParsedTemplate {
  readonly template: Template;
  readonly scopes: Scopes;
}

/** The parsed metadata of an artifact. */
export interface ArtifactMetadata {
  readonly artifact: Artifact;
  readonly tree: YamlTree;
}

/** The parsed input or output of an Example whose data is in a fence. */
export interface ExampleData {
  readonly artifact: Artifact;
  readonly side: 'input' | 'output';
  readonly fence: Fence;
  readonly tree: YamlTree;
}

/** The file before an edit. Parts with the same text at the same offset are reused. */
export interface Previous {
  readonly text: string;
  readonly metadata: readonly ArtifactMetadata[];
  readonly examples: readonly ExampleData[];
}

const hasSameText = (text: string, place: Span, previous: Previous, { start, end }: Span): boolean =>
  start === place.start && end === place.end && previous.text.slice(start, end) === text.slice(place.start, place.end);

function readYaml(
  text: string,
  place: Span,
  previous: Previous | undefined,
  known: readonly { readonly tree: YamlTree }[] = [],
): YamlTree {
  const same = previous && known.find(({ tree }) => hasSameText(text, place, previous, tree.span));
  return same?.tree ?? parseYaml(text, place);
}

/**
 * Parses the metadata of an artifact in `text`, or reuses the result from before an edit. Returns an empty list for an
 * artifact without metadata. Never throws.
 */
export function readMetadata(text: string, artifact: Artifact, previous: Previous | undefined): ArtifactMetadata[] {
  if (!artifact.metadata) return [];
  return [{ artifact, tree: readYaml(text, artifact.metadata.span, previous, previous?.metadata) }];
}

/**
 * Returns a function that parses templates. The search for a template to reuse starts after the last reused template,
 * because edits usually keep the order.
 */
function templateReader(
  text: string,
  previous: readonly SkillTemplate[] = [],
): (artifact: Artifact) => SkillTemplate[] {
  let next = 0;
  const findKnown = (written: string): ParsedTemplate | undefined => {
    for (let steps = 0; steps < previous.length; steps++) {
      const at = (next + steps) % previous.length;
      const { source } = previous[at] as SkillTemplate;
      if (source.template.text !== written) continue;
      next = at + 1;
      return source;
    }
    return undefined;
  };
  return (artifact) => {
    if (!artifact.template) return [];
    const { span } = artifact.template;
    const written = text.slice(span.start, span.end);
    return [new SkillTemplate(artifact, span, findKnown(written) ?? parseAt(written, 0))];
  };
}

/**
 * The templates of a body, which are parsed on first use because composing does not need them. This is a class, since a
 * closure in `readBody` would keep all earlier bodies in memory.
 */
export class Templates {
  readonly #text: string;
  readonly #artifacts: readonly Artifact[];
  #before: readonly SkillTemplate[] | undefined;
  #all: readonly SkillTemplate[] | undefined;

  /** Reuses the templates that were parsed `before` an edit. */
  constructor(text: string, artifacts: readonly Artifact[], before: Templates | undefined) {
    this.#text = text;
    this.#artifacts = artifacts;
    this.#before = before ? before.#all : undefined;
  }

  get all(): readonly SkillTemplate[] {
    this.#all ??= this.#artifacts.flatMap(templateReader(this.#text, this.#before));
    this.#before = undefined;
    return this.#all;
  }
}

/** Parses a template and resolves its scopes. Spans begin at the offset `start`. Never throws. */
export function parseAt(text: string, start: number): ParsedTemplate {
  const template = parseTemplate(text, start);
  return { template, scopes: resolveScopes(template) };
}

/**
 * Parses the input and the output of an Example if they are data in a fence. The result has the order of the file.
 * Never throws.
 */
export function readExamples(text: string, artifact: Artifact, previous: Previous | undefined): ExampleData[] {
  const sides = [
    ['input', artifact.example?.input],
    ['output', artifact.example?.output],
  ] as const;
  return sides
    .flatMap(([side, part]) => {
      const fence = part?.fence;
      return fence
        ? [{ artifact, side, fence, tree: readYaml(text, fence.contentSpan, previous, previous?.examples) }]
        : [];
    })
    .sort((a, b) => a.tree.span.start - b.tree.span.start);
}
