import type { Draft, Fix } from '../finding.ts';
import type { NestingFence } from '../languages/markdown/code-fences.ts';
import type { BodyProblem, Fence } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineBreakOf, lineEnd, type Span, sliceOf, span } from '../text.ts';
import { isStray, nestingIn, type SwallowingFence, swallowingIn } from '../workspace/misread-fences.ts';
import { fixHere, placesHere, type Rule } from './rule.ts';

/** A code fence or a comment that nothing closes, or a fence that another one within it closes too early. */
export const unclosedFence: Rule = {
  name: 'unclosed-fence',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'CommonMark 0.31, section 4.5' },
  dialects: ['composer', 'agent-skill'],
  readsBroken: true,
  *check(file) {
    const { body } = file;
    if (!body) return;
    const nesting = nestingIn(file);
    for (const one of nesting) yield nestingDraft(file, one);
    const swallowing = swallowingIn(file);
    for (const one of swallowing) yield swallowingDraft(file, one);
    let isFlipped = false;
    for (const problem of body.problems) {
      if (problem.kind === 'several-template-fences') continue;
      const fence = body.fences.find((candidate) => !candidate.closed && candidate.span.start === problem.span.start);
      // Behind a fence that ends too early, the line that was meant to close it opens another.
      if (fence && (nesting.length > 0 || (swallowing.length > 0 && isStray(file.text, fence)))) continue;
      // The fence that was meant to close the one in the list opens another; the first is reported.
      if (isFlipped && fence?.info === '' && !fence.nested) continue;
      if (fence?.nested) isFlipped = true;
      yield unclosedDraft(file, problem, fence);
    }
  },
};

function swallowingDraft(file: SkillFile, { fence, inner }: SwallowingFence): Draft {
  const { text, lines } = file;
  const { start, end } = fence.span;
  const [innerLine, lastLine] = [lineAt(lines, inner.start) + 1, lineAt(lines, end) + 1];
  const place = span(start, lineEnd(text, lines, lineAt(lines, start)));
  const related = placesHere(
    file,
    [{ span: inner }, { span: span(end - 1, end) }],
    'Another fence begins or ends here.',
  );
  const ending = `ends in line ${lastLine}, where the one that line ${innerLine} begins was meant to end`;
  if (isStray(text, fence)) {
    const message = `This fence looks like the end of a block, but it opens one that ${ending}: a fence above is missing, or closes too early. What is between is code, headings included.`;
    return { span: place, message, related };
  }
  const message = `This fence ${ending}: the line that closes this one is missing above that, or it is too short to hold the other. All in it is code, headings included.`;
  return { span: place, message, related };
}

function nestingDraft(file: SkillFile, { open, close, length, end, endsAtOpening }: NestingFence): Draft {
  const { text, lines } = file;
  const mark = text[open.start] as string;
  const marks = mark.repeat(length);
  const noun = mark === '~' ? 'tildes' : 'backticks';
  const isSame = sliceOf(text, open).length === length - 1;
  return {
    span: span(open.start, lineEnd(text, lines, lineAt(lines, open.start))),
    message: `This fence ends in line ${lineAt(lines, end.start) + 1} already, where one within it was meant to ${endsAtOpening ? 'begin' : 'end'}${isSame ? `: both have ${length - 1} ${noun}` : ''}. What follows up to line ${lineAt(lines, close.start) + 1} is code where it was meant as prose, and prose where it was meant as code. Give the outer one ${length} ${noun}, at its beginning and its end.`,
    related: [
      ...placesHere(file, [{ span: end }], 'It ends here.'),
      ...placesHere(file, [{ span: close }], 'It was meant to end here.'),
    ],
    fixes: fixHere(file, `Give the outer fence ${length} ${noun}`, [
      { span: open, newText: marks },
      { span: close, newText: marks },
    ]),
  };
}

function unclosedDraft(file: SkillFile, { kind, span: place }: BodyProblem, fence: Fence | undefined): Draft {
  const swallowed = file.dialect === 'composer' ? 'headings and artifacts' : 'headings';
  if (kind !== 'unclosed-fence') {
    const message = `Nothing closes this comment, so all that follows is hidden, ${swallowed} included. Close it with \`-->\`.`;
    return { span: place, message };
  }
  if (fence?.nested) {
    const message =
      'Nothing closes this fence before the list item or quote around it ends, so it ends there too, and what follows is no code. Indent its lines as deep as the fence, and close it.';
    return { span: place, message };
  }
  if (fence && isStray(file.text, fence)) {
    const message = `This fence looks like the end of a block, but it opens one: a fence above is missing, or closes too early. All that follows is code, ${swallowed} included.`;
    return { span: place, message };
  }
  return {
    span: place,
    message: `Nothing closes this fence, so all that follows is code, ${swallowed} included. Close it.`,
    fixes: fence ? closed(file, fence) : [],
  };
}

/** Behind an empty line: a sentence, a list, a heading or a quote, which need not be code. */
const PROSE =
  /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)(?:[-*+>#|] ?\S|\d+[.)] |\*\*|\[|[\p{Lu}\p{Lo}][^{}();=<>\r\n]*[.:!?。：](?:[\r\n]|$))/u;

/** Behind the code: before the first heading that no code would have, else at the end of the file if all is code. */
function closed(file: SkillFile, { span: { start }, contentSpan, indent }: Fence): readonly Fix[] {
  const { text } = file;
  const mark = /^(?:`{3,}|~{3,})/.exec(text.slice(start, start + 1000))?.[0];
  if (!mark || indent > 0) return [];
  const lineBreak = lineBreakOf(text);
  const heading = findHeading(text, contentSpan);
  if (heading !== undefined) {
    return fixHere(file, 'Close the fence before the next heading', [
      { span: span(heading, heading), newText: `${mark}${lineBreak}` },
    ]);
  }
  if (PROSE.test(sliceOf(text, contentSpan))) return [];
  const newText = `${/[\r\n]$/.test(text) ? '' : lineBreak}${mark}${lineBreak}`;
  return fixHere(file, 'Close the fence at the end of the file', [{ span: span(text.length, text.length), newText }]);
}

/** Where the empty line above the first heading of level 2 or deeper begins: `# …` may be a comment of the code. */
function findHeading(text: string, { start, end }: Span): number | undefined {
  const found = /(?:^|[\r\n])([ \t]*(?:\r\n|\n|\r))#{2,6}[ \t]+\S/.exec(text.slice(start, end));
  return found ? start + found.index + found[0].indexOf(found[1] as string) : undefined;
}
