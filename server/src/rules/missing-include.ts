import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { SkillTemplate } from '../skill/artifact-data.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { contains, type Span, shift } from '../text.ts';
import { groupBy } from './common/mentions.ts';
import { replaceName } from './common/name-fixes.ts';
import { unfinishedNames } from './common/template-code.ts';
import type { Rule } from './rule.ts';

/** A template that takes in another one which the skill does not have, or itself without end. */
export const missingInclude: Rule = {
  name: 'missing-include',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "PromptTemplate"' },
  dialects: ['composer'],
  prevents: ['template'],
  readsBroken: true,
  *check(file) {
    const known = new Set(file.templates.map(({ artifact }) => artifact.name));
    for (const { span: place, source } of file.templates) {
      const { scopes, template } = source;
      const isUnfinished = unfinishedNames(template.problems);
      for (const { names, dynamic, ignoreMissing } of scopes.references) {
        // Of several names the first that exists is taken, and a computed one may be any.
        if (ignoreMissing || dynamic || names.some(({ name }) => known.has(name))) continue;
        const [first] = names;
        if (!first || isUnfinished(first.span)) continue;
        const near = nearestNames(first.name, known);
        const others = known.size > 0 ? '' : ' The skill has no other PromptTemplate.';
        yield {
          span: shift(first.span, place.start),
          message: `This skill has no PromptTemplate called \`${first.name}\`.${didYouMean(near) || others}`,
          fixes: first.content ? replaceName(file, [shift(first.content, place.start)], near) : [],
        };
      }
    }
    yield* endlessIncludes(file);
  },
};

interface Inclusion {
  readonly from: string;
  readonly to: string;
  /** The name in the tag, in the file. */
  readonly span: Span;
}

/** More tags are not followed: from each, all that it leads to is searched. */
const MAX_INCLUSIONS = 300;

/** Templates that take in themselves, directly or not, whatever the values are: such a run never ends. */
function* endlessIncludes(file: SkillFile): Iterable<Draft> {
  const inclusions = file.templates.flatMap(certainInclusions).slice(0, MAX_INCLUSIONS);
  const byName = groupBy(inclusions, ({ from }) => from);
  const leadsTo = (start: string, wanted: string): boolean => {
    const seen = new Set([start]);
    // A loop over a set also visits what is added meanwhile.
    for (const name of seen) for (const { to } of byName.get(name) ?? []) seen.add(to);
    return seen.has(wanted);
  };
  for (const { from, to, span } of inclusions) {
    if (!leadsTo(to, from)) continue;
    yield {
      span,
      message:
        from === to
          ? `\`${from}\` takes in itself, so rendering never ends. Remove the tag, or put a condition around it.`
          : `\`${to}\` takes in \`${from}\` again, so rendering never ends. Take one of the two out, or put a condition around it.`,
    };
  }
}

/** What a template takes in whatever the values are: tags in no block, with one name that is written out. */
function certainInclusions({ artifact, source, span: place }: SkillTemplate): readonly Inclusion[] {
  const { nodes, problems } = source.template;
  if (problems.length > 0) return [];
  const tags = nodes.filter(({ kind }) => kind === 'include' || kind === 'import' || kind === 'from-import');
  return source.scopes.references.flatMap(({ names, dynamic, span }) => {
    const [first, ...others] = names;
    if (dynamic || !first || others.length > 0 || !tags.some((tag) => contains(tag.span, span))) return [];
    return [{ from: artifact.name, to: first.name, span: shift(first.span, place.start) }];
  });
}
