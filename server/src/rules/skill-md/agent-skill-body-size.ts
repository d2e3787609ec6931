import { formatNumber } from '../../format-amounts.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, lineEnd, span } from '../../text.ts';
import { standardAdvice } from '../../vocabulary/agent-skill-clients.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

/**
 * An upper bound that holds for all text, so that a body is reported only if every tokenizer would count too many
 * tokens.
 */
const CHARACTERS_PER_TOKEN = 6;

/** A body that is longer than the standard recommends. */
export const agentSkillBodySize: Rule = {
  name: 'agent-skill-body-size',
  severity: 'hint',
  evidence: { kind: 'spec', source: `${STANDARD}, "Progressive disclosure" (advice)` },
  dialects: ['agent-skill'],
  *check(file) {
    const { bodyLines, bodyTokens } = standardAdvice;
    const measured = measure(file);
    if (!measured) return;
    const { first, lines, characters } = measured;
    const isLong = lines > bodyLines;
    if (!isLong && characters <= bodyTokens * CHARACTERS_PER_TOKEN) return;
    yield {
      span: first,
      measure: { of: 'characters', amount: characters },
      message: `${isLong ? `The body has ${formatNumber(lines)} lines; the standard advises fewer than ${bodyLines}` : `The body has at least ${formatNumber(Math.ceil(characters / CHARACTERS_PER_TOKEN))} tokens (${formatNumber(characters)} characters); the standard advises fewer than ${formatNumber(bodyTokens)}`}. Move details to files in \`references/\`, and link to them.`,
    };
  },
};

/** Measures the body. `first` is the first line of the body after comments that suppress findings. */
function measure({ body, text, lines, suppressions }: SkillFile) {
  const content = body ? text.slice(body.span.start, body.span.end) : '';
  const start = (body?.span.start ?? 0) + content.search(/\S/);
  const trimmed = content.trim();
  if (trimmed === '') return undefined;
  let first = start;
  let at = start;
  for (const { span: comment } of body?.htmlComments ?? []) {
    if (comment.start !== at) break;
    at = skipBlanks(text, comment.end);
    if (at < text.length && suppressions.some((one) => one.comment.start === comment.start)) first = at;
  }
  return {
    first: span(first, lineEnd(text, lines, lineAt(lines, first))),
    lines: lineAt(lines, start + trimmed.length) - lineAt(lines, start) + 1,
    characters: trimmed.length,
  };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}
