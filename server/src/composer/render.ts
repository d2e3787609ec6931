/**
 * Renders templates with MiniJinja (docs/composer.md, "Template language"), in bounded time and memory. The output is
 * exactly the engine's; in addition, each part of the output is traced to the template node that printed it.
 */
import type { NameUse, Scopes } from '../languages/minijinja/scope-model.ts';
import { resolveScopes } from '../languages/minijinja/scopes.ts';
import { contains, type Span, span } from '../text.ts';
import type { TemplateEngine } from './render/engine.ts';
import {
  explainLoad,
  explainRun,
  explainTooDeep,
  explainTooLong,
  findTooDeepTag,
  MAX_OUTPUT,
  missingTemplate,
} from './render/explain.ts';
import type { Explanation } from './render/rendering.ts';
import {
  addMarkers,
  chooseMarkers,
  type Origin,
  type ParsedTemplate,
  type ParsedTemplates,
  type Piece,
  parseReachable,
  type Rendering,
  type RenderRequest,
  type RenderResult,
  readPieces,
  runWith,
} from './render/rendering.ts';

export type * from './render/rendering.ts';

/**
 * Renders the template `request.main` (docs/composer.md, "Template language"). `templates` are the parsed templates
 * that this template can reach. Never throws: if rendering fails, returns a failure.
 */
export function renderTemplate(
  engine: TemplateEngine,
  request: RenderRequest,
  templates: ParsedTemplates = parseReachable(request),
): RenderResult {
  const main = templates.get(request.main);
  if (!main) {
    const message = missingTemplate(request.main);
    return { ok: false, read: [], failure: { reason: 'missing-template', message, uri: '', span: span(0, 0) } };
  }
  const rendering: Rendering = { engine, request, main, templates, unloadable: findTooDeep(templates) };
  const read = [...templates.values()].map(({ source, includedBy }) => ({ artifact: source.artifact, includedBy }));
  const texts = [...templates.values()].map(({ source }) => source);
  for (;;) {
    const refused = rendering.unloadable.get(request.main);
    if (refused) return { ok: false, read, failure: { ...refused, uri: main.source.uri } };
    const outcome = runWith(rendering, texts);
    if (outcome.kind === 'text') return bounded(outcome.text, tracePieces(rendering, outcome.text), read);
    const unloadable = outcome.template === undefined ? undefined : templates.get(outcome.template);
    if (!unloadable) return { ok: false, read, failure: explainRun(rendering, outcome) };
    rendering.unloadable.set(unloadable.source.name, explainLoad(unloadable, outcome));
  }
}

/** Returns the result; if the string is too long, returns a failure at the expression that prints most of it. */
function bounded(text: string, traced: Traced, read: RenderResult['read']): RenderResult {
  if (text.length <= MAX_OUTPUT) return { ok: true, read, text, ...traced };
  const printed = new Map<string, { readonly piece: Piece; readonly size: number }>();
  for (const piece of traced.pieces) {
    const key = `${piece.uri} ${piece.span.start}`;
    printed.set(key, { piece, size: piece.end - piece.start + (printed.get(key)?.size ?? 0) });
  }
  const [most] = [...printed.values()].sort((a, b) => b.size - a.size);
  const { uri, span: place } = most?.piece ?? { uri: '', span: span(0, 0) };
  return { ok: false, read, failure: { ...explainTooLong(text.length, place), uri } };
}

function findTooDeep(templates: ParsedTemplates): Map<string, Explanation> {
  const found = new Map<string, Explanation>();
  for (const [name, { template }] of templates) {
    const tag = findTooDeepTag(template.nodes);
    if (tag) found.set(name, explainTooDeep(tag));
  }
  return found;
}

interface Traced {
  readonly pieces: readonly Piece[];
  readonly exact: boolean;
}

/** Returns the origin of each part of the output, found by rendering the templates again with markers. */
function tracePieces(rendering: Rendering, text: string): Traced {
  const { source, template } = rendering.main;
  const { uri, span: place, artifact } = source;
  const isLiteral = template.tags.length === 0;
  const whole: Piece = {
    start: 0,
    end: text.length,
    kind: isLiteral ? 'authored' : 'value',
    uri,
    span: place,
    artifact,
  };
  if (text === '') return { pieces: [], exact: true };
  if (isLiteral) return { pieces: [whole], exact: true };
  const templates = [...rendering.templates.values()];
  const markers = chooseMarkers([text, ...templates.map((one) => one.source.text)]);
  if (!markers) return { pieces: [whole], exact: false };
  const origins: Origin[] = [];
  const marked = templates.map((one) => ({ name: one.source.name, text: addMarkers(one, markers, origins) }));
  const outcome = runWith(rendering, marked);
  const pieces = outcome.kind === 'text' ? readPieces(outcome.text, text, markers, origins) : undefined;
  if (!pieces) return { pieces: [whole], exact: false };
  return { pieces: markMadeUp(pieces, templates, new Set(rendering.request.madeUp)), exact: true };
}

/** Sets the kind `madeUp` for pieces whose expression reads a parameter in `names`, directly or through a variable. */
function markMadeUp(
  pieces: readonly Piece[],
  templates: Iterable<ParsedTemplate>,
  names: ReadonlySet<string>,
): readonly Piece[] {
  if (names.size === 0) return pieces;
  const places = Array.from(templates).flatMap(({ source, template }) =>
    placesOfMadeUp(resolveScopes(template), names).map((span) => ({ artifact: source.artifact, span })),
  );
  return pieces.map((piece) =>
    piece.kind === 'value' &&
    places.some(({ artifact, span }) => artifact === piece.artifact && contains(piece.span, span))
      ? { ...piece, kind: 'madeUp' }
      : piece,
  );
}

/**
 * Returns the spans where the template reads a parameter in `names`, or a variable whose value depends on such a
 * parameter.
 */
function placesOfMadeUp({ uses, variables }: Scopes, names: ReadonlySet<string>): readonly Span[] {
  const isParameter = ({ name, path, variable }: NameUse): boolean => {
    const [first] = path;
    if (variable) return false;
    return names.has(name) || (name === 'parameters' && (first === undefined || names.has(String(first.name))));
  };
  let places = uses.filter(isParameter).map(({ span }) => span);
  const open = new Set(variables);
  for (let found = true; found; ) {
    found = false;
    for (const variable of open) {
      const isMadeUp = variable.definitions.some(
        ({ value }) => value && places.some((place) => contains(value.span, place)),
      );
      if (!isMadeUp) continue;
      open.delete(variable);
      places = [...places, ...variable.uses.map(({ span }) => span)];
      found = true;
    }
  }
  return places;
}
