import { didYouMean, nearestNames } from '../nearest.ts';
import { isSkillName, skillNames } from '../workspace/workspace-index.ts';
import { byName, skillMentions } from './common/mentions.ts';
import { replaceName } from './common/naming-fixes.ts';
import { removeFromList, removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A skill that no file of the workspace defines: once a name, where it is composed, else where it is first named. */
export const skillNotFound: Rule = {
  name: 'skill-not-found',
  code: 'E004',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 1.3' },
  dialects: SKILLS,
  *check(index, document) {
    if (index.partial) return;
    for (const [name, [first, ...others]] of byName(skillMentions(document))) {
      if (isSkillName(index, name)) continue;
      const near = nearestNames(name, skillNames(index));
      const places = [first, ...others].map(({ nameSpan }) => nameSpan);
      yield {
        span: first.span,
        message: `No skill of this workspace is called \`${name}\`.${didYouMean(near)}`,
        related: others.map(({ span }) => ({ uri: document.uri, span, message: `\`${name}\` is named here too` })),
        fixes: [
          ...replaceName(document, places, near),
          ...(first.isReference
            ? [fixHere(document, 'Remove the reference', [removeReference(document, first.span)])]
            : removeFromList(document, 'composes', first.span, `Remove \`${name}\` from \`composes\``)),
        ],
      };
    }
  },
};
