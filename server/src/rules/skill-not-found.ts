import type { Analysis } from '../analysis/analysis.ts';
import type { Draft, Fix } from '../finding.ts';
import { closestTypo, didYouMean, isOtherVersion, nearestNames } from '../nearest.ts';
import { isName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { byName, groupBy, namedSkills } from './common/mentions.ts';
import { replaceName } from './common/name-fixes.ts';
import { removeFromList, removeReferences } from './common/removals.ts';
import { stepNames } from './common/steps.ts';
import { placesHere, type Rule, SKILLS } from './rule.ts';

/**
 * Reports a skill that no file in the workspace defines. Each name is reported once, at its entry in `composes` or else
 * at its first mention. In the text of a `SKILL.md`, the rule reports only names that are clearly misspelt.
 */
export const skillNotFound: Rule = {
  name: 'skill-not-found',
  number: 'E004',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: [...SKILLS, 'agent-skill'],
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    if (analysis.partial) return;
    if (file.dialect === 'agent-skill') return yield* misspeltInWords(file, analysis);
    // `invalid-value` reports a number or another value that is not a name.
    const invalid = new Set(file.problems.filter(({ kind }) => kind === 'value').map(({ span }) => span.start));
    for (const [name, [first, ...others]] of byName(namedSkills(file))) {
      if (analysis.isSkillName(name) || analysis.mayBeUnreadable(name) || invalid.has(first.span.start)) continue;
      const places = [...[first, ...others].map(({ nameSpan }) => nameSpan), ...stepsNamedAfter(file, name)];
      const [named] = analysis.skillsNamed(name, file.uri);
      if (named) {
        if (named.summary.name !== undefined) yield idInsteadOfName(file, name, named.summary.name, places);
        continue;
      }
      const plain = /^([^@\s]+)@/.exec(name)?.[1] ?? '';
      const isVersioned = analysis.isSkillName(plain);
      const near = isVersioned ? [plain] : nearestNames(name, analysis.graph.names);
      const advice = isVersioned
        ? ` Write \`${plain}\` here, and its version range under \`requires\`.`
        : didYouMean(near);
      yield {
        span: first.span,
        message: `Unknown skill \`${name}\`.${advice || ' Create it, or remove its name here.'}`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
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

/** Returns the uses of a step that has the name of its skill, which change together with the name of the skill. */
const stepsNamedAfter = (file: SkillFile, name: string): readonly Span[] =>
  file.contract.composes.some((entry) => entry.name === name && !entry.as) ? stepNames(file, name) : [];

/** Returns the finding about a skill that is called by its `id`, although it has a name. */
const idInsteadOfName = (file: SkillFile, id: string, name: string, places: readonly Span[]): Draft => ({
  span: places[0] ?? { start: 0, end: 0 },
  severity: 'hint',
  message: `\`${id}\` is the \`id\` of the skill \`${name}\`. Use its name.`,
  related: placesHere(
    file,
    places.slice(1).map((span) => ({ span })),
    `\`${id}\` is also used here`,
  ),
  fixes: replaceName(file, places, [name]),
});

/**
 * Returns a fix that creates the skill. The location of the new file depends on other files, so it is computed when the
 * fix is applied.
 */
const creation = (file: SkillFile, name: string): Fix[] =>
  isName(name) && !file.uri.startsWith('untitled:')
    ? [{ title: `Create \`${name}\``, safe: false, edits: [], creates: name }]
    : [];

function* misspeltInWords(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const named = (file.body?.plainReferences ?? []).filter(({ form, name }) => form === 'words' && name.includes('-'));
  for (const [name, [first, ...others]] of groupBy(named, (one) => one.name)) {
    if (analysis.isSkillName(name) || analysis.mayBeUnreadable(name)) continue;
    const meant = closestTypo(name, analysis.graph.names);
    if (meant === undefined || !isMisspelling(name, meant)) continue;
    yield {
      span: first.span,
      // The skill may be installed elsewhere.
      severity: 'hint',
      message: `Unknown skill \`${name}\`.${didYouMean([meant])}`,
      related: placesHere(file, others, `\`${name}\` is also used here`),
      fixes: replaceName(
        file,
        [first, ...others].map(({ nameSpan }) => nameSpan),
        [meant],
      ),
    };
  }
}

/**
 * Returns whether `name` is a misspelling of `meant`. Names such as `report-v1` and `report-v2` are versions, and a
 * name with more or fewer words is another skill.
 */
const isMisspelling = (name: string, meant: string): boolean =>
  !isOtherVersion(name, meant) && name.split('-').length === meant.split('-').length;
