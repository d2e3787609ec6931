import { foreignMessage, foreignTagFinder } from '../../analysis/template-code.ts';
import { type Continuation, closingContinuationOf } from '../../analysis/template-continuation.ts';
import { type Draft, type Fix, fixHere, placesHere } from '../../finding.ts';
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, shift } from '../../text.ts';
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
    for (const template of file.templates) {
      const { span, source } = template;
      const next = closingContinuationOf(file, template);
      if (next) yield endedByHeading(file, template, next);
      for (const problem of source.template.problems) {
        if (next && problem.kind === 'unclosed-block') continue;
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

/** Returns the finding for a heading between the tags of a block, which are then in different sections. */
function endedByHeading(
  file: SkillFile,
  { artifact: { name }, source, span: { start } }: SkillTemplate,
  { heading, fence, deepen }: Continuation,
): Draft {
  const open = source.template.problems.filter(({ kind }) => kind === 'unclosed-block');
  return {
    span: heading.span,
    message: `This heading ends the template \`${name}\`, in which a block is still open. Put the template into a \`jinja\` fence, or write \`###\`.`,
    related: placesHere(
      file,
      open.map((one) => ({ span: shift(one.span, start) })),
      'The block begins here',
    ),
    fixes: [
      ...fixHere(file, 'Put the template into a `jinja` fence', fence),
      ...fixHere(file, 'Write `###`, which does not end the template', deepen),
    ],
  };
}

/** Returns the finding for a problem of a template. `start` is the offset of the template in the file. */
const draftOf = (file: SkillFile, { span, message, related, fix }: TemplateProblem, start: number): Draft => ({
  span: shift(span, start),
  message,
  related: related.map((place) => ({ uri: file.uri, ...place, span: shift(place.span, start) })),
  fixes: fix
    ? fixHere(file, fix.title, [{ ...fix.edit, span: shift(fix.edit.span, start) }])
    : withoutQuestionMark(file, shift(span, start)),
});

/** An operand without other signs of a choice: text in quotes, or names with dots. */
const OPERAND = '("[^"\\\n{}]*"|\'[^\'\\\n{}]*\'|[\\w.]+)';
const CHOICE = new RegExp(
  `^(\\{\\{[-+]?\\s*)([^?:{}"'|]{1,100}?)\\s*\\?\\s*${OPERAND}\\s*:\\s*${OPERAND}(?=\\s*[-+]?\\}\\})`,
);
const FALLBACK = new RegExp(`^(\\{\\{[-+]?\\s*)([\\w.]{1,100})\\s*\\?(?:\\?|:)\\s*${OPERAND}(?=\\s*[-+]?\\}\\})`);

/** Returns the fix that replaces `a ? b : c` or `a ?? b`, which is the whole tag; none in other code. */
function withoutQuestionMark(file: SkillFile, sign: Span): readonly Fix[] {
  if (file.text[sign.start] !== '?') return [];
  const start = file.text.lastIndexOf('{{', sign.start);
  const tag = start < 0 || sign.start - start > MAX_TAG ? '' : file.text.slice(start, sign.start + MAX_TAG);
  const [whole = '', open = '', value = '', yes = '', no = ''] = CHOICE.exec(tag) ?? FALLBACK.exec(tag) ?? [];
  if (whole === '') return [];
  const isNull = /\?\?/.test(whole);
  const right =
    no !== '' ? `${yes} if ${value} else ${no}` : isNull ? `${value} | default(${yes})` : `${value} or ${yes}`;
  const place = { start: start + open.length, end: start + whole.length };
  return fixHere(file, `Replace with \`${right}\``, [{ span: place, newText: right }]);
}

/** The longest part of a tag before and after the sign, in UTF-16 code units. */
const MAX_TAG = 200;
