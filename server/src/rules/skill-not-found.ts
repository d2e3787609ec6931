import { didYouMean, nearestNames } from '../nearest.ts';

import { byName, skillMentions } from './common/mentions.ts';
import { replaceName } from './common/naming-fixes.ts';
import { removeFromList, removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A skill that no file of the workspace defines: once a name, where it is composed, else where it is first named. */
export const skillNotFound: Rule = {
  name: 'skill-not-found',
  code: 'E004',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  *check(file, analysis) {
    if (analysis.partial) return;
    for (const [name, [first, ...others]] of byName(skillMentions(file))) {
      if (analysis.isSkillName(name)) continue;
      const near = nearestNames(name, analysis.graph.names);
      const places = [first, ...others].map(({ nameSpan }) => nameSpan);
      yield {
        span: first.span,
        message: `No skill of this workspace is called \`${name}\`.${didYouMean(near)}`,
        related: others.map(({ span }) => ({ uri: file.uri, span, message: `\`${name}\` is named here too` })),
        fixes: [
          ...replaceName(file, places, near),
          ...(first.isReference
            ? [fixHere(file, 'Remove the reference', [removeReference(file, first.span)])]
            : removeFromList(file, 'composes', first.span, `Remove \`${name}\` from \`composes\``)),
        ],
      };
    }
  },
};
