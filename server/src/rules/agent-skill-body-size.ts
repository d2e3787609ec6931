import { grouped } from '../amounts.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineEnd, span } from '../text.ts';
import { standardAdvice } from '../vocabulary/agent-skill-clients.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/** More than in any text, so that a body is only reported where every tokenizer finds too many. */
const CHARACTERS_PER_TOKEN = 6;

/** A body that is longer than the standard advises. */
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
      message: `${isLong ? `The body has ${grouped(lines)} lines, and the standard advises fewer than ${bodyLines}` : `The body has ${grouped(characters)} characters, and the standard advises fewer than ${grouped(bodyTokens)} tokens`}: all of it stays in the context once the skill is in use. Move what is not always needed to files in \`references/\` and link them.`,
    };
  },
};

/** `first` is the first line with something in it. */
function measure({ body, text, lines }: SkillFile) {
  const content = body ? text.slice(body.span.start, body.span.end) : '';
  const start = (body?.span.start ?? 0) + content.search(/\S/);
  const trimmed = content.trim();
  if (trimmed === '') return undefined;
  const from = lineAt(lines, start);
  return {
    first: span(start, lineEnd(text, lines, from)),
    lines: lineAt(lines, start + trimmed.length) - from + 1,
    characters: trimmed.length,
  };
}
