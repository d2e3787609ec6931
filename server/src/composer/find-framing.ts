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

/** Undefined where the skill has no framing and needs one. */
export function findFraming(skillPackage: SkillPackage, model: string | undefined): Framing | undefined {
  const { framing, prose, artifacts, dialect } = skillPackage;
  if (!framing && prose.length > 0) return { kind: 'prose', passages: prose };
  const [only, ...others] = templateNames(artifacts);
  const name = framing?.name ?? (others.length === 0 ? only : undefined);
  const template = name === undefined ? undefined : bestVariant(artifacts, name, model);
  if (template) return { kind: 'template', template };
  return dialect === 'contract' && !framing ? { kind: 'none' } : undefined;
}

const templateNames = (artifacts: readonly PackageArtifact[]): readonly string[] => [
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

/** The error where the skill has no framing and needs one. */
export function missingFraming(skillPackage: SkillPackage, model: string | undefined): ComposeError | undefined {
  if (findFraming(skillPackage, model)) return undefined;
  const { uri, framing, artifacts, headSpan } = skillPackage;
  const names = templateNames(artifacts);
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
