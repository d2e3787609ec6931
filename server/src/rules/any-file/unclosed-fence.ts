import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { NestingFence } from '../../languages/markdown/code-fences.ts';
import type { BodyProblem, Fence } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  looksLikeClosing,
  nestingFences,
  type SwallowingFence,
  swallowingFences,
} from '../../skill-folder/misread-fences.ts';
import { lineAt, lineBreakOf, lineEnd, type Span, sliceOf, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';
import { misplacedFrontmatter } from './misplaced-frontmatter.ts';

/** Reports a code fence or a comment that is not closed, and a fence that an inner fence closes too early. */
export const unclosedFence: Rule = {
  name: 'unclosed-fence',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'CommonMark 0.31, section 4.5' },
  dialects: ['composer', 'agent-skill'],
  readsBroken: true,
  *check(file) {
    const { body } = file;
    // Another rule reports a fence around the frontmatter, which hides the structure of the other fences.
    if (!body || (!file.frontmatter.open && misplacedFrontmatter(file)?.fence)) return;
    const nesting = nestingFences(file);
    for (const one of nesting) yield nestingDraft(file, one);
    const swallowing = swallowingFences(file);
    for (const one of swallowing) yield swallowingDraft(file, one);
    let isFlipped = false;
    for (const problem of body.problems) {
      if (problem.kind === 'several-template-fences') continue;
      const fence = body.fences.find((candidate) => !candidate.closed && candidate.span.start === problem.span.start);
      // If a fence ends too early, its intended closing line opens another fence.
      if (fence && (nesting.length > 0 || (swallowing.length > 0 && looksLikeClosing(file.text, fence)))) continue;
      // If a fence in a list is unclosed, its intended closing line opens another fence. Only the first fence is
      // reported.
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
    'Another fence begins or ends here',
  );
  const message = looksLikeClosing(text, fence)
    ? `This fence looks like an end, but it opens a code block that ends on line ${lastLine}. Add or correct the fence above it.`
    : `This fence ends only on line ${lastLine}, at the end of the inner fence from line ${innerLine}. Close it before line ${innerLine}, or make it longer than the inner fence.`;
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
    message: `This fence ends on line ${lineAt(lines, end.start) + 1}, where an inner fence should ${endsAtOpening ? 'begin' : 'end'}, and not on line ${lineAt(lines, close.start) + 1}${isSame ? `: both have ${length - 1} ${noun}` : ''}. Use ${length} ${noun} for the outer fence.`,
    related: [
      ...placesHere(file, [{ span: end }], 'The fence ends here'),
      ...placesHere(file, [{ span: close }], 'The fence should end here'),
    ],
    fixes: fixHere(file, `Use ${length} ${noun} for the outer fence`, [
      { span: open, newText: marks },
      { span: close, newText: marks },
    ]),
  };
}

function unclosedDraft(file: SkillFile, { kind, span: place }: BodyProblem, fence: Fence | undefined): Draft {
  const swallowed = file.dialect === 'composer' ? 'headings and artifacts' : 'headings';
  if (kind !== 'unclosed-fence') {
    const message = `This comment is not closed, so the rest of the file, including ${swallowed}, is hidden. Close it with \`-->\`.`;
    return { span: place, message };
  }
  if (fence?.nested) {
    const message =
      'This fence is not closed before the list item or quote around it ends, so the code ends there. Indent its lines as deep as the fence, and close it.';
    return { span: place, message };
  }
  if (fence && looksLikeClosing(file.text, fence)) {
    const message = `This fence looks like an end, but it opens a code block: the rest of the file, including ${swallowed}, is code. Add or correct the fence above it.`;
    return { span: place, message };
  }
  return {
    span: place,
    message: `This fence is not closed, so the rest of the file, including ${swallowed}, is code. Close it.`,
    fixes: fence ? closed(file, fence) : [],
  };
}

/** A sentence, a list, a heading or a quote after an empty line, which is probably not code. */
const PROSE =
  /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)(?:[-*+>#|] ?\S|\d+[.)] |\*\*|\[|[\p{Lu}\p{Lo}][^{}();=<>\r\n]*[.:!?。：](?:[\r\n]|$))/u;

/** Returns the fix that closes a fence before the first heading that is not code, or at the end if the rest is code. */
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

/**
 * Returns the offset of the empty line above the first heading of level 2 or deeper. A line `# …` may be a comment in
 * the code.
 */
function findHeading(text: string, { start, end }: Span): number | undefined {
  const found = /(?<=^|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)(?=#{2,6}[ \t]+\S)/.exec(text.slice(start, end));
  return found ? start + found.index : undefined;
}
