/** Converts engine errors to messages for people, with the span of the wrong name or tag. */

import { formatNumber } from '../../format-amounts.ts';
import { allNodes, type Expression, type Node, type Template } from '../../languages/minijinja/ast.ts';
import { FILTERS, FUNCTIONS, findUnsupportedBuiltin, NEWER_SYNTAX, TESTS } from '../../languages/minijinja/builtins.ts';
import type { PathSegment } from '../../languages/minijinja/defined-names.ts';
import { parseExpression, parseTemplate } from '../../languages/minijinja/parser.ts';
import { failsIfUndefined } from '../../languages/minijinja/scope-model.ts';
import { type NameUse, resolveScopes, type Scopes } from '../../languages/minijinja/scopes.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { nearestNames } from '../../nearest.ts';
import { contains, overlaps, type Span, shift, span } from '../../text.ts';
import {
  ENGINE,
  type EngineError,
  type Outcome,
  parseEngineMessage,
  spanOfError,
  type TemplateEngine,
} from './engine.ts';
import {
  type Explanation,
  type FailureReason,
  type ParsedTemplate,
  type RenderFailure,
  type Rendering,
  runWith,
} from './rendering.ts';

/** The failing template, and the names that it can use. Spans are offsets in the file. */
interface TemplateFacts {
  readonly template: Template;
  readonly context: Readonly<Record<string, Json>>;
  /** The names of the templates that can be included. */
  readonly names: readonly string[];
  /** The names that other templates define. */
  readonly elsewhere: ReadonlySet<string>;
}

const { version } = ENGINE;

/** Explains an error. `place` is the span that the engine reports; if `exact` is false, it is the whole line. */
function explainError(error: EngineError, circumstances: TemplateFacts, place: Span, exact: boolean): Explanation {
  const { template } = circumstances;
  const tag = template.tags.find(({ span }) => overlaps(span, place) || span.end === place.start);
  const where: ErrorPosition = { scopes: resolveScopes(template), tag: tag?.span ?? place, place };
  const at = exact || !tag ? place : tag.span;
  switch (error.kind) {
    case 'undefined value':
      return explainUndefined(circumstances, where, at);
    case 'unknown filter':
      return explainUnknown(where, at, 'filter', wordIn(error.detail, /^filter (.+) is unknown$/s));
    case 'unknown test':
      return explainUnknown(where, at, 'test', wordIn(error.detail, /^test (.+) is unknown$/s));
    case 'unknown function':
      return explainFunction(where, at, wordIn(error.detail, /^(.+) is unknown$/s));
    case 'template not found':
      return explainMissingTemplate(circumstances, where, at);
    case 'engine ran out of fuel':
      return failure('fuel', 'The template exceeds the step limit. Use fewer or shorter loops.', at);
  }
  if (error.detail === 'recursion limit exceeded') return failure('recursion', RECURSION, at);
  if (error.detail === '' || /\bundefined\b/.test(error.detail)) {
    const found = explainUndefined(circumstances, where, undefined);
    if (found) return found;
  }
  return failure('invalid-operation', messageOf(error), at);
}

const RECURSION = 'The template includes or calls itself endlessly or too deeply. End the recursion with a condition.';

interface ErrorPosition {
  readonly scopes: Scopes;
  readonly tag: Span;
  /** The span that the engine reports. */
  readonly place: Span;
}

