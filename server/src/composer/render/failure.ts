/** What went wrong in a rendering, at its place in the file of the template that it concerns. */
import { resolveScopes } from '../../languages/minijinja/scopes.ts';
import { shift } from '../../text.ts';
import { ENGINE, type Outcome } from './engine.ts';
import { parseEngineMessage, stretchOf } from './engine-message.ts';
import { type Explanation, explainError, explainRefusal, explainTrap, RECURSION } from './explain.ts';
import { type FailureLocation, locateFailure } from './failure-location.ts';
import type { RenderFailure } from './model.ts';
import type { ParsedTemplate, Rendering } from './rendering.ts';

type Failed = Exclude<Outcome, { kind: 'text' }>;

/** Why the engine does not load a template. */
export function explainLoad({ source, template }: ParsedTemplate, outcome: Failed): Explanation {
  const refusal = explainRefusal(template);
  if (outcome.kind === 'trap') {
    const trap = explainTrap(outcome.reason, refusal?.span ?? source.span);
    return refusal ? { ...trap, message: `${trap.message} ${refusal.message}` } : trap;
  }
  if (refusal) return refusal;
  const error = parseEngineMessage(outcome.message);
  const message = `MiniJinja ${ENGINE.version} does not load this template: ${error.detail || error.kind}.`;
  const span = error.at ? shift(stretchOf(source.text, error.at), source.span.start) : source.span;
  return { reason: 'syntax', message, span };
}

/** Why rendering failed once all templates were loaded. */
export function explainRun(rendering: Rendering, outcome: Failed): RenderFailure {
  const { main, templates, unloadable } = rendering;
  if (outcome.kind === 'trap') return { ...explainTrap(outcome.reason, main.source.span), uri: main.source.uri };
  const location = locateFailure(rendering, outcome.message);
  const { error } = location;
  for (const [name, explanation] of unloadable) {
    if (error.at?.template === name || error.detail === `error in ${JSON.stringify(name)}`) {
      return { ...explanation, uri: templates.get(name)?.source.uri ?? main.source.uri };
    }
  }
  return { ...explainAt(rendering, location), uri: location.template.source.uri };
}

function explainAt({ request, templates }: Rendering, location: FailureLocation): Explanation {
  const { error, template: failing, place, exact, inside, endless } = location;
  if (endless) return { reason: 'recursion', message: RECURSION, span: place };
  if (inside !== undefined) {
    const message = `The template \`${inside}\` fails where it is taken in here: try it with the values of this place.`;
    return { reason: 'invalid-operation', message, span: place };
  }
  const others = [...templates.values()].filter((other) => other !== failing);
  const elsewhere = new Set(
    others.flatMap(({ template }) => resolveScopes(template).variables.map((variable) => variable.name)),
  );
  const names = request.templates.map(({ name }) => name);
  return explainError(error, { template: failing.template, context: request.context, names, elsewhere }, place, exact);
}
