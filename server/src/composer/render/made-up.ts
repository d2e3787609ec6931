/** Which pieces of a rendered template print values that were made up (docs/composer.md, "Made-up values"). */

import type { Scopes, Use } from '../../languages/minijinja/scope-model.ts';
import { resolveScopes } from '../../languages/minijinja/scopes.ts';
import { contains, type Span } from '../../text.ts';
import type { Piece } from './model.ts';
import type { ParsedTemplate } from './rendering.ts';

/** The pieces with the kind `madeUp` where an expression reads one of these parameters, itself or through a variable. */
export function markMadeUp(
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

/** Where the template reads one of the parameters. What a variable is made of counts as read where the variable is. */
function placesOfMadeUp({ uses, variables }: Scopes, names: ReadonlySet<string>): readonly Span[] {
  const isParameter = ({ name, path, variable }: Use): boolean => {
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
