/**
 * Renders templates with MiniJinja: byte for byte what that engine prints, in bounded time and memory, and for every
 * stretch of the output the node that made it. The only importer of `minijinja-js`. composer.md, "Template language".
 */
import * as glue from 'minijinja-js/dist/bundler/minijinja_js_bg.js';
import wasm from 'minijinja-js/dist/bundler/minijinja_js_bg.wasm';
import { version } from 'minijinja-js/package.json';
import { parseExpression, parseTemplate } from '../languages/minijinja/parser.ts';
import { resolveScopes } from '../languages/minijinja/scopes.ts';
import type { Json } from '../languages/yaml/node.ts';
import { type Span, shift, span } from '../text.ts';
import { engineOf, type Outcome } from './render/engine.ts';
import { parseEngineMessage, stretchOf } from './render/engine-message.ts';
import {
  type Explained,
  explainError,
  explainRefusal,
  explainTooDeep,
  explainTrap,
  RECURSION,
} from './render/explain.ts';
import { type FailingPlace, followFailure } from './render/inner-failure.ts';
import { chooseMarks, markTemplate, type Origin, readPieces } from './render/marks.ts';
import type { Piece, RenderFailure, RenderRequest, RenderResult } from './render/model.ts';
import { type Reading, readReachable } from './render/reading.ts';
import { findTooDeep, isTooDeep } from './render/too-deep.ts';

export type * from './render/model.ts';

/** What renders here; a composition reports it. */
export const ENGINE: { readonly name: 'minijinja-js'; readonly version: string } = { name: 'minijinja-js', version };

// The one state of the composer: an instance of the engine, which no run leaves otherwise than it found it.
const engine = engineOf(glue, wasm);

/** Fails, and never throws, whatever the templates and the context are. */
export function renderTemplate(request: RenderRequest): RenderResult {
  const readings = readReachable(request.main, request.templates);
  const main = readings.get(request.main);
  if (!main) {
    const message = `There is no template \`${request.main}\`: name one of this skill.`;
    return { ok: false, failure: { reason: 'missing-template', message, uri: '', span: span(0, 0) } };
  }
  const broken = new Map<string, Explained>();
  for (const { source, template } of readings.values()) {
    const place = findTooDeep(template.nodes);
    if (place) broken.set(source.name, explainTooDeep(place));
  }
  const unfit = broken.get(request.main);
  if (unfit) return { ok: false, failure: { ...unfit, uri: main.source.uri } };
  for (;;) {
    const outcome = engine.run('plain', textsOf(readings, broken), request.main, request.context);
    if (outcome.kind === 'text')
      return { ok: true, text: outcome.text, ...piecesOf(request, readings, broken, outcome.text) };
    const reading = outcome.template === undefined ? undefined : readings.get(outcome.template);
    if (!reading) return { ok: false, failure: explainRun(request, readings, main, broken, outcome) };
    const explained = explainLoad(reading, outcome);
    if (reading === main) return { ok: false, failure: { ...explained, uri: reading.source.uri } };
    // A defective template does no harm until it is asked for.
    broken.set(reading.source.name, explained);
  }
}

/** The name of no template: asking for it is how a template that cannot be loaded fails when it is asked for. */
const BROKEN = '{% include "\0" %}';

const textsOf = (readings: ReadonlyMap<string, Reading>, broken: ReadonlyMap<string, unknown>) =>
  [...readings].map(([name, { source }]) => ({ name, text: broken.has(name) ? BROKEN : source.text }));

function piecesOf(
  request: RenderRequest,
  readings: ReadonlyMap<string, Reading>,
  broken: ReadonlyMap<string, unknown>,
  text: string,
): { readonly pieces: readonly Piece[]; readonly exact: boolean } {
  const main = readings.get(request.main) as Reading;
  const { uri, span: place, artifact } = main.source;
  const { tags } = main.template;
  const kind = tags.length === 0 ? 'authored' : 'value';
  const one: Piece = { start: 0, end: text.length, kind, uri, span: place, artifact };
  if (text === '' || tags.length === 0) return { pieces: text === '' ? [] : [one], exact: true };
  const marks = chooseMarks([text, ...[...readings.values()].map(({ source }) => source.text)]);
  if (!marks) return { pieces: [one], exact: false };
  const origins: Origin[] = [];
  const marked = [...readings].map(([name, { source, template }]) => {
    return { name, text: broken.has(name) ? BROKEN : markTemplate(source, template, marks, origins) };
  });
  const outcome = engine.run('marked', marked, request.main, request.context);
  const pieces = outcome.kind === 'text' ? readPieces(outcome.text, text, marks, origins) : undefined;
  return pieces ? { pieces, exact: true } : { pieces: [one], exact: false };
}

