/** A condition with the values that decided it, as the reason of a decision gives it. */
import { parseExpression } from '../languages/minijinja/parser.ts';
import { resolveScopes, type Use } from '../languages/minijinja/scopes.ts';
import type { Json } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';

type Context = Readonly<Record<string, Json>>;

/** More values, or longer ones, make a reason hard to read. */
const MOST_VALUES = 4;
const LONGEST = 60;

/** `include_when is false`, then the condition as written, and each name that it asks for with its value. */
export function conditionInWords(source: string, holds: boolean, context: Context): string {
  const { free } = resolveScopes(parseExpression(source));
  const values = new Map(free.flatMap((use) => givenTo(use, context)));
  const told = [...values].slice(0, MOST_VALUES).map(([name, value]) => `${code(name)} is ${code(inWords(value))}`);
  return [`include_when is ${holds}: ${code(source)}`, ...(told.length > 0 ? [listed(told)] : [])].join(', and ');
}

/** The path that a use takes, as far as there is a value. */
function givenTo({ name, role, path }: Use, context: Context): readonly (readonly [string, Json])[] {
  if (role !== 'read' || !Object.hasOwn(context, name)) return [];
  let value = context[name] as Json;
  let written = name;
  for (const step of path) {
    if (step.called || typeof value !== 'object' || value === null || !Object.hasOwn(value, step.name)) break;
    value = (value as Readonly<Record<string, Json>>)[step.name] as Json;
    written += step.kind === 'index' ? `[${step.name}]` : `.${step.name}`;
  }
  return [[written, value]];
}

const inWords = (value: Json): string =>
  typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value);

/** On one line, cut, and in backticks. */
function code(text: string): string {
  const line = text
    .slice(0, LONGEST * 2)
    .replaceAll('`', "'")
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}
