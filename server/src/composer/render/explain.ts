/** Explains an error of the engine for people, at the name or the tag that it is about. */

import { grouped } from '../../amounts.ts';
import type { Template } from '../../languages/minijinja/ast.ts';
import { FILTERS, FUNCTIONS, findElsewhere, TESTS } from '../../languages/minijinja/builtins/builtins.ts';
import { NEWER_SYNTAX } from '../../languages/minijinja/builtins/newer-syntax.ts';
import { resolveScopes, type Scopes } from '../../languages/minijinja/scopes.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { nearestNames } from '../../nearest.ts';
import { overlaps, type Span } from '../../text.ts';
import { MAX_DEPTH } from './depth.ts';
import { ENGINE } from './engine.ts';
import type { EngineError } from './engine-message.ts';
import type { FailureReason, RenderFailure } from './model.ts';
import { findUndefined } from './undefined-names.ts';

export type Explanation = Pick<RenderFailure, 'reason' | 'message' | 'span' | 'suggestion'>;

/** What is known about the failing template. Places are those of the file. */
interface Circumstances {
  readonly template: Template;
  readonly context: Readonly<Record<string, Json>>;
  /** The names of templates that can be included. */
  readonly names: readonly string[];
  /** Names that other templates define. */
  readonly elsewhere: ReadonlySet<string>;
}

const { version } = ENGINE;

/** `place` is where the engine points; not `exact`, it is the whole line. */
export function explainError(
  error: EngineError,
  circumstances: Circumstances,
  place: Span,
  exact: boolean,
): Explanation {
  const { template } = circumstances;
  const tag = template.tags.find(({ span }) => overlaps(span, place) || span.end === place.start);
  const where: Where = { scopes: resolveScopes(template), tag: tag?.span ?? place, place };
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
      return failure('fuel', 'The template takes more steps than rendering may: loop less often.', at);
  }
  if (error.detail === 'recursion limit exceeded') return failure('recursion', RECURSION, at);
  if (error.detail === '' || /\bundefined\b/.test(error.detail)) {
    const found = explainUndefined(circumstances, where, undefined);
    if (found) return found;
  }
  return failure('invalid-operation', messageOf(error), at);
}

export const RECURSION = 'The template calls itself without end, or too deep: give the recursion an end.';

interface Where {
  readonly scopes: Scopes;
  readonly tag: Span;
  /** Where the engine points. */
  readonly place: Span;
}

