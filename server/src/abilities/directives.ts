/** Finds instructions to the model in HTML comments, which readers do not see (docs/abilities.md, "Hidden text"). */
import type { HtmlComment } from '../skill/body.ts';

/** The kind of instruction in a comment. */
export type Directive = 'override' | 'conceal' | 'command';

const PATTERNS: readonly (readonly [Directive, RegExp])[] = [
  [
    'override',
    /\b(?:ignore|disregard|forget|override|bypass)\s{1,4}(?:[\w']{1,20}\s{1,4}){0,4}?(?:previous|prior|above|earlier|all|any|every|your|system|safety|other)\s{1,4}(?:[\w']{1,20}\s{1,4}){0,2}?(?:instructions?|prompts?|rules|guidelines|guardrails|restrictions|directives)\b/i,
  ],
  [
    'override',
    /\b(?:you are now|from now on,? you|new system prompt|(?:system|developer|admin) (?:override|instruction|prompt):)/i,
  ],
  [
    'conceal',
    /\b(?:do not|don['’]t|never|without|must not)\s{1,4}(?:(?:ever|first|also)\s{1,4})?(?:tell|inform|notify|alert|mention|reveal|disclos|show|ask|warn|report)(?:e|ing)?\b[^.\n]{0,60}?\b(?:user|human|operator|anyone|anybody)s?\b/i,
  ],
  [
    'conceal',
    /\b(?:secretly|silently|quietly|covertly)\s{1,4}(?:\w{1,20}\s{1,4}){0,2}?(?:send|upload|post|transmit|exfiltrate|run|execute|delete|read|collect|copy|append|add|include|fetch|download)\b/i,
  ],
  [
    'command',
    /(?:^|[.!?\n]\s{0,4})(?:(?:all|any|every|the|note to|attention|important)[:,]?\s{1,4}){0,3}(?:AI|LLM|language model|assistant|agent|model|Claude|Copilot|Codex|ChatGPT|Gemini)s?[:,]?\s{1,4}(?:you\s{1,4})?(?:must|shall|should always|should never|has to|have to|always|never)\b/i,
  ],
  ['command', /\bif you(?:['’]re| are) (?:an? |the )?(?:AI|LLM|language model|assistant|agent|model)\b/i],
  ['command', /\b(?:send|upload|post|transmit|exfiltrate|forward)\b[^.\n]{0,80}?\bto\s{1,4}https?:\/\//i],
];

/** The number of characters that are read from a comment. */
const MAX_COMMENT = 20_000;

export function findDirective({ text }: HtmlComment): Directive | undefined {
  const read = text.slice(0, MAX_COMMENT);
  return PATTERNS.find(([, pattern]) => pattern.test(read))?.[0];
}
