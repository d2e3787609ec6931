/** Step 2 (composer.md): the framing, literal prose or the named PromptTemplate in its best model variant, rendered. */
import { nearestNames } from '../skill/nearest.ts';
import type { PackageArtifact, Passage, SkillPackage } from '../skill/package.ts';
import type { Json } from '../skill/yaml/node.ts';
import type { Block, Stretch } from './assemble.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';
import { conditionContext } from './conditions.ts';
import { renderTemplate, type TemplateSource } from './render.ts';

export type Framing =
  | { readonly kind: 'prose'; readonly passages: readonly Passage[] }
  | { readonly kind: 'template'; readonly template: PackageArtifact }
  /** A contract needs no prompt (skill-format.md, section 1). */
  | { readonly kind: 'none' };

/** Undefined where the skill has no framing and needs one. */
export function findFraming(skillPackage: SkillPackage, model: string | undefined): Framing | undefined {
  const { framing, prose, artifacts, dialect } = skillPackage;
  const templates = artifacts.filter(({ kind }) => kind === 'PromptTemplate');
  if (framing) {
    const template = bestVariant(templates, framing.name, model);
    return template && { kind: 'template', template };
  }
  if (prose.length > 0) return { kind: 'prose', passages: prose };
  const names = new Set(templates.map(({ name }) => name));
  const [only] = names;
  const template = names.size === 1 && only !== undefined ? bestVariant(templates, only, model) : undefined;
  if (template) return { kind: 'template', template };
  return dialect === 'contract' ? { kind: 'none' } : undefined;
}

/** After `validate` there is a framing. */
export const chooseFraming = (skillPackage: SkillPackage, model: string | undefined): Framing =>
  findFraming(skillPackage, model) ?? { kind: 'none' };

/** The exact variant, else the one without, else the first (skill-format.md, section 5). */
export function bestVariant(
  templates: readonly PackageArtifact[],
  name: string,
  model: string | undefined,
): PackageArtifact | undefined {
  const named = templates.filter((template) => template.name === name);
  return (
    named.find(({ modelVariant }) => modelVariant !== undefined && modelVariant === model) ??
    named.find(({ modelVariant }) => modelVariant === undefined) ??
    named[0]
  );
}

export function missingFraming(skillPackage: SkillPackage, model: string | undefined): ComposeError | undefined {
  if (findFraming(skillPackage, model)) return undefined;
  const { uri, framing, artifacts, headSpan } = skillPackage;
  const names = [...new Set(artifacts.flatMap(({ kind, name }) => (kind === 'PromptTemplate' ? [name] : [])))];
  const error = { kind: 'MissingRequiredField' as const, uri, subject: 'framing' };
  if (framing) {
    const [near] = nearestNames(framing.name, names);
    return {
      ...error,
      span: framing.span,
      message: `\`framing\` names the PromptTemplate \`${framing.name}\`, which the skill does not have.`,
      suggestion: near === undefined ? `Add \`## PromptTemplate: ${framing.name}\`.` : `Did you mean \`${near}\`?`,
    };
  }
  const [first] = names;
  return {
    ...error,
    span: headSpan,
    message:
      first === undefined
        ? 'The skill has no framing: the body has neither prose of its own nor a PromptTemplate.'
        : `The skill has no framing: the body has no prose of its own, and several templates could be meant.`,
    suggestion:
      first === undefined
        ? 'Write below the frontmatter what the model is to do.'
        : `Add \`framing: ${first}\`, or the name of another one.`,
  };
}

export interface RenderedFraming {
  /** As the engine printed it. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly errors: readonly ComposeError[];
}

export function renderFraming(request: ComposeRequest, framing: Framing): RenderedFraming {
  if (framing.kind === 'none') return { text: '', blocks: [], errors: [] };
  const { uri } = request.skillPackage;
  if (framing.kind === 'prose') {
    const blocks = framing.passages.map((passage) => ({
      part: 'framing' as const,
      artifact: undefined,
      stretches: authored(uri, passage),
    }));
    return { text: '', blocks, errors: [] };
  }
  const result = renderWith(request, framing.template, request.memoryContext);
  if (!result.ok) {
    const { failure } = result;
    const suggestion =
      failure.suggestion === undefined ? 'Mend the template at this place.' : `Did you mean \`${failure.suggestion}\`?`;
    const error: ComposeError = {
      kind: 'MalformedTemplate',
      uri: failure.uri,
      span: failure.span,
      subject: framing.template.name,
      message: failure.message,
      suggestion,
    };
    return { text: '', blocks: [], errors: [error] };
  }
  const stretches = result.pieces.map(
    ({ start, end, kind, uri: file, span, artifact }): Stretch => ({
      text: result.text.slice(start, end),
      kind,
      source: { uri: file, span },
      artifact,
    }),
  );
  return {
    text: result.text,
    blocks: [{ part: 'framing', artifact: framing.template.id, stretches: trimStretches(stretches) }],
    errors: [],
  };
}

/** The blocks of a prompt are set apart by one blank line; line breaks that a template prints at its ends would add to it. */
function trimStretches(stretches: readonly Stretch[]): readonly Stretch[] {
  const left = [...stretches];
  const cut = (at: number, pattern: RegExp): boolean => {
    const stretch = left[at];
    if (!stretch) return false;
    const text = stretch.text.replace(pattern, '');
    if (text !== '') left[at] = { ...stretch, text };
    else left.splice(at, 1);
    return text === '';
  };
  while (cut(0, /^(?:[^\S\r\n]*(?:\r\n|\n|\r))+/)) {}
  while (cut(left.length - 1, /\s+$/)) {}
  return left;
}

export const authored = (uri: string, passage: Passage, artifact?: string): readonly Stretch[] =>
  passage.map(({ span, text }) => ({ text, kind: 'authored', source: { uri, span }, artifact }));

/** Renders a template of the skill with the variables of skill-format.md, section 5. */
export function renderWith(
  request: ComposeRequest,
  template: PackageArtifact,
  memory: ComposeRequest['memoryContext'],
) {
  const { skillPackage, model } = request;
  return renderTemplate({
    main: template.name,
    templates: templatesFor(skillPackage, template, model),
    context: templateContext(request, memory),
  });
}

/** Each name stands for one template: the chosen one, and of the others their best variant. */
function templatesFor(
  { uri, artifacts }: SkillPackage,
  chosen: PackageArtifact,
  model: string | undefined,
): readonly TemplateSource[] {
  const templates = artifacts.filter(({ kind, template }) => kind === 'PromptTemplate' && template);
  const names = [...new Set(templates.map(({ name }) => name))];
  return names.flatMap((name) => {
    const artifact = name === chosen.name ? chosen : bestVariant(templates, name, model);
    return artifact?.template ? [{ name, uri, artifact: artifact.id, ...artifact.template }] : [];
  });
}

/** A parameter goes before an ambient variable of its name; `parameters` always holds all of them. */
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