const failure = (reason: FailureReason, message: string, span: Span, suggestion?: string): Explanation => ({
  reason,
  message,
  span,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const wordIn = (detail: string, pattern: RegExp): string | undefined => pattern.exec(detail)?.[1];

/** Undefined where no undefined name is found, and there is no place to fall back to. */
function explainUndefined(circumstances: Circumstances, where: Where, fallback: Span): Explanation;
function explainUndefined(circumstances: Circumstances, where: Where, fallback: undefined): Explanation | undefined;
function explainUndefined(
  { template, context, elsewhere }: Circumstances,
  { scopes, tag, place }: Where,
  fallback: Span | undefined,
): Explanation | undefined {
  const failing = { text: template.text, base: template.base, scopes, context, elsewhere };
  const found = findUndefined(failing, tag, place);
  if (
    !found ||
    (fallback === undefined && found.receiver === undefined && scopes.free.every(({ span }) => span !== found.span))
  ) {
    return fallback && failure('undefined', 'This value is undefined: give it one, or add `| default("")`.', fallback);
  }
  return explainUndefinedName(found.name, found.span, found.known, found.receiver);
}

/** `receiver` is what has no such field; absent where the name itself is unknown. */
export function explainUndefinedName(
  name: string,
  span: Span,
  known: Iterable<string>,
  receiver?: string,
): Explanation {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const [near] = nearestNames(last, known);
  const why = receiver === undefined ? 'nothing gives it a value here' : `\`${receiver}\` has no \`${last}\``;
  const message = `\`${name}\` is undefined: ${why}. Give it a value, or write \`${name} | default("")\`.`;
  return failure('undefined', message, span, near);
}

function explainUnknown(
  { scopes, tag, place }: Where,
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
  if (name === undefined) return failure(`unknown-${what}`, `MiniJinja ${version} does not know this ${what}.`, at);
  const near = nearestNames(name, known.keys());
  const elsewhere = what === 'filter' ? findElsewhere('filter', name) : undefined;
  const why = elsewhere ? ` It comes only with ${elsewhere.since}.` : '';
  const message = `MiniJinja ${version} has no ${what} \`${name}\`: use one that it has.${why}`;
  return failure(`unknown-${what}`, message, use?.span ?? at, near[0]);
}

function explainFunction({ scopes, tag, place }: Where, at: Span, name = ''): Explanation {
  const calls = scopes.functions.filter((call) => call.name === name && overlaps(call.span, tag));
  const call = calls.find(({ span }) => overlaps(span, place)) ?? calls[0];
  const names = scopes.variables.filter(({ definitions }) =>
    definitions.some(({ kind }) => kind === 'macro' || kind === 'import'),
  );
  const near = nearestNames(name, new Set([...names.map((variable) => variable.name), ...FUNCTIONS.keys()]));
  const elsewhere = findElsewhere('function', name);
  const why = elsewhere ? ` It comes only with ${elsewhere.since}.` : '';
  const message = `There is no function \`${name}\` in MiniJinja ${version}: define a macro of this name, or import it.${why}`;
  return failure('unknown-function', message, call?.span ?? at, near[0]);
}

function explainMissingTemplate({ names }: Circumstances, { scopes, tag }: Where, at: Span): Explanation {
  const reference = scopes.references.find(({ span }) => overlaps(span, tag));
  const wanted = reference?.names.find(({ name }) => !names.includes(name));
  if (!wanted) return failure('missing-template', 'There is no template of this name: name one of this skill.', at);
  const near = nearestNames(wanted.name, names);
  const message = `There is no template \`${wanted.name}\`: name one of this skill.`;
  return failure('missing-template', message, wanted.content ?? wanted.span, near[0]);
}

function messageOf({ kind, detail }: EngineError): string {
  const method = /^(\S+) has no method named (.+)$/s.exec(detail);
  if (kind === 'unknown method' && method) {
    return `A ${method[1]} has no method \`${method[2]}\`: MiniJinja has no methods of Python; use a filter.`;
  }
  const reason = detail === '' ? kind : kind === 'invalid operation' ? detail : `${kind}: ${detail}`;
  return `This cannot be rendered: ${reason}. Change the expression, or the value that it is given.`;
}

/** Why the engine does not load a template, in the words of our own parser; undefined where it sees no reason. */
export function explainRefusal(template: Pick<Template, 'problems' | 'newerSyntax'>): Explanation | undefined {
  const [problem] = template.problems;
  if (problem) return failure('syntax', problem.message, problem.span);
  const [use] = template.newerSyntax;
  if (!use) return undefined;
  const { docs, since } = NEWER_SYNTAX[use.feature];
  const message = `MiniJinja ${version}, which renders here, does not know this: ${docs} It comes only with ${since}.`;
  return failure('syntax', message, use.span);
}

const TRAPS = {
  memory: 'Rendering takes more memory than it may (64 MB): something doubles or repeats too often. Make it shorter.',
  recursion: 'The template, or a value that it is given, is nested too deep: make it flatter.',
  panic: 'The engine stops dead on this, which is a defect of its own: write it in another way.',
} as const;

export const explainTrap = (reason: keyof typeof TRAPS, span: Span): Explanation =>
  failure(reason, `${TRAPS[reason]} (MiniJinja ${version})`, span);

/** How many characters a template may print: more than any model reads. */
export const MAX_OUTPUT = 2_000_000;

/** `span` is what prints most. */
export const explainTooLong = (length: number, span: Span): Explanation =>
  failure(
    'output',
    `The template prints ${grouped(length)} characters, and this most of them: no more than ${grouped(MAX_OUTPUT)} may be printed, so that a prompt can be counted and shown. Print less of it.`,
    span,
  );

export const explainTooDeep = (span: Span): Explanation =>
  failure(
    'recursion',
    `This chain has more than ${MAX_DEPTH} links (operators, filters, attributes or \`elif\`), further than rendering follows: split it with \`{% set %}\`, or loop over a list.`,
    span,
  );
