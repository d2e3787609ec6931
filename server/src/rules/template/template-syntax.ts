import { foreignMessage, foreignTagFinder } from '../../analysis/template-code.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { shift } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports each syntax error of a template that MiniJinja would not load. */
export const templateSyntax: Rule = {
  name: 'template-syntax',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: ['composer'],
  prevents: ['all-templates'],
  readsBroken: true,
  *check(file) {
    const foreignAt = foreignTagFinder(file);
    const reported = new Set<number>();
    for (const { span, source } of file.templates) {
      for (const problem of source.template.problems) {
        const draft = draftOf(file, problem, span.start);
        const foreign = foreignAt(draft.span);
        if (!foreign) yield draft;
        else if (!reported.has(foreign.span.start)) {
          reported.add(foreign.span.start);
          yield { span: foreign.span, message: foreignMessage(file.text, foreign), fixes: foreign.fixes };
        }
      }
    }
    for (const { artifact } of file.templates) {
      const surplus = artifact.template?.surplus;
      if (surplus) {
        yield {
          span: surplus.infoSpan,
          message: `\`${artifact.name}\` has two \`jinja\` fences, so the whole section, including the fence marks, is the template. Keep one fence, or move one to another PromptTemplate.`,
        };
      }
    }
  },
};

/** Returns the finding for a problem of a template. `start` is the offset of the template in the file. */
const draftOf = (file: SkillFile, { span, message, related, fix }: TemplateProblem, start: number): Draft => ({
  span: shift(span, start),
  message,
  related: related.map((place) => ({ uri: file.uri, ...place, span: shift(place.span, start) })),
  fixes: fix ? fixHere(file, fix.title, [{ ...fix.edit, span: shift(fix.edit.span, start) }]) : [],
});
