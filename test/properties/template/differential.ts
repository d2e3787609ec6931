/** Compares whether the parser and the engine accept the same templates. */
import assert from 'node:assert/strict';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { engineError } from '../../core/template/engine.ts';
import { damage, expression, randomOf, template } from './generate.ts';

export interface Tally {
  accepted: number;
  refused: number;
  newer: number;
}

/**
 * Compares `count` random templates, most of them damaged. The parser and the engine may disagree only about newer
 * syntax.
 */
export function compareTemplates(count: number, seed: number): Tally {
  const random = randomOf(seed);
  const tally: Tally = { accepted: 0, refused: 0, newer: 0 };
  for (let i = 0; i < count; i++) {
    const whole = template(random);
    const text = random.chance(0.7) ? damage(random, whole) : whole;
    compareTemplate(text, tally);
  }
  return tally;
}

function compareTemplate(text: string, tally: Tally): void {
  const message = engineError(text);
  const { problems, newerSyntax } = parseTemplate(text);
  if (message === undefined) tally.accepted++;
  else tally.refused++;
  if (problems.length === 0 && message !== undefined && newerSyntax.length > 0) tally.newer++;
  else {
    const ours = problems.map((problem) => `\n  ${problem.message}`).join('');
    assert.equal(
      problems.length === 0,
      message === undefined,
      `${JSON.stringify(text)}\nengine: ${message}\nours:${ours}`,
    );
  }
}

/** The engine reads a condition as an output tag, so conditions that can end the tag or begin another are left out. */
export function compareExpressions(count: number, seed: number): Tally {
  const random = randomOf(seed);
  const tally: Tally = { accepted: 0, refused: 0, newer: 0 };
  for (let i = 0; i < count; i++) {
    const whole = expression(random);
    const text = random.chance(0.6) ? damage(random, whole) : whole;
    if (/\}|%|[-+]\s*$|^\s*[-+]|\{[{%#]|\n$|\{$/.test(text)) continue;
    const message = engineError(`{{ ${text}\n}}`);
    const { problems, newerSyntax } = parseExpression(text);
    if (message === undefined) tally.accepted++;
    else tally.refused++;
    if (newerSyntax.length > 0) tally.newer++;
    else assert.equal(problems.length === 0, message === undefined, `${JSON.stringify(text)} engine: ${message}`);
  }
  return tally;
}
