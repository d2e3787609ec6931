/** Validates scalars against a shape: choices, truth values, numbers and texts. */
import { grouped } from '../amounts.ts';
import type { YamlScalar } from '../languages/yaml/node.ts';
import { nearestNames } from '../nearest.ts';
import { checkFormat } from './formats.ts';
import type { Shape } from './shape.ts';
import type { ShapeFix } from './shape-problem.ts';
import { describe } from './shape-words.ts';

export interface ScalarProblem {
  readonly message: string;
  readonly fixes: readonly ShapeFix[];
}

/** What is wrong with a scalar under a shape that takes scalars, in a message that names its `key`; undefined if nothing. */
export function checkScalar(node: YamlScalar, shape: Shape, key: string): ScalarProblem | undefined {
  switch (shape.kind) {
    case 'choice':
      return checkChoice(node, shape, key);
    case 'boolean':
      return checkBoolean(node, key);
    case 'number':
      return checkNumber(node, shape, key);
    case 'string':
      return checkText(node, shape, key);
    default:
      return undefined;
  }
}

type Of<Kind extends Shape['kind']> = Shape & { readonly kind: Kind };

const problem = (message: string, ...fixes: ShapeFix[]): ScalarProblem => ({ message, fixes });

const replace = ({ span }: YamlScalar, newText: string, safe: boolean): ShapeFix => ({
  title: `Replace with \`${newText}\``,
  safe,
  edits: [{ span, newText }],
});

function checkChoice(node: YamlScalar, { choices }: Of<'choice'>, key: string): ScalarProblem | undefined {
  const { value, source } = node;
  if (choices.some((choice) => choice.value === value)) return undefined;
  const written = String(value);
  const names = choices.map((choice) => String(choice.value));
  const exact = names.find((name) => name.toLowerCase() === written.toLowerCase());
  const near = exact ? [exact] : nearestNames(written, names);
  const list = names.map((name) => `\`${name}\``).join(', ');
  return problem(
    `\`${key}\` cannot be \`${source || written}\`; it is one of ${list}.`,
    ...near.map((name) => replace(node, name, name === exact)),
  );
}

function checkBoolean(node: YamlScalar, key: string): ScalarProblem | undefined {
  if (typeof node.value === 'boolean') return undefined;
  const message = `\`${key}\` must be \`true\` or \`false\`, but this is ${describe(node)}.`;
  const written = String(node.value);
  if (/^(yes|on|true)$/i.test(written)) return problem(message, replace(node, 'true', true));
  if (/^(no|off|false)$/i.test(written)) return problem(message, replace(node, 'false', true));
  return problem(message);
}

function checkNumber(node: YamlScalar, shape: Of<'number'>, key: string): ScalarProblem | undefined {
  const { integer, min, max, positive } = shape;
  const { value } = node;
  if (typeof value !== 'number') {
    const message = `\`${key}\` must be a number, but this is ${describe(node)}.`;
    const isQuoted = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
    return isQuoted ? problem(message, replace(node, value, true)) : problem(message);
  }
  if (!Number.isFinite(value)) return problem(`\`${key}\` must be a finite number.`);
  if (integer && !Number.isInteger(value)) return problem(`\`${key}\` must be a whole number, not ${value}.`);
  if (positive && value <= 0) return problem(`\`${key}\` must be above 0; ${value} means nothing here.`);
  if (min !== undefined && value < min) return problem(`\`${key}\` must be at least ${min}, not ${value}.`);
  if (max !== undefined && value > max) return problem(`\`${key}\` must be at most ${max}, not ${value}.`);
  return undefined;
}

function checkText(node: YamlScalar, shape: Of<'string'>, key: string): ScalarProblem | undefined {
  const { value, source, span } = node;
  const { format, minLength = 0, maxLength, pattern, expected } = shape;
  const isText = typeof value === 'string';
  // YAML reads a version such as `1.0` as a number; what is written counts.
  const written = isText ? value : source;
  const found = format && checkFormat(written, format, key);
  if (found) return problem(found.message, ...(found.suggestion ? [replace(node, found.suggestion, false)] : []));
  if (!isText) {
    if (format) return undefined;
    const quote = { title: 'Quote it', safe: true, edits: [{ span, newText: `"${source}"` }] };
    return problem(`\`${key}\` must be text, but this is ${describe(node)}. Quote it.`, quote);
  }
  if (written.trim().length < minLength) return problem(`\`${key}\` must not be empty.`);
  const length = maxLength === undefined ? 0 : [...written].length;
  if (maxLength !== undefined && length > maxLength) {
    return problem(
      `\`${key}\` has ${grouped(length)} characters; at most ${grouped(maxLength)} are allowed. Shorten it by ${grouped(length - maxLength)}.`,
    );
  }
  if (pattern && !pattern.test(written)) {
    return problem(`\`${written}\` does not fit \`${key}\`: expected ${expected}.`);
  }
  return undefined;
}
