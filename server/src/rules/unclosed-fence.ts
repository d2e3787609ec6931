import { lineBreakOf, span } from '../text.ts';
import { fixHere, type Rule } from './rule.ts';

/** A code fence or a comment that nothing closes: all that follows belongs to it, headings included. */
export const unclosedFence: Rule = {
  name: 'unclosed-fence',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'CommonMark 0.31, section 4.5' },
  dialects: ['composer', 'agent-skill'],
  readsBroken: true,
  *check(file) {
    const { body, text } = file;
    const swallowed = file.dialect === 'composer' ? 'headings and artifacts' : 'headings';
    let isFlipped = false;
    for (const problem of body?.problems ?? []) {
      if (problem.kind === 'several-template-fences') continue;
      const isFence = problem.kind === 'unclosed-fence';
      const fence = body?.fences.find((candidate) => !candidate.closed && candidate.span.start === problem.span.start);
      // The fence that was meant to close the one in the list opens another; the first is reported.
      if (isFlipped && fence?.info === '' && !fence.nested) continue;
      if (fence?.nested) isFlipped = true;
      const mark = /^(`{3,}|~{3,})/.exec(text.slice(fence?.span.start ?? text.length))?.[0];
      const lineBreak = lineBreakOf(text);
      const newText = `${/[\r\n]$/.test(text) ? '' : lineBreak}${mark}${lineBreak}`;
      const isClosable = fence && mark && fence.indent === 0 && !fence.nested;
      const end = span(text.length, text.length);
      yield {
        span: problem.span,
        message: fence?.nested
          ? 'Nothing closes this fence before the list item or quote around it ends, so it ends there too, and what follows is no code. Indent its lines as deep as the fence, and close it.'
          : isFence
            ? `Nothing closes this fence, so all that follows is code, ${swallowed} included. Close it.`
            : `Nothing closes this comment, so all that follows is hidden, ${swallowed} included. Close it with \`-->\`.`,
        fixes: isClosable ? fixHere(file, 'Close the fence at the end of the file', [{ span: end, newText }]) : [],
      };
    }
  },
};
