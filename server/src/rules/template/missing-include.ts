import { replaceName } from '../../analysis/name-fixes.ts';
import { unfinishedNames } from '../../analysis/template-code.ts';
import type { Draft } from '../../finding.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, shift } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a template that includes an unknown template, or that includes itself endlessly. */
export const missingInclude: Rule = {
  name: 'missing-include',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "PromptTemplate"' },
  dialects: ['composer'],
  prevents: ['template'],
  readsBroken: true,
  *check(file) {
    const known = new Set(file.templates.map(({ artifact }) => artifact.name));
    for (const { artifact, span: place, source } of file.templates) {
      const { scopes, template } = source;
      const isUnfinished = unfinishedNames(template.problems);
      for (const { names, dynamic, ignoreMissing } of scopes.references) {
        // MiniJinja uses the first name that exists. A computed name may be any name.
        if (ignoreMissing || dynamic || names.some(({ name }) => known.has(name))) continue;
        const [first] = names;
        if (!first || isUnfinished(first.span)) continue;
        const near = nearestNames(first.name, known);
        const [some = ''] = [...known].filter((name) => name !== artifact.name);
        const others =
          some === '' ? ' The skill has no other PromptTemplate.' : ` Name one of this skill, such as \`${some}\`.`;
        yield {
          span: shift(first.span, place.start),
          message: `Unknown PromptTemplate \`${first.name}\`.${didYouMean(near) || others}`,
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
  /** The span of the name, in the file. */
  readonly span: Span;
}

/**
 * The largest number of tags that are followed. For each tag, all templates that the tag includes are searched again.
 */
const MAX_INCLUSIONS = 300;

/** Reports templates that always include themselves, directly or indirectly, so that rendering never ends. */
function* endlessIncludes(file: SkillFile): Iterable<Draft> {
  const inclusions = file.templates.flatMap(certainInclusions).slice(0, MAX_INCLUSIONS);
  const byName = groupBy(inclusions, ({ from }) => from);
  const leadsTo = (start: string, wanted: string): boolean => {
    const seen = new Set([start]);
    // A loop over a set also visits elements that are added during the loop.
    for (const name of seen) for (const { to } of byName.get(name) ?? []) seen.add(to);
    return seen.has(wanted);
  };
  for (const { from, to, span } of inclusions) {
    if (!leadsTo(to, from)) continue;
    yield {
      span,
      message:
        from === to
          ? `\`${from}\` includes itself, so rendering never ends. Remove the tag, or put a condition around it.`
          : `\`${to}\` includes \`${from}\` again, so rendering never ends. Remove one of the two tags, or put a condition around it.`,
    };
  }
}

/**
 * Returns the inclusions that do not depend on values, because the tag is outside of blocks and names one template
 * literally.
 */
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
