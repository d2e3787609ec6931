/**
 * Finds the framing of a skill (docs/composer.md, step 2): its prose, or the named PromptTemplate in the best variant
 * for the model. This code does not render templates, so hosts can use it without the engine.
 */
import { nearestNames } from '../nearest.ts';
import type { PackageArtifact, Passage, SkillPackage } from '../skill/package.ts';
import { readProse } from '../skill/read-package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { missingKeySpan } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import type { ComposeError } from './composition.ts';

/** The names by which a variant is chosen, the best first: the model, then its family. */
export type ModelNames = readonly string[];

export type Framing =
  | { readonly kind: 'prose'; readonly passages: readonly Passage[] }
  | { readonly kind: 'template'; readonly template: PackageArtifact }
  /** A contract needs no prompt (docs/format.md, section 1). */
  | { readonly kind: 'none' };

/** The parts of a skill that determine its framing, in a package or a skill file. */
export interface FramingParts extends Pick<SkillPackage, 'uri' | 'dialect' | 'framing' | 'headSpan'> {
  readonly prose: readonly unknown[];
  readonly artifacts: readonly Pick<PackageArtifact, 'kind' | 'name'>[];
}

/**
 * Returns the framing of a skill with its passages, or with the template in the best variant for `models`
 * (docs/composer.md, step 2). Returns undefined if the skill has no framing and needs one.
 */
export function findFraming(skillPackage: SkillPackage, models: ModelNames): Framing | undefined {
  const chosen = chooseFraming(skillPackage);
  if (chosen === 'prose') return { kind: 'prose', passages: skillPackage.prose };
  if (chosen === undefined || chosen === 'none') return chosen && { kind: chosen };
  const template = bestVariant(skillPackage.artifacts, chosen.template, models);
  return template && { kind: 'template', template };
}

/**
 * Returns the kind of a skill's framing, or the name of its template; undefined if the skill needs a framing and has
 * none.
 */
export function chooseFraming(parts: FramingParts): 'prose' | 'none' | { readonly template: string } | undefined {
  const { framing, prose, artifacts, dialect } = parts;
  if (!framing && prose.length > 0) return 'prose';
  const names = templateNames(artifacts);
  const name = framing?.name ?? (names.length === 1 ? names[0] : undefined);
  if (name !== undefined && names.includes(name)) return { template: name };
  return dialect === 'contract' && !framing ? 'none' : undefined;
}

/** Returns the names of the PromptTemplates, each once, in the order of the file. */
export const templateNames = (artifacts: FramingParts['artifacts']): readonly string[] => [
  ...new Set(artifacts.flatMap(({ kind, name }) => (kind === 'PromptTemplate' ? [name] : []))),
];

/**
 * Returns the PromptTemplate `name` whose variant is the first possible one of `models`, else the template without a
 * variant, else the first template (docs/format.md, section 5).
 */
export function bestVariant(
  artifacts: readonly PackageArtifact[],
  name: string,
  models: ModelNames,
): PackageArtifact | undefined {
  const named = artifacts.filter((artifact) => artifact.kind === 'PromptTemplate' && artifact.name === name);
  const [variant] = [...models, undefined].flatMap(
    (model) => named.find(({ modelVariant }) => modelVariant === model) ?? [],
  );
  return variant ?? named[0];
}

/**
 * Returns the error for a skill that needs a framing and has none, with the same text as the rule `missing-framing`.
 */
export function framingError(parts: FramingParts): ComposeError | undefined {
  if (chooseFraming(parts)) return undefined;
  const { uri, dialect, framing, artifacts, headSpan } = parts;
  const templates = templateNames(artifacts);
  const error = { kind: 'MissingRequiredField' as const, uri, subject: 'framing' };
  if (framing) {
    const [near] = nearestNames(framing.name, templates);
    return {
      ...error,
      span: framing.span,
      message: `\`framing\` names an unknown PromptTemplate \`${framing.name}\`.`,
      suggestion: near === undefined ? `Add \`## PromptTemplate: ${framing.name}\`.` : `Did you mean \`${near}\`?`,
    };
  }
  const [first] = templates;
  return {
    ...error,
    span: headSpan,
    message:
      first === undefined && dialect === 'agent-skill'
        ? 'The body of this skill has no text.'
        : first === undefined
          ? 'The skill has no framing: its body has neither text outside of artifacts nor a PromptTemplate.'
          : 'The skill has no framing: its body has several PromptTemplates and no text outside of artifacts.',
    suggestion:
      first === undefined
        ? 'Write the instructions for the model below the frontmatter.'
        : `Add \`framing: ${first}\`, or the name of another template.`,
  };
}

/** Returns the prose that no prompt contains, because a template is the framing. */
export const unusedProseSpans = (file: SkillFile): readonly Span[] =>
  file.body && typeof chooseFraming(framingParts(file)) === 'object' ? file.body.framing : [];

/** Returns the parts of a skill file that determine its framing. */
export function framingParts(file: SkillFile): FramingParts {
  const { uri, dialect, body, contract } = file;
  const isAgentSkill = dialect === 'agent-skill';
  return {
    uri,
    dialect,
    framing: isAgentSkill ? undefined : contract.framing,
    headSpan: missingKeySpan(file),
    prose: body ? readProse(file, isAgentSkill ? [body.span] : body.framing) : [],
    artifacts: isAgentSkill || !body ? [] : body.artifacts,
  };
}
