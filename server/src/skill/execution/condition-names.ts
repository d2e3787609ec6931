/** Finds names in conditions of steps and interrupts that have no value (docs/format.md, sections 4 and 5). */
import { FUNCTIONS } from '../../languages/minijinja/builtins.ts';
import { undefinedInCondition } from '../../languages/minijinja/scope-model.ts';
import type { Use } from '../../languages/minijinja/scopes.ts';
import { nearestNames } from '../../nearest.ts';
import { type Span, span } from '../../text.ts';
import { CONDITION_VARIABLES } from '../../vocabulary/known-names.ts';
import { type Condition, inFile } from '../conditions.ts';
import { parameterNames } from '../parameters.ts';
import type { SkillFile } from '../skill-file.ts';

/** A name in a condition that is neither a parameter nor a variable of conditions. */
export interface UnknownName {
  readonly place: Condition['place'];
  /** The name, or a reference without its `$`, such as `input.x`. */
  readonly name: string;
  /** The spans of the name in one condition, in the file. */
  readonly spans: readonly [Span, ...Span[]];
  /** The texts that may replace the name, the most likely first. */
  readonly rights: readonly string[];
}

/** The names that every condition can use besides the parameters. */
const AMBIENT: readonly string[] = [...CONDITION_VARIABLES.map(({ name }) => name), ...FUNCTIONS.keys()];

/**
 * Returns the unknown names in all conditions of a file, grouped by condition and name, in the order of the conditions
 * (docs/format.md, section 5). Returns an empty array if the input schema allows any name. Never throws.
 */
export const unknownConditionNames = (file: SkillFile): readonly UnknownName[] => file.derive(findUnknownNames);

function findUnknownNames(file: SkillFile): readonly UnknownName[] {
  const parameters = parameterNames(file.contract.input?.schema);
  if (!parameters) return [];
  const known = new Set([...parameters, ...AMBIENT]);
  const sources = ['input', ...file.contract.composes.map(({ step }) => step)];
  return file.conditions.flatMap((condition) => namesIn(file, condition, known, sources));
}

function namesIn(
  file: SkillFile,
  condition: Condition,
  known: ReadonlySet<string>,
  sources: readonly string[],
): readonly UnknownName[] {
  const value = String(condition.scalar.value);
  const found = new Map<string, { spans: [Span, ...Span[]]; rights: readonly string[] }>();
  let end = 0;
  for (const use of undefinedInCondition(condition.expression, condition.scopes, (name) => known.has(name))) {
    // A reference begins with `$`, and a reference without `$` may contain hyphens, which separate names elsewhere.
    if (use.span.start < end || value[use.span.start] === '$') continue;
    const bare = condition.place === 'execution' ? bareReference(value, use, known, sources) : undefined;
    const place = span(use.span.start, use.span.start + (bare?.source ?? use.name).length);
    end = place.end;
    const name = bare?.source ?? use.name;
    const spans = found.get(name)?.spans;
    if (spans) spans.push(inFile(file.text, condition, place));
    else {
      const rights = bare ? bare.rights : nearestNames(name, known);
      found.set(name, { spans: [inFile(file.text, condition, place)], rights });
    }
  }
  return [...found].map(([name, { spans, rights }]) => ({ place: condition.place, name, spans, rights }));
}

const BARE = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+/;

/** Returns a reference that lacks its `$`, with the references that the author may have meant. */
function bareReference(
  value: string,
  { name, span: { start } }: Use,
  known: ReadonlySet<string>,
  sources: readonly string[],
): { readonly source: string; readonly rights: readonly string[] } | undefined {
  const [source] = BARE.exec(value.slice(start)) ?? [];
  if (source === undefined) return undefined;
  const [head = '', ...path] = source.split('.');
  const isExact = sources.includes(head);
  if (!isExact && nearestNames(name, known).length > 0) return undefined;
  const near = isExact ? [head] : nearestNames(head, sources);
  if (near.length === 0) return undefined;
  const [first = ''] = path;
  const fields = first === 'output' || nearestNames(first, ['output']).length > 0 ? path.slice(1) : path;
  const rights = near.map((right) => `$${[right, ...(right === 'input' ? path : ['output', ...fields])].join('.')}`);
  return { source, rights };
}
