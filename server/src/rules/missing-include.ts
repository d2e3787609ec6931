import { didYouMean, nearestNames } from '../nearest.ts';
import { shift } from '../text.ts';
import { replaceName } from './common/name-fixes.ts';
import { unfinishedNames } from './common/unfinished-names.ts';
import type { Rule } from './rule.ts';

/** A template that takes in another one which the skill does not have. */
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
  },
};
