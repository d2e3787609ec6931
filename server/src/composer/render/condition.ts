/** Evaluates conditions with the template engine, as `{% if … %}` does. */
import { parseExpression, parseTemplate } from '../../languages/minijinja/parser.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { type Span, shift, span } from '../../text.ts';
import { isTooDeep } from './depth.ts';
import type { TemplateEngine } from './engine.ts';
import { parseEngineMessage, stretchOf } from './engine-message.ts';
import { type Explanation, explainError, explainRefusal, explainTooDeep, explainTrap } from './explain.ts';

type ConditionResult =
  | { readonly ok: true; readonly value: boolean }
  | { readonly ok: false; readonly failure: Explanation };

const OPENING = '{% if ';

/** The truth of an expression; that of an undefined name is a failure. A failure's span counts in `source`. */
export function evaluateCondition(
  engine: TemplateEngine,
  source: string,
  context: Readonly<Record<string, Json>>,
): ConditionResult {
  // Only what is one expression is put into a tag: anything else might end the tag and begin another.
  const parsed = parseExpression(source);
  const refusal = explainRefusal(parsed);
  if (refusal) return { ok: false, failure: refusal };
  if (isTooDeep(parsed.expression)) return { ok: false, failure: explainTooDeep(parsed.span) };
  const text = `${OPENING}${source}\n%}1{% endif %}`;
  const outcome = engine.run([{ name: 'condition', text }], 'condition', context);
  if (outcome.kind === 'text') return { ok: true, value: outcome.text === '1' };
  const whole = span(0, source.length);
  if (outcome.kind === 'trap') return { ok: false, failure: explainTrap(outcome.reason, whole) };
  const error = parseEngineMessage(outcome.message);
  // With this base the places of the template are those of the expression.
  const template = parseTemplate(text, -OPENING.length);
  const stretch = error.at && stretchOf(text, error.at);
  const place = stretch ? shift(stretch, template.base) : whole;
  const circumstances = { template, context, names: [], elsewhere: new Set<string>() };
  const failure = explainError(error, circumstances, clamp(place, whole), stretch?.exact ?? false);
  return { ok: false, failure: { ...failure, span: clamp(failure.span, whole) } };
}

const clamp = (inner: Span, outer: Span): Span => {
  const start = Math.min(Math.max(inner.start, outer.start), outer.end);
  return span(start, Math.max(start, Math.min(inner.end, outer.end)));
};
