import { composedSkills, resolvedSkill } from './common/composed-skills.ts';
import { firstFaultOfPart } from './common/composition-faults.ts';
import { groupBy } from './common/mentions.ts';
import { placesHere, type Rule, SKILLS } from './rule.ts';

/** Reports a composed skill that no invocation can compose, once for each skill. */
export const brokenPart: Rule = {
  name: 'broken-part',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 5' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis, table) {
    const root = resolvedSkill(analysis, file);
    const wayBack = root && analysis.graph.waysBackOf(root);
    for (const [first, ...others] of groupBy(composedSkills(analysis, file), ({ skill }) => skill.uri).values()) {
      const { uri } = first.skill;
      // `circular-dependency` reports a skill that composes this one.
      const composed = wayBack?.(uri) ? undefined : analysis.file(uri);
      const fault = composed && firstFaultOfPart(analysis, composed, table);
      if (!fault) continue;
      const { name, span } = first.named;
      yield {
        span,
        message: `\`${name}\` cannot be composed, so this skill cannot run. Correct \`${name}\`: ${fault.message}`,
        related: [
          { uri, span: fault.span, message: `The error of \`${name}\`` },
          ...placesHere(
            file,
            others.map(({ named }) => named),
            `\`${name}\` is also composed here`,
          ),
        ],
      };
    }
  },
};
