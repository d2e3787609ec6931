/** Finds the name that an error about an undefined value is about; the engine points only at the expression that uses it. */
import { FUNCTIONS } from '../../languages/minijinja/builtins/builtins.ts';
import type { Scopes, Use } from '../../languages/minijinja/scopes.ts';
import { failsIfUndefined } from '../../languages/minijinja/undefined-uses.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { overlaps, type Span, span } from '../../text.ts';

interface UndefinedName {
  /** As a path: `user.name`. */
  readonly name: string;
  readonly span: Span;
  /** What has no such field; absent where the name itself is unknown. */
  readonly receiver?: string;
  /** The names that might have been meant. */
  readonly known: Iterable<string>;
}

interface FailingTemplate {
  readonly text: string;
  readonly base: number;
  readonly scopes: Scopes;
  readonly context: Readonly<Record<string, Json>>;
  /** Names that other templates define: they may reach this one. */
  readonly elsewhere: ReadonlySet<string>;
}

/** The likeliest name in `tag`, those first that the engine points at (`place`); undefined where none fits. */
export function findUndefined(template: FailingTemplate, tag: Span, place: Span): UndefinedName | undefined {
  const uses = template.scopes.uses.filter((use) => overlaps(use.span, tag) && fails(template, use));
  const pointedAt = uses.filter((use) => overlaps(whole(use), place));
  const missing = (use: Use) => isMissing(template, use);
  const here = (use: Use) => missing(use) && !template.elsewhere.has(use.name);
  const root = pointedAt.find(here);
  if (root) return asRoot(template, root);
  for (const use of pointedAt) {
    const field = findMissingField(template, use);
    if (field) return field;
  }
  const local = pointedAt.filter(({ variable }) => variable !== undefined);
  const own = local.find((use) => whole(use).end === place.end) ?? local[0];
  if (own) return { name: pathOf(own), span: whole(own), known: [] };
  const other = pointedAt.find(missing) ?? uses.find(here);
  return other && asRoot(template, other);
}

/** A name that the template does not define, nor the context, nor the engine. */
const isMissing = ({ context }: FailingTemplate, { variable, name }: Use): boolean =>
  variable === undefined && !Object.hasOwn(context, name) && !FUNCTIONS.has(name);

/** Strict rendering lets an undefined value pass where it is asked for, or negated. */
function fails(template: FailingTemplate, { guarded: own, pathGuarded, guard, span: place, path }: Use): boolean {
  const guarded = path.length === 0 ? own : pathGuarded && guard !== 'default';
  return failsIfUndefined(template, { guarded, guard, span: place });
}

const whole = (use: Use): Span => span(use.span.start, use.path.at(-1)?.span.end ?? use.span.end);
const pathOf = ({ name, path }: Use): string => [name, ...path.map((segment) => segment.name)].join('.');

function asRoot({ context, scopes }: FailingTemplate, { name, span: place }: Use): UndefinedName {
  const own = scopes.variables.filter(({ implicit }) => !implicit).map((variable) => variable.name);
  return { name, span: place, known: new Set([...Object.keys(context), ...own, ...FUNCTIONS.keys()]) };
}

/** Follows a path from the context as far as it goes; undefined where it goes to its end. */
function findMissingField({ context }: FailingTemplate, use: Use): UndefinedName | undefined {
  if (use.variable !== undefined || !Object.hasOwn(context, use.name)) return undefined;
  let value: unknown = context[use.name];
  let receiver = use.name;
  for (const { name, span: place, called } of use.path) {
    if (called) return undefined;
    const fields = typeof value === 'object' && value !== null ? value : {};
    if (!Object.hasOwn(fields, name)) {
      const known = Array.isArray(fields) ? [] : Object.keys(fields);
      return { name: `${receiver}.${name}`, span: span(use.span.start, place.end), receiver, known };
    }
    value = (fields as Readonly<Record<string, unknown>>)[name];
    receiver = `${receiver}.${name}`;
  }
  return undefined;
}
