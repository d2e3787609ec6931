/** Makes the framing of a prompt: prose, or a rendered template (docs/composer.md, step 2). */

import type { Json } from '../languages/yaml/node.ts';
import type { PackageArtifact, SkillPackage } from '../skill/package.ts';
import type { AuthoredBlock, TextPart } from './assemble.ts';
import type { ComposeError, ComposeRequest, Decision } from './composition.ts';
import { bestVariant, type Framing, type ModelNames } from './find-framing.ts';
import { conditionContext } from './prepare.ts';
import type { TemplateEngine } from './render/engine.ts';
import { renderWithGaps } from './render/gaps.ts';
import { parseReachable } from './render/rendering.ts';
import {
  type ReadTemplate,
  type RenderFailure,
  type RenderRequest,
  renderTemplate,
  type TemplateSource,
} from './render.ts';
import { artifactDecision, proseDecision } from './select.ts';
import { undefinedNames } from './undefined-names.ts';
import { authoredParts, gapParts } from './unrendered.ts';

interface RenderedFraming {
  /** The output of the engine; empty for prose. */
  readonly text: string;
  readonly blocks: readonly AuthoredBlock[];
  /** The same as `blocks` if there is no error, otherwise the rendered parts with gaps for the failing expressions. */
  readonly blocksWithGaps: readonly AuthoredBlock[];
  /** Decisions on the templates (those that were read come first, in reading order), then decisions on unused prose. */
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

/**
 * Returns the blocks of the framing, with template errors and a decision on every template (docs/composer.md, step 2).
 * Never throws.
 */
export function renderFraming(engine: TemplateEngine, request: ComposeRequest, framing: Framing): RenderedFraming {
  const { uri } = request.skillPackage;
  if (framing.kind === 'none')
    return { text: '', blocks: [], blocksWithGaps: [], decisions: unreadTemplates(request, []), errors: [] };
  if (framing.kind === 'prose') {
    const blocks = framing.passages.map((passage) => ({
      part: 'framing' as const,
      artifact: undefined,
      textParts: authoredParts(uri, passage),
    }));
    return { text: '', blocks, blocksWithGaps: blocks, decisions: unreadTemplates(request, []), errors: [] };
  }
  const { template } = framing;
  const asked = renderRequest(request, template, request.memoryContext);
  const templates = parseReachable(asked);
  const result = renderTemplate(engine, asked, templates);
  const decisions = templateDecisions(request, template, result.read);
  const undefinedThere = undefinedNames(request.skillPackage, asked.context, templates);
  const block = (textParts: readonly TextPart[]): readonly AuthoredBlock[] => [
    { part: 'framing', artifact: template.id, textParts: trimTextParts(textParts) },
  ];
  if (undefinedThere.length > 0 || !result.ok) {
    const failures = undefinedThere.length > 0 || result.ok ? undefinedThere : [result.failure];
    const around = renderWithGaps(engine, asked, failures)?.map(
      ({ text, kind, uri: file, span, artifact }): TextPart => ({ text, kind, source: { uri: file, span }, artifact }),
    );
    const errors = failures.map((failure) => templateError(template, failure));
    return { text: '', blocks: [], blocksWithGaps: block(around ?? gapParts(uri, template)), decisions, errors };
  }
  const blocks = block(
    result.pieces.map(
      ({ start, end, kind, uri: file, span, artifact }): TextPart => ({
        text: result.text.slice(start, end),
        kind,
        source: { uri: file, span },
        artifact,
      }),
    ),
  );
  return { text: result.text, blocks, blocksWithGaps: blocks, decisions, errors: [] };
}

/**
 * Returns decisions on the template of the framing, then on the templates that it includes at any depth, then on the
 * other templates.
 */
function templateDecisions(
  request: ComposeRequest,
  main: PackageArtifact,
  read: readonly ReadTemplate[],
): readonly Decision[] {
  const { uri, artifacts, prose } = request.skillPackage;
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const { modelNames } = request;
  const how = isOnlyFirst(main, modelNames)
    ? `: the first variant, for ${main.modelVariant}, because none is for ${wanted(modelNames)}`
    : main.modelVariant === undefined
      ? ''
      : ` for ${main.modelVariant}`;
  const taken = read.flatMap(({ artifact: id, includedBy }) => {
    const artifact = byId.get(id);
    const reason = includedBy === undefined ? `used as the framing template${how}` : `included by ${includedBy}`;
    if (!artifact) return [];
    const asides = artifact.asides.map((aside) =>
      proseDecision(uri, aside, "it is outside of the template's fence", artifact),
    );
    return [artifactDecision(uri, artifact, true, reason), ...asides];
  });
  const unused = prose.map((passage) => proseDecision(uri, passage, `the framing comes from ${main.name}`));
  return [...taken, ...unreadTemplates(request, read), ...unused];
}

/** Returns whether a variant is used only because it is the first one. */
const isOnlyFirst = ({ modelVariant }: PackageArtifact, models: ModelNames): boolean =>
  modelVariant !== undefined && !models.includes(modelVariant);

const wanted = ([model, ...families]: ModelNames): string =>
  model === undefined ? 'all models' : `${[model, ...families].join(', ')} or all models`;

function unreadTemplates(
  { skillPackage, modelNames }: ComposeRequest,
  read: readonly ReadTemplate[],
): readonly Decision[] {
  const { uri, artifacts } = skillPackage;
  const ids = new Set(read.map(({ artifact }) => artifact));
  return artifacts
    .filter(({ kind, id }) => kind === 'PromptTemplate' && !ids.has(id))
    .map((artifact) => {
      const best = bestVariant(artifacts, artifact.name, modelNames);
      const reason =
        best === undefined || best === artifact
          ? 'not included by the framing template'
          : isOnlyFirst(best, modelNames)
            ? `the variant for ${best.modelVariant} is first, and none is for ${wanted(modelNames)}`
            : `the variant for ${best.modelVariant ?? 'all models'} fits better`;
      return artifactDecision(uri, artifact, false, reason);
    });
}

const templateError = (template: PackageArtifact, { uri, span, message, suggestion }: RenderFailure): ComposeError => ({
  kind: 'MalformedTemplate',
  uri,
  span,
  subject: template.name,
  message,
  suggestion: suggestion === undefined ? 'Correct the template here.' : `Did you mean \`${suggestion}\`?`,
});

/**
 * Removes the line breaks at both ends of a template's output, because one empty line separates the blocks of a prompt.
 */
function trimTextParts(textParts: readonly TextPart[]): readonly TextPart[] {
  const left = [...textParts];
  const cut = (at: number, trim: (text: string) => string): boolean => {
    const textPart = left[at];
    if (!textPart) return false;
    const text = trim(textPart.text);
    if (text !== '') left[at] = { ...textPart, text };
    else left.splice(at, 1);
    return text === '';
  };
  while (cut(0, withoutBlankLines)) {}
  while (cut(left.length - 1, (text) => text.trimEnd())) {}
  return left;
}

/** Removes the empty lines at the start of a string, but not the indentation of its first line with text. */
function withoutBlankLines(text: string): string {
  const blank = text.length - text.trimStart().length;
  const last = Math.max(text.lastIndexOf('\n', blank - 1), text.lastIndexOf('\r', blank - 1));
  return blank === 0 ? text : text.slice(last + 1);
}

/**
 * Renders a template of the skill with the variables that docs/format.md, section 5, defines, and the items in
 * `memory`. Never throws.
 */
export const renderWith = (
  engine: TemplateEngine,
  request: ComposeRequest,
  template: PackageArtifact,
  memory: ComposeRequest['memoryContext'],
) => renderTemplate(engine, renderRequest(request, template, memory));

const renderRequest = (
  request: ComposeRequest,
  template: PackageArtifact,
  memory: ComposeRequest['memoryContext'],
): RenderRequest => ({
  main: template.name,
  templates: templatesFor(request.skillPackage, template, request.modelNames),
  context: templateContext(request, memory),
  madeUp: request.madeUp,
});

/** Returns one template for each name: `chosen` for its own name, and the best variant for every other name. */
function templatesFor(
  { uri, artifacts }: SkillPackage,
  chosen: PackageArtifact,
  models: ModelNames,
): readonly TemplateSource[] {
  const templates = artifacts.filter(({ kind, template }) => kind === 'PromptTemplate' && template);
  const names = [...new Set(templates.map(({ name }) => name))];
  return names.flatMap((name) => {
    const artifact = name === chosen.name ? chosen : bestVariant(templates, name, models);
    return artifact?.template ? [{ name, uri, artifact: artifact.id, ...artifact.template }] : [];
  });
}

/**
 * Returns the variables that a template can read. A parameter hides a variable with its name, except the four variables
 * that `conditionContext` adds; `parameters` contains all parameters.
 */
function templateContext(
  request: ComposeRequest,
  memory: ComposeRequest['memoryContext'],
): Readonly<Record<string, Json>> {
  const { parameters, userRequest, channelId, availableTools } = request;
  return {
    user_request: userRequest,
    channel_id: channelId ?? null,
    memory: memory.map(({ id, tier, text }) => ({ id, tier, text })),
    tools: availableTools.map(({ name, description, operation }) => ({
      name,
      description: description ?? null,
      operation: operation ?? null,
    })),
    ...conditionContext(parameters, request),
  };
}