const failure = (reason: FailureReason, message: string, span: Span, suggestion?: string): Explanation => ({
  reason,
  message,
  span,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const wordIn = (detail: string, pattern: RegExp): string | undefined => pattern.exec(detail)?.[1];

/** Explains an undefined value. Returns undefined if no undefined name is found and `fallback` is missing. */
function explainUndefined(circumstances: TemplateFacts, where: ErrorPosition, fallback: Span): Explanation;
function explainUndefined(
  circumstances: TemplateFacts,
  where: ErrorPosition,
  fallback: undefined,
): Explanation | undefined;
function explainUndefined(
  { template, context, elsewhere }: TemplateFacts,
  { scopes, tag, place }: ErrorPosition,
  fallback: Span | undefined,
): Explanation | undefined {
  const failing = { text: template.text, base: template.base, scopes, context, elsewhere };
  const found = findUndefined(failing, tag, place);
  if (
    !found ||
    (fallback === undefined &&
      found.receiver === undefined &&
      scopes.undefinedUses.every(({ span }) => span !== found.span))
  ) {
    return fallback && failure('undefined', 'This value is undefined. Pass it, or add `| default("")`.', fallback);
  }
  return explainUndefinedName(found.name, found.span, found.known, found.receiver);
}

/**
 * Explains an undefined name; `known` contains the names that the author may have meant. `receiver` is the value that
 * lacks the field, for example `user` for `user.name`; it is absent if the name itself is unknown.
 */
export function explainUndefinedName(
  name: string,
  span: Span,
  known: Iterable<string>,
  receiver?: string,
): Explanation {
  const last = name.slice(receiver?.length ?? 0).replace(/^(?:\.|\["?)|"?\]$/g, '');
  const [near] = nearestNames(last, known);
  const noun = /^-?\d+$/.test(last) ? 'item' : 'field';
  const why = receiver === undefined ? '' : `: \`${receiver}\` has no ${noun} \`${last}\``;
  const message = `\`${name}\` is undefined${why}. Give it a value, or write \`${name} | default("")\`.`;
  return failure('undefined', message, span, near);
}

function explainUnknown(
  { scopes, tag, place }: ErrorPosition,
  at: Span,
  what: 'filter' | 'test',
  named: string | undefined,
): Explanation {
  const known = what === 'filter' ? FILTERS : TESTS;
  const uses = (what === 'filter' ? scopes.filters : scopes.tests).filter(
    ({ span, name }) => overlaps(span, tag) && (named === undefined ? !known.has(name) : name === named),
  );
  const use = uses.find(({ span }) => overlaps(span, place)) ?? uses[0];
  const name = named ?? use?.name;
  if (name === undefined) return failure(`unknown-${what}`, `MiniJinja ${version} has no such ${what}.`, at);
  const near = nearestNames(name, known.keys());
  const elsewhere = what === 'filter' ? findUnsupportedBuiltin('filter', name) : undefined;
  const why = elsewhere ? ` It requires ${elsewhere.since}.` : '';
  const message = `MiniJinja ${version} has no ${what} \`${name}\`.${why}`;
  return failure(`unknown-${what}`, message, use?.span ?? at, near[0]);
}

function explainFunction({ scopes, tag, place }: ErrorPosition, at: Span, name = ''): Explanation {
  const calls = scopes.functions.filter((call) => call.name === name && overlaps(call.span, tag));
  const call = calls.find(({ span }) => overlaps(span, place)) ?? calls[0];
  const names = scopes.variables.filter(({ definitions }) =>
    definitions.some(({ kind }) => kind === 'macro' || kind === 'import'),
  );
  const near = nearestNames(name, new Set([...names.map((variable) => variable.name), ...FUNCTIONS.keys()]));
  const elsewhere = findUnsupportedBuiltin('function', name);
  const why = elsewhere ? ` It requires ${elsewhere.since}.` : '';
  const message = `MiniJinja ${version} has no function \`${name}\`.${why} Define or import a macro with this name.`;
  return failure('unknown-function', message, call?.span ?? at, near[0]);
}

function explainMissingTemplate({ names }: TemplateFacts, { scopes, tag }: ErrorPosition, at: Span): Explanation {
  const reference = scopes.references.find(({ span }) => overlaps(span, tag));
  const wanted = reference?.names.find(({ name }) => !names.includes(name));
  if (!wanted) return failure('missing-template', 'This skill has no template with this name. Correct the name.', at);
  const near = nearestNames(wanted.name, names);
  return failure('missing-template', missingTemplate(wanted.name), wanted.content ?? wanted.span, near[0]);
}

/** Returns the message about a template that the skill does not have. */
export const missingTemplate = (name: string): string =>
  `This skill has no template \`${name}\`. Correct the name, or add \`## PromptTemplate: ${name}\`.`;

function messageOf({ kind, detail }: EngineError): string {
  const method = /^(\S+) has no method named (.+)$/s.exec(detail);
  if (kind === 'unknown method' && method) {
    return `A ${method[1]} has no method \`${method[2]}\`. MiniJinja does not support Python methods: use a filter.`;
  }
  const reason = detail === '' ? kind : kind === 'invalid operation' ? detail : `${kind}: ${detail}`;
  return `This cannot be rendered: ${reason}. Change the expression or its value.`;
}

/**
 * Returns why the engine does not load a template, with the message from our own parser; undefined if that parser finds
 * no reason.
 */
function explainRefusal(template: Pick<Template, 'problems' | 'newerSyntax'>): Explanation | undefined {
  const [problem] = template.problems;
  if (problem) return failure('syntax', problem.message, problem.span);
  const [use] = template.newerSyntax;
  if (!use) return undefined;
  const { docs, since } = NEWER_SYNTAX[use.feature];
  const message = `MiniJinja ${version} does not support this: ${docs} It requires ${since}.`;
  return failure('syntax', message, use.span);
}

const TRAPS = {
  memory: 'Rendering exceeds the memory limit of 64 MB. Repeat less text, or shorten it.',
  recursion: 'The template, or a value that is passed to it, is nested too deeply. Use fewer levels.',
  panic: 'A defect in the template engine causes a crash here. Write this part in another way.',
} as const;

const explainTrap = (reason: keyof typeof TRAPS, span: Span): Explanation =>
  failure(reason, `${TRAPS[reason]} (MiniJinja ${version})`, span);

/** The maximum length of a template's output in UTF-16 code units: more than any model reads. */
export const MAX_OUTPUT = 2_000_000;

/** Explains an output of more than `MAX_OUTPUT` code units; `span` is the expression that prints most of the output. */
export const explainTooLong = (length: number, span: Span): Explanation =>
  failure(
    'output',
    `The template prints ${formatNumber(length)} characters, most of them with this expression; the limit is ${formatNumber(MAX_OUTPUT)}. Shorten the output.`,
    span,
  );

/** Explains a chain of more than `MAX_DEPTH` operators, filters, attributes or branches. */
export const explainTooDeep = (span: Span): Explanation =>
  failure(
    'recursion',
    `This chain has more than ${MAX_DEPTH} links (operators, filters, attributes or \`elif\`). Split it with \`{% set %}\`, or loop over a list.`,
    span,
  );

// Finds chains of operators, filters, attributes or `elif` that are too long for the engine. The engine recurses over
// such chains until the stack overflows, at a depth that differs between machines; `MAX_DEPTH` is below that depth on
// all machines.

/**
 * The maximum number of operators, filters and attributes in one chain of an expression, and of branches of an `if`.
 */
const MAX_DEPTH = 1_000;

/** Returns the span of the first tag whose chain is longer than `MAX_DEPTH`. */
export function findTooDeepTag(nodes: readonly Node[]): Span | undefined {
  for (const node of allNodes(nodes)) {
    if (!isLong(node) || !('tag' in node)) continue;
    if (node.kind === 'if') {
      const [late] = node.branches.slice(MAX_DEPTH);
      const deep = node.branches.find(({ condition }) => isTooDeep(condition)) ?? late;
      if (deep) return deep.tag.span;
    } else if (expressionsOf(node).some(isTooDeep)) return node.tag.span;
  }
  return undefined;
}

/**
 * Returns whether the tree of an expression is too deep. Uses a loop, since recursion could overflow the stack, too.
 */
function isTooDeep(expression: Expression): boolean {
  const pending: { readonly part: unknown; readonly depth: number }[] = [{ part: expression, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { part, depth } = next;
    if (typeof part !== 'object' || part === null) continue;
    // Each level has at least one character, so a part that is shorter than the remaining levels is not too deep.
    if ('span' in part && !isLong(part as { readonly span: Span }, MAX_DEPTH - depth)) continue;
    if (depth > MAX_DEPTH) return true;
    const below = 'kind' in part ? depth + 1 : depth;
    for (const inner of Object.values(part)) pending.push({ part: inner, depth: below });
  }
  return false;
}

const isLong = ({ span }: { readonly span: Span }, than = MAX_DEPTH): boolean => span.end - span.start > than;

/** Returns the expressions in the tag itself, not those in its body. */
function expressionsOf(node: Node): readonly Expression[] {
  const { body: _body, otherwise: _otherwise, tag: _tag, ...own } = node as Node & Record<string, unknown>;
  return Object.values(own).flat().filter(isObject) as unknown as readonly Expression[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

// Finds the undefined name; the engine reports only the expression that uses it.

interface UndefinedName {
  /** The name as a path: `user.name`. */
  readonly name: string;
  readonly span: Span;
  /** The value that lacks the field; absent if the name itself is unknown. */
  readonly receiver?: string;
  /** The known names, from which a similar name is suggested. */
  readonly known: Iterable<string>;
}

interface FailingTemplate {
  readonly text: string;
  readonly base: number;
  readonly scopes: Scopes;
  readonly context: Readonly<Record<string, Json>>;
  /** The names that other templates define and that may be visible in this template. */
  readonly elsewhere: ReadonlySet<string>;
}

/**
 * Returns the name in `tag` that is most likely undefined, and prefers a name in `place`, the span that the engine
 * reports. Returns undefined if no name fits.
 */
function findUndefined(template: FailingTemplate, tag: Span, place: Span): UndefinedName | undefined {
  const uses = template.scopes.uses.filter((use) => overlaps(use.span, tag) && fails(template, use));
  const pointedAt = uses.filter((use) => overlaps(whole(use), place));
  const missing = (use: NameUse) => isMissing(template, use);
  const here = (use: NameUse) => missing(use) && !template.elsewhere.has(use.name);
  // A value that is only tested is seldom the undefined one.
  const root = pointedAt.find((use) => here(use) && use.guard !== 'truth') ?? pointedAt.find(here);
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

/** Returns whether neither the template nor the context nor the engine defines a name. */
const isMissing = ({ context }: FailingTemplate, { variable, name }: NameUse): boolean =>
  variable === undefined && !Object.hasOwn(context, name) && !FUNCTIONS.has(name);

/**
 * Returns whether an undefined value may fail here; the engine accepts undefined values in `is defined` and after `not`.
 */
function fails(template: FailingTemplate, { guarded: own, pathGuarded, guard, span: place, path }: NameUse): boolean {
  const guarded = path.length === 0 ? own : pathGuarded && guard !== 'default';
  return failsIfUndefined(template, { guarded, guard, span: place });
}

const whole = (use: NameUse): Span => span(use.span.start, use.path.at(-1)?.span.end ?? use.span.end);
const pathOf = ({ name, path }: NameUse): string => name + path.map(stepOf).join('');

/** Returns a step of a path as source: `.name`, `["a name"]` or `[0]`. */
function stepOf({ kind, name }: PathSegment): string {
  if (kind === 'index') return `[${name}]`;
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function asRoot({ context, scopes }: FailingTemplate, { name, span: place }: NameUse): UndefinedName {
  const own = scopes.variables.filter(({ implicit }) => !implicit).map((variable) => variable.name);
  return { name, span: place, known: new Set([...Object.keys(context), ...own, ...FUNCTIONS.keys()]) };
}

/** Returns the first field of a path that the context lacks; undefined if the context has the whole path. */
function findMissingField({ context }: FailingTemplate, use: NameUse): UndefinedName | undefined {
  if (use.variable !== undefined || !Object.hasOwn(context, use.name)) return undefined;
  let value: unknown = context[use.name];
  let receiver = use.name;
  for (const segment of use.path) {
    if (segment.called) return undefined;
    const path = `${receiver}${stepOf(segment)}`;
    const fields = typeof value === 'object' && value !== null ? value : typeof value === 'string' ? [...value] : {};
    const isIndex = Array.isArray(fields) && segment.kind === 'index';
    if (!Object.hasOwn(fields, segment.name) || (Array.isArray(fields) && !isIndex)) {
      const known = Array.isArray(fields) ? [] : Object.keys(fields);
      return { name: path, span: span(use.span.start, segment.span.end), receiver, known };
    }
    value = (fields as Readonly<Record<string, unknown>>)[segment.name];
    receiver = path;
  }
  return undefined;
}

// Locates the cause of a failed rendering in the template's file.

type Failed = Exclude<Outcome, { kind: 'text' }>;

/** Explains why the engine does not load a template, with a span in its file. */
export function explainLoad({ source, template }: ParsedTemplate, outcome: Failed): Explanation {
  const refusal = explainRefusal(template);
  if (outcome.kind === 'trap') {
    const trap = explainTrap(outcome.reason, refusal?.span ?? source.span);
    return refusal ? { ...trap, message: `${trap.message} ${refusal.message}` } : trap;
  }
  if (refusal) return refusal;
  const error = parseEngineMessage(outcome.message);
  const message = `MiniJinja ${ENGINE.version} cannot load this template: ${error.detail || error.kind}.`;
  const span = error.at ? shift(spanOfError(source.text, error.at), source.span.start) : source.span;
  return { reason: 'syntax', message, span };
}

/** Explains why rendering failed after all templates were loaded, with the file and the span of the fault. */
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
    const message = `The included template \`${inside}\` fails here. Check it with the values that it receives here.`;
    return { reason: 'invalid-operation', message, span: place };
  }
  const others = [...templates.values()].filter((other) => other !== failing);
  const elsewhere = new Set(
    others.flatMap(({ template }) => resolveScopes(template).variables.map((variable) => variable.name)),
  );
  const names = request.templates.map(({ name }) => name);
  return explainError(error, { template: failing.template, context: request.context, names, elsewhere }, place, exact);
}

/**
 * The location of a failure. For a failure inside an included template, the engine reports only the `include`. To find
 * the exact location, the text of the included template replaces the tag, and the result is rendered again.
 */
interface FailureLocation {
  readonly error: EngineError;
  readonly template: ParsedTemplate;
  /** A span in the file; if `exact` is false, the span of the whole line. */
  readonly place: Span;
  readonly exact: boolean;
  /** The name of the included template that fails, if the exact location is not known. */
  readonly inside?: string;
  /** True if templates include each other endlessly. */
  readonly endless?: boolean;
}

/** A part of a template's text. */
interface TemplatePart {
  readonly template: ParsedTemplate;
  readonly start: number;
  readonly end: number;
}

/** The maximum number of includes that are followed; the engine itself fails at a depth of 50. */
const MAX_INCLUDES = 55;
const MAX_TEXT = 2_000_000;

/** Locates a failure from the engine's message, by following each `include` that contains the failure. */
function locateFailure(rendering: Rendering, message: string): FailureLocation {
  const { main, unloadable } = rendering;
  const templates = new Map([...rendering.templates].filter(([name]) => !unloadable.has(name)));
  /** The text of each template, after replacement of the includes that were followed so far. */
  const texts = new Map([...rendering.templates].map(([name, template]) => [name, [wholeOf(template)]]));
  let found = locate(parseEngineMessage(message), main, texts);
  const outermost = found;
  for (let depth = 0; depth < MAX_INCLUDES; depth++) {
    const { error, template, place } = found;
    if (error.kind !== 'could not render include') return found;
    const inside = [...templates.keys()].find((name) => error.detail === `error in ${JSON.stringify(name)}`);
    const included = inside === undefined ? undefined : templates.get(inside);
    const tag = [...allNodes(template.template.nodes)].find(
      ({ kind, span: where }) =>
        (kind === 'include' || kind === 'import' || kind === 'from-import') && overlaps(where, place),
    );
    if (inside === undefined || !included || !tag) return found;
    const failing = error.at?.template ?? '';
    const parts = texts.get(failing);
    if (!parts || lengthOf(parts) > MAX_TEXT) return { ...found, inside };
    texts.set(failing, inline(parts, template, tag.span, included));
    const next = runWith(
      rendering,
      [...texts].map(([name, parts]) => ({ name, text: textOf(parts) })),
    );
    if (next.kind !== 'error' || next.template !== undefined) return { ...found, inside };
    found = locate(parseEngineMessage(next.message), main, texts);
  }
  return { ...outermost, endless: true };
}

const wholeOf = (template: ParsedTemplate): TemplatePart => ({
  template,
  start: 0,
  end: template.source.text.length,
});
const textOf = (parts: readonly TemplatePart[]): string =>
  parts.map(({ template, start, end }) => template.source.text.slice(start, end)).join('');
const lengthOf = (parts: readonly TemplatePart[]): number =>
  parts.reduce((sum, { start, end }) => sum + end - start, 0);

function locate(
  error: EngineError,
  main: ParsedTemplate,
  texts: ReadonlyMap<string, readonly TemplatePart[]>,
): FailureLocation {
  const parts = error.at && texts.get(error.at.template);
  if (!error.at || !parts) return { error, template: main, place: main.template.span, exact: false };
  const { start, end, exact } = spanOfError(textOf(parts), error.at);
  let at = 0;
  for (const part of parts) {
    const size = part.end - part.start;
    if (start < at + size || part === parts.at(-1)) {
      const from = part.start + start - at;
      const place = span(from, Math.max(from, Math.min(part.end, part.start + end - at)));
      return { error, template: part.template, place: shift(place, part.template.template.base), exact };
    }
    at += size;
  }
  return { error, template: main, place: main.template.span, exact: false };
}

/** Replaces a tag of `template`, if `parts` still contain it, with the whole text of `included`. */
function inline(
  parts: readonly TemplatePart[],
  template: ParsedTemplate,
  tag: Span,
  included: ParsedTemplate,
): TemplatePart[] {
  const { start, end } = shift(tag, -template.template.base);
  const index = parts.findIndex((part) => part.template === template && contains(part, { start, end }));
  const part = parts[index];
  if (!part) return [...parts];
  return parts.toSpliced(index, 1, { ...part, end: start }, wholeOf(included), { ...part, start: end });
}

// Evaluates expressions with the template engine, as `{% if … %}` and `{{ … }}` do.

type ExpressionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Explanation };

/**
 * Returns whether an expression is true. It is in parentheses, because a bare `a if b else c` ends an `if` tag. The span
 * of a failure is in UTF-16 code units of `source`. Never throws.
 */
export function evaluateCondition(
  engine: TemplateEngine,
  source: string,
  context: Readonly<Record<string, Json>>,
): ExpressionResult<boolean> {
  const result = renderExpression(engine, source, context, ['{% if (', '\n) %}1{% endif %}']);
  return result.ok ? { ok: true, value: result.value === '1' } : result;
}

/** Returns the value of an expression as JSON. Fails like `evaluateCondition`. Never throws. */
export function evaluateValue(
  engine: TemplateEngine,
  source: string,
  context: Readonly<Record<string, Json>>,
): ExpressionResult<Json> {
  // The filter accepts an undefined value, and printing refuses it.
  const printed = '\n) %}{{ value|tojson if value is defined else value }}';
  const result = renderExpression(engine, source, context, ['{% set value = (', printed]);
  if (!result.ok) return result;
  const whole = span(0, source.length);
  if (result.value.length > MAX_OUTPUT) return { ok: false, failure: explainTooLong(result.value.length, whole) };
  try {
    return { ok: true, value: JSON.parse(result.value) as Json };
  } catch {
    return { ok: false, failure: failure('invalid-operation', 'This value cannot be written as JSON.', whole) };
  }
}

/** Returns the text that the engine prints for an expression between two pieces of a template. */
function renderExpression(
  engine: TemplateEngine,
  source: string,
  context: Readonly<Record<string, Json>>,
  [opening, closing]: readonly [string, string],
): ExpressionResult<string> {
  // Insert only a single expression into a tag, because other text might close the tag and open another tag.
  const parsed = parseExpression(source);
  const refusal = explainRefusal(parsed);
  if (refusal) return { ok: false, failure: refusal };
  if (isTooDeep(parsed.expression)) return { ok: false, failure: explainTooDeep(parsed.span) };
  const text = `${opening}${source}${closing}`;
  const outcome = engine.run([{ name: 'condition', text }], 'condition', context);
  if (outcome.kind === 'text') return { ok: true, value: outcome.text };
  const whole = span(0, source.length);
  if (outcome.kind === 'trap') return { ok: false, failure: explainTrap(outcome.reason, whole) };
  const error = parseEngineMessage(outcome.message);
  // With this base, offsets in the template are offsets in the expression.
  const template = parseTemplate(text, -opening.length);
  const errorSpan = error.at && spanOfError(text, error.at);
  const place = errorSpan ? shift(errorSpan, template.base) : whole;
  const circumstances = { template, context, names: [], elsewhere: new Set<string>() };
  const failure = explainError(error, circumstances, clamp(place, whole), errorSpan?.exact ?? false);
  return { ok: false, failure: { ...failure, span: clamp(failure.span, whole) } };
}

const clamp = (inner: Span, outer: Span): Span => {
  const start = Math.min(Math.max(inner.start, outer.start), outer.end);
  return span(start, Math.max(start, Math.min(inner.end, outer.end)));
};
