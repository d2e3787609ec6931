import type { Fix } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { isName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { byName, namedSkills } from './common/mentions.ts';
import { replaceName } from './common/name-fixes.ts';
import { removeFromList, removeReferences } from './common/removals.ts';
import { placesHere, type Rule, SKILLS } from './rule.ts';

/** A skill that no file of the workspace defines: once a name, where it is composed, else where it is first named. */
export const skillNotFound: Rule = {
  name: 'skill-not-found',
  number: 'E004',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    if (analysis.partial) return;
    for (const [name, [first, ...others]] of byName(namedSkills(file))) {
      if (analysis.isSkillName(name) || analysis.mayBeUnreadable(name)) continue;
      const near = nearestNames(name, analysis.graph.names);
      const places = [first, ...others].map(({ nameSpan }) => nameSpan);
      yield {
        span: first.span,
        message: `No skill of this workspace is called \`${name}\`.${didYouMean(near)}`,
        related: placesHere(file, others, `\`${name}\` is named here too`),
        fixes: [
          ...replaceName(file, places, near),
          ...creation(file, name),
          ...(first.isReference
            ? removeReferences(file, [first])
            : removeFromList(file, 'composes', first.span, `Remove \`${name}\` from \`composes\``)),
        ],
      };
    }
  },
};

/** Where it is made depends on other files, so that is found when somebody asks for it. */
const creation = (file: SkillFile, name: string): Fix[] =>
  isName(name) && !file.uri.startsWith('untitled:')
    ? [{ title: `Create \`${name}\``, safe: false, edits: [], creates: name }]
    : [];