function explainLoad({ source, template }: Reading, outcome: Outcome): Explained {
  const known = explainRefusal(template, version);
  if (outcome.kind === 'trap') {
    const trap = explainTrap(outcome.reason, known?.span ?? source.span, version);
    return known ? { ...trap, message: `${trap.message} ${known.message}` } : trap;
  }
  if (known) return known;
  const error = parseEngineMessage(outcome.kind === 'error' ? outcome.message : '');
  const message = `MiniJinja ${version} does not load this template: ${error.detail || error.kind}.`;
  return {
    reason: 'syntax',
    message,
    span: error.at ? shift(stretchOf(source.text, error.at), source.span.start) : source.span,
  };
}

function explainRun(
  request: RenderRequest,
  readings: ReadonlyMap<string, Reading>,
  main: Reading,
  broken: ReadonlyMap<string, Explained>,
  outcome: Exclude<Outcome, { kind: 'text' }>,
): RenderFailure {
  if (outcome.kind === 'trap') {
    return { ...explainTrap(outcome.reason, main.source.span, version), uri: main.source.uri };
  }
  const sound = new Map([...readings].filter(([name]) => !broken.has(name)));
  const stubs = [...broken.keys()].map((name) => ({ name, text: BROKEN }));
  const run = (texts: Parameters<typeof engine.run>[1]) =>
    engine.run('plain', [...texts, ...stubs], request.main, request.context);
  const found = followFailure(outcome.message, main, sound, run);
  const culprit = [...broken].find(
    ([name]) => found.error.at?.template === name || found.error.detail === `error in ${JSON.stringify(name)}`,
  );
  if (culprit) return { ...culprit[1], uri: readings.get(culprit[0])?.source.uri ?? main.source.uri };
  return { ...explainFound(request, readings, found), uri: found.reading.source.uri };
}

function explainFound(request: RenderRequest, readings: ReadonlyMap<string, Reading>, found: FailingPlace): Explained {
  const { error, reading, place, exact, inside, endless } = found;
  if (endless) return { reason: 'recursion', message: RECURSION, span: place };
  if (inside !== undefined) {
    const message = `The template \`${inside}\` fails where it is taken in here: try it with the values of this place.`;
    return { reason: 'invalid-operation', message, span: place };
  }
  const others = [...readings.values()].filter((other) => other !== reading);
  const elsewhere = new Set(
    others.flatMap(({ template }) => resolveScopes(template).variables.map((variable) => variable.name)),
  );
  const names = request.templates.map(({ name }) => name);
  const around = { template: reading.template, context: request.context, names, elsewhere, version };
  return explainError(error, around, place, exact);
}

const CONDITION = '{% if ';

/**
 * Truth of an expression as `{% if … %}` judges it: asking for the truth of an undefined name fails. A failure's span
 * counts in `source`.
 */
export function evaluateCondition(
  source: string,
  context: Readonly<Record<string, Json>>,
): { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly failure: Explained } {
  // Only what is one expression is put into a tag: anything else might end the tag and begin another.
  const parsed = parseExpression(source);
  const refused = explainRefusal(parsed, version);
  if (refused) return { ok: false, failure: refused };
  if (isTooDeep(parsed.expression)) return { ok: false, failure: explainTooDeep(parsed.span) };
  const text = `${CONDITION}${source}\n%}1{% endif %}`;
  const outcome = engine.run('condition', [{ name: 'condition', text }], 'condition', context);
  if (outcome.kind === 'text') return { ok: true, value: outcome.text === '1' };
  const whole = span(0, source.length);
  if (outcome.kind === 'trap') return { ok: false, failure: explainTrap(outcome.reason, whole, version) };
  const error = parseEngineMessage(outcome.message);
  // With this base the places of the template are those of the expression.
  const template = parseTemplate(text, -CONDITION.length);
  const stretch = error.at && stretchOf(text, error.at);
  const place = stretch ? shift(stretch, template.base) : whole;
  const around = { template, context, names: [], elsewhere: new Set<string>(), version };
  const explained = explainError(error, around, clamp(place, whole), stretch?.exact ?? false);
  return { ok: false, failure: { ...explained, span: clamp(explained.span, whole) } };
}

const clamp = (inner: Span, outer: Span): Span => {
  const start = Math.min(Math.max(inner.start, outer.start), outer.end);
  return span(start, Math.max(start, Math.min(inner.end, outer.end)));
};
