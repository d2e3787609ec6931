/** A composed skill as a nested shape: its own surface, bounded by the top-level caller (composer.md, step 5). */

import type { Json } from '../../languages/yaml/node.ts';
import type { PackageArtifact, PackageSkill, SkillPackage } from '../../skill/package.ts';
import type { SubgraphShape } from '../composition.ts';
import { approachDecision, type ConditionContext, judge } from '../conditions.ts';
import { knownInputOf } from './known-input.ts';
import { decide, report, type Site } from './site.ts';
import { nestedTools } from './tools.ts';

/** Diamonds upon diamonds double with every level: what lies beyond this is named and not drawn. */
export const MAX_NESTED = 300;

/** Makes the shape of a skill at its site. */
export type ShapeAt = (site: Site, tools: readonly string[], approach: PackageArtifact | undefined) => SubgraphShape;

/** Undefined where there is no skill to shape, which is an error, or where the limit is reached, which is a decision. */
export function shapeNested(
  site: Site,
  entry: PackageSkill,
  inputs: Json | undefined,
  shapeAt: ShapeAt,
): SubgraphShape | undefined {
  const composed = entry.package;
  if (typeof composed === 'string') {
    reportAbsent(site, entry, composed);
    return undefined;
  }
  const nested = siteOf(site, entry, composed, inputs);
  const { gathering } = site;
  if (composed.unreadable) {
    reportUnreadable(nested, entry);
    return undefined;
  }
  if (gathering.nested >= MAX_NESTED) {
    const reason = `not drawn: the shape holds ${MAX_NESTED} composed skills already`;
    decide(site, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    return undefined;
  }
  gathering.nested++;
  return shapeAt(nested, nestedTools(nested), chooseKnownApproach(nested));
}

function siteOf(site: Site, entry: PackageSkill, composed: SkillPackage, inputs: Json | undefined): Site {
  const known = knownInputOf(site, entry, composed, inputs);
  return {
    gathering: site.gathering,
    skillPackage: composed,
    through: [...site.through, entry],
    entry: site.entry ?? { uri: site.skillPackage.uri, span: entry.span },
    ...known,
    late: new Set(known.lateInput),
  };
}

function reportAbsent(site: Site, { name, span }: PackageSkill, why: 'missing' | 'cycle'): void {
  const circle = why === 'cycle';
  report(site, {
    kind: 'MissingRequiredField',
    span,
    subject: name,
    message: circle
      ? `The composed skill \`${name}\` leads back to a skill that composes it, so that neither would ever end.`
      : `The composed skill \`${name}\` does not exist, so there is nothing to run in its place.`,
    suggestion: circle
      ? 'Take one of the skills out of the circle.'
      : `Create \`${name}\`, or correct its name in \`composes\`.`,
  });
}

function reportUnreadable(nested: Site, { name }: PackageSkill): void {
  report(
    nested,
    {
      kind: 'MissingRequiredField',
      span: nested.skillPackage.headSpan,
      subject: name,
      message: `The frontmatter of the composed skill \`${name}\` cannot be read.`,
      suggestion: `Correct the YAML of \`${name}\`.`,
    },
    nested.through.slice(0, -1),
  );
}

/**
 * The first approach whose condition holds for what is known by now. Where a condition asks for what comes only at run
 * time, that approach is not taken: whether it would hold cannot be said, and nobody made a mistake.
 */
function chooseKnownApproach(site: Site): PackageArtifact | undefined {
  const { skillPackage, input, lateInput, gathering } = site;
  const context: ConditionContext = { ...input, parameters: input, ...gathering.ambient };
  let chosen: PackageArtifact | undefined;
  for (const artifact of skillPackage.artifacts) {
    if (artifact.kind !== 'Approach') continue;
    const say = (taken: boolean, reason: string): void =>
      decide(site, approachDecision(skillPackage.uri, artifact, taken, reason));
    const source = artifact.includeWhen?.source ?? '';
    const awaited = [...lateInput].find((name) => words(source).includes(name));
    if (chosen) say(false, `${chosen.name} comes first`);
    else if (awaited !== undefined) say(false, `its include_when asks for ${awaited}, which comes only at run time`);
    else {
      const judgement = judge(skillPackage.uri, artifact.includeWhen, context);
      if (!judgement.ok) say(false, 'its include_when cannot be judged before the run');
      else if (!judgement.holds) say(false, 'include_when was false');
      else {
        chosen = artifact;
        say(true, artifact.includeWhen ? 'include_when was true' : 'it has no include_when');
      }
    }
  }
  return chosen;
}

const words = (source: string): readonly string[] => source.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
