/**
 * Finds the framing of a skill (docs/composer.md, step 2): literal prose, or the named PromptTemplate in its best model
 * variant. Renders nothing, so that hosts can use it without the engine.
 */
import { nearestNames } from '../nearest.ts';
import type { PackageArtifact, Passage, SkillPackage } from '../skill/package.ts';
import type { ComposeError } from './composition.ts';

export type Framing =
  | { readonly kind: 'prose'; readonly passages: readonly Passage[] }
  | { readonly kind: 'template'; readonly template: PackageArtifact }
  /** A contract needs no prompt (docs/format.md, section 1). */
  | { readonly kind: 'none' };

/** What of a skill decides how it is framed: a package has it, and so has a file. */
export interface FramingParts extends Pick<SkillPackage, 'uri' | 'dialect' | 'framing' | 'headSpan'> {
  readonly prose: readonly unknown[];
  readonly artifacts: readonly Pick<PackageArtifact, 'kind' | 'name'>[];
}

/** The same with the passages, or the template in its best variant. */
export function findFraming(skillPackage: SkillPackage, model: string | undefined): Framing | undefined {
  const chosen = chooseFraming(skillPackage);
  if (chosen === 'prose') return { kind: 'prose', passages: skillPackage.prose };
  if (chosen === undefined || chosen === 'none') return chosen && { kind: chosen };
  const template = bestVariant(skillPackage.artifacts, chosen.template, model);
  return template && { kind: 'template', template };
}

/** How a skill is framed; undefined where it has no framing and needs one. */
export function chooseFraming(parts: FramingParts): 'prose' | 'none' | { readonly template: string } | undefined {
  const { framing, prose, artifacts, dialect } = parts;
  if (!framing && prose.length > 0) return 'prose';
  const names = templateNames(artifacts);
  const name = framing?.name ?? (names.length === 1 ? names[0] : undefined);
  if (name !== undefined && names.includes(name)) return { template: name };
  return dialect === 'contract' && !framing ? 'none' : undefined;
}

export const templateNames = (artifacts: FramingParts['artifacts']): readonly string[] => [
  ...new Set(artifacts.flatMap(({ kind, name }) => (kind === 'PromptTemplate' ? [name] : []))),
];

/** Of the PromptTemplates of a name: the exact variant, else the one without, else the first (docs/format.md, section 5). */
export function bestVariant(
  artifacts: readonly PackageArtifact[],
  name: string,
  model: string | undefined,
): PackageArtifact | undefined {
  const named = artifacts.filter((artifact) => artifact.kind === 'PromptTemplate' && artifact.name === name);
  return (
    named.find(({ modelVariant }) => modelVariant !== undefined && modelVariant === model) ??
    named.find(({ modelVariant }) => modelVariant === undefined) ??
    named[0]
  );
}

/** The error where a skill has no framing and needs one; rule `missing-framing` reports the same. */
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
      message: `\`framing\` names the PromptTemplate \`${framing.name}\`, which the skill does not have.`,
      suggestion: near === undefined ? `Add \`## PromptTemplate: ${framing.name}\`.` : `Did you mean \`${near}\`?`,
    };
  }
  const [first] = templates;
  return {
    ...error,
    span: headSpan,
    message:
      first === undefined && dialect === 'agent-skill'
        ? 'The body of this skill has no text, so there is nothing to tell the model.'
        : first === undefined
          ? 'The skill has no framing: the body has neither prose of its own nor a PromptTemplate, so there is nothing to tell the model.'
          : 'The skill has no framing: the body has no prose of its own, and several templates could be meant.',
    suggestion:
      first === undefined
        ? 'Write below the frontmatter what the model is to do.'
        : `Add \`framing: ${first}\`, or the name of another one.`,
  };
}
